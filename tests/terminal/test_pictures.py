"""Pictures in terminals that draw them: which those are, what is written, and that nothing is left behind."""

from __future__ import annotations

import json
import re
import shlex
import signal
from base64 import b64decode

import pytest
from PIL import Image

from pitui.render.placeholders import Picture, placed
from pitui.store.settings import settings_path
from pitui.terminal.pictures import MOST_BYTES, MOST_PICTURES, Pictures, draws_pictures
from tests.render.test_halfblocks import encoded
from tests.terminal.conftest import READY, Open
from tests.terminal.terminal import PITUI, Terminal
from tests.terminal.test_lending import PROMPT


def picture(shade: int, width: int = 2, height: int = 2) -> Picture:
    made = placed(encoded(Image.new("RGB", (width, height), (shade, 0, 0))), 200, 200, (10, 20))
    assert made is not None
    return made


class Written:
    """What was written since it was last asked for."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self.pictures = Pictures(self.all.append)

    def after(self, *needed: Picture) -> list[str]:
        """What needing these writes, in short: each picture sent or deleted."""
        self.all.clear()
        self.pictures.show(needed)
        return [re.sub(r"\x1b_G(?:a=d,d=(I),i=(\d+)|a=(T),.*?i=(\d+)).*", r"\1\3\2\4", text, flags=re.S)
                for text in self.all]  # fmt: skip


@pytest.mark.parametrize(
    ("environ", "drawn"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"}, True),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, True),
        ({"TERM": "xterm-256color"}, False),
        ({}, False),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, False),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "KITTY_WINDOW_ID": "1"}, False),
        ({"TERM": "alacritty", "KITTY_WINDOW_ID": "1"}, False),
        ({"TERM": "xterm-kitty", "TMUX": "/tmp/tmux,1,0"}, False),
        ({"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"}, False),
        ({"TERM": "screen", "STY": "1.pts", "KITTY_WINDOW_ID": "1"}, False),
        ({"TERM": "xterm-kitty", "ZELLIJ": "0"}, False),
        ({"TERM": "xterm-kitty", "NO_COLOR": ""}, False),
    ],
)
def test_the_environment_tells_which_terminals_draw_pictures(environ: dict[str, str], drawn: bool) -> None:
    assert draws_pictures(environ) == drawn


def test_a_picture_is_sent_in_one_sequence_if_it_is_small() -> None:
    written = Written()
    small = picture(200)
    written.pictures.show([small])
    (text,) = written.all
    head, data = text.removeprefix("\x1b_G").removesuffix("\x1b\\").split(";")
    assert head == f"a=T,U=1,f=100,i={small.id},c=1,r=1,q=2,m=0"
    assert b64decode(data) == small.png


def test_a_larger_one_is_sent_in_parts_the_protocol_allows() -> None:
    written = Written()
    noise = placed(encoded(Image.effect_noise((90, 90), 80)), 20, 20, (10, 20))
    assert noise is not None
    written.pictures.show([noise])
    parts = [part.removesuffix("\x1b\\").split(";") for part in written.all[0].split("\x1b_G")[1:]]
    last = len(parts) - 1
    assert last > 1
    assert [head for head, _ in parts] == [
        f"a=T,U=1,f=100,i={noise.id},c=9,r=5,q=2,m=1", *["q=2,m=1"] * (last - 1), "q=2,m=0",
    ]
    assert [len(data) for _, data in parts[:-1]] == [4096] * last
    assert b64decode("".join(data for _, data in parts)) == noise.png


def test_each_is_sent_once() -> None:
    written, one, two = Written(), picture(1), picture(2)
    assert written.after(one, two, one) == [f"T{one.id}", f"T{two.id}"]
    assert written.after(two, one) == []


def test_of_too_many_those_needed_longest_ago_are_deleted() -> None:
    written, many = Written(), [picture(shade) for shade in range(MOST_PICTURES)]
    written.after(*many)
    written.after(many[0])
    new = picture(100)
    assert written.after(new) == [f"T{new.id}", f"I{many[1].id}"]
    assert written.after(many[1]) == [f"T{many[1].id}", f"I{many[2].id}"]


def test_of_too_large_ones_only_those_on_the_screen_are_kept() -> None:
    written, large = Written(), [picture(shade, 2000, 2000) for shade in range(4)]
    assert 4 * 2000 * 2000 * 4 - MOST_BYTES > 0
    assert written.after(*large) == [f"T{it.id}" for it in large]
    assert written.after(large[3]) == [f"I{large[0].id}"]


def test_all_that_is_held_is_deleted_at_the_end_and_sent_again_after_it() -> None:
    written, one, two = Written(), picture(1), picture(2)
    written.after(one, two)
    assert written.pictures.let_go() == "\x1b\\" + "".join(f"\x1b_Ga=d,d=I,i={it.id},q=2\x1b\\" for it in (one, two))
    assert written.pictures.let_go() == ""
    assert written.after(two) == [f"T{two.id}"]


# -- in a terminal, which here only looks like kitty


def show_images(value: object) -> None:
    path = settings_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"show_images": value}))


def ask_for_a_picture(terminal: Terminal) -> None:
    terminal.send("/demo images\r")
    terminal.wait_for("image/png")
    terminal.wait_for(READY)
    terminal.settle()


def sent(terminal: Terminal) -> list[int]:
    return [int(number) for number in re.findall(rb"\x1b_Ga=T,U=1,f=100,i=(\d+),", bytes(terminal.raw))]


def deleted(terminal: Terminal) -> list[int]:
    return [int(number) for number in re.findall(rb"\x1b_Ga=d,d=I,i=(\d+),", bytes(terminal.raw))]


def test_kitty_gets_a_picture_before_its_cells_and_is_rid_of_it_at_the_end(open_terminal: Open) -> None:
    show_images("auto")
    terminal = open_terminal(TERM="xterm-kitty", COLORTERM="truecolor")
    ask_for_a_picture(terminal)
    (number,) = sent(terminal)
    raw = bytes(terminal.raw)
    colour = f"38;2;{number >> 16};{number >> 8 & 255};{number & 255}".encode()
    cells = re.search(rb"\x1b\[" + colour + rb"[\d;]*m\xf4\x8e\xbb\xae", raw)
    assert cells is not None
    assert raw.index(b"\x1b_Ga=T") < cells.start()
    assert "▀" not in terminal.text
    terminal.send("\x04")
    assert (terminal.status(), terminal.damage(), deleted(terminal)) == (0, [], [number])
    assert bytes(terminal.raw).index(b"\x1b_Ga=d") < bytes(terminal.raw).rindex(b"\x1b[?1049l")


@pytest.mark.parametrize(
    ("value", "term", "colours", "tmux"),
    [
        ("off", "xterm-kitty", "truecolor", ""),
        ("blocks", "xterm-kitty", "truecolor", ""),
        ("auto", "xterm-256color", "truecolor", ""),
        ("auto", "xterm-kitty", "", ""),
        ("auto", "xterm-kitty", "truecolor", "/tmp/tmux,1,0"),
    ],
)
def test_elsewhere_nothing_of_it_is_written(
    open_terminal: Open, value: str, term: str, colours: str, tmux: str
) -> None:
    show_images(value)
    terminal = open_terminal(TERM=term, COLORTERM=colours, TMUX=tmux)
    ask_for_a_picture(terminal)
    assert ("▀" in terminal.text) == (value != "off")
    terminal.send("\x04")
    assert terminal.status() == 0
    assert (b"\x1b_G" in terminal.raw, "\U0010eeee".encode() in terminal.raw) == (False, False)


def test_a_picture_is_sent_again_when_the_terminal_comes_back(open_terminal: Open) -> None:
    show_images(True)
    shell = open_terminal("bash", "--norc", "--noediting", "-i", ready=PROMPT, PS1=f"{PROMPT} ", TERM="xterm-kitty",
                          COLORTERM="truecolor")
    shell.send(f"clear; {shlex.join(PITUI)}\r")
    shell.wait_for(READY)
    ask_for_a_picture(shell)
    shell.send("\x1a")
    shell.wait_for("Stopped")
    assert (len(sent(shell)), deleted(shell)) == (1, sent(shell))
    shell.send("fg\r")
    shell.wait_for(READY)
    shell.settle()
    assert sent(shell) == deleted(shell) * 2
    shell.kill(signal.SIGHUP)
