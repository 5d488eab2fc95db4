"""Protocols: the texts of a benchmark, and how it reads an action."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

from aq_gym.core.help import HELP_ACTIONS
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn

Game = TypeVar("Game")
Action = TypeVar("Action")


class Protocol(Generic[Game, Action]):
    """The words of a benchmark, and how an action is read.

    A benchmark's own protocol is a subclass, a paper's is a subclass of the
    benchmark's that overrides what differs; the dict ``PROTOCOLS`` in ``env.py``
    chooses one. A protocol keeps no data of an episode: the game is an argument.

    Attributes:
        help_actions: The texts that ask for help; empty for a paper without help.
        parses_free_text: Whether ``read`` finds an action anywhere in a model's answer,
            as a paper's parser does.
        prefix: The words before the value in an action's canonical text: "Guess: ".
    """

    help_actions: ClassVar[frozenset[str]] = HELP_ACTIONS
    parses_free_text: ClassVar[bool] = False
    prefix: ClassVar[str] = ""

    def read(self, game: Game, text: str) -> Action | None:
        """Return the action that a text means, or None if it is not in the grammar.

        It is cheap, and does not depend on the state: it also reads an action that
        cannot be carried out now. It must not read a sentence that merely contains
        an action, unless ``parses_free_text`` is set.
        """
        raise NotImplementedError

    def write(self, game: Game, action: Action) -> str:
        """Return the canonical text of an action, which ``read`` reads."""
        return f"{self.prefix}{action}"

    def said(self, game: Game, action: Action) -> str:
        """Return what an action says without constant words: "1234" in Mastermind.

        The similarity of actions is that of these texts.
        """
        return self.write(game, action).removeprefix(self.prefix)

    def play(self, game: Game, action: Action) -> Turn:
        """Carry out an action, or explain why it cannot be carried out now."""
        raise NotImplementedError

    def refuse(self, game: Game, text: str) -> Turn:
        """Explain why a text is not an action, and what would be one."""
        raise NotImplementedError

    def help(self, game: Game) -> str:
        """Return the answer to a help action."""
        raise NotImplementedError

    def prompt(self, game: Game) -> PublishedPrompt | None:
        """Return the prompt of the paper's agent, or None if there is none."""
        return None
