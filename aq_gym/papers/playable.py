"""Messages of ``aq-gym run`` about suites of papers, whose data are the user's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from gymnasium.error import Error

from aq_gym.evaluation import Suite, Task
from aq_gym.evaluation.manifest import run_notes
from aq_gym.evaluation.play import POOL
from aq_gym.evaluation.preflight import prompt_source
from aq_gym.papers import agentboard, agentquest

_UNPLAYABLE = (ValueError, OSError, Error)
_GITHUB = "https://github.com"
_PAPERS = (
    ("AgentBoard", agentboard.has_prompts, agentboard.VARIABLE,
     f"{_GITHUB}/hkust-nlp/AgentBoard"),
    ("AgentQuest", agentquest.checkout, agentquest.VARIABLE,
     f"{_GITHUB}/nec-research/agentquest"),
)  # fmt: skip


def playable(suite: Suite) -> tuple[Suite, dict[str, str]]:
    """Return the part of a suite whose data are present, and what is missing by kind.

    Args:
        suite: A suite that may be played in part; others are returned as they are.

    Raises:
        ValueError: If nothing of it can be played.
        FileNotFoundError: If a variable does not name a paper's code or data.
    """
    for paper, find, *_ in _PAPERS:
        if any(task.kwargs.get("protocol") == paper.lower() for task in suite.tasks):
            find()
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
    except _UNPLAYABLE as error:
        return str(error)
    POOL.give_back(task, env)
    return ""


def prompt_lines(suite: Suite, params: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines on whose prompts a model gets in the papers' protocols.

    Args:
        suite: The suite, of which one task of each kind is begun.
        params: The parameters of the agent.
    """
    for paper, has_prompts, variable, address in _PAPERS:
        protocol = paper.lower()
        tasks = [t for t in suite.tasks if t.kwargs.get("protocol") == protocol]
        sources: dict[str, list[str]] = {}
        for kind, task in {_kind(task): task for task in reversed(tasks)}.items():
            sources.setdefault(_prompt_of(task, params), []).append(kind)
        sources.pop("", None)
        for source, kinds in sorted(sources.items()):
            line = f"prompts of {source}: {', '.join(sorted(kinds))}"
            if source != paper and not has_prompts():
                line += f"; {paper}'s need {variable}, a checkout of {address}"
            yield line


def _prompt_of(task: Task, params: Mapping[str, Any]) -> str:
    try:
        env = POOL.lend(task)
        env.reset(seed=task.seed)
        source = prompt_source(env, params)
    except _UNPLAYABLE:
        # The run, or its estimate, says why.
        return ""
    POOL.give_back(task, env)
    return "this package" if source == "ours" else source


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
