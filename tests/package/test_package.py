"""What is built can be installed, and the rooms of the house are as they should be."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        check=True, capture_output=True, stdin=subprocess.DEVNULL,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.parametrize(
    "name",
    ["pitui/pitui.tcss", "pitui/themes/pitui-dark.json", "pitui/themes/pitui-light.json", "pitui/demo/__main__.py",
     "pitui/CHANGELOG.md"],
)
def test_the_wheel_holds(wheel: Path, name: str) -> None:
    assert name in zipfile.ZipFile(wheel).namelist()


def test_the_wheel_installs_and_runs_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Beside the dependencies of this environment, so that nothing is fetched."""
    venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
    python = tmp_path / "venv" / "bin" / "python"
    target = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(target)
    dependencies = [path for path in sys.path if path.endswith("site-packages")]
    script = (
        f"import sys; sys.path[:0] = [{str(target)!r}]; sys.path += {dependencies!r}\n"
        "import pitui, pitui.theme\n"
        f"assert pitui.__file__.startswith({str(target)!r}), pitui.__file__\n"
        "print(sorted(colours.name for colours in pitui.theme.shipped()))\n"
    )
    done = subprocess.run([python, "-I", "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "['pitui-contrast', 'pitui-dark', 'pitui-light', 'pitui-night']\n"


@pytest.mark.parametrize(
    ("module", "never"),
    [
        ("pitui.rpc.client", {"textual", "rich"}),
        ("pitui.rpc.transport", {"textual", "rich"}),
        ("pitui.session.reducer", {"textual", "rich", "anyio", "asyncio"}),
        ("pitui.session.history", {"textual", "rich", "anyio", "asyncio"}),
        ("pitui.render.entries", {"textual.app", "textual.widget", "anyio"}),
        ("pitui.demo.__main__", {"textual", "rich", "pydantic", "anyio"}),
    ],
)
def test_a_core_module_brings_no_more_than_it_needs(module: str, never: set[str]) -> None:
    script = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert never & set(done.stdout.split()) == set()
