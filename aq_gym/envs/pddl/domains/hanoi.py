"""Tower of Hanoi problems between any two arrangements of the discs."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

from aq_gym.envs.pddl.domains import (
    MOST_EASY_CONDITIONS,
    MOST_EASY_STEPS,
    ProblemDraft,
    numbered,
)

SIZES = range(2, 8)

# The peg of each disc, the smallest first. This determines the arrangement, because
# larger discs are always below smaller ones. Every arrangement can be reached from
# every other.
Arrangement: TypeAlias = tuple[int, ...]

_PEGS = numbered("peg", 3)
_MOST_STEPS = 80


def generate(rng: Random, difficulty: str, size: int | None = None) -> ProblemDraft:
    """Arrange discs on three pegs, twice.

    Easy problems have 3 to 5 discs and need at most 30 moves, hard ones 6 or 7 and
    31 to 80. A size is the number of discs, and at most 80 moves are needed.
    """
    hard = difficulty == "hard"
    # There are only few arrangements of three or four discs.
    discs = numbered("disc", size or rng.choice((6, 7) if hard else (3, 4, 5, 5, 5)))
    while True:
        start, target = _arrangement(rng, discs), _arrangement(rng, discs)
        before, goal = _on(discs, start), _on(discs, target)
        if set(before) & set(goal):
            continue
        steps = moves(start, target)
        grade = len(goal) > MOST_EASY_CONDITIONS or steps > MOST_EASY_STEPS
        if (size or grade == hard) and steps <= _MOST_STEPS:
            break
    init = before + _clear(discs, start)
    init += [f"smaller {disc} {peg}" for disc in discs for peg in _PEGS]
    for size, disc in enumerate(discs):
        init += [f"smaller {disc} {larger}" for larger in discs[size + 1 :]]
    return ProblemDraft({"disc": discs, "peg": _PEGS}, init, goal, steps)


def moves(start: Arrangement, target: Arrangement) -> int:
    """Return the number of moves of a shortest solution.

    The largest disc that must move goes either directly, or over the third peg. Before
    each of its moves, the smaller discs gather on a free peg.
    """
    for largest in range(len(start) - 1, -1, -1):
        if start[largest] != target[largest]:
            break
    else:
        return 0
    there, goal = start[largest], target[largest]
    third = 3 - there - goal
    straight = _gather(start, largest, third) + 1 + _gather(target, largest, third)
    around = (
        _gather(start, largest, goal)
        + 1
        + ((1 << largest) - 1)
        + 1
        + _gather(target, largest, there)
    )
    return min(straight, around)


def _gather(discs: Arrangement, count: int, peg: int) -> int:
    """Return the number of moves that bring the smallest discs together on a peg."""
    total: int = 0
    for size in range(count - 1, -1, -1):
        if discs[size] != peg:
            total += 1 << size
            peg = 3 - discs[size] - peg
    return total


def _arrangement(rng: Random, discs: list[str]) -> Arrangement:
    return tuple(rng.randrange(3) for _ in discs)


def _on(discs: list[str], pegs: Arrangement) -> list[str]:
    facts = []
    for size, disc in enumerate(discs):
        below = [d for d, p in zip(discs, pegs, strict=True) if p == pegs[size]]
        rest = below[below.index(disc) + 1 :]
        facts.append(f"on {disc} {rest[0] if rest else _PEGS[pegs[size]]}")
    return facts


def _clear(discs: list[str], pegs: Arrangement) -> list[str]:
    """Return the clear items: the smallest disc of each peg, or the peg itself."""
    tops = dict(zip(reversed(pegs), reversed(discs), strict=True))
    return [f"clear {tops.get(peg, name)}" for peg, name in enumerate(_PEGS)]
