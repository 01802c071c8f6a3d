"""A small app that holds only a transcript, and what stands on its screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot

from pitui.session.state import Entry
from pitui.widgets.transcript import Transcript
from tests.transcript.conversation import VIEW


class TranscriptApp(App[None]):
    """Collects the messages of its transcript in `messages`."""

    def __init__(self, entries: tuple[Entry, ...] = ()) -> None:
        super().__init__()
        self.transcript = Transcript(VIEW)
        self.transcript.show(entries)
        self.messages: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.transcript

    def on_transcript_link_clicked(self, message: Transcript.LinkClicked) -> None:
        self.messages.append(message)

    def on_transcript_view_requested(self, message: Transcript.ViewRequested) -> None:
        self.messages.append(message)

    def on_transcript_menu_requested(self, message: Transcript.MenuRequested) -> None:
        self.messages.append(message)

    def on_transcript_quote_requested(self, message: Transcript.QuoteRequested) -> None:
        self.messages.append(message)

    def on_transcript_copied(self, message: Transcript.Copied) -> None:
        self.messages.append(message)


class Reader:
    """Someone in front of the app."""

    def __init__(self, app: TranscriptApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def transcript(self) -> Transcript:
        return self.app.transcript

    async def pause(self) -> None:
        """Until all that was asked for is drawn."""
        await self.pilot.pause()

    async def resize(self, width: int, height: int) -> None:
        await self.pilot.resize_terminal(width, height)
        await self.pause()

    def rows(self) -> list[str]:
        """The rows as drawn, without the scrollbar and trailing blanks."""
        width = self.transcript.scrollable_content_region.width
        return [strip.crop(0, width).text.rstrip() for strip in self.app.screen._compositor.render_strips()]


@asynccontextmanager
async def reading(entries: tuple[Entry, ...], size: tuple[int, int] = (50, 12)) -> AsyncIterator[Reader]:
    app = TranscriptApp(entries)
    async with app.run_test(size=size) as pilot:
        yield Reader(app, pilot)
