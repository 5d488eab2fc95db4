"""What does progress measure: the distance to the goal, or what a weak agent gets done?

The first table has, for each setting, the rank correlation (Spearman) of progress with
the steps that the expert still needs, at the states of walks that take the expert's
action or a random one, at even odds: the mean over episodes; -1 is best. The second has
the progress and success of agents that understand nothing.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import suppress
from statistics import mean
from typing import Any, TypeAlias

import gymnasium as gym
import numpy as np

from aq_gym.envs.mystery.game import aspects
from aq_gym.envs.pddl.library import DIFFICULTIES, domain_names
from aq_gym.selection import parse_env
from aq_gym.wrappers import StepsToGo

FOLLOWED = (
    "aq/Mastermind-v0",
    "aq/Sudoku-v0",
    "aq/BabyAI-text-v0?level=BossLevel",
    *(
        f"aq/PDDL-v0?domain={domain}&difficulty={difficulty}"
        for domain in domain_names()
        for difficulty in DIFFICULTIES
    ),
    "aq/ALFWorld-v0",
    "aq/Jericho-v0",
)
WALKED = (
    "GoToRedBall", "PickupLoc", "OpenDoor", "UnlockLocal", "PutNextLocal", "Open",
)  # fmt: skip
CIPHERS = ("caesar", "atbash", "railfence", "affine")
MOST_STEPS = 60
LETTERS = "etaoinshrdlcumwfgypbvkjxqz"

# Yields actions, and is sent the observations.
Actions: TypeAlias = Generator[str, str, None]
Agent: TypeAlias = Callable[[Any, np.random.Generator], Actions]


def ranks(values: list[float]) -> np.ndarray:
    """Return the ranks of values; equal values share the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    shared: np.ndarray = (last - (counts - 1) / 2)[place]
    return shared


def correlation(env: Any, seed: int) -> float | None:
    """Return the rank correlation in one episode; None if either never changes."""
    rng, game = np.random.default_rng(seed), env.unwrapped
    _, info = env.reset(seed=seed)
    infos, over = [info], False
    while not over and len(infos) <= MOST_STEPS:
        expert = rng.random() < 0.5
        action = (expert and game.expert_action()) or game.sample_action(rng)
        _, _, over, _, info = env.step(action)
        infos += [] if over else [info]
    progress = [one["progress"] for one in infos]
    # Where the expert finds no way, the goal is farther than anywhere else.
    left = [one["steps_to_go"] % (MOST_STEPS + 2) for one in infos]
    if min(len(set(progress)), len(set(left))) < 2:
        return None
    return float(np.corrcoef(ranks(progress), ranks(left))[0, 1])


def moves(env: Any, rng: np.random.Generator) -> Actions:
    """Turn and move at random in a grid world."""
    while True:
        yield ("turn left", "turn right", "move forward", "move forward")[
            int(rng.integers(4))
        ]


def frequency(env: Any, rng: np.random.Generator) -> Actions:
    """Guess letters in the order of their frequency in English."""
    yield from (letter for letter in LETTERS)


def tour(env: Any, rng: np.random.Generator) -> Actions:
    """Take the target like the expert, and then visit every receptacle."""
    taken = False
    while not taken:
        yield env.expert_action()
        taken = any(k.startswith("take") and v for k, v in env.subgoals().items())
    for action in env.admissible_actions():
        if action.startswith("go to"):
            yield action


def untried(env: Any, rng: np.random.Generator) -> Actions:
    """Take the action tried least here, then the one tried least anywhere."""
    tried: Counter[tuple[str, ...]] = Counter()
    here = ""
    while True:
        # Ties go to the first of the list.
        counts = [(tried[here, one], tried[one,]) for one in env.admissible_actions()]
        action = env.admissible_actions()[counts.index(min(counts))]
        tried.update([(here, action), (action,)])
        here = yield action


def keys(env: Any, rng: np.random.Generator) -> Actions:
    """Submit the text that each key of the cipher's tool gives, without reading it."""
    tools = {
        "caesar": [f"shift {n}" for n in range(1, 26)],
        "atbash": ["atbash"],
        "railfence": [f"rails {n}" for n in range(2, 31)],
        "affine": [f"affine {a} {b}" for a in range(3, 26, 2) for b in range(26)],
    }
    for tool in tools[env.spec.kwargs["cipher"]]:
        text = (yield tool).partition("\n")[2]
        yield f"Plain text: {text}"


def enumerate_values(env: Any, rng: np.random.Generator) -> Actions:
    """Ask for each value of each fact in turn, and tell with the last question."""
    hidden = [name.removeprefix("the ") for name in env.subgoals()]
    told, answer = [], ""
    for aspect in aspects():
        if aspect.name not in hidden:
            continue
        *asked, last = aspect.values
        for value in asked:
            if "One question is left" in answer:
                last = value
                break
            answer = yield f"Was the {aspect.name} {value}?"
            if answer.startswith("Yes"):
                last = value
                break
        told.append(last)
    yield "Story: " + ", ".join(told)


WEAK: tuple[tuple[str, Agent, int], ...] = (
    *((f"aq/BabyAI-text-v0?level={level}", moves, 60) for level in WALKED),
    ("aq/BabyAI-text-v0?level=BossLevel", untried, 100),
    ("aq/PDDL-v0?difficulty=easy", untried, 100),
    ("aq/PDDL-v0?difficulty=hard", untried, 100),
    ("aq/ALFWorld-v0", untried, 100),
    ("aq/Jericho-v0", untried, 10),
    *((f"aq/Cipher-v0?cipher={one}", keys, 100) for one in CIPHERS),
    ("aq/Hangman-v0", frequency, 200),
    *((f"aq/Mystery-v0?facts={n}", enumerate_values, 400) for n in (6, 5, 4, 3, 2, 1)),
    ("aq/ALFWorld-v0?task_type=pick_and_place_simple", tour, 20),
    ("aq/ALFWorld-v0?task_type=look_at_obj_in_light", tour, 20),
    ("aq/ALFWorld-v0?task_type=pick_clean_then_place_in_recep", tour, 20),
    ("aq/ALFWorld-v0?task_type=pick_two_obj_and_place", tour, 20),
)


def play(env: Any, agent: Agent, seed: int) -> tuple[float, bool]:
    """Return the best progress and the success of an agent."""
    env.reset(seed=seed)
    actions = agent(env.unwrapped, np.random.default_rng(seed))
    action, over = next(actions), False
    with suppress(StopIteration):
        while not over:
            observation, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            action = action if over else actions.send(observation)
    return info["best_progress"], info["success"]


def made(setting: str, **more: Any) -> gym.Env[Any, Any]:
    """Return the env of a setting such as "aq/PDDL-v0?domain=ferry"."""
    env_id, kwargs = parse_env(setting)
    return gym.make(env_id, **kwargs, **more)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=6, help="of a correlation")
    parser.add_argument("--only", default="", help="settings that contain this")
    given = parser.parse_args()
    print("| setting | rank correlation |\n| --- | ---: |")
    for setting in FOLLOWED:
        if given.only in setting:
            followed = StepsToGo(made(setting).unwrapped, MOST_STEPS)
            found = [correlation(followed, seed) for seed in range(given.episodes)]
            known = [one for one in found if one is not None]
            print(f"| {setting} | {mean(known):.2f} |", flush=True)
    print("\n| setting | agent | progress | success |\n| --- | --- | ---: | ---: |")
    for setting, agent, episodes in WEAK:
        if given.only in setting:
            # Long enough for the tour of any household.
            more = {"max_episode_steps": 200} if agent is tour else {}
            env = made(setting, **more)
            results = [play(env, agent, seed) for seed in range(episodes)]
            progress, success = (mean(float(one[i]) for one in results) for i in (0, 1))
            print(
                f"| {setting} | {agent.__name__} | {progress:.2f} | {success:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
