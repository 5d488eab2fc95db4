"""An episode of a story: its session, and the data that measure its progress."""

from __future__ import annotations

from aq_gym.envs.jericho.games import Game
from aq_gym.envs.jericho.moment import Moment, StoryState
from aq_gym.envs.jericho.session import Session
from aq_gym.envs.jericho.session_manager import SessionManager

_SOLVED = "the story is won"


class Playthrough:
    """An episode of a story.

    Args:
        manager: The session of the story.
        max_score: The highest score of a story without annotation; None to take it from
            the story's words.

    Attributes:
        manager: The session of the story.
        opening: The story's first text, as the protocol shows it.
        annotated: Whether each of AgentBoard's annotated subgoals has been reached;
            empty in other protocols.
    """

    def __init__(self, manager: SessionManager, max_score: int | None) -> None:
        self.manager = manager
        self.opening = ""
        self.annotated: tuple[bool, ...] = ()
        self._max_score = max_score
        self._first_score = 0

    @property
    def story(self) -> Game:
        """The story and its annotations."""
        return self.manager.game

    @property
    def session(self) -> Session:
        """The session, which is opened if necessary."""
        return self.manager.session

    @property
    def now(self) -> Moment:
        """The current moment."""
        return self.manager.now

    @property
    def wants_key(self) -> bool:
        """Whether the story has begun and waits for a single key."""
        return self.session.started and self.now.wants_key

    def begin(self, seed: int) -> str:
        """Begin an episode with a random stream; return the text of the story.

        Raises:
            StoryFailedError: If the story fails before it waits for a line.
        """
        text = self.manager.start(seed).text
        self.annotated = ()
        self._first_score = self._points()
        return text

    def subgoals(self) -> dict[str, bool]:
        """Return whether each subgoal has been reached."""
        solved = self.success()
        if not self.story.subgoals:
            return {_SOLVED: solved}
        return {
            subgoal.name: solved or reached
            for subgoal, reached in zip(
                self.story.subgoals, self.now.reached, strict=True
            )
        }

    def progress(self) -> float:
        """Return the share of subgoals reached, or else the share of the score."""
        if self.success():
            return 1.0
        if self.story.subgoals:
            reached = self.now.reached
            return sum(reached) / len(reached)
        highest = self._highest_score()
        if highest <= self._first_score:
            return 0.0
        # The last point counts only when the story is won.
        gained = min(self._points(), highest - 1) - self._first_score
        return max(0.0, gained / (highest - self._first_score))

    def success(self) -> bool:
        """Return whether the last subgoal is reached or the story is won.

        A story without annotation is also won when it ends with its highest score.
        """
        now = self.now
        if now.won or (now.reached and now.reached[-1]):
            return True
        return (
            now.over and not now.reached and 0 < self._highest_score() <= self._points()
        )

    def state(self) -> StoryState:
        """Return the current moment, with the data that measure its progress."""
        return StoryState(self.story, self.now, self._first_score, self.annotated)

    def resume(self, state: StoryState) -> None:
        """Return to the moment of a state.

        Raises:
            ValueError: If the state belongs to another story or is damaged.
        """
        self.manager.resume(state)
        self._first_score = state.first_score
        self.annotated = state.annotated

    def _points(self) -> int:
        return self.now.score.points or 0

    def _highest_score(self) -> int:
        return self._max_score or self.now.score.highest
