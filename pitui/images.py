"""Images on their way to a model: from a file or the clipboard, made small enough, as blocks."""

from __future__ import annotations

import base64
import io
import re
import shlex
import subprocess
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pitui.render.images import picture
from pitui.render.numbers import size as size_of
from pitui.rpc.messages import ImageBlock

if TYPE_CHECKING:
    from PIL import Image

MOST_PIXELS = 2_000
"""Pixels on the longer side above which providers shrink or refuse an image."""

MOST_BYTES = 50 * 1024 * 1024
"""Bytes of a file above which it isn't opened at all."""

_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp"})
_CLIPBOARD_SECONDS = 3


class NotAnImage(ValueError):
    """Data that can't be sent as an image; the message says why."""


def image_block(data: bytes, *, resize: bool = True) -> ImageBlock:
    """`data` as a block, at most MOST_PIXELS on a side if `resize`. Raises NotAnImage."""
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data)) as image:
                kind = _TYPES.get(image.format or "")
                if kind and (not resize or max(image.size) <= MOST_PIXELS):
                    return _block(data, kind)
                return _converted(image, resize)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise NotAnImage("the image has too many pixels") from error
    except UnidentifiedImageError as error:
        raise NotAnImage("this is no image that can be read") from error
    except (OSError, ValueError, SyntaxError) as error:
        raise NotAnImage(f"the image is damaged: {error}") from error


def _converted(image: Image.Image, resize: bool) -> ImageBlock:
    """As PNG or JPEG, whichever is smaller; a picture with transparency stays PNG."""
    clear = "A" in image.getbands() or "transparency" in image.info
    plain = image.convert("RGBA" if clear else "RGB")
    if resize:
        plain.thumbnail((MOST_PIXELS, MOST_PIXELS))
    png = io.BytesIO()
    plain.save(png, "PNG", optimize=True)
    if clear:
        return _block(png.getvalue(), "image/png")
    jpeg = io.BytesIO()
    plain.save(jpeg, "JPEG", quality=85)
    if len(jpeg.getvalue()) < len(png.getvalue()):
        return _block(jpeg.getvalue(), "image/jpeg")
    return _block(png.getvalue(), "image/png")


def _block(data: bytes, kind: str) -> ImageBlock:
    return ImageBlock(data=base64.b64encode(data).decode("ascii"), mime_type=kind)


def image_from_file(path: Path, *, resize: bool = True) -> ImageBlock:
    """The image in a file. Raises NotAnImage, OSError."""
    if path.stat().st_size > MOST_BYTES:
        raise NotAnImage(f"{path.name} is larger than {size_of(MOST_BYTES)}")
    return image_block(path.read_bytes(), resize=resize)


def describe(image: ImageBlock) -> str:
    """Kind, pixels and size, as `png 640×480 12 kB`."""
    kind = image.mime_type.rpartition("/")[2]
    known = picture(image.data)
    if known is None:
        return kind
    size, length = known
    pixels = f" {size[0]}×{size[1]}" if size else ""
    return f"{kind}{pixels} {size_of(length)}"


def dropped_images(text: str, cwd: Path, home: Path | None = None) -> list[Path]:
    """The image files that pasted `text` names, when it names nothing else: what a terminal types for dropped files.

    Looks at names only.
    """
    text = text.strip()
    if not text or len(text) > 4_096 or text.count("\n") > 20:
        return []
    paths = [_path(word, cwd, home) for word in _words(text)]
    return [path for path in paths if path] if paths and all(
        path is not None and path.suffix.lower() in _SUFFIXES for path in paths
    ) else []


def _words(text: str) -> Sequence[str]:
    """The paths in pasted text: quoted or escaped as a shell wants them, or one bare path with spaces in it."""
    if not re.search("[\\\\'\"\n]", text) and Path(text).suffix.lower() in _SUFFIXES:
        words = text.split()
        return words if all(Path(word).suffix.lower() in _SUFFIXES for word in words) else [text]
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _path(word: str, cwd: Path, home: Path | None) -> Path | None:
    if word.startswith("file://"):
        word = unquote(urlsplit(word).path)
    if word.startswith("~/") and home is not None:
        return home / word[2:]
    return cwd / word if "\0" not in word else None


def clipboard_image(environ: Mapping[str, str], system: str, run: Callable[[list[str]], bytes]) -> bytes | None:
    """An image on the clipboard, or None. `run` runs a program and gives its output, empty when that failed."""
    if system == "darwin":
        return run(["pngpaste", "-"]) or _apple_picture(run(["osascript", "-e", "get the clipboard as «class PNGf»"]))
    if environ.get("WSL_DISTRO_NAME") or environ.get("WSL_INTEROP") or system == "win32":
        return _base64(run(["powershell.exe", "-NoProfile", "-NonInteractive", "-Command", _POWERSHELL]))
    if environ.get("WAYLAND_DISPLAY") and (kind := _image_type(run(["wl-paste", "--list-types"]))):
        return run(["wl-paste", "--no-newline", "--type", kind]) or None
    xclip = ["xclip", "-selection", "clipboard", "-o", "-t"]
    if environ.get("DISPLAY") and (kind := _image_type(run([*xclip, "TARGETS"]))):
        return run([*xclip, kind]) or None
    return None


_POWERSHELL = (
    "Add-Type -AssemblyName System.Windows.Forms; Add-Type -AssemblyName System.Drawing; "
    "$i = [Windows.Forms.Clipboard]::GetImage(); if ($i) { $m = New-Object IO.MemoryStream; "
    "$i.Save($m, [Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($m.ToArray()) }"
)


def _image_type(offered: bytes) -> str:
    types = offered.decode("ascii", "replace").split()
    return next((kind for kind in _TYPES.values() if kind in types), "")


def _base64(text: bytes) -> bytes | None:
    try:
        return base64.b64decode(text.strip(), validate=True) or None
    except ValueError:
        return None


def _apple_picture(text: bytes) -> bytes | None:
    match = re.search(rb"PNGf([0-9A-Fa-f]+)", text)
    return bytes.fromhex(match[1].decode("ascii")) if match else None


def run_quietly(command: list[str]) -> bytes:
    """The output of a program, empty when it is missing, fails or takes longer than a few seconds."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=_CLIPBOARD_SECONDS, check=False, start_new_session=True,
        )
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""
