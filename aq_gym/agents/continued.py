"""The agent that continues a recorded episode where its step cap ended it."""

from __future__ import annotations

import os
from typing import Any

import gymnasium as gym

from aq_gym import trajectory
from aq_gym.agents.agent import Agent, AgentFactory
from aq_gym.trajectory.codec import encode


class ContinuationError(ValueError):
    """Raised if a recorded episode cannot be continued."""


class ContinuedAgent:
    """Plays the actions of a trajectory, and then those of an agent.

    The agent is brought to the state that it had at the end of the trajectory: one with
    a method ``recall(observation, info, step, requests)``, as :class:`LLMAgent` has, is
    given each recorded step and its requests; another agent is asked for each action,
    but the recorded action is played.

    Raises:
        ContinuationError: If the file is not a trajectory, or does not have the notes
            that the agent needs.
    """

    def __init__(
        self, env: gym.Env[Any, Any], agent: AgentFactory, path: str | os.PathLike[str]
    ) -> None:
        self._agent: Agent = agent(env)
        self._recall = getattr(self._agent, "recall", None)
        self._requests: list[Any] = []
        try:
            self._recorded = trajectory.read(path)
            if self._recall is not None:
                from aq_gym.agents.requests import requests_of

                self._requests = requests_of(self._recorded)
        except (OSError, ValueError) as error:
            raise ContinuationError(str(error)) from error

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        self._next = 0
        self._agent.reset(observation, info)

    def act(self, observation: str, info: dict[str, Any]) -> Any:
        """Return the recorded action, or after the last one, the agent's.

        Raises:
            ContinuationError: If the observation or the agent's conversation is not the
                recorded one.
        """
        number, steps = self._next, self._recorded.steps
        if number <= len(steps):
            self._check(observation, number)
        self._next += 1
        if number >= len(steps):
            return self._agent.act(observation, info)
        step = steps[number]
        if self._recall is None:
            self._agent.act(observation, info)
        else:
            self._recalled(observation, info, number)
        return step["action"]

    def _recalled(self, observation: str, info: dict[str, Any], number: int) -> None:
        try:
            step, requests = self._recorded.steps[number], self._requests[number]
            self._agent.recall(observation, info, step, requests)  # type: ignore[attr-defined]
        except ValueError as error:
            raise ContinuationError(
                f"{self._recorded.path} cannot be continued: step {number + 1}: {error}"
            ) from error

    def _check(self, observation: str, number: int) -> None:
        steps, header = self._recorded.steps, self._recorded.header
        known = steps[number - 1]["observation"] if number else header["observation"]
        if encode(observation) != known:
            raise ContinuationError(
                f"{self._recorded.path} cannot be continued: after {number} steps its "
                "observation differs, because the environment is not deterministic "
                "or has changed"
            )
