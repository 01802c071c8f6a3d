"""A scripted agent. Its one argument is a JSON object: for the name of a command the steps to take when it comes, for
`start` those to take before anything is read, for `end` those when its input ends (default: leave).

A step is a record to write, in which the text `$NAME` stands for the id of the last NAME command, or one of
{"$raw": text to write, "times": n} {"$stderr": text, "times": n} {"$exit": code} {"$ignore": "SIGTERM"}
{"$deaf": true} {"$brood": true}.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

SCRIPT: dict[str, list[dict[str, Any]]] = json.loads(sys.argv[1])
IDS: dict[str, object] = {}


def say(text: str, stream: int = 1) -> None:
    data = text.encode("utf-8", "surrogatepass")
    while data:
        data = data[os.write(stream, data) :]


def brood() -> None:
    """Three children that mean to stay: one in our group, one in a session of its own, one whose parent is gone."""
    plain = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    session = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    parent = (
        "import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'],"
        " start_new_session=True, stdout=subprocess.DEVNULL).pid)"
    )
    orphan = subprocess.run([sys.executable, "-c", parent], stdout=subprocess.PIPE, check=True)
    pids = [os.getpid(), plain.pid, session.pid, int(orphan.stdout)]
    say(json.dumps({"type": "brood", "pids": pids}) + "\n")


def take(step: dict[str, Any]) -> None:
    match step:
        case {"$raw": str(text)}:
            say(text * step.get("times", 1))
        case {"$stderr": str(text)}:
            say(text * step.get("times", 1), 2)
        case {"$exit": int(code)}:
            os._exit(code)
        case {"$ignore": str(name)}:
            signal.signal(signal.Signals[name], signal.SIG_IGN)
        case {"$deaf": True}:
            while True:
                signal.pause()
        case {"$brood": True}:
            brood()
        case _:
            say(json.dumps({key: known(value) for key, value in step.items()}) + "\n")


def known(value: object) -> object:
    return IDS.get(value[1:]) if isinstance(value, str) and value.startswith("$") else value


def main() -> None:
    for step in SCRIPT.get("start", []):
        take(step)
    for line in sys.stdin.buffer:
        command = json.loads(line)
        name = command["type"]
        IDS[name] = command.get("id")
        default = {"id": f"${name}", "type": "response", "command": name, "success": True}
        for step in SCRIPT.get(name, [default]):
            take(step)
    for step in SCRIPT.get("end", []):
        take(step)


main()
