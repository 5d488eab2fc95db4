"""Tree search by a language model: proposals in each node, progress as its value.

Run it: python examples/model_search.py --model NAME --base-url http://localhost:8000/v1
Without a model, actions are proposed at random.
"""

import argparse
import heapq
import itertools
import random
from collections.abc import Callable

import aq_gym
from aq_gym.models import ChatClient, Message

Propose = Callable[[list[Message]], str]


def search(
    root: aq_gym.Episode, propose: Propose, width: int, budget: int
) -> aq_gym.Episode:
    """Continue the episode with the most progress by proposals, again and again.

    Args:
        root: The episode to begin with.
        propose: A model: messages in, a completion out.
        width: The proposals in a node; each different one is played once.
        budget: The requests at most.

    Returns:
        The first episode that solves the task, or else the one with the most progress.
    """
    order, best = itertools.count(), root
    queue = [(0.0, next(order), root)]
    for _ in range(budget // width):
        if not queue:
            break
        node = heapq.heappop(queue)[-1]
        for completion in {propose(node.messages): None for _ in range(width)}:
            child = node.fork()
            _, _, done = child.step(completion)
            rate = child.metrics["progress_rate"]
            if child.metrics["success"]:
                return child
            best = max(best, child, key=lambda one: one.metrics["progress_rate"])
            if not done:
                heapq.heappush(queue, (-rate, next(order), child))
    return best


def random_proposals(seed: int) -> Propose:
    """Stand in for a language model: it proposes actions of BabyAI at random."""
    rng = random.Random(seed)
    return lambda messages: rng.choice(("turn left", "turn right", "move forward"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--env", default="aq/BabyAI-text-GoToObjS4-v0")
    parser.add_argument("--model")
    parser.add_argument("--base-url")
    parser.add_argument("--width", type=int, default=3)
    parser.add_argument("--budget", type=int, default=300)
    given = parser.parse_args()
    propose = random_proposals(0)
    if given.model:
        client = ChatClient(given.model, given.base_url, temperature=1.0)
        propose = lambda messages: client.complete(messages).text  # noqa: E731
    for seed in range(3):
        with aq_gym.Episode(given.env, seed=seed, example=False) as root:
            found = search(root, propose, given.width, given.budget)
            actions = [one["content"] for one in found.messages[2::2]]
            print(f"seed {seed}: progress rate {found.metrics['progress_rate']:.2f}")
            print("   ", " | ".join(actions))
