"""The names of the levels."""

from __future__ import annotations

import re
from difflib import get_close_matches

import gymnasium as gym

_PREFIX = "BabyAI-"
_SIZED = re.compile(r"(?:[SRN]\d+)*-v\d+$")
# The levels of BabyAI's paper, in the order of its table.
_PAPER = [
    "GoToObj",
    "GoToRedBallGrey",
    "GoToRedBall",
    "GoToLocal",
    "PutNextLocal",
    "PickupLoc",
    "GoToObjMaze",
    "GoTo",
    "Pickup",
    "UnblockPickup",
    "Open",
    "Unlock",
    "PutNextS7N4",
    "Synth",
    "SynthLoc",
    "GoToSeq",
    "SynthSeq",
    "GoToImpUnlock",
    "BossLevel",
]
# Levels that minigrid 3 no longer has, and the levels that give the same worlds.
RENAMED = {
    # Registered by mistake with the arguments of S4; the present level is GoToObjS6-v1.
    "GoToObjS6-v0": "GoToObjS4-v0",
}
# Levels that can't be solved, and the corrected levels.
UNSOLVABLE = {
    # Strict about both doors at once, so every ordered mission fails at the first.
    "OpenDoorsOrderN2Debug-v0": "OpenDoorsOrderN2-v0",
    "OpenDoorsOrderN4Debug-v0": "OpenDoorsOrderN4-v0",
}


def find_level(name: str, *, solvable: bool = True) -> str:
    """Return minigrid's name of a level, without prefix, with version.

    Args:
        name: The name with or without prefix and version; without a version it is
            the latest.
        solvable: Whether a level that can't be solved becomes one that can.

    Raises:
        ValueError: If minigrid has no such level.
    """
    known = known_levels()
    aliases = {**RENAMED, **UNSOLVABLE} if solvable else RENAMED
    bare = name.removeprefix(_PREFIX)
    for candidate in (bare, *(f"{bare}-v{version}" for version in (2, 1, 0))):
        if candidate in aliases or candidate in known:
            return aliases.get(candidate, candidate)
    close = get_close_matches(bare, [level.rpartition("-v")[0] for level in known])
    hint = (
        f"did you mean {', '.join(close)}?"
        if close
        else "`aq-gym list aq/BabyAI-text-v0` names them all"
    )
    raise ValueError(f"level={name!r} is not a BabyAI level of minigrid: {hint}")


def level_of_size(level: str, size: int) -> str:
    """Return a level of a family, ordered by size.

    The family of GoToLocalS5N2 is GoToLocalS5N2 to GoToLocalS8N7 and GoToLocal. Levels
    without such a family have that of the levels of BabyAI's paper, in its order.

    Args:
        level: minigrid's name of a level.
        size: The place in the family, from 1.

    Raises:
        ValueError: If the family is smaller.
    """
    stem = _SIZED.sub("", level)
    family = [one for one in known_levels() if _SIZED.sub("", one) == stem]
    # Without a number, a level is as large as minigrid makes them.
    family.sort(key=lambda one: [*map(int, re.findall(r"[SRN](\d+)", one)), 99])
    if len(family) == 1:
        family = [find_level(one) for one in _PAPER]
    if not 1 <= size <= len(family):
        raise ValueError(
            f"size={size}: the family of level={level!r} has the sizes 1 to "
            f"{len(family)}: {', '.join(family)}"
        )
    return family[size - 1]


def known_levels() -> tuple[str, ...]:
    """Return minigrid's names of all its BabyAI levels, in its order."""
    # Importing minigrid registers its levels, and takes a tenth of a second.
    import minigrid  # noqa: F401

    return tuple(
        env_id.removeprefix(_PREFIX)
        for env_id in gym.registry
        if env_id.startswith(_PREFIX)
    )
