"""A typed client of ``aq-gym serve``, with the types that it sends and receives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field, InstanceOf


class TextAction(Action):
    """An action.

    Attributes:
        text: A model's completion, or only the text of an action; any str. The action
            is extracted as in ``aq-gym run``.
    """

    # pydantic's own str refuses lone surrogates, which a model can write.
    text: InstanceOf[str] = Field(
        description="A completion, or an action's text alone; any text."
    )


class TextObservation(Observation):
    """The agent's observation, the reward, and the metrics for the evaluator.

    Attributes:
        text: The observation.
        admissible_actions: The actions that can be taken now, if the server's
            environment lists them (``list_actions=True``), else empty.
        reward: The reward; None on reset.
        done: Whether the episode is over.
        metadata: The public part of the info dict; with ``--evaluator`` the whole,
            which is not for the agent. It is sent beside the observation.
    """

    text: str = Field(default="", description="The observation.")
    admissible_actions: list[str] = Field(
        default_factory=list,
        description="The actions that can be taken now, if the environment lists them.",
    )
    metadata: dict[str, Any] = Field(
        default_factory=dict,
        exclude=True,
        description="The info dict, or the part of it that an agent may see.",
    )


class EpisodeState(State):
    """The state of a session, for the evaluator.

    Attributes:
        episode_id: The id that the client gave on reset, or None.
        step_count: The steps of the episode.
        env_id: The id of the environment.
        done: Whether the episode is over; True before the first reset.
        metrics: The metrics so far, as :attr:`aq_gym.Episode.metrics` has them; empty
            without ``--evaluator``.
    """

    env_id: str = Field(default="", description="The id of the environment.")
    done: bool = Field(default=True, description="Whether the episode is over.")
    metrics: dict[str, Any] = Field(
        default_factory=dict, description="The metrics of the episode so far."
    )


class TextEnvClient(EnvClient[TextAction, TextObservation, EpisodeState]):
    """Plays a served environment; each client has its own session.

    It is used like every client of OpenEnv: with ``async with`` and ``await``, or
    through ``.sync()``. ``reset`` takes ``seed``, ``task_id`` and ``episode_id``, all
    optional. A result has ``observation.text`` for the agent, and ``reward``, ``done``
    and ``metadata`` (the info dict) for the trainer or evaluator.

    Args:
        base_url: The address that ``aq-gym serve`` prints.
        headers: With a token ``{"Authorization": f"Bearer {token}"}``.

    The other arguments are those of ``openenv.core.EnvClient``.

    Raises:
        TypeError: If an action is neither a ``TextAction`` nor a ``str``.
        ConnectionError: If the server refuses the connection.
        RuntimeError: If the server answers with an error: for example, the session has
            ended or no session is free.
    """

    def _step_payload(self, action: TextAction | str) -> dict[str, Any]:
        if isinstance(action, TextAction):
            return {"text": action.text}
        if not isinstance(action, str):
            raise TypeError(f"action={action!r:.200} must be a str or a TextAction")
        return {"text": action}

    def _parse_result(self, payload: Mapping[str, Any]) -> StepResult[TextObservation]:
        shared = {name: payload.get(name) for name in ("reward", "metadata")}
        done = payload.get("done", False)
        observation = TextObservation(
            **payload.get("observation", {}),
            reward=shared["reward"],
            done=done,
            metadata=shared["metadata"] or {},
        )
        return StepResult(observation=observation, done=done, **shared)

    def _parse_state(self, payload: Mapping[str, Any]) -> EpisodeState:
        return EpisodeState(**payload)
