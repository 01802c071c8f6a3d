"""The parts of the README that come from the program: `python -m tests.readme` writes them, a test holds them."""

from __future__ import annotations

from pathlib import Path

from pitui.help import help_text
from pitui.keys.keymap import resolve

README = Path(__file__).resolve().parents[1] / "README.md"


def sections() -> dict[str, str]:
    """Marker to text."""
    return {"keys": help_text(resolve().keys).replace("## ", "### ")}


def filled(text: str) -> str:
    """The README with those parts as they should be."""
    for marker, part in sections().items():
        start, end = f"<!-- {marker} -->\n", f"<!-- end {marker} -->"
        before, _, rest = text.partition(start)
        _, _, after = rest.partition(end)
        text = f"{before}{start}{part}\n{end}{after}"
    return text


if __name__ == "__main__":
    README.write_text(filled(README.read_text("utf-8")), "utf-8")
