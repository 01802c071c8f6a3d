"""Source code as coloured runs, by Pygments; lexers are imported when first needed."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from rich.style import Style

from pitui.render.lines import Palette
from pitui.render.wrap import Span

if TYPE_CHECKING:
    from pygments.lexer import Lexer, RegexLexer
    from pygments.token import _TokenType

LONGEST_LINE = 2_000
"""Characters of a line beyond which it stays plain."""

WHOLE_LIMIT = 20_000
"""Characters up to which code is lexed as a whole; more goes line by line, for some lexers look far ahead."""

KEPT, KEPT_LONGEST = 256, 4_000
"""Pieces of code whose colours are remembered, and their characters at most: what was drawn while it was written is
drawn again when the message is complete."""

HUGE = 100_000
"""Characters beyond which code stays plain; a lexer takes some 10 us for each."""

_BY_SUFFIX = {
    ".py": "python", ".pyi": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript",
    ".jsx": "jsx", ".ts": "typescript", ".mts": "typescript", ".tsx": "tsx", ".json": "json", ".jsonl": "json",
    ".md": "markdown", ".sh": "bash", ".bash": "bash", ".zsh": "zsh", ".c": "c", ".h": "c", ".cc": "cpp",
    ".cpp": "cpp", ".hpp": "cpp", ".rs": "rust", ".go": "go", ".java": "java", ".kt": "kotlin", ".rb": "ruby",
    ".php": "php", ".css": "css", ".scss": "scss", ".html": "html", ".xml": "xml", ".svg": "xml", ".yml": "yaml",
    ".yaml": "yaml", ".toml": "toml", ".ini": "ini", ".cfg": "ini", ".sql": "sql", ".lua": "lua", ".swift": "swift",
    ".diff": "diff", ".patch": "diff", ".txt": "", ".log": "", ".csv": "",
}  # fmt: skip
_LEXER_FAULTS = (ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError)


def highlight(code: str, language: str, palette: Palette, base: Style | None = None) -> list[list[Span]]:
    """Lines of coloured runs of sanitized code; an unknown language, very long lines and huge code stay plain.

    Args:
        language: a Pygments alias (`python`), as in a fence's info string.
        base: what token colours are laid over; by default `palette.text`.
    """
    base = palette.text if base is None else base
    return (_kept if len(code) <= KEPT_LONGEST else _highlight)(code, language, palette, base)


def _highlight(code: str, language: str, palette: Palette, base: Style) -> list[list[Span]]:
    lines = code.split("\n")
    lexer = _lexer(language) if len(code) <= HUGE else None
    if lexer is None:
        return [[(line, base)] if line else [] for line in lines]
    if len(code) <= WHOLE_LIMIT and max(map(len, lines)) <= LONGEST_LINE:
        try:
            found = _by_line(lexer.get_tokens(code), palette, base)
        except _LEXER_FAULTS:  # a lexer's own mistake: the code is shown plain
            found = []
        if len(found) == len(lines):
            return found
    by_line = LineHighlighter(language, palette, base)
    return [by_line.line(line) for line in lines]


@lru_cache(maxsize=KEPT)
def _kept(code: str, language: str, palette: Palette, base: Style) -> list[list[Span]]:
    return _highlight(code, language, palette, base)


def _by_line(tokens: Iterable[tuple[_TokenType, str]], palette: Palette, base: Style) -> list[list[Span]]:
    lines: list[list[Span]] = [[]]
    for token, value in tokens:
        style = _style(palette, token, base)
        first, *others = value.split("\n")
        if first:
            _append(lines[-1], first, style)
        lines.extend([(part, style)] if part else [] for part in others)
    return lines


def _append(runs: list[Span], text: str, style: Style) -> None:
    if runs and runs[-1][1] is style:
        runs[-1] = (runs[-1][0] + text, style)
    else:
        runs.append((text, style))


class LineHighlighter:
    """Highlights code that is still being written, a line at a time; each line costs its own length.

    The lexer's state is carried from line to line. Constructs that a lexer only knows as a whole over several lines
    (a block comment in some) may look different until the code is complete.
    """

    def __init__(self, language: str, palette: Palette, base: Style | None = None) -> None:
        self._palette = palette
        self._base = palette.text if base is None else base
        self._lexer = _lexer(language)
        self._stack = ["root"]
        self._left = HUGE

    def line(self, text: str, *, final: bool = True) -> list[Span]:
        """The runs of the next line (no line break in it); `final=False`: only its beginning, asked for again."""
        if self._lexer is None or len(text) > min(LONGEST_LINE, self._left):
            return [(text, self._base)] if text else []
        stack = list(self._stack)
        runs: list[Span] = []
        try:
            for token, value in self._tokens(text, stack):
                if value := value.rstrip("\n"):
                    _append(runs, value, _style(self._palette, token, self._base))
        except _LEXER_FAULTS:  # a lexer's own mistake: the line is shown plain
            runs = []
        if sum([len(run[0]) for run in runs]) != len(text):
            return [(text, self._base)] if text else []
        if final:
            self._stack = stack
            self._left -= len(text) + 1
        return runs

    def _tokens(self, text: str, stack: list[str]) -> Iterator[tuple[_TokenType, str]]:
        from pygments.lexer import ExtendedRegexLexer, RegexLexer

        lexer = self._lexer
        unprocessed = RegexLexer.get_tokens_unprocessed
        if (
            isinstance(lexer, RegexLexer)
            and not isinstance(lexer, ExtendedRegexLexer)
            and type(lexer).get_tokens_unprocessed is unprocessed
        ):
            yield from _resumed(lexer, text + "\n", stack)
        elif lexer is not None:
            yield from lexer.get_tokens(text)


def _resumed(lexer: RegexLexer, text: str, stack: list[str]) -> Iterator[tuple[_TokenType, str]]:
    """Tokens of one line from the states in `stack`, which afterwards holds the states at its end.

    Follows `RegexLexer.get_tokens_unprocessed` of Pygments, which takes a stack but keeps its last state to itself.
    """
    from pygments.token import Error, Whitespace, _TokenType

    definitions = lexer._tokens  # type: ignore[attr-defined]  # the compiled rules; the stubs leave them out
    position, idle = 0, 0
    while position < len(text):
        for match_at, action, new_state in definitions[stack[-1]]:
            if not (match := match_at(text, position)):
                continue
            if isinstance(action, _TokenType):
                yield action, match.group()
            elif action is not None:
                yield from ((token, value) for _index, token, value in action(lexer, match))
            idle = idle + 1 if match.end() == position else 0
            position = match.end()
            _change_state(stack, new_state)
            break
        else:
            idle = 0
            if text[position] == "\n":
                stack[:] = ["root"]
            yield (Whitespace if text[position] == "\n" else Error), text[position]
            position += 1
        if idle > 100 or len(stack) > 1_000:
            raise ValueError("the lexer does not move on")


def _change_state(stack: list[str], new_state: tuple[str, ...] | int | str | None) -> None:
    if isinstance(new_state, tuple):
        for state in new_state:
            _change_state(stack, state)
    elif isinstance(new_state, int):
        del stack[max(1, len(stack) + new_state) if abs(new_state) < len(stack) else 1 :]
    elif new_state == "#pop":
        if len(stack) > 1:
            stack.pop()
    elif new_state == "#push":
        stack.append(stack[-1])
    elif new_state is not None:
        stack.append(new_state)


_loading = threading.Lock()


def load(language: str) -> None:
    """Import the language's lexer and compile its rules, so that the first code in it need not wait. Any thread may."""
    _lexer(language)


@lru_cache(maxsize=256)
def _lexer(language: str) -> Lexer | None:
    with _loading:  # Pygments compiles a lexer's rules in its class, unguarded.
        return _loaded(language)


def _loaded(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not language or len(language) > 40 or language.lower() in {"text", "plain", "plaintext", "txt", "none"}:
        return None
    try:
        return get_lexer_by_name(language.lower(), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(maxsize=4096)
def _style(palette: Palette, token: _TokenType, base: Style) -> Style:
    """The palette's style for the token or its nearest parent, over `base`."""
    parts = [part for part in token if part != "Literal"]
    while parts:
        if (style := palette.syntax.get(".".join(parts))) is not None:
            return base + style
        parts.pop()
    return base


@lru_cache(maxsize=512)
def language_of(path: str) -> str:
    """The language of a file by its name, as `highlight` takes it; empty when it has none."""
    name = PurePosixPath(path.replace("\\", "/")).name
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    from pygments.lexers import find_lexer_class_for_filename

    found = find_lexer_class_for_filename(name) if name else None
    return found.aliases[0] if found is not None and found.aliases else ""
