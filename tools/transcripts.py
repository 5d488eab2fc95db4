"""Play the episodes that the pages of the environments show.

Each environment is played by its expert and by an average player: one action in four is
the expert's, the others are random.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np

from aq_gym.agents import Agent, ExpertAgent, ExpertGaveUpError, RandomAgent
from aq_gym.core.drawing import Drawing
from aq_gym.registration import row_of
from aq_gym.wrappers import RepetitionRate

# Steps of a long episode that are shown: those at its start and at its end.
FIRST, LAST = 30, 3
# The number of steps shown at once; the page folds the others.
OPEN = 5


class Step(NamedTuple):
    """One step of a transcript.

    Attributes:
        number: Its number, from 1.
        action: The action.
        observation: The observation that followed.
        progress: The progress after it.
        held: The number of subgoals that hold after it.
        reached: The subgoals that hold after it and did not before.
        lost: The subgoals that held before it and do not after.
        valid: Whether the environment accepted the action.
        picture: The picture after it, None where there is nothing to see.
    """

    number: int
    action: str
    observation: str
    progress: float
    held: int
    reached: tuple[str, ...]
    lost: tuple[str, ...]
    valid: bool
    picture: Drawing | None = None


class Transcript(NamedTuple):
    """An episode.

    Attributes:
        observation: The first observation.
        subgoals: The names of all subgoals.
        steps: Every step.
        best_progress: The highest progress.
        repetition_rate: The repetition rate at the end.
        success: Whether the task was solved.
        truncated: Whether the episode was cut off at its cap.
        picture: The first picture, None where there is nothing to see.
    """

    observation: str
    subgoals: tuple[str, ...]
    steps: tuple[Step, ...]
    best_progress: float
    repetition_rate: float
    success: bool
    truncated: bool
    picture: Drawing | None = None

    def shown(self) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
        """Return the first and the last steps; a long episode is cut in between."""
        if len(self.steps) <= FIRST + LAST + 2:
            return self.steps, ()
        return self.steps[:FIRST], self.steps[-LAST:]


class AveragePlayer:
    """Plays the expert's action with probability ``skill``, otherwise a random one.

    Where the expert gives up, it plays a random one.

    Args:
        env: The environment.
        skill: The probability, 0.0 to 1.0.
        seed: The agent's seed.
    """

    def __init__(
        self, env: gym.Env[Any, Any], skill: float = 0.25, seed: int = 0
    ) -> None:
        self._agents: tuple[Agent, Agent] = (ExpertAgent(env), RandomAgent(env, seed))
        self._skill = skill
        self._rng = np.random.default_rng(seed)

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        for agent in self._agents:
            agent.reset(observation, info)

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Return the next action."""
        expert, other = self._agents
        if self._rng.random() < self._skill:
            with suppress(ExpertGaveUpError):
                return str(expert.act(observation, info))
        return str(other.act(observation, info))


PLAYERS: Mapping[str, Callable[[gym.Env[Any, Any]], Agent]] = {
    "expert": ExpertAgent,
    "average": partial(AveragePlayer, skill=0.25, seed=0),
    "random": RandomAgent,
}


def settings(env_id: str) -> Mapping[str, Any]:
    """Return the arguments of the episodes that an id's page shows."""
    return row_of(env_id).shown


def play(env_id: str, player: str, seed: int = 0) -> Transcript:
    """Play an episode.

    Args:
        env_id: The id of the environment.
        player: One of :data:`PLAYERS`.
        seed: The seed of the episode.
    """
    with_repetition = RepetitionRate(gym.make(env_id, **settings(env_id)))
    env: gym.Env[Any, Any] = with_repetition
    try:
        return _played(env, PLAYERS[player](env), seed)
    finally:
        env.close()


def _played(env: gym.Env[Any, Any], agent: Agent, seed: int) -> Transcript:
    first, info = env.reset(seed=seed)
    drawn: Callable[[], Drawing | None] = env.get_wrapper_attr("drawing")
    picture = drawn()
    agent.reset(first, info)
    steps: list[Step] = []
    observation, terminated, truncated = first, False, False
    while not (terminated or truncated):
        action, before = agent.act(observation, info), info["subgoals"]
        observation, _, terminated, truncated, info = env.step(action)
        step = _step(len(steps) + 1, action, observation, before, info)
        steps.append(step._replace(picture=drawn()))
    return Transcript(
        first,
        tuple(info["subgoals"]),
        tuple(steps),
        info["best_progress"],
        info["repetition_rate"],
        info["success"],
        truncated,
        picture,
    )


def _step(
    number: int,
    action: str,
    observation: str,
    before: Mapping[str, bool],
    info: Mapping[str, Any],
) -> Step:
    now = info["subgoals"]
    return Step(
        number,
        action,
        observation,
        info["progress"],
        sum(now.values()),
        tuple(name for name in now if now[name] and not before.get(name)),
        tuple(name for name in before if before[name] and not now.get(name)),
        info["action_valid"],
    )
