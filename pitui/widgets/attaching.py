"""The composer's images and pastes: what a paste turns into, and what is attached."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pyperclip
from textual import on, work
from textual.actions import SkipAction
from textual.widget import Widget

from pitui.images import NotAnImage, clipboard_image, dropped_images, image_block, image_from_file, run_quietly
from pitui.rpc.messages import ImageBlock
from pitui.widgets.chips import ImageChips
from pitui.widgets.completion import Sources
from pitui.widgets.editor import Editor
from pitui.widgets.paste import clean


class Attaching(Widget):
    """Part of the composer. `resize_images`: shrink large ones before they are attached."""

    editor: Editor
    sources: Sources

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.chips = ImageChips()
        self.resize_images = True
        self._images: tuple[ImageBlock, ...] = ()

    @property
    def images(self) -> tuple[ImageBlock, ...]:
        """What is attached to the draft."""
        return self._images

    @images.setter
    def images(self, images: tuple[ImageBlock, ...]) -> None:
        if images != self._images:
            self._images = images
            if self.is_attached:
                self.chips.show(images)

    def on_mount(self) -> None:
        self.chips.show(self._images)

    def paste(self, text: str) -> None:
        """Clean text was pasted. Names of image files and nothing else, as a terminal types for dropped files, become
        attachments; any other text is inserted.
        """
        paths = dropped_images(text, self.sources.cwd, self.sources.home)
        if paths and all(path.is_file() for path in paths):
            self._attach_files(paths, text)
        else:
            self.editor.paste(text)

    @work(group="images", exit_on_error=False)
    async def _attach_files(self, paths: list[Path], text: str) -> None:
        """Attach all of them, or insert the text that names them."""
        try:
            images = [
                await asyncio.to_thread(image_from_file, path, resize=self.resize_images) for path in paths
            ]
        except (NotAnImage, OSError) as error:
            self.notify(f"Not attached: {error}", severity="warning", markup=False)
            self.editor.paste(text)
            return
        self.attach(*images)

    def attach(self, *images: ImageBlock) -> None:
        """Add images to the draft."""
        self.editor.set_aside()
        self.images = (*self.images, *images)

    @on(ImageChips.Removed)
    def _removed(self, event: ImageChips.Removed) -> None:
        event.stop()
        self.images = self.images[: event.number] + self.images[event.number + 1 :]
        self.editor.focus()

    def action_remove_image(self) -> None:
        """Remove the last image."""
        self.images = self.images[:-1]

    def action_remove_image_before(self) -> None:
        """Backspace with no text before it removes the last image."""
        if not self.images or self.editor.selection != ((0, 0), (0, 0)):
            raise SkipAction
        self.action_remove_image()

    def action_paste_clipboard(self) -> None:
        self._paste_clipboard(os.environ)

    @work(exclusive=True, group="clipboard", exit_on_error=False)
    async def _paste_clipboard(self, environ: Mapping[str, str]) -> None:
        """The clipboard's image if there is one, else its text."""
        data = await asyncio.to_thread(clipboard_image, environ, sys.platform, run_quietly)
        if data:
            try:
                self.attach(await asyncio.to_thread(image_block, data, resize=self.resize_images))
            except NotAnImage as error:
                self.notify(f"Not attached: {error}", severity="warning", markup=False)
            return
        try:
            text = await asyncio.to_thread(pyperclip.paste)
        except (pyperclip.PyperclipException, OSError):
            text = self.app.clipboard
        if text := clean(text):
            self.paste(text)
