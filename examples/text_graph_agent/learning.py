"""Behaviour cloning, with corrections, and policy gradient with a learned baseline."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from text_graph_agent.budget import Budget
from text_graph_agent.episodes import DISCOUNT, Demonstration, Player
from text_graph_agent.network import Batch, Packed, Scorer

BATCH = 64
TRACE = 0.95
EPOCHS, CLIP, ENTROPY, VALUE = 2, 0.2, 0.01, 0.5


class Learner:
    """A scorer, its optimizer, and the part of the budget for which it learns.

    Args:
        scorer: The network to train.
        rate: The first learning rate; it falls to a twentieth of it in this part.
        budget: The time that training may take.
        begin: The share of the budget after which this part begins.
        end: The share of the budget at which it ends.
    """

    def __init__(
        self,
        scorer: Scorer,
        rate: float,
        budget: Budget,
        begin: float = 0,
        end: float = 1,
    ) -> None:
        self.scorer, self.rate, self.budget = scorer, rate, budget
        self.begin, self.end = begin, end
        self.optimizer = torch.optim.AdamW(scorer.parameters(), rate, weight_decay=1e-2)

    def descend(self, loss: Tensor) -> None:
        """Take a step down the gradient of a loss."""
        left = (self.end - self.budget.share) / (self.end - self.begin)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * max(0.05, left)
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self.scorer.parameters(), 1.0)
        self.optimizer.step()


def clone(
    learner: Learner, shown: Sequence[Demonstration], rng: np.random.Generator
) -> None:
    """Learn actions (by maximum likelihood) and values from demonstrations."""
    chosen = [shown[number] for number in rng.integers(len(shown), size=BATCH)]
    policy, value = learner.scorer(Batch.of([one.graph for one in chosen]))
    actions = torch.tensor([one.action for one in chosen])
    error = nn.functional.mse_loss(value, torch.tensor([one.value for one in chosen]))
    learner.descend(nn.functional.nll_loss(policy, actions) + VALUE * error)


@dataclass
class Rollout:
    """Steps of several players: graphs in order of time, and tensors of each."""

    graphs: list[Packed]
    actions: Tensor
    policy: Tensor  # log-probabilities of the actions when they were taken
    advantages: Tensor
    returns: Tensor


class PolicyGradient:
    """Proximal policy optimization (Schulman et al. 2017) over admissible actions.

    An episode that is cut off counts as ended.

    Args:
        learner: The network and its optimizer.
        players: The environments; each plays one episode after another.
        steps: The steps of each player in an update.
    """

    def __init__(self, learner: Learner, players: Sequence[Player], steps: int) -> None:
        self.learner, self.players, self.steps = learner, players, steps
        self.seed = 0
        for player in players:
            self._restart(player)

    def update(self) -> int:
        """Play a rollout and learn from it; return the number of steps played."""
        rollout = self._play()
        for _ in range(EPOCHS):
            for rows in torch.split(torch.randperm(len(rollout.graphs)), 2 * BATCH):
                self.learner.descend(self._loss(rollout, rows))
        return len(rollout.graphs)

    def _play(self) -> Rollout:
        graphs, actions, policies, values, rewards, ends = [], [], [], [], [], []
        for _ in range(self.steps):
            now = [player.graph() for player in self.players]
            with torch.no_grad():
                policy, value = self.learner.scorer(Batch.of(now))
            drawn = torch.multinomial(policy.exp(), 1)
            results = [
                self._step(player, number)
                for player, number in zip(
                    self.players, drawn[:, 0].tolist(), strict=True
                )
            ]
            graphs += now
            actions.append(drawn[:, 0])
            policies.append(policy.gather(1, drawn)[:, 0])
            values.append(value)
            rewards.append(torch.tensor([reward for reward, _ in results]))
            ends.append(torch.tensor([float(over) for _, over in results]))
        with torch.no_grad():
            last = self.learner.scorer(Batch.of([p.graph() for p in self.players]))[1]
        advantages = _advantages(rewards, ends, [*values, last])
        flat = advantages.flatten()
        return Rollout(
            graphs,
            torch.cat(actions),
            torch.cat(policies),
            (flat - flat.mean()) / (flat.std() + 1e-3),
            flat + torch.cat(values),
        )

    def _step(self, player: Player, number: int) -> tuple[float, bool]:
        reward, over = player.step(number)
        if over:
            self._restart(player)
        return reward, over

    def _restart(self, player: Player) -> None:
        player.reset(self.seed)
        self.seed += 1

    def _loss(self, rollout: Rollout, rows: Tensor) -> Tensor:
        policy, value = self.learner.scorer(Batch.of([rollout.graphs[k] for k in rows]))
        taken = policy.gather(1, rollout.actions[rows, None])[:, 0]
        ratio = (taken - rollout.policy[rows]).exp()
        advantages = rollout.advantages[rows]
        clipped = ratio.clamp(1 - CLIP, 1 + CLIP) * advantages
        gain = torch.min(ratio * advantages, clipped).mean()
        entropy = -(policy.exp() * policy.clamp(min=-50)).sum(dim=1).mean()
        error = nn.functional.mse_loss(value, rollout.returns[rows])
        loss: Tensor = VALUE * error - gain - ENTROPY * entropy
        return loss


class Corrected(PolicyGradient):
    """Learns what the expert would do in the states that the learner visits (DAgger).

    All labelled steps are kept (Ross, Gordon and Bagnell 2011). An update has as many
    steps of play and of descent as one of the policy gradient.

    Args:
        rng: Draws the steps of a batch.
    """

    def __init__(
        self,
        learner: Learner,
        players: Sequence[Player],
        steps: int,
        rng: np.random.Generator,
    ) -> None:
        super().__init__(learner, players, steps)
        self.rng = rng
        self.shown: list[Demonstration] = []

    def update(self) -> int:
        """Play, ask the expert in each state, and learn from all answers."""
        played = self.steps * len(self.players)
        for _ in range(self.steps):
            now = [player.graph() for player in self.players]
            with torch.no_grad():
                policy, _ = self.learner.scorer(Batch.of(now))
            drawn = torch.multinomial(policy.exp(), 1)[:, 0].tolist()
            for player, graph, number in zip(self.players, now, drawn, strict=True):
                if (expert := player.expert()) >= 0:
                    self.shown.append(Demonstration(graph, expert, 0.0))
                self._step(player, number)
        for _ in range(EPOCHS * played // (2 * BATCH)):
            clone(self.learner, self.shown, self.rng)
        return played


def _advantages(
    rewards: Sequence[Tensor], ends: Sequence[Tensor], values: Sequence[Tensor]
) -> Tensor:
    """Return generalized advantage estimates (Schulman et al. 2016)."""
    advantages, following = [], torch.zeros_like(values[0])
    for time in reversed(range(len(rewards))):
        discount = DISCOUNT * (1 - ends[time])
        error = rewards[time] + discount * values[time + 1] - values[time]
        following = error + discount * TRACE * following
        advantages.append(following)
    return torch.stack(advantages[::-1])
