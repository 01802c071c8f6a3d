"""The table of what pi can do is whole, true and in the README."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from pitui.rpc import commands, events
from pitui.rpc.commands import PiCommand
from pitui.rpc.wire import Wire
from tests.real.coverage import ROWS, Part, Row, table

ROOT = Path(__file__).resolve().parents[2]


def named(part: Part) -> set[str]:
    return {row.name for row in ROWS if row.part is part}


def words(of: type[Wire], field: str) -> tuple[str, ...]:
    """What the field that tells kinds apart can be; nothing for a kind that stands for all others."""
    return tuple(str(word) for word in get_args(of.model_fields[field].annotation))


def kinds(union: object, field: str) -> set[str]:
    """The present name of each kind of a tagged union; older names come after it."""
    found = set()
    for each in get_args(union):
        if isinstance(each, type) and issubclass(each, Wire):
            found |= set(words(each, field)[:1])
        else:
            found |= kinds(each, field)
    return found


def test_every_command_is_in_the_table() -> None:
    ours = {each.type for each in vars(commands).values()
            if isinstance(each, type) and issubclass(each, PiCommand) and each is not PiCommand}
    assert (named(Part.COMMAND), len(ours)) == (ours, 33)


def test_every_event_is_in_the_table() -> None:
    assert named(Part.EVENT) == kinds(events.AgentEvent, "type")


def test_every_step_of_a_message_is_in_the_table() -> None:
    assert named(Part.DELTA) == kinds(events.Delta, "type")


def test_every_way_to_ask_the_ui_is_in_the_table() -> None:
    assert named(Part.UI) == kinds(events.UiRequest, "method") | {"hologram"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_test_of_a_row_is_there(row: Row) -> None:
    file, _, function = row.test.partition("::")
    text = (ROOT / file).read_text("utf-8")
    assert re.search(rf"^(async )?def {re.escape(function)}\(", text, re.MULTILINE)


def test_the_readme_has_the_table() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    between = re.search(r"<!-- features -->\n(.*)\n<!-- end features -->", readme, re.DOTALL)
    assert between is not None
    assert between[1].strip() == table()
