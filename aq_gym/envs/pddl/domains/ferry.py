"""Ferry problems: every car has to go to another port."""

from __future__ import annotations

from random import Random

from aq_gym.envs.pddl.domains import ProblemDraft, numbered

SIZES = range(1, 11)


def generate(rng: Random, difficulty: str, size: int | None = None) -> ProblemDraft:
    """Spread cars over ports: easy problems have 2 to 6, hard ones 7 to 10.

    A size is the number of cars.
    """
    hard = difficulty == "hard"
    ports = numbered("port", rng.randint(2, 5))
    cars = numbered("car", size or rng.randint(*((7, 10) if hard else (2, 6))))
    init = [f"ferry-at {rng.choice(ports)}", "ferry-empty"]
    goal = []
    for car in cars:
        start, target = rng.sample(ports, 2)
        init.append(f"at {car} {start}")
        goal.append(f"at {car} {target}")
    return ProblemDraft({"car": cars, "port": ports}, init, goal)
