"""Checks of the contract of a text environment, for use in any package.

``check_contract("my/Env-v0")`` runs all checks and raises :class:`ContractError` if one
fails; with pytest, parametrize a test over ``CHECKS``.
"""

from __future__ import annotations

from collections.abc import Callable

from aq_gym.registration import Expectations, row_of
from aq_gym.testing.actions import (
    check_canonical_actions,
    check_help,
    check_listed_actions,
    check_sample_action,
    check_understands,
)
from aq_gym.testing.api import (
    check_gymnasium,
    check_info,
    check_misuse,
    check_step_results,
)
from aq_gym.testing.case import Case, ContractError, inner
from aq_gym.testing.determinism import (
    check_copies,
    check_interleaved,
    check_other_process,
    check_replay,
    check_same_again,
    check_state,
    check_two_envs,
)
from aq_gym.testing.episodes import (
    check_expert,
    check_progress,
    check_seeds,
    check_splits,
    check_task_id,
)
from aq_gym.testing.fuzz import check_any_text, require_hypothesis
from aq_gym.testing.shown import (
    check_first_observation,
    check_picture,
    check_prompt,
    check_render,
    check_secrets,
)
from aq_gym.testing.vector import check_vector_async, check_vector_sync

__all__ = [
    "CHECKS",
    "Case",
    "ContractError",
    "check_any_text",
    "check_contract",
    "check_expert",
    "check_gymnasium",
    "expectations_of",
]

CHECKS: tuple[Callable[[Case], None], ...] = (
    check_gymnasium,
    check_step_results,
    check_info,
    check_listed_actions,
    check_sample_action,
    check_help,
    check_understands,
    check_canonical_actions,
    check_first_observation,
    check_render,
    check_picture,
    check_misuse,
    check_two_envs,
    check_same_again,
    check_interleaved,
    check_other_process,
    check_replay,
    check_progress,
    check_expert,
    check_secrets,
    check_prompt,
    check_task_id,
    check_seeds,
    check_splits,
    check_state,
    check_copies,
    check_vector_sync,
    check_vector_async,
    check_any_text,
)


def check_contract(env_id: str, **kwargs: object) -> None:
    """Run every check of the contract on one environment.

    The checks spawn processes, which import the calling script again, so a script must
    call this function under ``if __name__ == "__main__":``.

    Args:
        env_id: A registered id, or ``module:id``.
        **kwargs: JSON-serializable constructor arguments of the environment.

    Raises:
        ContractError: If a check fails. It is an ``AssertionError`` whose message names
            the check, the environment, the seed and the compared values.
        TypeError: If the environment is not an :class:`aq_gym.TextEnv`.
        gymnasium.error.DependencyNotInstalled: If hypothesis is not installed.
    """
    require_hypothesis()
    # Made first, because the import of "module:id" registers the row with the
    # expectations.
    inner(Case(env_id, kwargs).make())
    case = Case(env_id, kwargs, expectations_of(env_id))
    for check in CHECKS:
        check(case)


def expectations_of(env_id: str) -> Expectations:
    """Return what is required of an id; everything if it has no row.

    Args:
        env_id: A registered id, or ``module:id``.
    """
    return row_of(env_id).expectations
