"""Tyreworld problems: put spare wheels on hubs and tidy up."""

from __future__ import annotations

from random import Random

from aq_gym.envs.pddl.domains.sketch import MOST_EASY_CONDITIONS, Sketch, numbered

__all__ = ["generate"]

_TOOLS = ["wrench", "jack", "pump"]


def generate(rng: Random, difficulty: str) -> Sketch:
    """Change one to three wheels; the boot, tools and nuts begin in some disorder.

    What is in order at the start is no condition of the goal. Easy problems have up
    to two hubs, hard ones two or three.
    """
    hard = difficulty == "hard"
    while True:
        sketch = _draw(rng, rng.randint(2, 3) if hard else rng.randint(1, 2))
        if (len(sketch.goal) > MOST_EASY_CONDITIONS) == hard:
            return sketch


def _draw(rng: Random, wheels: int) -> Sketch:
    hubs, nuts = numbered("the-hub", wheels), numbered("nuts", wheels)
    old, spare = numbered("w", wheels), numbered("r", wheels)
    objects = {"hub": hubs, "nut": nuts, "wheel": old + spare, "container": ["boot"]}
    sketch = Sketch(objects, ["unlocked boot"])
    _put(rng, sketch, "closed boot", "isopen boot")
    for tool in _TOOLS:
        _put(rng, sketch, f"in {tool} boot", f"have {tool}")
    for hub, nut, flat, new in zip(hubs, nuts, old, spare, strict=True):
        sketch.init += [f"on {flat} {hub}", f"on-ground {hub}", f"fastened {hub}"]
        sketch.init += [f"in {new} boot", f"intact {new}"]
        sketch.goal += [f"on {new} {hub}", f"in {flat} boot"]
        _put(rng, sketch, f"tight {nut} {hub}", f"loose {nut} {hub}")
        _put(rng, sketch, f"inflated {new}", f"not-inflated {new}", orderly=0.2)
    return sketch


def _put(
    rng: Random, sketch: Sketch, order: str, disorder: str, orderly: float = 0.7
) -> None:
    """Begin with one of two facts; the disorderly one has to be mended."""
    if rng.random() < orderly:
        sketch.init.append(order)
    else:
        sketch.init.append(disorder)
        sketch.goal.append(order)
