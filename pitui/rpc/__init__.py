"""The protocol of `pi --mode rpc`, usable without any UI:

    async with PiClient(ProcessTransport(["pi", "--mode", "rpc"])) as client:
        await client.request(Prompt("Say hello"))
        async for events in client.events(): ...

Names are loaded when they are first used, so that an agent can be started (`pitui.rpc.process`) before all else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitui.rpc.client import CommandFailed, PiClient, PiExited, ReplayOnly
    from pitui.rpc.framing import LineDecoder
    from pitui.rpc.process import AgentProcess, ProcessExit, SpawnFailed
    from pitui.rpc.protocol import decode, encode
    from pitui.rpc.trace import Recorder, ReplayTransport
    from pitui.rpc.transport import ProcessTransport, Transport, TransportClosed

_HOMES = {
    "client": ("CommandFailed", "PiClient", "PiExited", "ReplayOnly"),
    "framing": ("LineDecoder",),
    "process": ("AgentProcess", "ProcessExit", "SpawnFailed"),
    "protocol": ("decode", "encode"),
    "trace": ("Recorder", "ReplayTransport"),
    "transport": ("ProcessTransport", "Transport", "TransportClosed"),
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "AgentProcess",
    "CommandFailed",
    "LineDecoder",
    "PiClient",
    "PiExited",
    "ProcessExit",
    "ProcessTransport",
    "Recorder",
    "ReplayOnly",
    "ReplayTransport",
    "SpawnFailed",
    "Transport",
    "TransportClosed",
    "decode",
    "encode",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
