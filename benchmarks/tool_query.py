"""What does an agent score in ToolQuery that looks nothing up, and how long is a step?

Two agents answer without a call. One says the answer that is the most frequent for the
question's template in other tasks; one says a name out of the question. Both are to
score no more than the template's fair share and five points. The fair share is one of
the possible answers; for a question that lists its candidates, one of those.

Then the times of reset, of a step and of building a database, and how they grow.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import NamedTuple

import gymnasium as gym

import aq_gym  # noqa: F401  registers the ids
from aq_gym.answers import is_same
from aq_gym.core import TextEnv
from aq_gym.envs.toolquery.logic.question import Question, Template
from aq_gym.envs.toolquery.logic.worlds import WORLDS, database, question
from aq_gym.tools.tasks import TaskName

RECORDS = 100
SIZES = (100, 1_000, 10_000)


class Chance(NamedTuple):
    """The scores of agents that look nothing up.

    Attributes:
        fair: The fair share.
        frequent: That of the most frequent answer.
        named: That of a name in the question.
    """

    fair: float
    frequent: float
    named: float


def asked(world: str, template: Template, count: int) -> Iterator[Question]:
    """Yield questions of a template, from databases of their own."""
    for number in range(count):
        one = question(TaskName(world, number % 50, template.name, number), RECORDS)
        if one is not None:
            yield one


def chance(world: str, template: Template, count: int) -> Chance:
    """Return what agents that look nothing up score in a template."""
    known = list(asked(world, template, 2 * count))
    first, second = known[::2], known[1::2]
    answers = Counter(str(one.answer) for one in first)
    frequent = answers.most_common(1)[0][0]
    said = sum(str(one.answer) == frequent for one in second)
    listed = [_named(one) for one in second]
    named = sum(
        sum(is_same(name, one.answer, one.kind) for name in names) / len(names)
        for one, names in zip(second, listed, strict=True)
        if names
    )
    possible = template.options or set(map(str, (one.answer for one in known)))
    fair = 1 / len(possible)
    pairs = list(zip(second, listed, strict=True))
    if all(one.answer in names for one, names in pairs):
        fair = max(fair, sum(1 / len(names) for names in listed) / len(listed))
    elif all(
        one.kind == "set" and set(one.answer) <= set(names) for one, names in pairs
    ):
        fair = max(
            fair, sum(1 / (2 ** len(names) - 1) for names in listed) / len(pairs)
        )
    return Chance(fair, said / len(second), named / len(second))


def _named(one: Question) -> list[str]:
    """Return the names in a question: those that its route searches."""
    return [
        str(value)
        for step in one.route
        if step.tool.startswith("search_")
        for value in step.arguments.values()
        if str(value) in one.text
    ]


def times(world: str, records: int, resets: int) -> tuple[float, float, float, float]:
    """Return the seconds of building, of a reset, of the slowest one, and of a step."""
    begin = process_time()
    database.__wrapped__(world, 999, records)
    built = process_time() - begin
    env = gym.make("aq/ToolQuery-v0", world=world, records=records).unwrapped
    assert isinstance(env, TextEnv)
    reset, step = [], []
    for seed in range(resets):
        # A large database takes seconds to build: one, which stays in memory.
        options = _task(world, records, seed) if records > RECORDS else None
        begin = process_time()
        env.reset(seed=seed, options=options)
        reset.append(process_time() - begin)
        over = False
        while not over:
            action = env.expert_action()
            begin = process_time()
            over = env.step(action)[2]
            step.append(process_time() - begin)
    return built, median(reset), sorted(reset)[-1 - resets // 20], median(step)


def _task(world: str, records: int, seed: int) -> dict[str, str]:
    templates = WORLDS[world].templates
    for number in range(seed, seed + 100):
        name = TaskName(world, 0, templates[number % len(templates)].name, number)
        if question(name, records) is not None:
            question.cache_clear()
            return {"task_id": str(name)}
    raise AssertionError("no question was found")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="tasks of a template")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    options = parser.parse_args()
    print("world     template                 fair  frequent  named")
    worst = 0.0
    for world, described in WORLDS.items():
        for template in described.templates:
            found = chance(world, template, options.count)
            worst = max(worst, found.frequent - found.fair, found.named - found.fair)
            figures = "  ".join(f"{100 * one:7.1f}" for one in found)
            print(f"{world:9} {template.name:20} {figures}", flush=True)
    print(f"at most {100 * worst:.1f} points above the fair share\n")
    print("world      records   build s  reset ms     95%  step us")
    for world in WORLDS:
        for size in options.sizes:
            built, reset, slow, step = times(world, size, 100)
            milliseconds = f"{1e3 * reset:9.2f} {1e3 * slow:7.2f}"
            print(f"{world:9} {size:8,} {built:9.3f} {milliseconds} {1e6 * step:8.1f}",
                  flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
