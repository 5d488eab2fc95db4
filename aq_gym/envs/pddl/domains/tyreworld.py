"""Tyreworld problems: put spare wheels on hubs and tidy up."""

from __future__ import annotations

from random import Random

from aq_gym.envs.pddl.domains import (
    MOST_EASY_CONDITIONS,
    ProblemDraft,
    numbered,
)

SIZES = range(1, 4)

# The jack comes first, because it is under the hub if a change has begun.
_TOOLS = ["jack", "wrench", "pump"]


def generate(rng: Random, difficulty: str, size: int | None = None) -> ProblemDraft:
    """Change one to three wheels; the boot, tools and nuts begin in some disorder.

    The change of one wheel may have begun. Whatever is in disorder at the start becomes
    a goal condition, except some flat wheels and tools, which may stay where they are.
    Easy problems have up to two hubs, hard ones two or three. A size is the number of
    hubs.
    """
    hard = difficulty == "hard"
    while True:
        draft = _draw(rng, size or rng.randint(*((2, 3) if hard else (1, 2))))
        if size or (len(draft.goal) > MOST_EASY_CONDITIONS) == hard:
            return draft


def _draw(rng: Random, wheels: int) -> ProblemDraft:
    hubs, nuts = numbered("the-hub", wheels), numbered("nuts", wheels)
    old = numbered("w", wheels)
    spare = numbered("r", wheels + rng.randint(0, 2))
    objects = {"hub": hubs, "nut": nuts, "wheel": old + spare, "container": ["boot"]}
    draft = ProblemDraft(objects, ["unlocked boot"])
    _put(rng, draft, "closed boot", "isopen boot")
    # The stage of the change of the first wheel, see _hub.
    begun = rng.choice((0, 0, 1, 2, 3))
    for tool in _TOOLS[bool(begun) :]:
        _put(rng, draft, f"in {tool} boot", f"have {tool}", wanted=0.5)
    if begun:
        draft.goal.append(f"in {_TOOLS[0]} boot")
    for hub, nut, flat, new in zip(hubs, nuts, old, spare, strict=False):
        _hub(rng, draft, (hub, nut, flat), begun)
        draft.goal.append(f"on {new} {hub}")
        begun = 0
    for new in spare:
        draft.init.append(f"intact {new}")
        used = f"on {new} " in " ".join(draft.goal)
        stored = not used or rng.random() < 0.7
        draft.init.append(f"in {new} boot" if stored else f"have {new}")
        given = {"orderly": 0.2} if used else {"wanted": 0.0}
        _put(rng, draft, f"inflated {new}", f"not-inflated {new}", **given)
    return draft


def _hub(
    rng: Random, draft: ProblemDraft, names: tuple[str, str, str], begun: int
) -> None:
    """Add a hub with its nut and flat wheel.

    Args:
        rng: The source of randomness.
        draft: The problem that facts are added to.
        names: The hub, the nut and the wheel.
        begun: 0 if the hub is on the ground, 1 if it is jacked up, 2 if its nut was
            also undone, 3 if its wheel was also removed.
    """
    hub, nut, flat = names
    draft.init.append(f"not-on-ground {hub}" if begun else f"on-ground {hub}")
    draft.init.append(f"unfastened {hub}" if begun > 1 else f"fastened {hub}")
    if not begun:
        _put(rng, draft, f"tight {nut} {hub}", f"loose {nut} {hub}")
    else:
        draft.init.append(f"loose {nut} {hub}" if begun == 1 else f"have {nut}")
        draft.goal.append(f"tight {nut} {hub}")
    if begun == 3:
        draft.init += [f"free {hub}", f"have {flat}"]
    else:
        draft.init.append(f"on {flat} {hub}")
    if rng.random() < 0.7:
        draft.goal.append(f"in {flat} boot")


def _put(
    rng: Random,
    draft: ProblemDraft,
    order: str,
    disorder: str,
    orderly: float = 0.7,
    wanted: float = 1.0,
) -> None:
    """Add one of two initial facts; the disorderly one may add a goal condition."""
    if rng.random() < orderly:
        draft.init.append(order)
    else:
        draft.init.append(disorder)
        if rng.random() < wanted:
            draft.goal.append(order)
