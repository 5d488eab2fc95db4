"""The protocols of Jericho: their texts, and how they read commands.

The default protocol is our own. :class:`WalkthroughProtocol` changes only the random
stream; AgentBoard's protocol is in ``agentboard.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Turn
from aq_gym.core.text import quote
from aq_gym.envs.jericho.actions import is_in_grammar, read_command
from aq_gym.envs.jericho.games import Game
from aq_gym.envs.jericho.moment import Moment, StoryFailedError
from aq_gym.envs.jericho.playthrough import Playthrough


class Command(NamedTuple):
    """An agent's text, and the line that the story receives for it.

    Attributes:
        text: The agent's text. If the story waits for a key, its first letter is the
            key.
        line: The line to type.
        problem: The reason why the line is refused; "" if it is typed.
    """

    text: str
    line: str
    problem: str = ""


class JerichoProtocol(Protocol[Playthrough, Command]):
    """Our own protocol."""

    @classmethod
    def of(cls, game: str, patterns: Sequence[str], data_dir: str | None) -> Self:
        """Return the protocol for the arguments of the environment.

        Args:
            game: The game.
            patterns: AgentBoard's annotated subgoals.
            data_dir: The folder of AgentBoard's data.

        Raises:
            ValueError: If there are patterns or data, which need AgentBoard's protocol.
        """
        if patterns or data_dir is not None:
            raise ValueError(
                f"patterns={patterns!r:.200} and data_dir={data_dir!r:.80} belong to "
                "protocol='agentboard'"
            )
        return cls()

    def stream(self, story: Game, draw: Callable[[], int]) -> int:
        """Return the number of an episode's random stream.

        Args:
            story: The story.
            draw: Draws the number of a task.
        """
        return draw()

    def goal_and_difficulty(self, story: Game) -> tuple[str, str]:
        """Return a story's goal and difficulty."""
        return story.goal, story.difficulty

    def opening(self, game: Playthrough, introduction: str, text: str) -> str:
        """Return the first observation.

        Args:
            game: The episode, which has just begun.
            introduction: The text before the story's own text; can be "".
            text: The story's text.
        """
        return _with_key_hint(introduction + text, game.now)

    def read(self, game: Playthrough, text: str) -> Command | None:
        """Read a command, if the story's parser knows its words.

        Every word must be a number or in the story's dictionary. The name of a thing,
        such as ``brass key``, is also read, because it may answer a question. Session
        commands are not read.
        """
        dictionary = game.session.dictionary
        line = read_command(text, dictionary)
        return Command(text, *line) if is_in_grammar(text, line, dictionary) else None

    def write(self, game: Playthrough, action: Command) -> str:
        """Return the line of a command; the key of a menu stays unchanged."""
        if game.wants_key:
            return action.text
        line = self._spelling(action.line)
        # If reading the line again would shorten it further, it is not canonical.
        again = self._spelling(self._command(game, line).line)
        return line if again == line else action.text

    def play(self, game: Playthrough, action: Command) -> Turn:
        """Type a command.

        If the command breaks the story, the episode ends with its current score. Errors
        are excluded from scores, so otherwise an agent could remove an episode that it
        is losing.
        """
        if game.now.over:
            error = "the story was over before it began"
            return Turn(f"The game broke: {error}.", truncated=True, error=error)
        try:
            return self._type(game, action)
        except StoryFailedError as error:
            message = f"The game broke: {error} at {quote(action.text)}."
            return Turn(message, terminated=True)

    def refuse(self, game: Playthrough, text: str) -> Turn:
        """Let the story answer words that it does not know."""
        return self.play(game, self._command(game, text))

    def help(self, game: Playthrough) -> str:
        """List the commands that would change something, or a menu's keys."""
        if game.now.wants_key:
            return _key_hint(game.now.keys)
        found = game.manager.commands()
        listed = ", ".join(found.commands) if found.commands else "none was found"
        rest = "" if found.complete else " The list is partial: there was more to try."
        return (
            f"Commands that would change something now: {listed}.{rest} You can also "
            "look, examine things, take inventory and more."
        )

    def subgoals(self, game: Playthrough) -> dict[str, bool]:
        """Return whether each subgoal has been reached."""
        return game.subgoals()

    def progress(self, game: Playthrough) -> float:
        """Return the progress, 0.0 to 1.0."""
        return game.progress()

    def success(self, game: Playthrough) -> bool:
        """Return whether the goal is reached."""
        return game.success()

    def extra_info(self, game: Playthrough) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}

    def _command(self, game: Playthrough, text: str) -> Command:
        """Read any text as a line to type."""
        return Command(text, *read_command(text, game.session.dictionary))

    def _spelling(self, line: str) -> str:
        """Return the spelling of a line for comparisons."""
        return line

    def _type(self, game: Playthrough, action: Command) -> Turn:
        """Type a line, or press a key.

        Raises:
            StoryFailedError: If the story fails.
        """
        session = game.session
        pressing = session.now.wants_key
        if action.problem and not pressing:
            return Turn.invalid(action.problem)
        reply = session.do(action.text if pressing else action.line)
        if not reply.understood:
            why = _not_understood(action.text, reply.text)
            return Turn(reply.text, action_valid=False, feedback=why)
        observation = _with_key_hint(reply.text, session.now)
        return Turn(observation, terminated=session.now.over)


class WalkthroughProtocol(JerichoProtocol):
    """The default protocol with the random streams of the published walkthroughs."""

    def stream(self, story: Game, draw: Callable[[], int]) -> int:
        """Return the number of the published walkthrough's stream."""
        return story.published_seed


def instructions(goal: str) -> str:
    """Return the instructions for an agent that has never seen such a game."""
    return (
        "You are playing a text adventure. Each action is one short command in plain "
        "English, as: look, inventory, north, take lamp, examine desk, open door, "
        "put coin in slot, unlock gate with key, ask guard about password. Walk with "
        "north, south, east, west, northeast, northwest, southeast, southwest, up, "
        "down, in and out. Commands about the game itself (save, restore, restart, "
        "undo, quit) are not allowed. Type check valid actions to see what would "
        "change something here.\n"
        f"Your goal: {goal}"
    )


def _key_hint(keys: tuple[str, ...]) -> str:
    """Return the hint that the story waits for a key, with a menu's keys."""
    named = f" Here: {', '.join(keys)}." if keys else ""
    return (
        "[The story waits for a key: the first character of your next action, or "
        f"return or space.{named}]"
    )


def _with_key_hint(observation: str, now: Moment) -> str:
    if not now.wants_key:
        return observation
    hint = _key_hint(now.keys)
    return f"{observation}\n\n{hint}" if observation else hint


def _not_understood(action: str, answer: str) -> str:
    """Explain a line that the story's parser rejected."""
    first_line = answer.splitlines()[0] if answer else "no answer"
    return (
        f"The story did not understand {quote(action)}: {first_line} Use a verb and "
        "things you have seen; check valid actions lists commands that work here."
    )
