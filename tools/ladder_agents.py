"""The agents of the reference ladder that need no model."""

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import gymnasium as gym

from aq_gym.agents import ExpertAgent, ExpertGaveUpError, RandomAgent
from aq_gym.agents.view import AgentView

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))


class Silent:
    """Says nothing: what the environments give for free.

    Args:
        env: The environment.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        """Take the environment, which is not asked."""

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Return an empty text."""
        return ""


class NoisyExpert(RandomAgent):
    """Plays a random action with a probability, otherwise the expert's.

    Args:
        env: The environment.
        noise: The probability of a random action.
        seed: The agent's own seed.
    """

    privileged = True

    def __init__(
        self, env: gym.Env[Any, Any], noise: float = 0.3, seed: int = 0
    ) -> None:
        super().__init__(env, seed)
        self._expert, self._noise = ExpertAgent(env), noise

    def act(self, observation: str, info: dict[str, Any]) -> Any:
        """Return an action; a random one, too, where the expert has none."""
        if self._rng.random() >= self._noise:
            try:
                return self._expert.act(observation, info)
            except ExpertGaveUpError:
                pass
        return super().act(observation, info)


class Cloned:
    """Plays a policy that is cloned from the expert of the training split.

    The network and its training are those of ``examples/rl.py``; each environment's is
    trained once in a process, anew. It is told the admissible actions.

    Args:
        env: The environment.
        demonstrations: The number of the expert's steps.
        updates: The number of updates.
        seed: The seed of training and of the actions that are drawn.
    """

    privileged = True

    def __init__(
        self,
        env: gym.Env[Any, Any],
        demonstrations: int,
        updates: int,
        seed: int = 0,
    ) -> None:
        """Train a policy unless there is one."""
        from text_graph_agent.episodes import Player

        self._actions = env.get_wrapper_attr("admissible_actions")
        self._view, self._seed = AgentView(env), seed
        spec = env.unwrapped.spec
        assert spec is not None
        values = {**spec.kwargs, "instructions": True}
        query = urlencode({key: json.dumps(one) for key, one in values.items()})
        task = f"{spec.id}?{query}"
        self._policy, memory = _cloned(task, demonstrations, updates, seed)
        self._player = Player(env, memory)

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        self._rng = self._view.generator(self._seed)
        self._player.begin(observation, info["goal"], self._actions())

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Return an action that is drawn from the policy."""
        if self._player.time:
            self._player.observation = observation
            self._player.actions = self._actions()
        chances = self._policy(self._player.graph())
        action: str = self._player.choose(self._rng.choice(len(chances), p=chances))
        return action


@cache
def _cloned(task: str, demonstrations: int, updates: int, seed: int) -> tuple[Any, int]:
    """Return a policy, from a graph to the actions' probabilities, and its memory."""
    import torch
    from text_graph_agent.budget import Budget
    from text_graph_agent.network import Batch, Scorer
    from text_graph_agent.training import Run, learn, task_of

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    scorer, budget = Scorer(), Budget(0, updates)
    trained = Run(task, seed=seed, demonstrations=demonstrations, updates=updates)
    for _ in learn(trained, scorer, budget):
        budget.done += 1

    def policy(graph: Any) -> Any:
        with torch.no_grad():
            found = scorer(Batch.of([graph]))[0][0].double().softmax(0)
        return found.numpy()

    return policy, task_of(task).memory
