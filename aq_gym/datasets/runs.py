"""Read the episodes of a run, and the split of each instance."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym

from aq_gym.agents.dialogue import Dialogue, Prompting
from aq_gym.core.arguments import check_arguments
from aq_gym.datasets.played import Cost, Played, PlayedTurn, text_of
from aq_gym.evaluation import EpisodeResult, load_run
from aq_gym.evaluation.results import read_trajectory
from aq_gym.models.messages import Message, message
from aq_gym.trajectory import Trajectory
from aq_gym.trajectory.codec import canonical
from aq_gym.trajectory.replay import make_env
from aq_gym.wrappers.steps_to_go import regret

_PREFIX = "generated_"


_WHOLE = ("all", "generated")


class InstanceSplits:
    """Finds the splits of the instances of one setting."""

    def __init__(self, env: gym.Env[Any, Any], kwargs: Mapping[str, Any]) -> None:
        parameters = inspect.signature(type(env.unwrapped)).parameters
        default = parameters["split"].default if "split" in parameters else None
        self._split = str(kwargs.get("split", default or "all"))
        self._id = env.spec.id if env.spec is not None else ""
        self._kwargs = dict(kwargs)
        self._can_search = default in _WHOLE
        self._find = lru_cache(maxsize=None)(self._env_of)

    def of(self, task_id: str) -> str:
        """Return the split of an instance: "train", "test", another name, or "all".

        An instance of an environment with ``split="all"`` belongs to the split whose
        environment accepts its task id; to "all" if none does.
        """
        if self._split not in _WHOLE:
            return self._split.removeprefix(_PREFIX)
        if not self._can_search:
            return "all"
        found = [name for name in ("train", "test") if self._has(name, task_id)]
        return found[0] if len(found) == 1 else "all"

    def _has(self, split: str, task_id: str) -> bool:
        env = self._find(split)
        return env is not None and _accepts(env, task_id)

    def _env_of(self, split: str) -> gym.Env[Any, Any] | None:
        try:
            return gym.make(self._id, **{**self._kwargs, "split": split})
        except ValueError:
            # The arguments fix the instance, and such an environment has no splits.
            return None


def _accepts(env: gym.Env[Any, Any], task_id: str) -> bool:
    try:
        env.reset(options={"task_id": task_id})
    except ValueError:
        return False
    return True


_NO_LIMIT = 10**9


class _Setting(NamedTuple):
    env: gym.Env[Any, Any]
    splits: InstanceSplits


def played_episodes(
    run: str | os.PathLike[str],
    success: bool = False,
    min_progress: float = 0.0,
    split: str | None = None,
    prompting: Prompting = "act",
    example: bool = False,
    trust: bool = False,
) -> Iterator[Played]:
    """Return the finished episodes of a run, sorted by task.

    Episodes with an error are left out. If a language model played, the prompt is the
    one that was sent; for other agents it is made as ``prompting`` says.

    Args:
        run: The directory of the run.
        success: Whether to leave out episodes whose task was not solved.
        min_progress: The least progress rate, 0.0 to 1.0.
        split: The split of the episodes; None for all.
        prompting: "act", "react", "memory" or "chat".
        example: Whether a prompt that was not recorded has an example.
        trust: Whether the trajectories may name any environment and arguments.

    Raises:
        FileNotFoundError: If the directory holds no run, or an episode has no
            trajectory.
        TypeError: If an argument has the wrong type.
        ValueError: If ``min_progress`` is out of its range, no episode belongs to the
            split, a file is damaged, or an environment can't be made again or is not
            trusted.
    """
    check_arguments(played_episodes, dict(locals()))
    if not 0 <= min_progress <= 1:
        raise ValueError(f"min_progress={min_progress} must be from 0.0 to 1.0")
    return _chosen(run, success, min_progress, split, prompting, example, trust)


def _chosen(
    run: str | os.PathLike[str],
    success: bool,
    min_progress: float,
    split: str | None,
    prompting: Prompting,
    example: bool,
    trust: bool,
) -> Iterator[Played]:
    settings: dict[str, _Setting] = {}
    found: set[str] = set()
    loaded = load_run(run)
    for row in loaded.episodes:
        if row.error or row.progress_rate < min_progress or (success > row.success):
            continue
        played = read_trajectory(run, row.task)
        if played is None:
            continue
        setting = _setting(settings, played, trust)
        where = setting.splits.of(row.task_id)
        found.add(where)
        if split in (None, where):
            prompt = _prompt(setting.env, played, prompting, example)
            yield _played(row, played, loaded.manifest["agent"], where, prompt)
    if split is not None and found and split not in found:
        names = ", ".join(map(repr, sorted(found)))
        raise ValueError(f"split={split!r}: the episodes are of {names}")


def _setting(
    settings: dict[str, _Setting], played: Trajectory, trust: bool
) -> _Setting:
    spec = played.header["spec"]
    key = canonical(spec)
    if key not in settings:
        env = make_env(played, trust)
        settings[key] = _Setting(env, InstanceSplits(env, spec.get("kwargs", {})))
    return settings[key]


def _played(
    row: EpisodeResult,
    played: Trajectory,
    agent: str,
    split: str,
    prompt: tuple[Message, ...],
) -> Played:
    info = played.header["info"]
    turns = tuple(
        _turn(played.path, step)._replace(cost=_cost(row, step["t"]))
        for step in played.steps
    )
    offered = played.steps[0].get("notes", {}).get("tools", ())
    return Played(
        row.task,
        row.env,
        row.setting,
        row.seed,
        split,
        text_of(agent),
        text_of(row.task_id),
        text_of(info.get("goal", "")),
        text_of(row.difficulty),
        row.success,
        text_of(played.header["observation"]),
        prompt,
        turns,
        offered,
        text_of(row.source),
    )


def _cost(row: EpisodeResult, step: int) -> Cost:
    steps, secrets = row.steps_to_go, row.secrets_left
    if not steps:
        return Cost()
    determined = secrets[step] == 1 if secrets else None
    return Cost(steps[step], regret(steps[step - 1], steps[step]), determined)


def _turn(path: Path, step: Mapping[str, Any]) -> PlayedTurn:
    ends = step["terminated"], step["truncated"]
    place = "'info'"
    try:
        turn = PlayedTurn.of_step(
            step["action"],
            step["observation"],
            step["reward"],
            ends,
            step["info"],
            step.get("notes", {}),
        )
        # Tool calls with an unexpected structure raise an error here.
        place = "the 'tool_calls' of 'notes'"
        _ = turn.messages
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path}, step {step['t']}: damaged in {place}: {error!r}"
        ) from error
    return turn


def _prompt(
    env: gym.Env[Any, Any], played: Trajectory, prompting: Prompting, example: bool
) -> tuple[Message, ...]:
    sent = played.steps[0].get("notes", {}).get("prompt")
    if sent is not None:
        try:
            return tuple(_message(one) for one in sent)
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(
                f"{played.path}, step 1: damaged in the 'prompt' of 'notes': {error!r}"
            ) from error
    # The prompt can depend on the instance.
    env.reset(seed=played.header["seed"], options=played.header["options"])
    return prompt_of(env, text_of(played.header["observation"]), prompting, example)


def _message(one: Mapping[str, Any]) -> Message:
    return message(
        one["role"],
        one["content"],
        reasoning=one.get("reasoning_content", ""),
        tool_calls=one.get("tool_calls", ()),
        tool_call_id=one.get("tool_call_id", ""),
    )


def prompt_of(
    env: gym.Env[Any, Any], observation: str, prompting: Prompting, example: bool
) -> tuple[Message, ...]:
    """Return the messages that a model gets first in an episode."""
    dialogue = Dialogue(env, prompting, example, _NO_LIMIT)
    dialogue.begin(observation)
    return tuple(dialogue.messages())
