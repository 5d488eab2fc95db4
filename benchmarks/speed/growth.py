"""How do times grow at 10 and 100 times the usual size?

Rows are: a step with a model's completion of so many characters, for the forms that a
pattern could backtrack on; an episode of so many different actions in RepetitionRate;
reading, summarizing, comparing and continuing a run of so many episodes. Processor
time; "growth" is the last size's time divided by the one before, 10 if it is linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import gymnasium as gym
from timing import rounds_argument, seconds

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.evaluation import Suite, Task, compare, load_run, run
from aq_gym.evaluation.summary import summary_record
from aq_gym.wrappers import ExtractAction, RepetitionRate

FORMS = {
    "words": "the next guess follows from the last ",
    "lines": "Guess 1234 was wrong.\n",
    "spaces": " ",
    "markers": "my action: take it, ",
    "open JSON": '{"action": ',
    "open brackets": "[",
    "open tags": "<action>",
    "open reasoning": "<think>",
    "open fences": "```",
    "quotes": '"take it" ',
}


def completion(piece: str, size: int) -> float:
    """Return the seconds of a step with a completion of so many characters."""
    env = ExtractAction(RepetitionRate(gym.make("aq/Mastermind-v0"), threshold=0.8))
    env.reset(seed=0)
    return seconds(env.step, [((piece * (size // len(piece) + 1))[:size],)])


def repetition(threshold: float, size: int) -> float:
    """Return the seconds of an episode of different actions of 200 characters."""
    rng = Random(0)
    known = [
        "".join(rng.choices("aeioutnsrhld", k=rng.randint(2, 9))) for _ in "x" * 999
    ]
    texts = [" ".join(rng.choices(known, k=60))[:200] for _ in range(size)]
    env = RepetitionRate(
        gym.make("aq/Mastermind-v0", max_episode_steps=size + 1), threshold=threshold
    )
    env.reset(seed=0)
    return seconds(env.step, [(text,) for text in texts])


def runs(size: int) -> dict[str, float]:
    """Return the seconds of what is done with a run of so many episodes."""
    suite = Suite(
        "growth",
        tuple(Task("aq/Mastermind-v0", seed, max_steps=5) for seed in range(size)),
    )
    with TemporaryDirectory() as folder:
        first, second = (
            run(suite, Path(folder, str(seed)), agent_params={"seed": seed})
            for seed in range(2)
        )
        path = Path(folder, "0")
        return {
            "read": seconds(load_run, [(path,)]),
            "summarize": seconds(summary_record, [(suite, first, ())]),
            "compare": seconds(compare, [(first, second)]),
            "continue": seconds(partial(run, suite, path, agent_params={"seed": 0})),
        }


def rows(smallest: int) -> Iterator[tuple[str, int, Callable[[int], float]]]:
    """Yield what is measured, its usual size, and how."""
    for name, piece in FORMS.items():
        yield f"a step, {name}", 10 * smallest, partial(completion, piece)
    for threshold in (0.8, 0.5):
        measured = partial(repetition, threshold)
        yield f"an episode at threshold {threshold}", smallest // 10, measured


def main() -> None:
    """Print a row for each."""
    parser = rounds_argument(__doc__, 1)
    parser.add_argument("--smallest", type=int, default=200, help="(%(default)s)")
    options = parser.parse_args()
    print("| what | size | time, s | 10 times | 100 times | growth |")
    print("|---|---:|---:|---:|---:|---:|")

    def show(what: str, size: int, times: list[float]) -> None:
        cells = " | ".join(f"{time:.4f}" for time in times)
        growth = times[-1] / max(times[-2], 1e-6)
        print(f"| {what} | {size} | {cells} | {growth:.1f} |", flush=True)

    sizes = (1, 10, 100)
    for what, size, measured in rows(options.smallest):
        best = [min(measured(k * size) for _ in range(options.rounds)) for k in sizes]
        show(what, size, best)
    found = [runs(k * options.smallest) for k in sizes]
    for what in found[0]:
        show(f"{what} a run", options.smallest, [times[what] for times in found])


if __name__ == "__main__":
    main()
