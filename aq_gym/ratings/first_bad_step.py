"""A test of judges: which step of an episode was the first bad one?"""

from __future__ import annotations

from pathlib import Path

from aq_gym.evaluation import load_run
from aq_gym.evaluation.steps_to_go import first_bad_step
from aq_gym.ratings.criteria import MOST_VALUES, Criterion

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

    Longer episodes than 19 steps are left out; see
    :func:`aq_gym.evaluation.steps_to_go.first_bad_step`.

    Args:
        run: The run's directory.

    Returns:
        The name of each such episode, and the index of its value of the criterion.

    Raises:
        FileNotFoundError: If the directory holds no run.
        ValueError: If there is no such episode.
    """
    known = (
        (row.task, first_bad_step(row))
        for row in load_run(run).episodes
        if row.steps < MOST_VALUES
    )
    found = [(task, step) for task, step in known if step is not None]
    if not found:
        raise ValueError(
            f"{run} has no episode that shows its first bad step: it takes at most "
            f"{MOST_VALUES - 1} steps in an environment such as PDDL or Sudoku, and "
            "aq-gym score --metric steps-to-go"
        )
    return found
