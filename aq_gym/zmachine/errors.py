"""The interpreter's exceptions, and messages for a story's errors."""

from __future__ import annotations

OUTSIDE_MEMORY = 17

# The messages by error number; the numbers are those of enum error in source/machine.h.
_DESCRIPTIONS = (
    "no error",
    "a write outside dynamic memory",
    "the stack is full",
    "the stack is empty",
    "an unknown instruction",
    "a local variable that the routine doesn't have",
    "a division by zero",
    "an object that doesn't exist",
    "a property that the object doesn't have",
    "a call of something that isn't a routine",
    "a return from the main routine",
    "too much text in one step",
    "too many memory streams inside one another",
    "the instruction budget of the step is spent",
    "not a story file",
    "a state that the story can't be in",
    "a throw to a routine that isn't running",
    "an access outside memory",
)


class StoryError(ValueError):
    """Raised for a file that isn't a playable story."""


class StateError(ValueError):
    """Raised for a state that is damaged, or comes from another story or format."""


def describe(number: int) -> str:
    """Return the message for an error number."""
    return f"the story failed: {_DESCRIPTIONS[number]}"
