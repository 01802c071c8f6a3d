"""Entry point of `pitui` and `python -m pitui`."""

from __future__ import annotations

import sys

import click

from pitui import cli


def main() -> int:
    """Run pitui; the exit status is 0, or 2 for a command line that makes no sense."""
    try:
        options = cli.parse(sys.argv[1:])
    except click.UsageError as error:
        print(f"pitui: {error.format_message()} (pitui --help lists the options)", file=sys.stderr)
        return cli.USAGE_ERROR
    if options is None:
        return 0
    from pitui.app import run

    return run(options)


if __name__ == "__main__":
    sys.exit(main())
