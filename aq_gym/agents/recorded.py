"""Agents that play recorded episodes again or continue them, and recorded requests."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from aq_gym import trajectory
from aq_gym.agents.agent import AgentFactory, ContinuationError
from aq_gym.agents.view import seat
from aq_gym.models.conversation import lines_of, with_lines
from aq_gym.models.messages import Message, exchange, message
from aq_gym.trajectory import Trajectory
from aq_gym.trajectory.codec import encode, shown


class ReplayAgent:
    """Plays the actions of a trajectory file.

    Args:
        env: The environment.
        path: The trajectory file.

    Raises:
        ValueError: If the file is not a trajectory, or an action is not the text that
            the environment takes.
    """

    privileged = True

    def __init__(self, env: gym.Env[Any, Any], path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        steps = trajectory.read(path).steps
        self._actions = [step["action"] for step in steps]
        if isinstance(env.action_space, gym.spaces.Text):
            for step in steps:
                if not isinstance(step["action"], str):
                    raise ValueError(
                        f"{self._path}: step {step['t']}: action is "
                        f"{shown(step['action'], 80)}, and must be a text"
                    )
        self._next = 0

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode with the first action."""
        self._next = 0

    def act(self, observation: str, info: dict[str, Any]) -> Any:
        """Return the next recorded action.

        Raises:
            EOFError: If all recorded actions have been returned.
        """
        if self._next >= len(self._actions):
            raise EOFError(
                f"{self._path} has {len(self._actions)} actions and the episode is not "
                "over: it was recorded with another seed or environment"
            )
        action = self._actions[self._next]
        self._next += 1
        return action


class ContinuedAgent:
    """Plays the actions of a trajectory, and then those of an agent.

    The agent is brought to the state that it had at the end of the trajectory: one with
    a method ``recall(observation, info, step, requests)``, as :class:`LLMAgent` has, is
    given each recorded step and its requests; any other agent is asked for each action,
    but the recorded action is played.

    Raises:
        ContinuationError: If the file is not a trajectory, or does not have the notes
            that the agent needs.
    """

    # The agent that continues gets what it would get alone.
    privileged = True

    def __init__(
        self, env: gym.Env[Any, Any], agent: AgentFactory, path: str | os.PathLike[str]
    ) -> None:
        self._agent, self._public = seat(env, agent)
        self._recall = getattr(self._agent, "recall", None)
        self._requests: list[Any] = []
        try:
            self._recorded = trajectory.read(path)
            if not self._recorded.header:
                raise ValueError(f"{path} is damaged: it has no header")
            if self._recall is not None:
                self._requests = requests_of(self._recorded)
        except (OSError, ValueError) as error:
            raise ContinuationError(str(error)) from error

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        self._next = 0
        self._agent.reset(observation, self._public(info))

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
        info = self._public(info)
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


def requests_of(recorded: Trajectory) -> list[list[list[Message]]]:
    """Return the messages of every answered request of an episode.

    Args:
        recorded: An episode that :class:`LLMAgent` or :class:`aq_gym.Episode` played.

    Returns:
        The requests of each step, usually one. A request is the list of messages as
        they were sent, except for secrets that were removed from the file.

    Raises:
        ValueError: If the episode does not have the necessary notes.
    """
    try:
        return _rebuilt(recorded)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError(
            f"{recorded.path} does not have the notes of a language model's requests "
            f"in each step: {error!r}"
        ) from error


def recorded_answers(step: Mapping[str, Any]) -> list[tuple[str, str, str, Any]]:
    """Return the answers of a recorded step, usually one; the last is the one played.

    Returns:
        For each answer its text, its reasoning, the text beside tool calls, and the
        tool calls, in the form for :meth:`Dialogue.answer`.
    """
    notes = step["notes"]
    texts = notes.get("completions", [step["action"]])
    # Answers before the last one are in the request that followed them.
    earlier = [
        (
            text,
            request.get("reasoning", ""),
            request["said"],
            request.get("tool_calls", ()),
        )
        for text, request in zip(texts[:-1], notes["requests"][1:], strict=True)
    ]
    last = (notes.get(key, "") for key in ("reasoning", "content"))
    return [*earlier, (texts[-1], *last, notes.get("tool_calls", ()))]


def _rebuilt(recorded: Trajectory) -> list[list[list[Message]]]:
    beginning: list[Message] = []
    turns: list[tuple[Message, ...]] = []
    history: list[str] = []
    before: Mapping[str, Any] | None = None
    steps = []
    for step in recorded.steps:
        notes = step["notes"]
        # A step without a prompt has the prompt of the step before; the first step
        # needs one.
        beginning = notes["prompt"] if not beginning else notes.get("prompt", beginning)
        history = notes.get("history", history)
        requests = []
        for request in notes["requests"]:
            beginning = request.get("prompt", beginning)
            if before is not None:
                turns.append(_turn(request, before))
            if "lines" in request:
                lines = [*history, *(one for turn in turns for one in lines_of(turn))]
                shown = lines[len(lines) - request["lines"] :]
                requests.append(with_lines(beginning, shown))
            else:
                requests.append([*beginning, *_window(turns, request)])
            # A second request for the step already contains both texts.
            before = {}
        steps.append(requests)
        before = step
    return steps


def _turn(request: Mapping[str, Any], before: Mapping[str, Any]) -> tuple[Message, ...]:
    said = request["said"] if "said" in request else before["action"]
    seen = request["seen"] if "seen" in request else before["observation"]
    reasoning = request.get("reasoning", "")
    if reasoning is True:
        reasoning = before["notes"]["reasoning"]
    calls = request.get("tool_calls", ())
    if calls is True:
        calls = before["notes"]["tool_calls"]
    return exchange(said, seen, reasoning, calls)


def _window(
    turns: list[tuple[Message, ...]], request: Mapping[str, Any]
) -> list[Message]:
    count = request["turns"]
    if not 0 <= count <= len(turns):
        raise IndexError(f"turns={count} must be 0 to {len(turns)}")
    if "shortened" in request:
        said, seen = request["shortened"]
        return [message("assistant", said), message("user", seen)]
    return [one for turn in turns[len(turns) - count :] for one in turn]
