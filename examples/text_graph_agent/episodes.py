"""Parallel episodes in one process, with a memory of observations and actions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from torch import Tensor

from text_graph_agent.graph import PAST_ACTION, PAST_OBSERVATION, graph_of, sentences
from text_graph_agent.network import Batch, Packed, Scorer

DISCOUNT = 0.97


@dataclass(frozen=True)
class Demonstration:
    """A step of an expert.

    Attributes:
        graph: The texts of the step.
        action: The number of the action that the expert takes.
        value: The discounted sum of the rewards that followed.
    """

    graph: Packed
    action: int
    value: float


class Player:
    """An environment, its current episode, and the memory of it.

    Args:
        env: An aq_gym environment with ``list_actions=True``.
        memory: For how many steps a sentence is remembered.
    """

    def __init__(self, env: gym.Env[str, str], memory: int) -> None:
        self.env, self.memory = env, memory
        self.info: dict[str, Any] = {}
        self.goal = self.observation = ""
        self.actions: Sequence[str] = ()
        self.time = 0
        self.read: dict[str, int] = {}
        self.done: dict[str, int] = {}

    def reset(self, seed: int) -> None:
        """Reset the environment, and begin an episode."""
        observation, self.info = self.env.reset(seed=seed)
        self.begin(observation, self.info["goal"], self.info["admissible_actions"])

    def begin(self, observation: str, goal: str, actions: Sequence[str]) -> None:
        """Begin an episode."""
        self.goal, self.actions = goal, actions
        self.observation = observation.replace(goal, " ")
        self.time, self.read, self.done = 0, {}, {}

    def step(self, number: int) -> tuple[float, bool]:
        """Take an action; return the reward, and whether the episode ended."""
        action = self.choose(number)
        self.observation, reward, *ends, self.info = self.env.step(action)
        self.actions = self.info["admissible_actions"]
        return float(reward), any(ends)

    def choose(self, number: int) -> str:
        """Remember what was read and the action taken now; return the action."""
        for sentence in sentences(self.observation):
            self.read[sentence] = self.time
        action = self.actions[number]
        self.done[action] = self.time
        self.time += 1
        return action

    def expert(self) -> int:
        """Return the number of the expert's action, or -1 if none is listed."""
        action = self.env.get_wrapper_attr("expert_action")()
        return self.actions.index(action) if action in self.actions else -1

    def graph(self) -> Packed:
        """Return the graph of the texts of this step."""
        now = set(sentences(self.observation))
        past = [
            (kind, self.time - when, text)
            for kind, texts in ((PAST_OBSERVATION, self.read), (PAST_ACTION, self.done))
            for text, when in texts.items()
            if self.time - when <= self.memory and text not in now
        ]
        done = {text: self.time - when for text, when in self.done.items()}
        return Packed(graph_of(self.goal, self.observation, past, self.actions, done))


def demonstrations(
    player: Player,
    steps: int,
    noise: float,
    rng: np.random.Generator,
    late: Callable[[], bool] = lambda: False,
) -> list[Demonstration]:
    """Return steps of an expert with random actions in between (DART).

    With probability ``noise`` a random action is taken instead of the expert's, so that
    the demonstrations show how to recover (Laskey et al. 2017, "DART: Noise Injection
    for Robust Imitation Learning"). The action to learn is always the expert's.

    There are fewer steps if ``late`` returns True after an episode.
    """
    shown: list[Demonstration] = []
    seed = 0
    while len(shown) < steps and not (shown and late()):
        player.reset(seed)
        shown += _demonstrated(player, noise, rng)
        seed += 1
    return shown[:steps]


def _demonstrated(
    player: Player, noise: float, rng: np.random.Generator
) -> list[Demonstration]:
    """Play an episode; omit steps in which the expert has no action."""
    steps: list[tuple[Packed, int, float]] = []
    over = False
    while not over:
        graph, expert = player.graph(), player.expert()
        disturbed = expert < 0 or rng.random() < noise
        taken = int(rng.integers(graph.actions)) if disturbed else expert
        reward, over = player.step(taken)
        steps.append((graph, expert, reward))
    shown: list[Demonstration] = []
    value = 0.0
    for graph, expert, reward in reversed(steps):
        value = reward + DISCOUNT * value
        shown += [Demonstration(graph, expert, value)] if expert >= 0 else []
    return shown


def evaluate(
    scorer: Scorer | None, players: Sequence[Player], first_seed: int
) -> tuple[float, float]:
    """Play an episode with each player; return the success and the progress rate.

    The actions are drawn from the policy, or at random if there is no scorer; the same
    weights and seeds give the same rates.
    """
    generator = torch.Generator().manual_seed(first_seed)
    for number, player in enumerate(players):
        player.reset(first_seed + number)
    playing = list(players)
    while playing:
        drawn = torch.multinomial(_weights(scorer, playing), 1, generator=generator)
        still: list[Player] = []
        for player, number in zip(playing, drawn[:, 0].tolist(), strict=True):
            _, over = player.step(number)
            still += [] if over else [player]
        playing = still
    success = [float(player.info["success"]) for player in players]
    progress = [float(player.info["best_progress"]) for player in players]
    return float(np.mean(success)), float(np.mean(progress))


def _weights(scorer: Scorer | None, players: Sequence[Player]) -> Tensor:
    """Return the probabilities of each player's actions, or equal weights."""
    if scorer is None:
        counts = torch.tensor([len(player.actions) for player in players])
        return (torch.arange(int(counts.max())) < counts[:, None]).float()
    with torch.no_grad():
        policy, _ = scorer(Batch.of([player.graph() for player in players]))
    return torch.exp(policy)
