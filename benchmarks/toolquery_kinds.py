"""How many of the public questions of Tool-Query have a template here, by kind?

The questions are files that the user has: ``academia.jsonl``, ``movie.jsonl`` and
``weather.jsonl`` in one folder, as ``agentenv-tool/Toolusage/data`` of
https://github.com/WooooDyy/AgentGym has them: AgentBoard's questions, and more of the
same kinds. A question is of the first kind in ``toolquery_kinds.tsv`` whose pattern is
found in it. A kind has a template if the template takes the same route, maybe to
another field, a step further or with another operation at the end, such as an average
in place of a count.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from aq_gym.envs.toolquery.logic.worlds import WORLDS


class Kind(NamedTuple):
    """A kind of questions: a pattern, and templates of ours, which may be none."""

    name: str
    pattern: str
    templates: str = ""


def read_kinds() -> dict[str, list[Kind]]:
    """Return the kinds of each world, in the order in which patterns are tried."""
    found: dict[str, list[Kind]] = defaultdict(list)
    table = Path(__file__).with_suffix(".tsv").read_text("utf-8")
    for line in table.splitlines()[1:]:
        world, name, templates, pattern = line.split("\t")
        found[world].append(Kind(name, pattern, templates))
    return found


KINDS = read_kinds()
FILES = {"academia": "academia", "movies": "movie", "weather": "weather"}


def kind_of(world: str, question: str) -> Kind:
    """Return the kind of a question."""
    for kind in KINDS[world]:
        if re.search(kind.pattern, question, re.IGNORECASE):
            return kind
    return Kind("others", "")


def asked(goal: str) -> str:
    """Return the sentence of a question that asks, without the form of the answer."""
    text = re.split(r" ?(?<!^)(Please|Answer|Tell me|Give me)\b", goal)[0]
    return re.split(r"(?<=[a-z]{3}[.?]) (?=[A-Z])", text.strip())[-1]


def main() -> None:
    """Print a Markdown table of the kinds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder with the three files")
    parser.add_argument("--show", metavar="KIND", help="print questions of a kind")
    options = parser.parse_args()
    print("| world | kind | questions | templates of the kind |\n|---|---|---|---|")
    for world, file in FILES.items():
        known = {template.name for template in WORLDS[world].templates}
        lines = (options.data / f"{file}.jsonl").read_text("utf-8").splitlines()
        goals = [str(json.loads(line)["goal"]) for line in lines]
        kinds = [kind_of(world, asked(goal)) for goal in goals]
        for (name, templates), count in Counter(
            (kind.name, kind.templates) for kind in kinds
        ).most_common():
            names = templates.split()
            assert known.issuperset(names), names
            print(f"| {world} | {name} | {count} | {', '.join(names) or '-'} |")
        having = sum(bool(kind.templates) for kind in kinds)
        print(f"| {world} | **with a template** | {having} of {len(kinds)} | |")
        for kind, goal in zip(kinds, goals, strict=True):
            if kind.name == options.show:
                print(f"  {goal}")


if __name__ == "__main__":
    main()
