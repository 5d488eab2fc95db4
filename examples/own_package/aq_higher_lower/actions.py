"""Reading a text as a guess."""

from aq_gym.core.text import normalize
from aq_higher_lower.logic import HIGHEST


def read(action: str) -> int | None:
    """Return the guess in a text, such as ``500`` or `` 500. ``, None if it is none."""
    text = normalize(action)
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(HIGHEST))):
        return None
    return int(text) if 1 <= int(text) <= HIGHEST else None
