"""The contract of a text environment, as checks that any package can run.

``check_contract("my/Env-v0")`` runs them all and raises an ``AssertionError`` at the
first promise that is broken; with pytest, parametrize a test over ``CHECKS``.
"""

from __future__ import annotations

from collections.abc import Callable

from aq_gym.testing.api import (
    check_first_observation,
    check_gymnasium,
    check_help,
    check_info,
    check_listed_actions,
    check_misuse,
)
from aq_gym.testing.case import Case, inner
from aq_gym.testing.determinism import (
    check_interleaved,
    check_other_process,
    check_two_envs,
)
from aq_gym.testing.fuzz import check_any_text
from aq_gym.testing.progress import (
    check_expert,
    check_progress,
    check_secrets,
    check_task_id,
)
from aq_gym.testing.state import check_copies, check_state
from aq_gym.testing.vector import check_vector_async, check_vector_sync

__all__ = ["CHECKS", "Case", "check_any_text", "check_contract"]

CHECKS: tuple[Callable[[Case], None], ...] = (
    check_gymnasium,
    check_info,
    check_listed_actions,
    check_help,
    check_first_observation,
    check_misuse,
    check_two_envs,
    check_interleaved,
    check_other_process,
    check_progress,
    check_expert,
    check_task_id,
    check_secrets,
    check_state,
    check_copies,
    check_vector_sync,
    check_vector_async,
    check_any_text,
)


def check_contract(id: str, **kwargs: object) -> None:
    """Check every promise of the contract on one environment.

    Args:
        id: A registered id, or ``module:id``.
        **kwargs: The environment's constructor arguments, JSON-safe.

    Raises:
        AssertionError: If a promise is broken.
        TypeError: If the environment is no :class:`aq_gym.TextEnv`.
    """
    case = Case(id, kwargs)
    inner(case.make())
    for check in CHECKS:
        check(case)
