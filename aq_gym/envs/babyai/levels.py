"""The names of the levels."""

from __future__ import annotations

from difflib import get_close_matches

import gymnasium as gym

_PREFIX = "BabyAI-"
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


def known_levels() -> tuple[str, ...]:
    """Return minigrid's names of all its BabyAI levels, in its order."""
    # Importing minigrid registers its levels, and takes a tenth of a second.
    import minigrid  # noqa: F401

    return tuple(
        env_id.removeprefix(_PREFIX)
        for env_id in gym.registry
        if env_id.startswith(_PREFIX)
    )
