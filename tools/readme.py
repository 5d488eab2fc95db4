"""Write the generated parts of README.md, some pages and the environments' READMEs.

These are the table of environments, from :mod:`aq_gym.registration`, the table of some
suites, the output of ``aq-gym demo``, and in each environment's README the first step
of the example in its prompt. Each is between two comments that name it. Run it after
adding an environment or a suite::

    python tools/readme.py [--demo]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from aq_gym.evaluation import Suite
from aq_gym.registration import TABLE

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/evaluation.md", "docs/start.md")
# Characters of a text in an example.
LONGEST = 240
FIRST_SUITES = ("quick", "standard", "full", "ladder", "agentboard", "agentquest-paper")


def environments() -> str:
    """Return the table of the environments."""
    rows = (
        (f"[`{row.id}`]({_page(row.entry_point)})", row.title, row.instances)
        for row in TABLE
        if not row.family
    )
    return _table(("id", "task", "instances"), rows)


def _page(entry_point: str) -> str:
    """Return the path of the README in an environment's folder."""
    module = entry_point.partition(":")[0].removesuffix(".env")
    return f"{module.replace('.', '/')}/README.md"


def readmes() -> dict[str, str]:
    """Return the example of each environment's README, by the README's path."""
    pages = {row.id: _page(row.entry_point) for row in TABLE if not row.family}
    return {page: example(env_id, page) for env_id, page in pages.items()}


def example(env_id: str, page: str) -> str:
    """Return the first step of the first example in an environment's prompt.

    Args:
        env_id: The id of the environment.
        page: The path of the README, in the same folder.
    """
    prompt = (ROOT / page).with_name("prompt.json").read_text("utf-8")
    shown = next(iter(json.loads(prompt)["examples"].values()))
    first = shown["turns"][0]
    texts = (shown["observation"], f"> {first['action']}", first["observation"])
    lines = "\n".join(map(_shortened, texts))
    picture = Path("docs/pictures/worlds", f"{Path(page).parent.name}.svg")
    drawn = f"![{picture.stem}](../../../{picture})\n\n" * (ROOT / picture).exists()
    return (
        f"{drawn}A first step (`aq-gym list {env_id}` prints rules, actions and "
        f"arguments):\n\n```text\n{lines}\n```\n"
    )


def _shortened(text: str) -> str:
    """Return a text without blank lines, cut between words if it is long."""
    lines = "\n".join(line.rstrip() for line in text.splitlines() if line.strip())
    return (
        lines if len(lines) <= LONGEST else f"{lines[:LONGEST].rsplit(None, 1)[0]} ..."
    )


def suites() -> str:
    """Return the table of some packaged suites; ``aq-gym suites`` has all."""
    loaded = map(Suite.load, FIRST_SUITES)
    rows = ((f"`{one.name}`", str(len(one.tasks)), one.description) for one in loaded)
    return _table(("suite", "tasks", ""), rows)


def demo() -> str:
    """Return the table of ``aq-gym demo``'s output and its sentence, as code."""
    done = subprocess.run(
        [sys.executable, "-m", "aq_gym", "demo"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "80"},
    )
    table = done.stdout[done.stdout.index(f"{'':18}random") :]
    end = table.index("same name.") + len("same name.")
    return f"```text\n{table[:end]}\n```\n"


def written(page: str, parts: Mapping[str, str]) -> str:
    """Return a page with its generated parts replaced.

    Args:
        page: The page's text.
        parts: The new text of each part, by name; the page may lack some.
    """
    for name, text in parts.items():
        between = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        page = between.sub(lambda match, t=text: match[1] + t + match[2], page)  # type: ignore[misc]
    return page


def _table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(heading)
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def main() -> None:
    """Write the parts into the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--demo", action="store_true", help="run the demo too")
    parts = {"environments": environments(), "suites": suites()}
    if parser.parse_args().demo:
        parts["demo"] = demo()
    for page in PAGES:
        path = ROOT / page
        path.write_text(written(path.read_text("utf-8"), parts), "utf-8")
    for page, text in readmes().items():
        path = ROOT / page
        path.write_text(written(path.read_text("utf-8"), {"example": text}), "utf-8")


if __name__ == "__main__":
    main()
