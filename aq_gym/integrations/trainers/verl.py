"""verl: an agent loop, ``agent_name: aq_gym`` in the rows.

In the file that ``actor_rollout_ref.rollout.agent.agent_loop_config_path`` names::

    - name: aq_gym
      _target_: aq_gym.integrations.trainers.verl.VerlAgentLoop

A row has the record of its task as ``extra_info["task"]``.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import (
    AgentLoopBase,
    AgentLoopMetrics,
    AgentLoopOutput,
)

from aq_gym.integrations.tokens import TokenEpisode
from aq_gym.integrations.trainers import begin, numbers

__all__ = ["VerlAgentLoop"]


class VerlAgentLoop(AgentLoopBase):
    """Plays the episode of a row; its score is the progress rate.

    Args:
        *args: What verl gives to each agent loop.
        how: Further arguments of :class:`aq_gym.Episode`.
        max_tokens: The longest completion, in tokens.
        **kwargs: What verl gives to each agent loop.
    """

    def __init__(
        self,
        *args: Any,
        how: dict[str, Any] | None = None,
        max_tokens: int = 512,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._how, self._max_tokens = how or {}, max_tokens

    async def run(
        self, sampling_params: dict[str, Any], **kwargs: Any
    ) -> AgentLoopOutput:
        """Play the episode with verl's server.

        Raises:
            ValueError: If the prompt is longer than verl's limit.
        """
        task = kwargs["extra_info"]["task"]
        longest = self.rollout_config.response_length
        context = self.rollout_config.prompt_length + longest
        limits: dict[str, Any] = {"context": context, "max_tokens": self._max_tokens}
        with begin(task, {**limits, **self._how}) as episode:
            tokens = TokenEpisode(episode, self.tokenizer, longest=longest, **limits)
            if len(tokens.prompt_ids) > self.rollout_config.prompt_length:
                raise ValueError(
                    f"{episode.task.id}: the prompt has {len(tokens.prompt_ids)} "
                    "tokens: raise data.max_prompt_length"
                )
            request_id = uuid4().hex
            while not tokens.over:
                answer = await self.server_manager.generate(
                    request_id=request_id,
                    prompt_ids=tokens.request,
                    sampling_params={**sampling_params, "max_tokens": self._max_tokens},
                )
                tokens.play(answer.token_ids, answer.log_probs)
            metrics = numbers(episode)
        return AgentLoopOutput(
            prompt_ids=tokens.prompt_ids,
            response_ids=tokens.completion_ids,
            response_mask=tokens.mask,
            response_logprobs=tokens.logprobs,
            reward_score=metrics["progress_rate"],
            num_turns=2 * len(tokens.rewards) + 1,
            metrics=AgentLoopMetrics(),
            extra_fields={**metrics, "turn_scores": tokens.rewards, "tool_rewards": []},
        )
