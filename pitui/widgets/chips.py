"""The images that go with a prompt, one chip each."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from pitui.images import describe
from pitui.rpc.messages import ImageBlock


class ImageChip(Static):
    """One image; a click removes it."""

    DEFAULT_CSS = """
    ImageChip { width: auto; margin: 0 1 0 0; padding: 0 1; background: $panel; color: $text-muted; }
    ImageChip:hover { color: $text-error; }
    """

    def __init__(self, number: int, image: ImageBlock) -> None:
        super().__init__(Content(f"image {number + 1} · {describe(image)} ×"))
        self.number = number

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(ImageChips.Removed(self.number))


class ImageChips(Horizontal):
    """The chips in a row, none of it shown when there are no images."""

    DEFAULT_CSS = """
    ImageChips { height: 1; display: none; }
    ImageChips.-some { display: block; }
    """

    class Removed(Message):
        """A person took the image with this number away."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def show(self, images: Sequence[ImageBlock]) -> None:
        """Show these."""
        self.set_class(bool(images), "-some")
        self.remove_children()
        self.mount_all(ImageChip(number, image) for number, image in enumerate(images))
