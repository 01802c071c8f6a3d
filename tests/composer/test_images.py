"""Images: what is attached, how large it may be, and where it comes from."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pyperclip
import pytest
from PIL import Image

from pitui.images import (
    NotAnImage,
    clipboard_image,
    describe,
    dropped_images,
    image_block,
    image_from_file,
    run_quietly,
)
from tests.composer.hands import hands

pytestmark = pytest.mark.anyio


def picture(width: int, height: int, format: str = "PNG", mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    Image.effect_noise((width, height), 80).convert(mode).save(out, format)
    return out.getvalue()


def size_of(data: str) -> tuple[int, int]:
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        return image.size


def test_a_small_image_is_sent_as_it_is() -> None:
    data = picture(20, 10)
    block = image_block(data)
    assert (block.mime_type, base64.b64decode(block.data)) == ("image/png", data)


def test_a_large_image_is_shrunk_and_keeps_its_shape() -> None:
    block = image_block(picture(4_000, 1_000, "JPEG"))
    assert size_of(block.data) == (2_000, 500)
    assert block.mime_type == "image/jpeg"


def test_a_large_image_with_transparency_stays_png() -> None:
    assert image_block(picture(2_100, 10, mode="RGBA")).mime_type == "image/png"


def test_an_image_can_be_left_as_it_is() -> None:
    assert size_of(image_block(picture(2_100, 10), resize=False).data) == (2_100, 10)


def test_a_format_no_model_takes_becomes_one_they_do() -> None:
    assert image_block(picture(20, 10, "BMP")).mime_type in {"image/png", "image/jpeg"}


@pytest.mark.parametrize("data", [b"", b"text", picture(2_500, 2_500)[:200]], ids=["empty", "text", "cut"])
def test_what_is_no_image_is_refused(data: bytes) -> None:
    with pytest.raises(NotAnImage):
        image_block(data)


def test_an_image_of_too_many_pixels_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    with pytest.raises(NotAnImage, match="too many pixels"):
        image_block(picture(20, 10))


def test_an_image_is_described_by_kind_pixels_and_size() -> None:
    assert describe(image_block(picture(20, 10))).startswith("png 20×10 ")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("/tmp/a.png", ["/tmp/a.png"]),
        ("'/tmp/my shot.png'", ["/tmp/my shot.png"]),
        ("/tmp/my\\ shot.png", ["/tmp/my shot.png"]),
        ("/tmp/my shot.png", ["/tmp/my shot.png"]),
        ("file:///tmp/my%20shot.PNG", ["/tmp/my shot.PNG"]),
        ("/tmp/a.png /tmp/b.jpg", ["/tmp/a.png", "/tmp/b.jpg"]),
        ("~/a.png", ["/home/me/a.png"]),
        ("a.png", ["/project/a.png"]),
        ("look at /tmp/a.txt", []),
        ("/tmp/a.png and b", []),
        ("", []),
    ],
)
def test_names_of_images_and_nothing_else_are_dropped_files(text: str, names: list[str]) -> None:
    assert dropped_images(text, Path("/project"), Path("/home/me")) == [Path(name) for name in names]


async def test_a_dropped_image_is_attached_and_leaves_no_text(tmp_path: Path) -> None:
    (tmp_path / "shot.png").write_bytes(picture(20, 10))
    async with hands(cwd=tmp_path) as person:
        await person.paste("shot.png")
        await person.app.workers.wait_for_complete()
        assert (person.text, person.composer.images) == ("", (image_from_file(tmp_path / "shot.png"),))


async def test_a_dropped_file_that_is_no_image_stays_text(tmp_path: Path) -> None:
    (tmp_path / "shot.png").write_text("no image")
    async with hands(cwd=tmp_path) as person:
        await person.paste("shot.png")
        await person.app.workers.wait_for_complete()
        assert (person.text, person.composer.images) == ("shot.png", ())


async def test_the_name_of_an_image_that_is_not_there_stays_text(tmp_path: Path) -> None:
    async with hands(cwd=tmp_path) as person:
        await person.paste("shot.png")
        assert person.text == "shot.png"


async def test_ctrl_v_attaches_the_clipboards_image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "clip.png").write_bytes(PNG)
    program = tmp_path / "xclip"
    program.write_text(f'#!/bin/sh\ncase "$*" in *TARGETS*) echo image/png ;; *) cat "{tmp_path}/clip.png" ;; esac\n')
    program.chmod(0o700)
    for name in ("WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "WSL_INTEROP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr("sys.platform", "linux")
    async with hands() as person:
        await person.keys("ctrl+v")
        await person.app.workers.wait_for_complete()
        assert person.composer.images == (image_block(PNG),)


async def test_ctrl_v_pastes_text_when_there_is_no_image(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WAYLAND_DISPLAY", "DISPLAY", "WSL_DISTRO_NAME", "WSL_INTEROP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(pyperclip, "paste", lambda: "copied\r\ntext")
    async with hands() as person:
        await person.keys("ctrl+v")
        await person.app.workers.wait_for_complete()
        assert person.text == "copied\ntext"


PNG = picture(2, 2)
XCLIP = "xclip -selection clipboard -o -t"
APPLE = "osascript -e get the clipboard as «class PNGf»"


@pytest.mark.parametrize(
    ("environ", "system", "answers", "expected"),
    [
        (
            {"WAYLAND_DISPLAY": "w"}, "linux",
            {"wl-paste --list-types": b"text/plain\nimage/png\n", "wl-paste --no-newline --type image/png": PNG}, PNG,
        ),
        ({"WAYLAND_DISPLAY": "w"}, "linux", {"wl-paste --list-types": b"text/plain\n"}, None),
        (
            {"DISPLAY": ":0"}, "linux", {f"{XCLIP} TARGETS": b"image/jpeg", f"{XCLIP} image/jpeg": PNG}, PNG,
        ),
        ({}, "darwin", {"pngpaste -": PNG}, PNG),
        ({}, "darwin", {APPLE: b"\xc2\xabdata PNGf" + PNG.hex().encode() + b"\xc2\xbb"}, PNG),
        ({}, "linux", {}, None),
    ],
    ids=["wayland", "wayland text", "x11", "pngpaste", "osascript", "no display"],
)
def test_an_image_on_the_clipboard_is_found(
    environ: dict[str, str], system: str, answers: dict[str, bytes], expected: bytes | None
) -> None:
    assert clipboard_image(environ, system, lambda command: answers.get(" ".join(command), b"")) == expected


def test_a_clipboard_program_gets_no_terminal_and_may_be_missing() -> None:
    assert run_quietly(["cat"]) == b""
    assert run_quietly(["no-such-program-anywhere"]) == b""
    assert run_quietly(["false"]) == b""
