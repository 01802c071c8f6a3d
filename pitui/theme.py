"""Themes: JSON files of colours by meaning, as Textual themes and as the palettes that renderers use."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pitui.render.palette import palette_from

if TYPE_CHECKING:
    from textual.theme import Theme

    from pitui.render.lines import Palette

DEFAULT, LIGHT = "pitui-dark", "pitui-light"
LEVELS = ("off", "minimal", "low", "medium", "high", "xhigh", "max")
"""Thinking levels in order; each has a colour of its own on the composer's edge."""


def by_environment(environ: Mapping[str, str]) -> str:
    """The theme for a terminal of which only `COLORFGBG` may tell something: colour numbers, the background's last."""
    return LIGHT if environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15") else DEFAULT


def by_light(light: float) -> str:
    """The theme for a background as bright as `light`, from 0 to 1."""
    return LIGHT if light > 0.5 else DEFAULT


@dataclass(frozen=True, slots=True)
class Colours:
    """A theme as written: `tokens` maps a meaning to `#rrggbb`."""

    name: str
    dark: bool
    tokens: Mapping[str, str]

    def palette(self, ascii_only: bool = False) -> Palette:
        return palette_from(self.tokens, self.dark, ascii_only=ascii_only)

    def textual(self) -> Theme:
        from textual.theme import Theme

        tokens = self.tokens
        return Theme(
            name=self.name,
            primary=tokens["accent"],
            secondary=tokens["heading"],
            accent=tokens["accent"],
            foreground=tokens["text"],
            background=tokens["background"],
            surface=tokens["surface"],
            panel=tokens["panel"],
            success=tokens["success"],
            warning=tokens["warning"],
            error=tokens["error"],
            dark=self.dark,
            variables={f"pitui-{token}": colour for token, colour in tokens.items()}
            | {
                "block-cursor-background": tokens["selection"],
                "block-cursor-foreground": tokens["text"],
                "input-selection-background": tokens["selection"],
                "scrollbar": tokens["panel"],
                "scrollbar-hover": tokens["muted"],
                "scrollbar-active": tokens["accent"],
                "scrollbar-background": tokens["background"],
                "scrollbar-corner-color": tokens["background"],
                "border": tokens["accent"],
                "border-blurred": tokens["panel"],
            },
        )


def shipped() -> Iterator[Colours]:
    """The themes that come with pitui: inside the package when installed, beside it in a checkout."""
    package = Path(__file__).resolve().parent
    for folder in (package / "themes", package.parent / "themes"):
        if files := sorted(folder.glob("*.json")):
            yield from (read(file) for file in files)
            return


def read(file: Path) -> Colours:
    """The theme in `file`. Raises OSError, ValueError or KeyError for a file that is none."""
    given = json.loads(file.read_text("utf-8"))
    return Colours(given["name"], given["appearance"] != "light", given["colors"])
