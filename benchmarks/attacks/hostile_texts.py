"""Does any of many hostile texts break an environment, or take long?

The texts are spread over all benchmarks, with the rules and protocols of the suite
"full". Each is said in the middle of an episode, is answered with text, and leaves the
state as it was if it is invalid. No step may take 0.5 s of processor time.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from time import process_time

import numpy as np

from aq_gym.evaluation import Suite
from aq_gym.registration import TABLE
from aq_gym.testing import Case, ContractError
from aq_gym.testing.case import inner, into_episode, sample
from aq_gym.testing.fuzz import check_text

A_STATE = 1_000
MOST_SECONDS = 0.5
MOST_FOR_A_STATE = 600
# The arguments that choose other rules or texts; the others choose instances.
RULES = (
    *("cipher", "domain", "game", "goals", "protocol", "repeats"),
    *("symbols", "world"),
)
# ASCII with its control characters, the basic plane with its surrogates, everything.
ALPHABETS = (0x80, 0x10000, 0x110000)
# Pieces that are repeated up to the longest text: they open and never close, make a
# search backtrack, or grow in lower case or when they are normalized.
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


def cases() -> dict[str, list[Case]]:
    """Return every id and its rules in the suite "full", by its benchmark."""
    rows = {row.id: row for row in TABLE}
    found: dict[str, list[Case]] = defaultdict(list)
    tasks = [(task.id, task.kwargs) for task in Suite.load("full").tasks]
    for env_id, given in [*((one, {}) for one in rows), *tasks]:
        kwargs = {name: given[name] for name in RULES if name in given}
        case = Case(env_id, kwargs, rows[env_id].expectations)
        if case not in found[rows[env_id].entry_point] and not rows[env_id].missing():
            found[rows[env_id].entry_point].append(case)
    return found


def say(case: Case, count: int, longest: int, seed: int) -> tuple[int, float, str]:
    """Step an environment with hostile texts, in another state for each 1,000.

    Returns:
        How many broke the contract, the seconds of the slowest step, and its text.
    """
    rng = np.random.default_rng(seed)
    broken, slowest = 0, (0.0, "")
    for begun in range(0, count, A_STATE):
        # A step that never ends is shown, too.
        faulthandler.dump_traceback_later(MOST_FOR_A_STATE, exit=True)
        world = inner(case.make())
        into_episode(world, seed + begun, 2)
        state = world.get_state()
        actions = [sample(world, rng) for _ in range(20)] + sorted(world.help_actions)
        texts = hostile_texts(rng, actions, longest)
        for text in islice(texts, min(count - begun, A_STATE)):
            start = process_time()
            try:
                check_text(world, state, text)
            except ContractError as error:
                broken += 1
                print(f"BROKEN: {case}: {error!s:.300}", flush=True)
            slowest = max(slowest, (process_time() - start, text))
        world.close()
    faulthandler.cancel_dump_traceback_later()
    return broken, *slowest


def hostile_texts(
    rng: np.random.Generator, actions: Sequence[str], longest: int
) -> Iterator[str]:
    """Yield texts endlessly, all kinds alike.

    Args:
        rng: The random numbers.
        actions: Actions of the environment, which are damaged.
        longest: The characters of the longest repetition.
    """
    while True:
        action = actions[int(rng.integers(len(actions)))]
        yield _noise(rng, 300)
        start, end = sorted(rng.integers(len(action) + 1, size=2).tolist())
        yield action[:start] + _noise(rng, 4) + action[end:]
        words = list(_WORD.finditer(action)) or list(_WORD.finditer("help"))
        word = words[int(rng.integers(len(words)))]
        yield action[: word.start()] + _value(rng, longest) + action[word.end() :]
        yield _call(rng, words[0][0], longest)
        yield _repeated(rng, longest)


def _noise(rng: np.random.Generator, longest: int) -> str:
    size = int(rng.integers(longest + 1))
    alphabet = ALPHABETS[int(rng.integers(len(ALPHABETS)))]
    return "".join(map(chr, rng.integers(alphabet, size=size).tolist()))


def _repeated(rng: np.random.Generator, longest: int) -> str:
    """Repeat one piece, or two in turn, to a length of any magnitude."""
    chosen = rng.integers(len(PIECES), size=int(rng.integers(1, 3)))
    piece = "".join(PIECES[one] for one in chosen)
    return piece * int(10 ** rng.uniform(0, np.log10(longest)) / len(piece) + 1)


def _value(rng: np.random.Generator, longest: int) -> str:
    if rng.random() < 0.5:
        return _repeated(rng, longest)
    return VALUES[int(rng.integers(len(VALUES)))]


def _call(rng: np.random.Generator, name: str, longest: int) -> str:
    """Write a call with a deep, wide or strange value."""
    depth = int(10 ** rng.uniform(0, np.log10(longest) - 1))
    values = (
        "[" * depth + "]" * depth,
        '{"a":' * depth + "1" + "}" * depth,
        "{" + ", ".join(f'"{k}": {k}' for k in range(depth)) + "}",
        json.dumps(
            {_noise(rng, 9): _value(rng, longest), "name": _value(rng, longest)}
        ),
        ", ".join(f"a{k}={k}" for k in range(depth)),
        _value(rng, longest),
    )
    form = CALLS[int(rng.integers(len(CALLS)))]
    return form.format(name=name, value=values[int(rng.integers(len(values)))])


def main() -> int:
    """Say the texts, and print how they were answered."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("ids", nargs="*", help="which ids; by default all")
    parser.add_argument("--texts", type=int, default=200_000, help="%(default)s")
    parser.add_argument("--longest", type=int, default=100_000, help="%(default)s")
    parser.add_argument("--seed", type=int, default=0, help="%(default)s")
    options = parser.parse_args()
    chosen = [
        wanted
        for of in cases().values()
        if (wanted := [one for one in of if one.id in (options.ids or [one.id])])
    ]
    texts = broken = late = missing = 0
    for of in chosen:
        count = -(-options.texts // len(chosen) // len(of))
        for case in of:
            try:
                wrong, seconds, text = say(case, count, options.longest, options.seed)
            except FileNotFoundError:
                missing += 1
                continue
            texts, broken = texts + count, broken + wrong
            if seconds > MOST_SECONDS:
                late += 1
                print(f"LATE: {case}: {seconds:.2f} s for {text!a:.60}")
        print(f"{of[0].id}: {len(of)} environments, {texts:,} texts so far", flush=True)
    print(
        f"seed {options.seed}: {texts:,} texts, {broken} answered wrongly, {late} "
        f"environments too slow, {missing} without their data"
    )
    return int(broken + late > 0)


if __name__ == "__main__":
    sys.exit(main())
