"""Tyreworld problems: put spare wheels on hubs and tidy up."""

from __future__ import annotations

from random import Random

from aq_gym.envs.pddl.domains.problem_draft import (
    MOST_EASY_CONDITIONS,
    ProblemDraft,
    numbered,
)

__all__ = ["SIZES", "generate"]

SIZES = range(1, 4)

_TOOLS = ["wrench", "jack", "pump"]


def generate(rng: Random, difficulty: str, size: int | None = None) -> ProblemDraft:
    """Change one to three wheels; the boot, tools and nuts begin in some disorder.

    Only what is in disorder at the start becomes a goal condition. Easy problems have
    up to two hubs, hard ones two or three. A size is their number.
    """
    hard = difficulty == "hard"
    while True:
        draft = _draw(rng, size or rng.randint(*((2, 3) if hard else (1, 2))))
        if size or (len(draft.goal) > MOST_EASY_CONDITIONS) == hard:
            return draft


def _draw(rng: Random, wheels: int) -> ProblemDraft:
    hubs, nuts = numbered("the-hub", wheels), numbered("nuts", wheels)
    old, spare = numbered("w", wheels), numbered("r", wheels)
    objects = {"hub": hubs, "nut": nuts, "wheel": old + spare, "container": ["boot"]}
    draft = ProblemDraft(objects, ["unlocked boot"])
    _put(rng, draft, "closed boot", "isopen boot")
    for tool in _TOOLS:
        _put(rng, draft, f"in {tool} boot", f"have {tool}")
    for hub, nut, flat, new in zip(hubs, nuts, old, spare, strict=True):
        draft.init += [f"on {flat} {hub}", f"on-ground {hub}", f"fastened {hub}"]
        draft.init += [f"in {new} boot", f"intact {new}"]
        draft.goal += [f"on {new} {hub}", f"in {flat} boot"]
        _put(rng, draft, f"tight {nut} {hub}", f"loose {nut} {hub}")
        _put(rng, draft, f"inflated {new}", f"not-inflated {new}", orderly=0.2)
    return draft


def _put(
    rng: Random, draft: ProblemDraft, order: str, disorder: str, orderly: float = 0.7
) -> None:
    """Add one of two initial facts; a disorderly one adds a goal condition."""
    if rng.random() < orderly:
        draft.init.append(order)
    else:
        draft.init.append(disorder)
        draft.goal.append(order)
