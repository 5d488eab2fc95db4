"""Turn observations of Gymnasium's spaces into text."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

_MOST_NUMBERS = 1_000


def check_observable(space: spaces.Space[Any], name: str = "observations") -> None:
    """Raise if observations of a space have no readable text by default.

    Raises:
        ValueError: If they have more than 1000 numbers, as pictures have.
        TypeError: If the space is of another kind.
    """
    if isinstance(space, spaces.Dict):
        for key, part in space.items():
            check_observable(part, f"{name}[{key!r}]")
    elif isinstance(space, spaces.Tuple):
        for index, part in enumerate(space.spaces):
            check_observable(part, f"{name}[{index}]")
    elif isinstance(space, spaces.Box | spaces.MultiDiscrete | spaces.MultiBinary):
        count = int(np.prod(space.shape or ()))
        if count > _MOST_NUMBERS:
            raise ValueError(
                f"{name} have {count} numbers, too many to read: give "
                "observation_to_text"
            )
    elif not isinstance(space, spaces.Discrete | spaces.Text):
        raise TypeError(
            f"{name} in {space} have no default text: give observation_to_text"
        )


def observation_text(space: spaces.Space[Any], observation: Any) -> str:
    """Return the text of an observation.

    Numbers have at most six significant digits.
    """
    if isinstance(space, spaces.Dict):
        parts = [
            f"{key}: {_part(part, observation[key])}" for key, part in space.items()
        ]
        return "\n".join(parts)
    if isinstance(space, spaces.Tuple):
        return ", ".join(map(_part, space.spaces, observation))
    if isinstance(space, spaces.Text):
        return str(observation)
    if isinstance(space, spaces.Discrete):
        return str(int(observation))
    return _numbers(np.asarray(observation))


def _part(space: spaces.Space[Any], observation: Any) -> str:
    text = observation_text(space, observation)
    if isinstance(space, spaces.Dict):
        return "".join(f"\n  {line}" for line in text.split("\n"))
    return f"({text})" if isinstance(space, spaces.Tuple) else text


def _numbers(array: Any) -> str:
    if array.ndim == 0:
        return f"{array.item():.6g}" if array.dtype.kind == "f" else str(array.item())
    if array.ndim == 1:
        return f"[{', '.join(map(_numbers, array))}]"
    return "[" + "\n".join(map(_numbers, array)) + "]"
