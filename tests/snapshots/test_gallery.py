"""Every kind of entry and tool, folded and unfolded, narrow and wide, dark and light, as pictures to look at."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from pitui.render.lines import View
from tests.snapshots.gallery import LIVE, SENT, WALLS, Wall, view

pytestmark = pytest.mark.anyio

LOOKS = {
    "60-light-folded": (60, "pitui-light", False), "80-dark-folded": (80, "pitui-dark", False),
    "120-light-unfolded": (120, "pitui-light", True), "200-dark-unfolded": (200, "pitui-dark", True),
}


async def picture(wall: str, width: int, colours: str, look: View) -> str:
    """The wall as SVG, as high as it needs."""
    live, sent = (LIVE, SENT) if wall == "live" else (None, ())
    app = Wall(look, colours, WALLS[wall], live, sent)
    async with app.run_test(size=(width, 400)) as pilot:
        await pilot.pause()
        await pilot.resize_terminal(width, app.height)
        await pilot.pause()
        return app.export_screenshot(title=wall)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("wall", WALLS)
async def test_gallery(wall: str, look: str, snapshot: SnapshotAssertion) -> None:
    width, colours, unfolded = LOOKS[look]
    assert await picture(wall, width, colours, view(width, colours, unfolded)) == snapshot


@pytest.mark.parametrize(("colours", "unfolded"), [("pitui-dark", False), ("pitui-light", True)])
async def test_gallery_with_pictures_drawn(colours: str, unfolded: bool, snapshot: SnapshotAssertion) -> None:
    assert await picture("tools", 80, colours, view(80, colours, unfolded, show_images=True)) == snapshot
