"""NeMo Gym: a Gymnasium server of resources, with its YAML and JSONL."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from resources_servers.gymnasium import GymnasiumServer, extract_text

from aq_gym.evaluation import Task
from aq_gym.integrations.blocking import in_thread
from aq_gym.integrations.trainers import begin, numbers

_APP = """\
from aq_gym.integrations.trainers.nemo import NemoServer

if __name__ == "__main__":
    NemoServer.run_webserver()
"""
_CONFIG = """\
{name}:
  resources_servers:
    {name}:
      entrypoint: app.py
      domain: games
      verified: false
      description: Text environments of aq_gym, with a reward for each step
{name}_agent:
  responses_api_agents:
    gymnasium_agent:
      entrypoint: app.py
      resources_server: {{type: resources_servers, name: {name}}}
      model_server: {{type: responses_api_models, name: policy_model}}
      max_steps: {steps}
      datasets:
      - name: tasks
        type: example
        jsonl_fpath: resources_servers/{name}/data/tasks.jsonl
"""
_Step = tuple[str | None, float, bool, bool, dict[str, Any]]


class NemoServer(GymnasiumServer):
    """Plays the ``task`` of a row, with the arguments of its ``episode``.

    The reward of a step is the rise of the best progress. ``info`` has the metrics, and
    the progress after each step so far.
    """

    async def reset(
        self, metadata: dict[str, Any], session_id: str | None = None
    ) -> tuple[str | None, dict[str, Any]]:
        """Begin an episode; its last message follows those of the row."""
        await self.close_session(session_id)
        how = metadata.get("episode") or {}
        episode = await in_thread(begin, metadata["task"], how)
        self.session_state[session_id] = episode
        return episode.messages[-1]["content"], numbers(episode)

    async def step(
        self, action: Any, metadata: dict[str, Any], session_id: str | None = None
    ) -> _Step:
        """Play a completion."""
        episode = self.session_state[session_id]
        reply, reward, done = await in_thread(episode.step, extract_text(action))
        metrics = episode.metrics
        terminated = metrics["ended"] == "terminated"
        info = {**numbers(episode), "progress": list(metrics["progress"])}
        shown = None if done else reply["content"]
        return shown, reward, terminated, done and not terminated, info

    async def close_session(self, session_id: str | None) -> None:
        """Close the episode of a session."""
        episode = self.session_state.get(session_id)
        if episode is not None:
            episode.close()
        await super().close_session(session_id)


def write_resources(
    folder: str | os.PathLike[str],
    tasks: Sequence[Task],
    how: Mapping[str, Any] | None = None,
) -> None:
    """Write the folder of a resources server, which is named as the folder.

    Args:
        folder: The folder, such as ``resources_servers/my_games``.
        tasks: The tasks of the rows.
        how: Further arguments of :class:`aq_gym.Episode`.
    """
    place, rows = Path(folder), []
    for task in tasks:
        record = task.to_record()
        with begin(record, how or {}) as episode:
            first = [dict(one) for one in episode.messages[:-1]]
        agent = {"type": "responses_api_agents", "name": f"{place.name}_agent"}
        row = {"responses_create_params": {"input": first}, "agent_ref": agent}
        rows.append(json.dumps({**row, "task": record, "episode": dict(how or {})}))
    steps = max(task.cap or 50 for task in tasks)
    files = {
        "app.py": _APP,
        "requirements.txt": "-e nemo-gym[dev] @ ../../\naq-gym\n",
        f"configs/{place.name}.yaml": _CONFIG.format(name=place.name, steps=steps),
        "data/tasks.jsonl": "\n".join(rows) + "\n",
    }
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
