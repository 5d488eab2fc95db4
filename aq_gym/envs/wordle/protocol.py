"""The default protocol, and AgentQuest's where its rules differ.

AgentQuest's is written from its published code. Its sentences and words are not part of
this package, so observations are in our words with either protocol.
"""

from __future__ import annotations

from typing import NamedTuple


class Protocol(NamedTuple):
    """The rules that differ.

    Attributes:
        separate: Whether each letter is marked on its own, however often the answer has
            it.
        repeats: Whether a word can be guessed again.
        form: The only length, number of guesses and hard mode; None if there are more.
    """

    separate: bool
    repeats: bool
    form: tuple[int, int, bool] | None = None


PROTOCOLS = {
    "aq": Protocol(separate=False, repeats=True),
    "agentquest": Protocol(separate=True, repeats=False, form=(5, 6, False)),
}
