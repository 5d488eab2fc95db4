"""Messages of ``aq-gym run`` about suites of papers, whose data are the user's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gymnasium.error import Error

from aq_gym.core import agentboard, agentquest
from aq_gym.evaluation import Suite, Task
from aq_gym.evaluation.execution.env_pool import POOL
from aq_gym.evaluation.manifest import run_notes

_AGENTBOARD = "https://github.com/hkust-nlp/AgentBoard"
_AGENTQUEST = "https://github.com/nec-research/agentquest"


def playable(suite: Suite) -> tuple[Suite, dict[str, str]]:
    """Return the part of a suite whose data are present, and what is missing by kind.

    Args:
        suite: A suite that may be played in part; others are returned as they are.

    Raises:
        ValueError: If nothing of it can be played.
    """
    if not suite.partial:
        return suite, {}
    kinds = {_kind(task): task for task in reversed(suite.tasks)}
    missing = {kind: why for kind in kinds if (why := _problem(kinds[kind]))}
    # In the order of the suite.
    missing = {k: missing[k] for k in dict(map(_named, suite.tasks)) if k in missing}
    if not missing:
        return suite, {}
    tasks = tuple(task for task in suite.tasks if _kind(task) not in missing)
    if not tasks:
        why = "; ".join(f"{kind}: {said}" for kind, said in missing.items())
        raise ValueError(f"suite={suite.name!r} lacks all its data: {why}")
    name = f"{suite.name} (without {', '.join(missing)})"
    return replace(suite, name=name, tasks=tasks), missing


def _named(task: Task) -> tuple[str, Task]:
    return _kind(task), task


def _kind(task: Task) -> str:
    """Return the benchmark of a task, and its world where it has several."""
    world = task.kwargs.get("world")
    return f"{task.id}?world={world}" if world else task.id


def _problem(task: Task) -> str:
    try:
        env = POOL.lend(task)
        env.reset(seed=task.seed)
    except (ValueError, OSError, Error) as error:
        return str(error)
    POOL.give_back(task, env)
    return ""


def prompt_lines(suite: Suite) -> Iterator[str]:
    """Yield lines on whose prompts a model gets in the papers' protocols."""
    for paper, found, variable, address in (
        ("AgentBoard", agentboard.has_prompts(), agentboard.VARIABLE, _AGENTBOARD),
        ("AgentQuest", agentquest.checkout(), agentquest.VARIABLE, _AGENTQUEST),
    ):
        protocol = paper.lower()
        ids = {t.id for t in suite.tasks if t.kwargs.get("protocol") == protocol}
        listed = ", ".join(sorted(ids))
        if ids and found:
            yield f"{listed}: {paper}'s prompts, where it has them"
        elif ids:
            yield (
                f"{listed}: the prompts are ours, not {paper}'s: set {variable} to a "
                f"checkout of its code ({address})"
            )


def subgoal_lines(suite: Suite) -> Iterator[str]:
    """Yield lines on whose subgoals judge tasks in AgentBoard's protocol."""
    judged = run_notes(suite, 1, {}).get("subgoals", {})
    for env, whose in judged.items():
        if whose == "ours":
            yield (
                f"{env}: the subgoals are ours; AgentBoard's are in its data "
                f"({agentboard.VARIABLE})"
            )
        else:
            yield f"{env}: AgentBoard's annotated subgoals"
