"""Entry point of `pitui` and `python -m pitui`."""

from __future__ import annotations

import gc
import os
import signal
import sys

# Until the app handles it, Ctrl+C ends pitui without a word, in the middle of an import as anywhere.
signal.signal(signal.SIGINT, signal.SIG_DFL)


def main() -> int:
    """Run pitui. The exit status: 0, 1 after an error of pitui's own, 2 for a command line that makes no sense or no
    terminal, 128 and its number for a signal.
    """
    import click

    from pitui import cli

    try:
        options = cli.parse(sys.argv[1:])
    except click.UsageError as error:
        print(f"pitui: {error.format_message()} (pitui --help lists the options)", file=sys.stderr)
        return cli.USAGE_ERROR
    if options is None:
        return 0
    # Milliseconds between Escape and a key that are Alt with it. Textual reads this when it is imported.
    os.environ.setdefault("ESCDELAY", "200" if os.environ.get("SSH_CONNECTION") else "100")
    # Importing makes much that stays and nothing to collect; `run` turns collection on again.
    gc.disable()
    from pitui.app import run

    return run(options)


if __name__ == "__main__":
    sys.exit(main())
