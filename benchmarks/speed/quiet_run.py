"""Run the benchmarks of speed one after the other, and write RESULTS.md.

    python benchmarks/speed/quiet_run.py

It takes about ten minutes. Run it on a machine that does nothing else, in an
environment with the extra ``test`` and ``requirements.txt``; what is not installed is
named as skipped. Scripts that are named are the only ones that run, and the other
sections of the page stay::

    python benchmarks/speed/quiet_run.py speed/search_nodes.py
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

FOLDER = Path(__file__).parents[1]
PAGE = FOLDER / "RESULTS.md"
COMMANDS = (
    "speed/peers.py",
    "speed/evaluation_speed.py",
    "speed/search_nodes.py",
    "validity/search.py --seeds 2",
)
PACKAGES = (
    *("gymnasium", "numpy", "rapidfuzz", "gem-llm", "textarena", "minigrid"),
    *("pddlgym", "textworld", "jericho"),
)
MOST_SECONDS = 240
HEAD = """\
# Measurements

Written by `quiet_run.py`. [README.md](README.md) explains the scripts and their tables.
"""


def section(command: str) -> str:
    """Run a script with its options and return its section."""
    script, *options = command.split()
    began, load = datetime.now(UTC), os.getloadavg()[0]
    done = subprocess.run(
        ["timeout", str(MOST_SECONDS), sys.executable, "-W", "ignore", FOLDER / script,
         *options],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    failed = f"\n\nfailed: {done.stderr.strip()[-1_000:]}" if done.returncode else ""
    took = (datetime.now(UTC) - began).total_seconds()
    print(f"{command}: {took:.0f} s", file=sys.stderr, flush=True)
    head = f"{began:%Y-%m-%d}, {machine()}; load before: {load:.1f}."
    return f"## `{command}`\n\n{head}\n\n{done.stdout.strip()}{failed}\n"


def machine() -> str:
    """Return the processor, the interpreter and the packages."""
    names = re.findall(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text("utf-8"))
    found = [f"{names[0]}, {os.cpu_count()} cores, Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def main() -> None:
    """Write the page; sections so far are kept if the run ends before its time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scripts", nargs="*", help="by default all")
    wanted = parser.parse_args().scripts
    old = PAGE.read_text("utf-8").split("\n## ")[1:] if PAGE.exists() else []
    sections = {text[1 : text.index("`", 1)]: f"## {text.strip()}\n" for text in old}
    for command in COMMANDS:
        if not wanted or command.split()[0] in wanted:
            sections[command] = section(command)
            shown = (sections[name] for name in COMMANDS if name in sections)
            PAGE.write_text("\n".join((HEAD, *shown)), "utf-8")


if __name__ == "__main__":
    main()
