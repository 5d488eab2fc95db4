"""A test of judges: which step of an episode was the first bad one?"""

from __future__ import annotations

from pathlib import Path

from aq_gym.evaluation import EpisodeResult, load_run
from aq_gym.ratings.criteria import MOST_VALUES, Criterion
from aq_gym.registration import row_of
from aq_gym.wrappers.steps_to_go import INFINITE, regret

_NONE = "none"
FIRST_BAD_STEP = Criterion(
    "first bad step",
    "The number of the first step after which success is further away than it has to "
    "be: the best action would have left fewer steps to success. None if the agent "
    "always took a best action.",
    (_NONE, *map(str, range(1, MOST_VALUES))),
    ordinal=False,
)
"""The criterion whose values :func:`first_bad_steps` knows."""


def first_bad_steps(run: Path) -> list[tuple[str, int]]:
    """Return the first bad step of episodes, which their steps to go show.

    It is the first with a positive regret, or after which the expert finds no way. Only
    environments count whose expert knows no more than the agent and does not depend on
    luck, and episodes of at most 19 steps.

    Args:
        run: The run's directory.

    Returns:
        The name of each such episode, and the index of its value of the criterion.

    Raises:
        FileNotFoundError: If the directory holds no run.
        ValueError: If there is no such episode.
    """
    found = [
        (row.task, next((t for t in range(1, row.steps + 1) if _is_bad(row, t)), 0))
        for row in load_run(run).episodes
        if _is_shown(row)
    ]
    if not found:
        raise ValueError(
            f"{run} has no episode that shows its first bad step: it takes at most "
            f"{MOST_VALUES - 1} steps in an environment such as PDDL or Sudoku, and "
            "aq-gym score --metric steps-to-go"
        )
    return found


def _is_shown(row: EpisodeResult) -> bool:
    expert = row_of(row.env).expert
    sure = expert.steps_to_go in ("optimal", "upper bound") and not expert.privileged
    solvable = row.steps_to_go[:1] not in ([], [INFINITE])
    return sure and solvable and not row.error and row.steps < MOST_VALUES


def _is_bad(row: EpisodeResult, step: int) -> bool:
    before, after = row.steps_to_go[step - 1 : step + 1]
    cost = regret(before, after)
    return after == INFINITE if cost is None else cost > 0
