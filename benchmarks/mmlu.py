"""What does an agent score in MMLU without reading the question, and how fast is it?

For each family of generated questions: the share of right answers of agents that look
at the options alone, which is to be 25%, and how many of its first questions are
distinct. Then the times of reset and step, and the time and memory that a made-up
folder of 14,042 questions takes, which have the mean length of the published ones.
"""

from __future__ import annotations

import argparse
import csv
import re
import tempfile
import tracemalloc
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time

import gymnasium as gym

import aq_gym  # noqa: F401  registers the ids
from aq_gym.core import TextEnv
from aq_gym.envs.mmlu.generated import FAMILIES, question
from aq_gym.envs.mmlu.official import find_files, read_files
from aq_gym.envs.mmlu.question import PUBLISHED, Question

# The test split: its questions, and their mean length with options.
PUBLISHED_COUNT, PUBLISHED_LENGTH = 14_042, 480
_NUMBER = re.compile(r"-?\d+")


def _value(option: str) -> tuple[list[int], str]:
    return [int(one) for one in _NUMBER.findall(option)], option


def _likeness(options: Sequence[str]) -> list[int]:
    """Return for each option how many characters it shares with the others."""
    return [
        sum((Counter(one) & Counter(other)).total() for other in options)
        for one in options
    ]


# Each returns the number of the option that it picks.
GUESSERS: dict[str, Callable[[Sequence[str]], int]] = {
    "first": lambda options: 0,
    "third": lambda options: 2,
    "longest": lambda options: max(range(4), key=lambda k: len(options[k])),
    "shortest": lambda options: min(range(4), key=lambda k: len(options[k])),
    "smallest": lambda options: min(range(4), key=lambda k: _value(options[k])),
    "middle": lambda options: sorted(range(4), key=lambda k: _value(options[k]))[1],
    "largest": lambda options: max(range(4), key=lambda k: _value(options[k])),
    "likest": lambda options: max(range(4), key=lambda k: _likeness(options)[k]),
    "oddest": lambda options: min(range(4), key=lambda k: _likeness(options)[k]),
}


def guessed(questions: Sequence[Question]) -> dict[str, float]:
    """Return the share of questions that each guesser has right."""
    return {
        name: sum(guess(one.options) == one.answer for one in questions)
        / len(questions)
        for name, guess in GUESSERS.items()
    }


def _print_families(count: int) -> None:
    print(f"{'family':12} {'':4} {'distinct':>8}", *(f"{one:>8}" for one in GUESSERS))
    every: list[Question] = []
    for family in FAMILIES:
        for grade in ("easy", "hard"):
            own = [question(family, grade, number) for number in range(count)]
            distinct = len({one.text for one in own})
            few = own[:2_000]
            shares = (f"{100 * share:8.1f}" for share in guessed(few).values())
            print(f"{family:12} {grade} {distinct:8,}", *shares, flush=True)
            every += few
    shares = (f"{100 * share:8.1f}" for share in guessed(every).values())
    print(f"{'all':26}", *shares)


def _times(rounds: int) -> None:
    env = gym.make("aq/MMLU-v0", retries=100).unwrapped
    assert isinstance(env, TextEnv)
    texts = {
        "a letter": "Answer: {letter}",
        "a sentence": "The answer is {letter} because the others are wrong.",
        "an option": "{option}",
        "no answer": "I think that none of them can be right.",
    }
    resets: list[float] = []
    steps: dict[str, list[float]] = {name: [] for name in texts}
    for seed in range(rounds):
        begin = perf_counter()
        _, info = env.reset(seed=seed)
        resets.append(perf_counter() - begin)
        family, grade, number = info["task_id"].split("-")
        one = question(family, grade, int(number))
        wrong = (one.answer + 1) % 4
        for name, text in texts.items():
            action = text.format(letter="ABCD"[wrong], option=one.options[wrong])
            begin = perf_counter()
            env.step(action)
            steps[name].append(perf_counter() - begin)
    print(f"\nreset: {1e6 * median(resets):.0f} us")
    for name, own in steps.items():
        print(f"step, {name}: {1e6 * median(own):.1f} us")


def _folder(count: int) -> None:
    rng = Random(0)
    with tempfile.TemporaryDirectory() as root:
        Path(root, "test").mkdir()
        for at, subject in enumerate(PUBLISHED):
            with Path(root, "test", f"{subject}_test.csv").open("w") as file:
                for _ in range(count // 57 + (at < count % 57)):
                    length = rng.randrange(2 * PUBLISHED_LENGTH)
                    options = [f"{'o' * (length // 8)}{k}" for k in range(4)]
                    csv.writer(file).writerow(["q" * (length // 2), *options, "A"])
        files = find_files(root, "test")
        begin = process_time()
        read_files(files)
        print(
            f"\n{count:,} questions: read in {process_time() - begin:.2f} s", end=", "
        )
        read_files.cache_clear()
        tracemalloc.start()
        read_files(files)
        print(f"{tracemalloc.get_traced_memory()[0] / 2**20:.1f} MiB in memory")
        tracemalloc.stop()


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=15_000, help="of a family's grade")
    parser.add_argument("--rounds", type=int, default=2_000)
    parser.add_argument("--questions", type=int, default=PUBLISHED_COUNT)
    options = parser.parse_args()
    _print_families(options.count)
    _times(options.rounds)
    _folder(options.questions)


if __name__ == "__main__":
    main()
