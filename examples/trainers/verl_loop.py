"""verl: an agent loop, ``agent_name: aq_gym`` in the rows.

In the file that ``actor_rollout_ref.rollout.agent.agent_loop_config_path`` names:

    - name: aq_gym
      _target_: verl_loop.VerlAgentLoop

A row has the record of its task as ``extra_info["task"]``.
"""

from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import (
    AgentLoopBase,
    AgentLoopMetrics,
    AgentLoopOutput,
)

from aq_gym.integrations.shared import begin_episode, number_metrics
from aq_gym.integrations.tokens import TokenEpisode


class VerlAgentLoop(AgentLoopBase):
    """Plays the episode of a row; its score is the progress rate.

    Args:
        *args: What verl gives to each agent loop.
        how: Further arguments of ``aq_gym.Episode``.
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
        """Play the episode with verl's server."""
        config = self.rollout_config
        context = config.prompt_length + config.response_length
        limits: dict[str, Any] = {"context": context, "max_tokens": self._max_tokens}
        longest = config.response_length
        task = kwargs["extra_info"]["task"]
        with begin_episode(task, **limits, **self._how) as episode:
            tokens = TokenEpisode(episode, self.tokenizer, longest=longest, **limits)
            if len(tokens.prompt_ids) > config.prompt_length:
                raise ValueError(f"{episode.task.id}: raise data.max_prompt_length")
            sampling = {**sampling_params, "max_tokens": self._max_tokens}
            request = {"request_id": uuid4().hex, "sampling_params": sampling}
            while not tokens.over:
                answer = await self.server_manager.generate(
                    prompt_ids=tokens.request, **request
                )
                tokens.play(answer.token_ids, answer.log_probs)
            metrics = number_metrics(episode)
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
