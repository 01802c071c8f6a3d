"""Arguments are shown while they are written, wherever the text stops."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.render.partial import parse_partial


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ('{"path":"a","content":"line 1\\nli', {"path": "a", "content": "line 1\nli"}),
        ('{"edits":[{"oldText":"foo', {"edits": [{"oldText": "foo"}]}),
        ('{"a":"x\\u00', {"a": "x"}),
        ('{"a":"x\\ud83d', {"a": "x"}),
        ('{"a', {}), ("{", {}), ("", {}), ("[1]", {}), ("garbage", {}), ('{"a":"\\ud83d"}', {}), ("[" * 5000, {}),
    ],
)
def test_what_is_known_is_read(text: str, arguments: dict[str, object]) -> None:
    assert parse_partial(text) == arguments


@given(st.text(), st.booleans(), st.data())
def test_every_beginning_of_a_value_is_a_beginning_of_it(content: str, ascii_only: bool, data: st.DataObject) -> None:
    text = json.dumps({"path": "a", "content": content}, ensure_ascii=ascii_only)
    cut = data.draw(st.integers(0, len(text)))
    known = parse_partial(text[:cut])
    assert content.startswith(str(known.get("content", "")))
    assert parse_partial(text) == {"path": "a", "content": content}


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert isinstance(parse_partial(text), dict)
