"""Arguments of a tool call while the model still writes them: JSON that stops anywhere."""

from __future__ import annotations

import jiter

from pitui.rpc.wire import JsonObject


def parse_partial(text: str) -> JsonObject:
    """What is known of a JSON object of which only the beginning is there; strings cut short keep what they have.

    Anything that is no JSON object yet, or broken beyond the reader (lone surrogates, raw line breaks inside strings,
    more than 200 levels), gives an empty object: the finished call brings the truth.
    """
    if not text:
        return {}
    try:
        value = jiter.from_json(
            text.encode("utf-8", "replace"), partial_mode="trailing-strings", cache_mode="keys", allow_inf_nan=True,
        )
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
