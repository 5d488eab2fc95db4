"""Generate demonstrations with the environments' experts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import gymnasium as gym

from aq_gym.agents import ExpertAgent
from aq_gym.agents.dialogue import Prompting
from aq_gym.core.arguments import check_arguments
from aq_gym.datasets.played import Played, PlayedTurn, text_of
from aq_gym.datasets.runs import InstanceSplits, prompt_of
from aq_gym.evaluation.task import Task, wrap_env
from aq_gym.selection import check_names

# The limit of seeds in a row without a new demonstration.
_MOST_IN_VAIN = 1_000


def demonstrations(
    env_id: str,
    episodes: int,
    split: str = "train",
    kwargs: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    max_steps: int | None = None,
    prompting: Literal["act", "chat"] = "act",
    example: bool = False,
) -> Iterator[Played]:
    """Return distinct episodes in which the expert solves the task.

    Episodes with the same observations and actions as an earlier one are left out,
    because their chats would be the same.

    Args:
        env_id: The environment's id.
        episodes: The number of episodes.
        split: The split of the instances, such as "train" or "test".
        kwargs: The constructor's other arguments.
        seed: The seed of the first reset; the others count up from it.
        max_steps: The step cap; None for the id's own.
        prompting: The form of the answers in the prompt: "act" or "chat". The expert
            does not write thoughts.
        example: Whether the prompt has an example.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If an argument is out of its range, the environment has no argument
            ``split``, no such split or no expert, or 1,000 seeds in a row give no new
            demonstration.
    """
    check_arguments(demonstrations, dict(locals()))
    for name, value, least in (("episodes", episodes, 1), ("seed", seed, 0)):
        if value < least:
            raise ValueError(f"{name}={value} must be at least {least}")
    arguments = {**(kwargs or {}), "split": split}
    check_names(env_id, arguments)
    return _different(env_id, episodes, arguments, seed, max_steps, prompting, example)


def _different(
    env_id: str,
    episodes: int,
    arguments: Mapping[str, Any],
    seed: int,
    max_steps: int | None,
    prompting: Prompting,
    example: bool,
) -> Iterator[Played]:
    task = Task(env_id, seed, arguments, max_steps)
    with wrap_env(task.make(), extract=False) as env:
        expert = ExpertAgent(env)
        splits = InstanceSplits(env, arguments)
        seen: set[bytes] = set()
        in_vain = 0
        while len(seen) < episodes:
            task = Task(env_id, seed, arguments, max_steps)
            played = _play(env, expert, task, splits, prompting, example)
            seed += 1
            if played.success and played.digest not in seen:
                seen.add(played.digest)
                in_vain = 0
                yield played
                continue
            in_vain += 1
            if in_vain == _MOST_IN_VAIN:
                raise ValueError(
                    f"episodes={episodes}: {env_id} with split={arguments['split']!r} "
                    f"gave {len(seen)} different demonstrations, and {in_vain} further "
                    "seeds no new one; ask for fewer"
                )


def _play(
    env: gym.Env[Any, Any],
    expert: ExpertAgent,
    task: Task,
    splits: InstanceSplits,
    prompting: Prompting,
    example: bool,
) -> Played:
    first, start = env.reset(seed=task.seed)
    prompt = prompt_of(env, first, prompting, example)
    info, turns, over = start, [], False
    while not over:
        action = expert.act(first, info)
        observation, reward, terminated, truncated, info = env.step(action)
        ends = terminated, truncated
        turns.append(PlayedTurn.of_step(action, observation, float(reward), ends, info))
        over = terminated or truncated
    return Played(
        task.name,
        task.id,
        task.setting,
        task.seed,
        splits.of(start["task_id"]),
        "expert",
        start["task_id"],
        text_of(start["goal"]),
        start["difficulty"],
        bool(info["success"]),
        text_of(first),
        prompt,
        tuple(turns),
        source=text_of(start.get("source", "")),
    )
