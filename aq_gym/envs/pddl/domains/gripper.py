"""Gripper problems: every ball has to go to another room."""

from __future__ import annotations

from random import Random

from aq_gym.envs.pddl.domains import ProblemDraft, numbered

SIZES = range(1, 11)


def generate(rng: Random, difficulty: str, size: int | None = None) -> ProblemDraft:
    """Spread balls over rooms: easy problems have 2 to 6, hard ones 7 to 10.

    A size is the number of balls.
    """
    hard = difficulty == "hard"
    rooms = [f"room{letter}" for letter in "abcd"[: rng.randint(2, 4)]]
    balls = numbered("ball", size or rng.randint(*((7, 10) if hard else (2, 6))))
    init = [f"at-robby {rng.choice(rooms)}", "free left", "free right"]
    goal = []
    for ball in balls:
        start, target = rng.sample(rooms, 2)
        init.append(f"at {ball} {start}")
        goal.append(f"at {ball} {target}")
    objects = {"room": rooms, "ball": balls, "gripper": ["left", "right"]}
    return ProblemDraft(objects, init, goal)
