"""Changes to what waits, as values."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pitui.rpc.messages import ImageBlock
from pitui.session.arrange import TAKE_ALL, Arranged, Change, Deed, arrange, ordered
from pitui.session.state import QueuedPrompt, QueueKind

IMAGE = ImageBlock(data="AA==", mime_type="image/png")
ONE, TWO = QueuedPrompt("one", QueueKind.STEER), QueuedPrompt("two", QueueKind.STEER, (IMAGE,))
LATER, LAST = QueuedPrompt("later", QueueKind.FOLLOW_UP), QueuedPrompt("last", QueueKind.FOLLOW_UP)
HELD = QueuedPrompt("held", QueueKind.HELD)
ALL = (ONE, TWO, LATER, LAST, HELD)


def test_taking_all_leaves_nothing() -> None:
    assert arrange(TAKE_ALL, ALL) == Arranged((), ALL)


def test_one_that_is_edited_or_dropped_leaves_with_its_images() -> None:
    left = Arranged((ONE, LATER, LAST, HELD), (TWO,))
    assert (arrange(Change(Deed.EDIT, TWO), ALL), arrange(Change(Deed.DROP, TWO), ALL)) == (left, left)


def test_one_moves_among_its_kind() -> None:
    assert arrange(Change(Deed.MOVE, TWO, -1), ALL).waiting == (TWO, ONE, LATER, LAST, HELD)


def test_none_moves_out_of_its_kind() -> None:
    assert arrange(Change(Deed.MOVE, TWO, 1), ALL).waiting == ALL


def test_a_follow_up_becomes_the_last_steer() -> None:
    promoted = replace(LATER, kind=QueueKind.STEER)
    assert arrange(Change(Deed.PROMOTE, LATER), ALL).waiting == (ONE, TWO, promoted, LAST, HELD)


def test_a_steer_becomes_the_last_follow_up_and_keeps_its_images() -> None:
    put_off = replace(TWO, kind=QueueKind.FOLLOW_UP)
    assert arrange(Change(Deed.PROMOTE, TWO), ALL).waiting == (ONE, LATER, LAST, put_off, HELD)


def test_one_that_we_hold_will_go_as_the_other_kind() -> None:
    assert arrange(Change(Deed.PROMOTE, HELD), ALL).waiting[-1] == replace(HELD, then=QueueKind.FOLLOW_UP)


def test_one_that_is_gone_changes_nothing() -> None:
    assert arrange(Change(Deed.DROP, ONE), (TWO, LATER)) == Arranged((TWO, LATER), missing=True)


ITEMS = st.lists(
    st.builds(QueuedPrompt, st.sampled_from("abc"), st.sampled_from(QueueKind), st.sampled_from([(), (IMAGE,)])),
    max_size=6,
).map(tuple)


@given(ITEMS, st.sampled_from(Deed), st.integers(-3, 3), st.data())
def test_every_text_stays_or_leaves_once(
    items: tuple[QueuedPrompt, ...], deed: Deed, by: int, data: st.DataObject
) -> None:
    item = data.draw(st.sampled_from([None, HELD, *items]))
    done = arrange(Change(deed, item, by), items)
    assert Counter(prompt.text for prompt in (*done.waiting, *done.out)) == Counter(prompt.text for prompt in items)
    assert done.waiting == ordered(done.waiting)
