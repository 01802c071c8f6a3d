"""Which keys do what where the focus is, worked out once and not twice for each key.

Measured of Textual 8.2.8: for each key it copies the bindings of every widget from the focused one up and applies the
keymap to them, twice; with the keys of this app that takes longer than drawing what was typed.
"""

from __future__ import annotations

from textual.binding import BindingsMap
from textual.dom import DOMNode
from textual.screen import Screen, ScreenResultType

Chain = list[tuple[DOMNode, BindingsMap]]


class KeyChainScreen(Screen[ScreenResultType]):
    """A screen whose bindings change only with the focus and the app's keymap."""

    _chain_of: tuple[object, ...] = ()
    _chain: Chain = []

    @property
    def _binding_chain(self) -> Chain:
        focused, keymap = self.focused, self.app._keymap
        about = (focused, keymap, *(focused.ancestors if focused is not None else ()))
        known = self._chain_of
        if len(known) != len(about) or any(old is not new for old, new in zip(known, about, strict=True)):
            self._chain, self._chain_of = super()._binding_chain, about
        return self._chain
