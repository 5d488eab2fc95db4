r"""Compare the papers' own code with ours, and write the table of docs/reproducing.md.

    mkdir papers
    cd papers
    git clone https://github.com/hkust-nlp/AgentBoard
    git clone https://github.com/nec-research/agentquest
    git clone https://github.com/princeton-nlp/WebShop
    python -m venv python
    python/bin/pip install minigrid==2.3.0 gymnasium==0.28.1 gym==0.26.2 matplotlib \
        "numpy<2" nltk imageio scikit-image networkx pandas jsonlines python-dotenv \
        scienceworld==1.2.3 alfworld==0.4.2 jericho beautifulsoup4 flask rich thefuzz \
        tqdm pydantic termcolor Levenshtein
    cd ..
    python benchmarks/judges/judge.py --papers papers --page docs/reproducing.md

``papers/alfworld`` holds official games of ALFWorld, ``papers/stories`` the files of
Jericho's stories; without them their judges have no tasks. Rows of judges that are not
played stay on the page. ``--record tests/envs/transcripts`` plays an episode of some
mixes and writes a transcript: facts, with digests in place of texts, which the tests
replay without the papers' code.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import agentboard
import agentquest
import webshop
from agentboard_jericho import Jericho
from agentboard_scienceworld import Scienceworld
from agentboard_tools import Academia, Todo
from harness import FACTS, MIXES, Child, ChildEndedError, Judge, play
from stories import Stories

JUDGES: dict[str, type[Judge]] = {
    "agentquest-mastermind": agentquest.Mastermind,
    "agentquest-hangman": agentquest.Hangman,
    "agentquest-wordle": agentquest.Wordle,
    "agentquest-sudoku": agentquest.Sudoku,
    "agentquest-2048": agentquest.Game2048,
    "agentquest-cipher": agentquest.Cipher,
    "webshop": webshop.WebShop,
    "agentboard-webshop": webshop.AgentBoard,
    "agentboard-babyai": agentboard.BabyAI,
    "agentboard-pddl": agentboard.Pddl,
    "agentboard-pddl-generated": agentboard.OwnPddl,
    "agentboard-alfworld": agentboard.Alfworld,
    "agentboard-scienceworld": Scienceworld,
    "agentboard-academia": Academia,
    "agentboard-todo": Todo,
    "agentboard-jericho": Jericho,
    "jericho": Stories,
}
RECORDED = ("expert", "invalid", "odd spelling", "several actions", "repeated")
# The number of steps of an episode in a transcript.
_MOST_RECORDED = 20
_TABLE = re.compile(r"(?<=<!-- judged -->\n).*(?=<!-- /judged -->)", re.DOTALL)
_HEAD = (
    "| judge | played on | mixes | episodes | steps | unexplained | with a name |",
    "|---|---|---:|---:|---:|---|---|",
)


def judged(name: str, options: argparse.Namespace) -> Counter[str]:
    """Play a judge's tasks with each mix, and return what differs."""
    judge = JUDGES[name](options)
    tasks = list(enumerate(judge.tasks()))
    if options.tasks:
        tasks = tasks[:: max(1, len(tasks) // options.tasks)][: options.tasks]
    total: Counter[str] = Counter()
    with Child(options.python, judge.child, judge.checkout) as child:
        for mix in options.mixes:
            played = (play(judge, child, task, mix, n)[0] for n, task in tasks)
            counts = sum(played, Counter[str]())
            print(name, mix, dict(counts), file=sys.stderr, flush=True)
            total += counts
    return total


def record(name: str, options: argparse.Namespace) -> None:
    """Write a transcript: an episode for each mix, each with a different task."""
    judge = JUDGES[name](options)
    tasks = list(enumerate(judge.tasks()))
    lines = []
    with Child(options.python, judge.child, judge.checkout) as child:
        for place, mix in enumerate(RECORDED):
            number, task = tasks[place * len(tasks) // len(RECORDED)]
            _, steps = play(judge, child, task, mix, number)
            lines.append(json.dumps([number, mix, steps[:_MOST_RECORDED]]) + "\n")
    (options.record / f"{name}.jsonl").write_text("".join(lines), "utf-8")


def row(name: str, mixes: int, counts: Mapping[str, int]) -> str:
    """Return a judge's row: unexplained differences, and those with a name."""
    open_ones = (*FACTS, "memory", "repetitions")
    usual = {*open_ones, "episodes", "steps", "solved"}
    named = sorted(why for why in counts if why not in usual)
    groups = [why for why in open_ones if counts[why]], [n for n in named if counts[n]]
    cells = [", ".join(f"{why} {counts[why]}" for why in one) or "0" for one in groups]
    played = f"{mixes} | {counts['episodes']} | {counts['steps']:,}"
    return f"| {name} | {datetime.now(UTC):%Y-%m-%d} | {played} | {' | '.join(cells)} |"


def write(page: Path, rows: Mapping[str, str]) -> None:
    """Put rows into the page's table; those of other judges stay."""
    text = page.read_text("utf-8")
    found = _TABLE.search(text)
    assert found is not None, f"{page} has no table of judges"
    old = {line.split(" | ")[0][2:]: line for line in found[0].splitlines()[2:]}
    shown = {**old, **rows}
    lines = [*_HEAD, *(shown[name] for name in JUDGES if name in shown), ""]
    page.write_text(_TABLE.sub("\n".join(lines), text), "utf-8")


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Return the options that all programs with judges have."""
    kind = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=description, formatter_class=kind)
    parser.add_argument("judges", nargs="*", help=f"{', '.join(JUDGES)}; or all")
    parser.add_argument("--papers", type=Path, required=True, help="their checkouts")
    parser.add_argument("--tasks", type=int, help="how many, of each kind")
    parser.add_argument("--show", type=int, default=3, help="examples of differences")
    return parser


def main() -> None:
    """Play the judges that are named, and print what differs."""
    parser = arguments(__doc__)
    parser.add_argument("--python", help="the papers' interpreter")
    parser.add_argument("--mixes", nargs="*", default=list(MIXES), choices=list(MIXES))
    parser.add_argument("--page", type=Path, help="whose table to write")
    parser.add_argument("--record", type=Path, help="a folder, for transcripts alone")
    options = parser.parse_args()
    options.papers = options.papers.resolve()
    options.python = options.python or str(options.papers / "python/bin/python")
    rows: dict[str, str] = {}
    for name in options.judges or JUDGES:
        if options.record:
            record(name, options)
            continue
        try:
            counts = judged(name, options)
        except ChildEndedError as error:
            parser.error(f"{name}: the paper's code ended at {error}")
        rows[name] = row(name, len(options.mixes), counts)
        if options.page:
            write(options.page, rows)
    print("\n".join((*_HEAD, *rows.values())))


if __name__ == "__main__":
    main()
