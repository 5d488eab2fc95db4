"""A typed client of ``aq-gym serve``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

from aq_gym.integrations.openenv.models import EpisodeState, TextAction, TextObservation


class TextEnvClient(EnvClient[TextAction, TextObservation, EpisodeState]):
    """Plays a served environment; each client has its own session.

    It is used as every client of OpenEnv: with ``async with`` and ``await``, or through
    ``.sync()``. ``reset`` takes ``seed``, ``task_id`` and ``episode_id``, all optional.
    A result has ``observation.text`` for the agent, and ``reward``, ``done`` and
    ``metadata`` (the info dict) for the trainer or evaluator.

    Args:
        base_url: The address that ``aq-gym serve`` prints.
        headers: With a token ``{"Authorization": f"Bearer {token}"}``.

    The other arguments are those of ``openenv.core.EnvClient``.

    Raises:
        TypeError: If an action is neither a ``TextAction`` nor a ``str``.
        ConnectionError: If the server refuses the connection.
        RuntimeError: If the server answers with an error, such as that the session has
            ended or that there are no free ones.
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
