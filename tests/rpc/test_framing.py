"""Records come out of the bytes whole, however the bytes were cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.rpc.events import Unknown
from pitui.rpc.framing import LineDecoder

ODD = "é漢🙂\u2028\u2029\x85\x0b\x0c\x1c\r\x00"
RECORDS = st.lists(
    st.text(st.one_of(st.sampled_from(ODD), st.characters(codec="utf-8")), min_size=1)
    .map(lambda text: text.replace("\n", "").rstrip("\r").encode())
    .filter(bool)
)
CUTS = st.lists(st.integers(0, 10_000))


def decoded(stream: bytes, cuts: list[int], limit: int = 10_000) -> list[bytes | Unknown]:
    decoder = LineDecoder(limit)
    places = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    records = [record for start, end in pairwise(places) for record in decoder.feed(stream[start:end])]
    return records + decoder.finish()


@given(RECORDS, CUTS, st.sampled_from([b"\n", b"\r\n", b"\n\n", b"\r\n\n"]))
def test_any_chunking_of_any_records_gives_the_same_records(records: list[bytes], cuts: list[int], end: bytes) -> None:
    assert decoded(b"".join(record + end for record in records), cuts) == records


@given(RECORDS, CUTS)
def test_a_last_record_without_a_line_feed_is_read_too(records: list[bytes], cuts: list[int]) -> None:
    assert decoded(b"\n".join(records), cuts) == records


@given(RECORDS)
def test_one_byte_at_a_time_gives_the_same_records(records: list[bytes]) -> None:
    stream = b"".join(record + b"\n" for record in records)
    assert decoded(stream, list(range(len(stream)))) == records


@given(st.lists(st.integers(1, 40)), CUTS)
def test_a_record_over_the_limit_is_passed_over_and_reading_goes_on(lengths: list[int], cuts: list[int]) -> None:
    stream = b"".join(b"x" * length + b"\n" for length in lengths)
    expected = [
        b"x" * length if length <= 20
        else Unknown(b"x" * length, f"a record of {length:,} bytes was passed over: too long")
        for length in lengths
    ]
    assert decoded(stream, cuts, limit=20) == expected


def test_of_a_record_over_the_limit_only_its_beginning_is_kept() -> None:
    decoder = LineDecoder(limit=10_000)
    for _ in range(100):
        assert decoder.feed(b"y" * 1_000) == []
    assert decoder.feed(b"\nnext\n") == [
        Unknown(b"y" * 2_000, "a record of 100,000 bytes was passed over: too long"), b"next",
    ]


@pytest.mark.parametrize("nothing", [b"", b"\n", b"\r\n", b"\n\r\n\n"])
def test_empty_lines_are_no_records(nothing: bytes) -> None:
    assert decoded(nothing, []) == []


def test_a_carriage_return_inside_a_record_stays() -> None:
    assert decoded(b"a\rb\r\r\n", [1, 2, 3, 4]) == [b"a\rb\r"]
