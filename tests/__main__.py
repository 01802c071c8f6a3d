"""`python -m tests`: every check there is, in order; the exit status is 0 when all of them pass.

Arguments go to pytest.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> int:
    root = Path(__file__).resolve().parents[1]
    scripts = Path(sys.executable).parent
    commands: list[list[object]] = [
        [scripts / "ruff", "check", "pitui", "tests"],
        [sys.executable, "-m", "mypy"],
        [scripts / "lint-imports"],
        [sys.executable, "-m", "pytest", *sys.argv[1:]],
    ]
    for command in commands:
        words = [str(word) for word in command]
        print("$", Path(words[0]).name, *words[1:], flush=True)
        if status := subprocess.call(words, cwd=root):
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
