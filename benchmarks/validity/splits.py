"""Do the splits share structures, and how many structures are there?

For each generated benchmark, instances of ``split="train"`` and ``"test"`` are drawn by
resets. The structure of an instance is what decides its split: the canonical form of a
PDDL problem or a BabyAI world, the layout of a story, the family of a word, each
sentence of a cipher, the outcome of a mystery, the packaged Sudoku puzzle whose image
it is, the goal of a household, the kind, attributes and options that a shopper is asked
for, and those of the product; a code of Mastermind and a deal of 2048 are their own.
``--draws`` also counts the structures of this number of PDDL problems.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any, TypeAlias

import gymnasium as gym

import aq_gym  # noqa: F401  # registers its environments
from aq_gym.envs.babyai.generation import generate
from aq_gym.envs.babyai.logic.layout import canonical_form
from aq_gym.envs.hangman import game as hangman_words
from aq_gym.envs.jericho.session_manager import SessionManager
from aq_gym.envs.pddl.library import DIFFICULTIES, domain_names, load_domain
from aq_gym.envs.webshop.logic.goals import generated_tasks
from aq_gym.envs.wordle import game as wordle_words

# Returns the structures of an instance, from its env and task id.
Structures: TypeAlias = Callable[[Any, str], Iterable[str]]

STORIES = ("bathyscaphe", "clockwork", "keepsakes", "maze", "mine", "museum")
LEVELS = ("GoToRedBall", "GoToObj", "Open", "PickupLoc", "Unlock", "PutNextLocal")


def problem(env: Any, task_id: str) -> Iterable[str]:
    """Yield the form of a PDDL problem."""
    domain, _, name = task_id.partition(":")
    difficulty, _, number = name.partition("-")
    draft = load_domain(domain).generate(Random(int(number)), difficulty)
    yield f"{domain} {draft.canonical_form()}"


def world(env: Any, task_id: str) -> Iterable[str]:
    """Yield the form of a BabyAI world."""
    level, _, seed = task_id.partition(":")
    yield canonical_form(generate(level, int(seed)))


def layout(env: Any, task_id: str) -> Iterable[str]:
    """Yield the layout of a story."""
    name, _, number = task_id.partition("-")
    yield f"{name} {SessionManager(name, None).layout(int(number))}"


def cases() -> Mapping[str, tuple[str, dict[str, Any], Structures]]:
    """Return for each row the id, its arguments and the structures."""
    found: dict[str, tuple[str, dict[str, Any], Structures]] = {
        "Mastermind": ("aq/Mastermind-v0", {}, lambda _, one: [one]),
        "2048": ("aq/2048-v0", {}, lambda _, one: [one]),
        "Sudoku": ("aq/Sudoku-v0", {}, lambda _, one: [one.rpartition("-")[0]]),
        "Hangman": (
            "aq/Hangman-v0", {}, lambda _, one: [hangman_words.family_of(one)],
        ),
        "Wordle": ("aq/Wordle-v0", {}, lambda _, one: [wordle_words.family_of(one)]),
        "Cipher": ("aq/Cipher-v0", {}, lambda _, one: one.split("-")[-1].split(".")),
        "Mystery": ("aq/Mystery-v0", {}, lambda _, one: [one.split("-")[1]]),
        "ALFWorld": (
            "aq/ALFWorld-v0", {},
            lambda env, one: [env.reset(options={"task_id": one})[1]["goal"]],
        ),
        "WebShop": (
            "aq/WebShop-v0", {},
            lambda _, one: generated_tasks(None, 1000, "all").get(one).split,
        ),
    }  # fmt: skip
    for story in STORIES:
        found[f"Jericho {story}"] = ("aq/Jericho-v0", {"game": story}, layout)
    for level in LEVELS:
        found[f"BabyAI {level}"] = ("aq/BabyAI-text-v0", {"level": level}, world)
    for domain in domain_names():
        for difficulty in DIFFICULTIES:
            arguments = {"domain": domain, "difficulty": difficulty}
            found[f"PDDL {domain} {difficulty}"] = ("aq/PDDL-v0", arguments, problem)
    return found


def drawn(
    env_id: str, arguments: Mapping[str, Any], structures: Structures, resets: int
) -> set[str]:
    """Return the structures of instances drawn by resets."""
    env = gym.make(env_id, **arguments)
    ids = {env.reset(seed=seed)[1]["task_id"] for seed in range(resets)}
    return {one for task_id in sorted(ids) for one in structures(env, task_id)}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--resets", type=int, default=300, help="of each split (%(default)s)"
    )
    parser.add_argument("--draws", type=int, default=0, help="of PDDL (%(default)s)")
    options = parser.parse_args()
    print("| benchmark | in train | in test | in both |")
    print("| --- | ---: | ---: | ---: |")
    shared = 0
    for name, (env_id, arguments, structures) in cases().items():
        train, test = (
            drawn(env_id, {**arguments, "split": split}, structures, options.resets)
            for split in ("train", "test")
        )
        shared += len(train & test)
        print(
            f"| {name} | {len(train)} | {len(test)} | {len(train & test)} |", flush=True
        )
    print(f"\ntarget: 0 structures in both: {'MISSED' if shared else 'met'} ({shared})")
    for domain in domain_names() if options.draws else ():
        for difficulty in DIFFICULTIES:
            make = load_domain(domain).generate
            drafts = (make(Random(n), difficulty) for n in range(options.draws))
            count = len({draft.canonical_form() for draft in drafts})
            print(f"{domain} {difficulty}: {count} structures", flush=True)


if __name__ == "__main__":
    main()
