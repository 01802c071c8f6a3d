"""From bytes to records. A record is what stands between two line feeds; no other character ends one."""

from __future__ import annotations

from pitui.rpc.events import Unknown

LIMIT = 256 * 1024 * 1024
"""Bytes of the longest record that is read; the longest seen from the agent was about 1 MB."""

EVIDENCE = 2_000
"""Bytes that are kept of a record that was too long."""


class LineDecoder:
    """Cuts a byte stream into records, however the stream was cut into chunks.

    A carriage return before the line feed is dropped, and so are empty lines. A record longer than `limit` bytes is
    passed over and reported as `Unknown` when it ends; reading goes on after it.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        # A list, never one growing buffer: joining at each chunk took 19 s for a record of 51 MB.
        self._parts: list[bytes] = []
        self._length = 0

    def feed(self, chunk: bytes) -> list[bytes | Unknown]:
        """The records that `chunk` completes, in order."""
        head, *lines = chunk.split(b"\n")
        self._keep(head)
        if not lines:
            return []
        records = self._close()
        rest = lines.pop()
        for line in lines:
            if len(line) > self._limit:
                records.append(_too_long(line, len(line)))
            elif record := line.removesuffix(b"\r"):
                records.append(record)
        self._keep(rest)
        return records

    def finish(self) -> list[bytes | Unknown]:
        """The last record, if the stream ended without a line feed."""
        return self._close()

    def _keep(self, part: bytes) -> None:
        if not part:
            return
        self._length += len(part)
        if self._length <= self._limit:
            self._parts.append(part)
        else:
            self._parts = [b"".join([*self._parts, part[:EVIDENCE]])[:EVIDENCE]]

    def _close(self) -> list[bytes | Unknown]:
        record, length = b"".join(self._parts), self._length
        self._parts, self._length = [], 0
        if length > self._limit:
            return [_too_long(record, length)]
        record = record.removesuffix(b"\r")
        return [record] if record else []


def _too_long(start: bytes, length: int) -> Unknown:
    return Unknown(start[:EVIDENCE], f"a record of {length:,} bytes was passed over: too long")
