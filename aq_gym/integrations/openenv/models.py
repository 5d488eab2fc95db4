"""The action, the observation and the state, as OpenEnv sends them."""

from __future__ import annotations

from typing import Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field, InstanceOf


class TextAction(Action):
    """An action.

    Attributes:
        text: A model's completion, or an action's text alone; any str. The action is
            read from it as in ``aq-gym run``.
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
        metadata: The info dict, for the evaluator and not for the agent. It is sent
            beside the observation, not as part of it.
    """

    text: str = Field(default="", description="The observation.")
    admissible_actions: list[str] = Field(
        default_factory=list,
        description="The actions that can be taken now, if the environment lists them.",
    )
    metadata: dict[str, Any] = Field(
        default_factory=dict,
        exclude=True,
        description="The info dict, for the evaluator and not for the agent.",
    )


class EpisodeState(State):
    """The state of a session, for the evaluator.

    Attributes:
        episode_id: The id that the client gave on reset, or None.
        step_count: The steps of the episode.
        env_id: The id of the environment.
        done: Whether the episode is over; True before the first reset.
        metrics: The metrics so far, as :attr:`aq_gym.Episode.metrics` has them.
    """

    env_id: str = Field(default="", description="The id of the environment.")
    done: bool = Field(default=True, description="Whether the episode is over.")
    metrics: dict[str, Any] = Field(
        default_factory=dict, description="The metrics of the episode so far."
    )
