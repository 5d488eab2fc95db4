"""Search with get_state and set_state, guided by progress: best-first and UCT."""

import heapq
import math
from collections.abc import Iterator
from typing import Any

import gymnasium as gym

import aq_gym

TASKS: dict[str, tuple[str, dict[str, Any]]] = {
    "gripper": ("aq/PDDL-v0", {"domain": "gripper", "difficulty": "easy"}),
    "blocksworld": ("aq/PDDL-v0", {"domain": "blocksworld", "difficulty": "easy"}),
    "household": ("aq/ALFWorld-v0", {"task_type": "pick_and_place_simple"}),
    "grid world": ("aq/BabyAI-text-KeyCorridorS3R2-v0", {}),
    "adventure": ("aq/Jericho-v0", {"game": "bathyscaphe"}),
}


class Node:
    """A state of the tree, its visits, and the sum of their values."""

    def __init__(self, state: aq_gym.EnvState, rate: float) -> None:
        self.untried: Iterator[str] | None = None
        self.state, self.children, self.visits, self.sum = state, list[Node](), 1, rate


def best_first(env: aq_gym.TextEnv, budget: int = 10_000) -> tuple[int, int]:
    """Search the state with the most progress first; return steps, plan length."""
    queue, seen, taken = [(0.0, 0, 0, env.get_state())], {env.get_state()}, 0
    while queue and taken < budget:
        _, depth, _, state = heapq.heappop(queue)
        env.set_state(state)
        for action in env.admissible_actions():
            env.set_state(state)
            _, _, terminated, _, info = env.step(action)
            taken += 1
            if info["success"]:
                return taken, depth + 1
            if not terminated and (after := env.get_state()) not in seen:
                seen.add(after)
                heapq.heappush(queue, (-info["progress"], depth + 1, taken, after))
    return taken, 0


def uct(env: aq_gym.TextEnv, budget: int = 10_000) -> tuple[int, int]:
    """Search by Monte Carlo tree search (UCT); return steps, plan length."""
    root, seen = Node(env.get_state(), 0.0), {env.get_state()}
    for taken in range(1, budget + 1):
        path, action = [root], None
        while action is None:
            if (node := path[-1]).untried is None:  # listed late, action by action
                env.set_state(node.state)
                node.untried = env.iter_admissible_actions()
            if (action := next(node.untried, None)) is None and node.children:
                path.append(max(node.children, key=lambda n: n.sum / n.visits
                    + 0.1 * math.sqrt(math.log(node.visits) / n.visits)))  # fmt: skip
            elif action is None:  # nothing is left to try below
                if node is root:
                    return taken - 1, 0
                path[-2].children.remove(path.pop())
        env.set_state(node.state)
        _, _, over, _, info = env.step(action)
        if info["success"]:
            return taken, len(path)
        if not over and (after := env.get_state()) not in seen:
            seen.add(after)
            node.children.append(Node(after, info["progress"]))
        for node in path:
            node.visits, node.sum = node.visits + 1, node.sum + info["progress"]
    return budget, 0


if __name__ == "__main__":
    for task, (env_id, arguments) in TASKS.items():
        env: Any = gym.make(env_id, **arguments).unwrapped
        for search in (best_first, uct):
            env.reset(seed=0)
            print(task, search.__name__, "steps and length of plan:", *search(env))
