"""What the first answer needs and the first picture does not, loaded behind it: parsers, schemas, common lexers."""

from __future__ import annotations

import threading

from pitui.render.highlight import load
from pitui.render.parser import parser
from pitui.rpc.protocol import decode

LANGUAGES = ("python", "bash", "json", "javascript", "diff")
"""What models write most. Each takes 20 to 100 ms to load, in the midst of a frame if it was not done before."""


def warm_up() -> threading.Thread:
    """Start loading, in a thread that nobody has to wait for."""
    thread = threading.Thread(target=_load, name="warm-up", daemon=True)
    thread.start()
    return thread


def _load() -> None:
    decode(b'{"type":"agent_start"}')
    parser()
    for language in LANGUAGES:
        load(language)
