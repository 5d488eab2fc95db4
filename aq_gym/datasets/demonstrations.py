"""Generate demonstrations with the environments' experts."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import gymnasium as gym

from aq_gym.agents import ExpertAgent
from aq_gym.agents.dialogue import Prompting
from aq_gym.agents.native_calls import NativeCalls
from aq_gym.core.arguments import check_arguments
from aq_gym.datasets.played import Played, PlayedTurn, messages_of, text_of
from aq_gym.datasets.runs import InstanceSplits, played_episodes, prompt_of
from aq_gym.evaluation import load_run
from aq_gym.evaluation.task import Task, wrap_env
from aq_gym.selection import check_names
from aq_gym.trajectory.reader import find
from aq_gym.trajectory.replay import visit
from aq_gym.wrappers.steps_to_go import ExpertFork

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


def corrections(
    run: str | os.PathLike[str],
    split: str | None = "train",
    *,
    prompting: Literal["act", "chat"] = "act",
    example: bool = False,
    trust: bool = False,
) -> Iterator[Played]:
    """Return the expert's action in each state that the agent of a run acted in.

    Training on them is DAgger (Ross, Gordon and Bagnell, "A Reduction of Imitation
    Learning and Structured Prediction to No-Regret Online Learning", AISTATS 2011).
    The episodes are replayed. Each action is an episode of one step, whose result is
    from a copy of the environment and whose prompt has the agent's earlier steps.
    States in which the expert gives up are left out; a warning counts them.

    Args:
        run: The directory of the run.
        split: The split of the instances, such as "train"; None for all.
        prompting: The form of the answers in the prompt of an agent that is no language
            model: "act" or "chat".
        example: Whether such a prompt has an example.
        trust: Whether the trajectories may name any environment and arguments.

    Raises:
        FileNotFoundError: If the directory holds no run, or an episode has no
            trajectory.
        RuntimeError: If the engine of a copy fails.
        TypeError: If an argument has the wrong type.
        ValueError: If the run's model was asked for thoughts, which the expert does not
            write; if no episode belongs to the split; or if an environment has no
            expert, can't be made again or is not trusted, or differs from the record.
    """
    check_arguments(corrections, dict(locals()))
    asked = load_run(run).manifest.get("agent_params", {}).get("prompting", "act")
    if asked not in ("act", "chat"):
        raise ValueError(
            f"{os.fspath(run)} was played with prompting={asked!r}, whose answers have "
            "thoughts, which the expert does not write: play it with act or chat"
        )
    played = played_episodes(
        run, split=split, prompting=prompting, example=example, trust=trust
    )
    return _corrected(Path(run, "trajectories"), played, trust)


def _corrected(
    folder: Path, episodes: Iterator[Played], trust: bool
) -> Iterator[Played]:
    states = given_up = 0
    for played in episodes:
        corrector = _Corrector(played)
        path = find(folder, played.episode)
        try:
            difference = visit(path, corrector.add, trust=trust).difference
        finally:
            corrector.close()
        if difference is not None:
            raise ValueError(f"{path}: {difference}")
        states += len(played.turns)
        given_up += len(played.turns) - len(corrector.found)
        yield from corrector.found
    if given_up:
        warnings.warn(
            f"{given_up} of {states} states are left out, because the expert gives up "
            "there",
            stacklevel=2,
        )


class _Corrector:
    """Asks the expert in the states of an episode that is replayed.

    Attributes:
        found: The expert's steps, each as an episode.
    """

    def __init__(self, played: Played) -> None:
        self.found: list[Played] = []
        self._played = played
        self._fork: ExpertFork | None = None
        self._step = 0
        self._acted: set[str] = set()

    def add(self, env: gym.Env[Any, Any], last: Mapping[str, Any]) -> None:
        """Ask in the current state, unless it is the last one."""
        self._fork = self._fork or ExpertFork(env)
        turns = self._played.turns
        if self._step == len(turns):
            return
        expert = self._fork.first_step()
        if expert is not None:
            self.found.append(self._episode(env, *expert))
        self._acted.add(_canonical(env, turns[self._step].action))
        self._step += 1

    def _episode(
        self, env: gym.Env[Any, Any], action: str, results: tuple[Any, ...]
    ) -> Played:
        played, before = self._played, self._played.turns[: self._step]
        observation, reward, terminated, truncated, info = results
        repeated = _canonical(env, action) in self._acted
        turn = PlayedTurn.of_step(
            action,
            observation,
            float(reward),
            (terminated, truncated),
            {**info, "action_repeated": repeated},
        )
        if played.tools:
            call = NativeCalls(env).call(action, f"expert_{self._step}")
            turn = turn._replace(tool_calls=(call,) if call else ())
        return replace(
            played,
            episode=f"{played.episode}/{self._step + 1}",
            agent="expert",
            success=bool(info["success"]),
            observation=before[-1].observation if before else played.observation,
            prompt=(*played.prompt, *messages_of(before)),
            turns=(turn,),
            first=self._step + 1,
        )

    def close(self) -> None:
        """Close the copy of the environment."""
        if self._fork is not None:
            self._fork.close()


def _canonical(env: gym.Env[Any, Any], action: str) -> str:
    """Return the text of an action by which repetitions are found."""
    if not env.has_wrapper_attr("canonical_action"):
        return action
    return str(env.get_wrapper_attr("canonical_action")(action))
