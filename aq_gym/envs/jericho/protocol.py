"""The protocols: ours, Jericho's random streams, and AgentBoard's where it differs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from aq_gym.core.help import HELP
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.core.text import quote
from aq_gym.envs.jericho import agentboard, text
from aq_gym.envs.jericho.actions import read_command, session_problem
from aq_gym.envs.jericho.agentboard import Patterns, Scores
from aq_gym.envs.jericho.game import Game
from aq_gym.envs.jericho.progress import StoryProgress
from aq_gym.envs.jericho.session import (
    Moment,
    Session,
    StoryFailedError,
    StoryState,
)
from aq_gym.envs.jericho.session_manager import SessionManager
from aq_gym.papers.agentboard import prompt


class Play(NamedTuple):
    """The state of an episode in AgentBoard's protocol."""

    story: StoryState
    scores: Scores


class Protocol:
    """Our own protocol.

    Attributes:
        published_stream: Whether each episode has the random stream of the published
            walkthrough.
    """

    published_stream = False

    def begin(self) -> None:
        """Begin an episode."""

    def goal_and_difficulty(self, game: Game) -> tuple[str, str]:
        """Return a story's goal and difficulty."""
        return game.goal, game.difficulty

    def opening(self, now: Moment, introduction: str, said: str) -> str:
        """Return the first observation.

        Args:
            now: The moment.
            introduction: The text before the story's, "" for none.
            said: The story's text.
        """
        return _with_key_hint(introduction + said, now)

    def step(self, manager: SessionManager, action: str) -> Turn:
        """Carry out an action, which may be any text."""
        session = manager.session
        if session.now.wants_key:
            line = action
        else:
            line, problem = read_command(action, session.dictionary)
            if problem:
                return Turn(problem, action_valid=False, feedback=problem)
        try:
            reply = session.do(line)
        except StoryFailedError as error:
            return broken(f"{error} at {quote(action)}")
        if not reply.understood:
            feedback = text.not_understood(action, reply.text)
            return Turn(reply.text, action_valid=False, feedback=feedback)
        observation = _with_key_hint(reply.text, session.now)
        return Turn(observation, terminated=session.now.over)

    def canonical(self, session: Session, action: str) -> str:
        """Return the line of an action; the key of a menu stays as it is."""
        if session.started and session.now.wants_key:
            return action
        line = self._line(session, action)
        # A line that would be shortened again when reread is not canonical.
        return line if self._line(session, line) == line else action

    def _line(self, session: Session, action: str) -> str:
        return read_command(action, session.dictionary).text

    def subgoals(self, story: StoryProgress) -> dict[str, bool]:
        """Return for each subgoal whether it has been reached."""
        return story.subgoals()

    def progress(self, story: StoryProgress) -> float:
        """Return the progress, 0.0 to 1.0."""
        return story.share()

    def success(self, story: StoryProgress) -> bool:
        """Return whether the goal is reached."""
        return story.success()

    def help(self, manager: SessionManager) -> str:
        """Return the list of actions as the agent reads it."""
        now = manager.now
        if now.wants_key:
            return text.key_hint(now.keys)
        found = manager.commands()
        return text.help_text(found.commands, found.complete)

    def extra_info(self) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}

    def published_prompt(self) -> PublishedPrompt | None:
        """Return the prompt of the paper's agent, None without one."""
        return None

    def state(self, story: StoryProgress) -> StoryState | Play:
        """Return the state of the episode."""
        return story.state()

    def resume(self, story: StoryProgress, state: Any) -> None:
        """Return to a state.

        Raises:
            ValueError: If the state is of another story or damaged.
        """
        story.resume(state)


class JerichoProtocol(Protocol):
    """The default protocol with the random streams of the published walkthroughs."""

    published_stream = True


class AgentBoardProtocol(Protocol):
    """AgentBoard's protocol; our subgoals judge."""

    published_stream = True

    def __init__(self, title: agentboard.Title) -> None:
        self._title = title
        self._scores = Scores()
        self._opening = ""

    def goal_and_difficulty(self, game: Game) -> tuple[str, str]:
        """Return AgentBoard's goal and difficulty."""
        return self._title

    def opening(self, now: Moment, introduction: str, said: str) -> str:
        """Return the first observation, the story's text in one line."""
        self._opening = agentboard.clean(said)
        return introduction + self._opening

    def step(self, manager: SessionManager, action: str) -> Turn:
        """Carry out an action, which may be any text."""
        session = manager.session
        if agentboard.is_check(action):
            return Turn(self.help(manager))
        line = agentboard.read(action, session.game.story[0])
        if not session.now.wants_key:
            problem = session_problem(line, session.word_length)
            if problem:
                return Turn(problem, action_valid=False, feedback=problem)
        try:
            said = session.say(line).text
        except StoryFailedError as error:
            return broken(f"{error} at {quote(action)}")
        observation = agentboard.clean(said)
        valid = agentboard.is_valid(observation)
        ended = session.now.over or agentboard.has_ended(said)
        ended = self._reaches_end(observation) or ended
        return Turn(observation, terminated=ended, action_valid=valid)

    def canonical(self, session: Session, action: str) -> str:
        """Return the line or key of an action; requests for help have one form."""
        if agentboard.is_check(action):
            return HELP
        return super().canonical(session, action)

    def _line(self, session: Session, action: str) -> str:
        # It is typed as it is, and the interpreter makes it lower case.
        line = agentboard.read(action, session.game.story[0])
        return line.lower() if line.isascii() else line

    def _reaches_end(self, observation: str) -> bool:
        """Judge an observation; return whether it ends the episode."""
        return False

    def published_prompt(self) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, None if its checkout is not there."""
        return prompt(
            "jericho_vanilla_prompt",
            self._title.goal,
            [("Observation", self._opening)],
            check="check valid actions",
            inventory=True,
            said=agentboard.remembered,
        )

    def help(self, manager: SessionManager) -> str:
        """Return AgentBoard's list of the actions."""
        return agentboard.help_text(manager.admissible())

    def state(self, story: StoryProgress) -> Play:
        """Return the state of the episode, with AgentBoard's scores."""
        return Play(story.state(), self._scores)

    def resume(self, story: StoryProgress, state: Any) -> None:
        """Return to a state; see :meth:`Protocol.resume`."""
        story.resume(state.story)
        self._scores = state.scores


class AnnotatedProtocol(AgentBoardProtocol):
    """AgentBoard's protocol; its annotated subgoals judge.

    Args:
        title: AgentBoard's annotation of the title.
        patterns: The annotated subgoals, at least one.
    """

    def __init__(self, title: agentboard.Title, patterns: Sequence[str]) -> None:
        super().__init__(title)
        self._patterns = Patterns(patterns)
        self.begin()

    def begin(self) -> None:
        """Begin an episode."""
        self._scores = self._patterns.begin()

    def _reaches_end(self, observation: str) -> bool:
        self._scores = self._patterns.update(self._scores, observation)
        return self._scores.reward == 1.0

    def subgoals(self, story: StoryProgress) -> dict[str, bool]:
        """Return for each annotated subgoal whether it has been reached."""
        return dict(zip(self._patterns.names, self._scores.reached, strict=True))

    def progress(self, story: StoryProgress) -> float:
        """Return AgentBoard's reward."""
        return self._scores.reward

    def success(self, story: StoryProgress) -> bool:
        """Return whether every annotated subgoal has been reached."""
        return self._scores.reward == 1.0

    def extra_info(self) -> dict[str, Any]:
        """Return AgentBoard's reward."""
        return {"agentboard_reward": self._scores.reward}


def make_protocol(
    name: str, game: str, patterns: Sequence[str], data_dir: str | None = None
) -> Protocol:
    """Return a protocol by its name.

    Args:
        name: "aq", "jericho" or "agentboard".
        game: The game, as the environment takes it.
        patterns: AgentBoard's annotated subgoals; by default those of its data.
        data_dir: AgentBoard's data; None for the folder that ``AGENTBOARD_DATA`` names.

    Raises:
        FileNotFoundError: If ``data_dir`` has no tasks of Jericho.
        ValueError: If there are patterns or data without AgentBoard's protocol, the
            game is not one of AgentBoard's titles, or the data are not AgentBoard's.
    """
    if name == "agentboard":
        title = agentboard.title(game)
        patterns = patterns or agentboard.subgoals(game, data_dir)
        if patterns:
            return AnnotatedProtocol(title, patterns)
        return AgentBoardProtocol(title)
    if patterns or data_dir is not None:
        raise ValueError(
            f"patterns={patterns!r:.200} and data_dir={data_dir!r:.80} belong to "
            f"protocol='agentboard', not {name!r}"
        )
    return JerichoProtocol() if name == "jericho" else Protocol()


def broken(error: str) -> Turn:
    """Return the turn at which a story failed."""
    return Turn(f"The game broke: {error}.", truncated=True, error=error)


def _with_key_hint(observation: str, now: Moment) -> str:
    if not now.wants_key:
        return observation
    hint = text.key_hint(now.keys)
    return f"{observation}\n\n{hint}" if observation else hint
