"""Does any of many hostile texts break an environment or slow it down?

The texts are spread over all benchmarks, with the arguments of the suite "full". Each
is said in the middle of an episode, has to be answered and, where it is invalid, to
leave the state as it was; the state is another one after each 1,000 texts. Fails if a
step takes more than 0.5 s of processor time, that of an engine's own processes
included, or one in 10,000 more than 50 ms. An engine that fails is a wrong answer.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from time import clock_gettime, process_time
from typing import Any

import numpy as np

from aq_gym.core import TextEnv
from aq_gym.evaluation import Suite
from aq_gym.registration import TABLE
from aq_gym.testing import Case, ContractError
from aq_gym.testing.case import inner, into_episode, sample
from aq_gym.testing.fuzz import check_text

A_STATE = 1_000
MOST_FOR_A_STATE = 600
MOST_SECONDS = 0.5
MOST_OF_NEARLY_ALL = 0.05
# Which arguments choose other rules or texts; the others choose instances.
RULES = (
    *("cipher", "domain", "game", "goals", "obs_format", "protocol", "repeats"),
    *("symbols", "world"),
)

# What most environments read at most, and sometimes more.
LONGEST = 100_000
MOST_DAMAGE = 4
# ASCII with its control characters, the basic plane with its surrogates, everything.
ALPHABETS = (0x80, 0x10000, 0x110000)
# Repeated up to the longest text: what opens and never closes, what a search goes back
# over, what grows in lower case or when it is normalized.
PIECES = (
    "[", "{", "(", '{"a":', "[[", "a(", "f(x=", "search[", '"', "'", "\\", '\\"',
    "<tool_call>", "```\n", "Action:", "a", "a ", "a, ", " ", "\n", "\t,", "9", "1 ",
    "1/", "-", "--", "+", "*", "**", "^", "1e9*", ".", "=", "A1:", "$", "%", ",", ";",
    "not ", "and ", "to ", "the ", "take ", "again. ", "is it ", "\u0130", "\ufdfa",
    "e\u0301", "\ufb03", "\u0662", "\u00b2", "\u200b", "\u202e", "\0", "\ud800",
    "\U0001f642", "<", "&lt;", "#", "| ", "_",
)  # fmt: skip
VALUES = (
    "9" * 5_000, "1e999", "-1", "NaN", "Infinity", "0x" + "f" * 4_000, "10**10**10",
    "9**9**9**9", "=A1", "A1:XFD1048576", "ZZZ9999999", "null", "true", "[]", "{}",
    '""', "../../etc/passwd", "/dev/zero", "__import__('os').system('true')",
    "{0.__class__}", "%n%s", "9999-99-99", "0000-00-00", "24:61", "\x1b[2J", "*", ".*",
    "(a+)+$", "\u0661\u0662", "",
)  # fmt: skip
CALLS = (
    '{{"name": "{name}", "arguments": {value}}}',
    '<tool_call>{{"name": "{name}", "arguments": {value}}}</tool_call>',
    "Action: {name} with Action Input: {value}",
    '```json\n{{"tool": "{name}", "parameters": {value}}}\n```',
    '{{"method": "tools/call", "params": {{"name": "{name}", "arguments": {value}}}}}',
    "{name}({value})",
    "{name}[{value}]",
)
_WORD = re.compile(r"\w+")


class Steps:
    """The processor times of steps, and the slowest one.

    Attributes:
        seconds: Of each step.
        slowest: The seconds and the action of the slowest step.
        broken: How many steps broke the contract.
    """

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.slowest = (0.0, "")
        self.broken = 0

    def timed(self, step: Callable[[str], Any]) -> Callable[[str], Any]:
        """Return a step that is timed."""

        def timed_step(action: str) -> Any:
            begun = processor_time()
            try:
                return step(action)
            finally:
                took = processor_time() - begun
                self.seconds.append(took)
                self.slowest = max(self.slowest, (took, action))

        return timed_step

    def row(self, name: str, environments: int) -> str:
        """Return a row of the table."""
        nearly = float(np.quantile(self.seconds, 0.9999))
        took, text = self.slowest
        shown = json.dumps(text)[:40].replace("|", "\\|")
        return (
            f"| {name} | {environments} | {len(self.seconds):,} | {nearly * 1e3:.1f} | "
            f"{took * 1e3:.1f} | `{shown}`, {len(text):,} characters |"
        )


def processor_time() -> float:
    """Return the processor seconds of this process and those below it (Linux)."""
    # The clock of another process has the number that clock_getcpuclockid(3) returns.
    return process_time() + sum(clock_gettime(~pid << 3 | 2) for pid in below())


def below(pid: int | str = "self") -> Iterator[int]:
    """Yield the ids of the processes below a process."""
    for threads in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, threads.read_text().split()):
            yield child
            yield from below(child)


def cases(added: dict[str, Any]) -> dict[str, list[Case]]:
    """Return every id and its rules in the suite "full", by its benchmark.

    Args:
        added: Further arguments, the same for all.
    """
    rows = {row.id: row for row in TABLE}
    found: dict[str, list[Case]] = defaultdict(list)
    tasks = [(task.id, task.kwargs) for task in Suite.load("full").tasks]
    for env_id, given in [*((one, {}) for one in rows), *tasks]:
        kwargs = {name: given[name] for name in RULES if name in given} | added
        case = Case(env_id, kwargs, rows[env_id].expectations)
        if case not in found[rows[env_id].entry_point]:
            found[rows[env_id].entry_point].append(case)
    return found


def fuzz(case: Case, count: int, seed: int, steps: Steps) -> None:
    """Step an environment with many texts in the middle of episodes.

    Args:
        case: The environment.
        count: How many texts.
        seed: For other texts and states.
        steps: Where the times are added.
    """
    rng = np.random.default_rng(seed)
    for begun in range(0, count, A_STATE):
        # A step that never ends is shown, too.
        faulthandler.dump_traceback_later(MOST_FOR_A_STATE, exit=True)
        world = inner(case.make())
        into_episode(world, seed + begun, 2)
        say(world, hostile_texts(rng, samples(world, rng)), count - begun, steps)
        world.close()
    faulthandler.cancel_dump_traceback_later()


def samples(world: TextEnv, rng: np.random.Generator) -> list[str]:
    """Return actions of an environment."""
    return [sample(world, rng) for _ in range(20)] + sorted(world.help_actions)


def say(world: TextEnv, texts: Iterable[str], most: int, steps: Steps) -> None:
    """Step with each text, in the state that the environment is in."""
    state = world.get_state()
    world.step = steps.timed(world.step)  # type: ignore[assignment, method-assign]
    for text in islice(texts, min(most, A_STATE)):
        try:
            check_text(world, state, text)
        except ContractError as error:
            steps.broken += 1
            print(f"BROKEN: {error!s:.300}", flush=True)


def fuzz_all(of: Iterable[Case], count: int, seed: int) -> tuple[Steps, list[str]]:
    """Fuzz some environments that count as one.

    Args:
        of: The environments.
        count: How many texts each is given.
        seed: For other texts and states.

    Returns:
        The steps of all of them, and what was left out because it is not installed.
    """
    steps, left_out = Steps(), []
    missing = {row.id: row.missing() for row in TABLE}
    for case in of:
        if missing[case.id]:
            left_out.append(f"{case} needs {missing[case.id]}")
            continue
        try:
            fuzz(case, count, seed, steps)
        except FileNotFoundError as error:
            left_out.append(str(error))
    return steps, left_out


def hostile_texts(rng: np.random.Generator, samples: Sequence[str]) -> Iterator[str]:
    """Yield texts endlessly, all kinds alike."""
    while True:
        sample = samples[int(rng.integers(len(samples)))]
        yield _noise(rng, 300)
        yield _damaged(rng, sample)
        yield _filled(rng, sample, _value(rng))
        yield _call(rng, sample)
        yield _repeated(rng)


def _noise(rng: np.random.Generator, longest: int) -> str:
    size = int(rng.integers(longest + 1))
    alphabet = ALPHABETS[int(rng.integers(len(ALPHABETS)))]
    return "".join(map(chr, rng.integers(alphabet, size=size).tolist()))


def _damaged(rng: np.random.Generator, action: str) -> str:
    """Replace some part of an action, which may be empty, by noise."""
    start, end = sorted(rng.integers(len(action) + 1, size=2).tolist())
    return action[:start] + _noise(rng, MOST_DAMAGE) + action[end:]


def _filled(rng: np.random.Generator, action: str, value: str) -> str:
    """Replace a word or number of an action."""
    words = list(_WORD.finditer(action))
    if not words:
        return action + value
    word = words[int(rng.integers(len(words)))]
    return action[: word.start()] + value + action[word.end() :]


def _repeated(rng: np.random.Generator) -> str:
    """Repeat one piece, or two in turn, to a length of any magnitude."""
    chosen = rng.integers(len(PIECES), size=int(rng.integers(1, 3)))
    piece = "".join(PIECES[one] for one in chosen)
    return piece * int(10 ** rng.uniform(0, np.log10(LONGEST)) / len(piece) + 1)


def _value(rng: np.random.Generator) -> str:
    if rng.random() < 0.5:
        return _repeated(rng)
    return VALUES[int(rng.integers(len(VALUES)))]


def _call(rng: np.random.Generator, action: str) -> str:
    """Write a call of the action's first word with a deep, wide or strange value."""
    found = _WORD.search(action)
    form = CALLS[int(rng.integers(len(CALLS)))]
    depth = int(10 ** rng.uniform(0, 4))
    name = json.dumps(_noise(rng, 9))
    values = (
        "[" * depth + "]" * depth,
        '{"a":' * depth + "1" + "}" * depth,
        "{" + ", ".join(f'"{k}": {k}' for k in range(depth)) + "}",
        f"{{{name}: {json.dumps(_value(rng))}}}",
        json.dumps({"name": _value(rng), "page": _value(rng)}),
        ", ".join(f"a{k}={k}" for k in range(depth)),
        _value(rng),
    )
    value = values[int(rng.integers(len(values)))]
    return form.format(name=found[0] if found else "help", value=value)


def main() -> int:
    """Fuzz every environment, and print how long steps took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", help="which ids; by default all")
    parser.add_argument(
        "--kwargs",
        type=json.loads,
        default={},
        help="more arguments for all of them, in JSON",
    )
    parser.add_argument("--texts", type=int, default=1_000_000, help="%(default)s")
    parser.add_argument("--seed", type=int, default=0, help="for other texts")
    arguments = parser.parse_args()
    chosen = [
        [case for case in of if not arguments.ids or case.id in arguments.ids]
        for of in cases(arguments.kwargs).values()
    ]
    chosen = [of for of in chosen if of]
    every: list[float] = []
    broken = 0
    print("| benchmark | environments | texts | p99.99 ms | slowest ms | its text |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for of in chosen:
        count = -(-arguments.texts // len(chosen) // len(of))
        steps, left_out = fuzz_all(of, count, arguments.seed)
        if left_out:
            print(f"left out: {len(left_out)}, such as: {left_out[0]:.60}")
        if steps.seconds:
            print(steps.row(of[0].id, len(of) - len(left_out)), flush=True)
        every += steps.seconds
        broken += steps.broken
    late = sum(one > MOST_OF_NEARLY_ALL for one in every)
    longest = max(every, default=0.0)
    met = longest <= MOST_SECONDS and late <= len(every) / 10_000
    met = met and not broken
    print(
        f"\n{len(every):,} texts, {broken} answered wrongly, {late} steps of more than "
        f"{MOST_OF_NEARLY_ALL:g} s, the slowest {longest:.2f} s: "
        f"{'met' if met else 'MISSED'}; {process_time():.0f} s of processor time"
    )
    return int(not met)


if __name__ == "__main__":
    sys.exit(main())
