"""The file index: what git would show, whatever the tree looks like."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitui.files import FileIndex, list_paths, walk
from pitui.matching import best_paths, matching


def tree(root: Path, *files: str, **texts: str) -> None:
    for file in files:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(texts.get(file, ""))


def ignore(folder: Path, *lines: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("\n".join(lines) + "\n")


def found(root: Path) -> set[str]:
    return {path for path in walk(root) if not path.endswith(".gitignore")}


def test_files_and_folders_are_listed(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "src/b.py")
    assert found(tmp_path) == {"a.py", "src/", "src/b.py"}


def test_ignored_files_and_folders_are_not(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "a.pyc", "build/x", "src/build/y")
    ignore(tmp_path, "*.pyc", "/build/")
    assert found(tmp_path) == {"a.py", "src/", "src/build/", "src/build/y"}


def test_a_deeper_ignore_file_wins(tmp_path: Path) -> None:
    tree(tmp_path, "a.log", "keep/b.log", "keep/c.tmp")
    ignore(tmp_path, "*.log")
    ignore(tmp_path / "keep", "!*.log", "*.tmp")
    assert found(tmp_path) == {"keep/", "keep/b.log"}


def test_rules_of_the_checkout_above_count(tmp_path: Path) -> None:
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("*.secret\n")
    ignore(tmp_path, "/sub/out/", "*.log")
    tree(tmp_path / "sub", "out/x", "a.log", "b.secret", "c.py")
    assert found(tmp_path / "sub") == {"c.py"}


def test_gits_own_folder_is_never_listed(tmp_path: Path) -> None:
    tree(tmp_path, ".git/config", ".github/ci.yml")
    assert found(tmp_path) == {".github/", ".github/ci.yml"}


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    tree(tmp_path, "src/a.py")
    (tmp_path / "src" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "self").symlink_to("self")
    assert found(tmp_path) == {"src/", "src/a.py", "src/loop/", "self"}


def test_a_folder_that_is_gone_is_empty(tmp_path: Path) -> None:
    assert found(tmp_path / "gone") == set()


def test_names_with_control_characters_are_left_out(tmp_path: Path) -> None:
    tree(tmp_path, "a\x1b[31m.py", "b.py", "c\n.py")
    assert found(tmp_path) == {"b.py"}


def test_the_walk_is_bounded(tmp_path: Path) -> None:
    tree(tmp_path, *(f"{number}.py" for number in range(20)))
    assert len(list(walk(tmp_path, limit=5))) == 5


PATTERNS = st.lists(
    st.sampled_from(
        ["*.log", "!a.log", "/a", "a/", "b/**", "**/c", "!c", "*", "!*/", "# x", "", "a/b", "/b/c/", "\\!x"]
    ),
    max_size=4,
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PATTERNS, PATTERNS)
def test_the_index_holds_what_git_lists(
    tmp_path_factory: pytest.TempPathFactory, top: list[str], deeper: list[str]
) -> None:
    root = tmp_path_factory.mktemp("repo")
    tree(root, "a.log", "x.log", "a/b/c", "a/c", "b/c/d", "b/a.log", "c", "d/a/x.log")
    ignore(root, *top)
    ignore(root / "b", *deeper)
    git = ["git", "-C", str(root), "-c", "core.excludesFile="]
    subprocess.run([*git, "init", "-q"], check=True, stdin=subprocess.DEVNULL)
    listed = subprocess.run(
        [*git, "ls-files", "--others", "--exclude-standard"], check=True, stdin=subprocess.DEVNULL,
        capture_output=True, text=True,
    ).stdout.split()
    assert {path for path in walk(root) if not path.endswith("/")} == set(listed)


def test_the_index_is_read_in_the_background_and_finds(tmp_path: Path) -> None:
    tree(tmp_path, "src/parser.py", "docs/parser.md", "setup.cfg")
    index = FileIndex(tmp_path)
    index.refresh()
    index.wait()
    assert index.find("parser.py", 10) == ["src/parser.py"]


def test_a_refreshed_index_forgets_what_is_gone(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "b.py")
    index = FileIndex(tmp_path)
    index.refresh()
    index.wait()
    (tmp_path / "a.py").unlink()
    index.refresh()
    index.wait()
    assert index.paths == ["b.py"]


def test_names_go_before_paths_and_paths_before_scattered_letters() -> None:
    paths = ["model/x.py", "my_odd_el.py", "src/model.py", "src/a_model.py"]
    assert best_paths("model", paths, 10) == ["src/model.py", "src/a_model.py", "model/x.py", "my_odd_el.py"]


@given(st.text(max_size=8), st.lists(st.text(max_size=30)))
def test_whatever_is_found_holds_the_letters_in_order(query: str, paths: list[str]) -> None:
    for path in best_paths(query, paths, 10):
        letters = iter(path.lower())
        assert all(letter in letters for letter in query.lower()) or query.lower() in path.lower() or query in path


def test_every_word_must_be_in_a_prompt() -> None:
    assert matching("parser fix", ["fix the parser", "fix the docs", "Parser FIXED"]) == [0, 2]


def test_paths_are_listed_as_they_are_typed(tmp_path: Path) -> None:
    tree(tmp_path, "src/a.py", "src/.hidden", "other")
    assert list_paths("src/", tmp_path, None, 10) == ["src/a.py"]
    assert list_paths("src/.h", tmp_path, None, 10) == ["src/.hidden"]
    assert list_paths("./s", tmp_path, None, 10) == ["./src/"]
    assert list_paths("~/s", Path("/"), tmp_path, 10) == ["~/src/"]
    assert list_paths(f"{tmp_path}/o", Path("/"), None, 10) == [f"{tmp_path}/other"]
    assert list_paths("gone/x", tmp_path, None, 10) == []
