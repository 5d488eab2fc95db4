"""NeMo Gym: a server of resources for its gymnasium_agent.

nemo_resources.py writes the folder of such a server, with this file as its app.py.
"""

import asyncio
from typing import Any

from resources_servers.gymnasium import GymnasiumServer, extract_text

from aq_gym.integrations.shared import begin_episode, number_metrics


class NemoServer(GymnasiumServer):
    """Plays the ``task`` of a row, with the arguments of its ``episode``.

    The reward is the rise of the best progress; ``info`` has the metrics, and the
    progress after each step so far.
    """

    async def reset(
        self, metadata: dict[str, Any], session_id: str | None = None
    ) -> tuple[str | None, dict[str, Any]]:
        """Begin an episode; its last message follows those of the row."""
        await self.close_session(session_id)
        how = metadata["episode"]
        episode = await asyncio.to_thread(begin_episode, metadata["task"], **how)
        self.session_state[session_id] = episode
        return episode.messages[-1]["content"], number_metrics(episode)

    async def step(
        self, action: Any, metadata: dict[str, Any], session_id: str | None = None
    ) -> tuple[str | None, float, bool, bool, dict[str, Any]]:
        """Play a completion."""
        episode = self.session_state[session_id]
        text = extract_text(action)
        reply, reward, done = await asyncio.to_thread(episode.step, text)
        ended = episode.metrics["ended"] == "terminated"
        info = {**number_metrics(episode), "progress": episode.metrics["progress"]}
        return (
            None if done else reply["content"],
            reward,
            ended,
            done and not ended,
            info,
        )


if __name__ == "__main__":
    NemoServer.run_webserver()
