"""Run the benchmarks of speed one after the other, and write RESULTS.md.

    python benchmarks/speed/quiet_run.py

Run it on a machine that does nothing else, in an environment with the extra ``dev``
and ``requirements.txt``; games whose peers are not installed are named as skipped.
Scripts that are named are the only ones that run, and the other sections of the page
stay::

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
from importlib.metadata import distributions
from pathlib import Path

FOLDER = Path(__file__).parents[1]
PAGE = FOLDER / "RESULTS.md"
COMMANDS = (
    "speed/peers.py",
    "speed/evaluation_speed.py",
    "speed/search_nodes.py",
)
PACKAGES = (
    *("gymnasium", "numpy", "rapidfuzz", "gem-llm", "textarena", "minigrid"),
    *("pddlgym", "textworld", "jericho"),
)
HEAD = """\
# Measurements

Written by `quiet_run.py`. [README.md](README.md) explains the scripts and their tables.
"""


def section(command: str) -> str:
    """Run a script with its options and return its section."""
    script, *options = command.split()
    head = [f"{datetime.now(UTC):%Y-%m-%d}", f"{os.cpu_count()} cores", sys.platform]
    head += re.findall(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())[:1]
    known = {one.name.lower(): one.version for one in distributions()}
    head.append(f"Python {platform.python_version()}")
    head += [f"{name} {known[name]}" for name in PACKAGES if name in known]
    head.append(f"load before {os.getloadavg()[0]:.1f}")
    command_line = [sys.executable, "-W", "ignore", str(FOLDER / script), *options]
    done = subprocess.run(command_line, stdout=subprocess.PIPE, text=True, check=True)
    return f"## `{command}`\n\n{', '.join(head)}.\n\n{done.stdout.strip()}\n"


def main() -> None:
    """Write the page; if the run ends early, the sections so far are kept."""
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
