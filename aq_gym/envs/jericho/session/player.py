"""Find the player's object by walking."""

from __future__ import annotations

from functools import lru_cache

from aq_gym.envs.jericho.logic import Memory
from aq_gym.zmachine import Interpreter, Status

# Section 8.2.2 of the standard: the first global variable is the present location.
_LOCATION = 0
_WALKS = (
    "north", "south", "east", "west", "northeast", "northwest", "southeast",
    "southwest", "up", "down", "in", "out",
)  # fmt: skip
# Instructions for a step, so that a story that hangs is abandoned soon.
_BUDGET = 2_000_000
_MOST_INTRO_KEYS = 10


@lru_cache(maxsize=64)
def find_player(story: bytes) -> int:
    """Return the object that moves when the player walks, or 0 if none is found."""
    interpreter = Interpreter(story, undo=False, budget=_BUDGET)
    try:
        return _find(interpreter, story)
    finally:
        interpreter.close()


def _find(interpreter: Interpreter, story: bytes) -> int:
    if not _begin(interpreter):
        return 0
    here = interpreter.snapshot()
    before = Memory(story, here.memory)
    start = before.variable(_LOCATION)
    for walk in _WALKS:
        interpreter.restore(here)
        if interpreter.step(walk).error:
            continue
        after = Memory(story, interpreter.dynamic_memory())
        end = after.variable(_LOCATION)
        if start == end or not 0 < end <= after.count:
            continue
        for number in range(1, before.count + 1):
            if before.parent(number) == start and after.parent(number) == end:
                return number
    return 0


def _begin(interpreter: Interpreter) -> bool:
    """Start a story; return whether it waits for a line."""
    interpreter.start()
    for _ in range(_MOST_INTRO_KEYS):
        if interpreter.status is not Status.KEY:
            break
        interpreter.step("")
    return interpreter.status is Status.LINE
