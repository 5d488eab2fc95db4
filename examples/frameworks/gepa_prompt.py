"""Improve a system prompt with GEPA; the score of an episode is its progress.

Install: pip install gepa
Run it: cd examples && python -m frameworks.gepa_prompt --model NAME --base-url URL
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gepa
import gymnasium as gym
from gepa import EvaluationBatch, GEPAAdapter

import aq_gym
from aq_gym.models import ChatClient, Message

Model = Callable[[list[Message]], str]
PART = "system_prompt"


class EpisodeAdapter(GEPAAdapter[int, list[Message], float]):
    """Plays an episode for each seed of a batch.

    Args:
        env_id: The environment.
        model: Plays: messages in, a completion out.
        max_steps: The step cap.
    """

    def __init__(self, env_id: str, model: Model, max_steps: int = 20) -> None:
        self._env_id, self._model, self._max_steps = env_id, model, max_steps

    def evaluate(
        self, batch: list[int], candidate: dict[str, str], capture_traces: bool = False
    ) -> EvaluationBatch[list[Message], float]:
        """Play the episodes with the candidate's system prompt."""
        played = [self._play(seed, candidate[PART]) for seed in batch]
        scores = [score for _, score in played]
        talks = [messages for messages, _ in played]
        return EvaluationBatch(scores, scores, talks if capture_traces else None)

    def make_reflective_dataset(
        self,
        candidate: dict[str, str],
        eval_batch: EvaluationBatch[list[Message], float],
        components_to_update: list[str],
    ) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Show the conversations and how far they got."""
        records = [
            {
                "Inputs": talk[1]["content"],
                "Generated Outputs": [f"{m['role']}: {m['content']}" for m in talk[2:]],
                "Feedback": f"It reached {score:.0%} of the subgoals.",
            }
            for talk, score in zip(
                eval_batch.trajectories or [], eval_batch.scores, strict=True
            )
        ]
        return dict.fromkeys(components_to_update, records)

    def _play(self, seed: int, prompt: str) -> tuple[list[Message], float]:
        cap = self._max_steps
        with aq_gym.Episode(
            self._env_id, seed=seed, max_steps=cap, system_prompt=prompt, example=False
        ) as episode:
            while not episode.done:
                episode.step(self._model(episode.messages))
            return episode.messages, episode.metrics["progress_rate"]


def improve(
    env_id: str, model: Model, reflect: Callable[[str], str], budget: int
) -> tuple[dict[str, str], list[float]]:
    """Return the best prompt, and the mean progress of each prompt on held-out seeds.

    Args:
        env_id: The environment.
        model: Plays.
        reflect: Proposes prompts.
        budget: The episodes at most.
    """
    with gym.make(env_id) as env:
        first = {PART: env.get_wrapper_attr("task_prompt")().system}
    result = gepa.optimize(
        first,
        trainset=list(range(8)),
        valset=list(range(100, 108)),
        adapter=EpisodeAdapter(env_id, model),
        reflection_lm=reflect,
        max_metric_calls=budget,
    )
    return result.best_candidate, result.val_aggregate_scores


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--env", default="aq/BabyAI-text-GoToLocal-v0")
    parser.add_argument("--model", required=True)
    parser.add_argument("--base-url")
    parser.add_argument("--budget", type=int, default=100)
    given = parser.parse_args()
    client = ChatClient(given.model, given.base_url)
    best, scores = improve(
        given.env,
        lambda messages: client.complete(messages).text,
        lambda asked: client.complete([{"role": "user", "content": asked}]).text,
        given.budget,
    )
    print(f"{scores[0]:.2f} -> {max(scores):.2f}\n{best[PART]}")
