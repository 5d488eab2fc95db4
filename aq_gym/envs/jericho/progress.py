"""The progress of an episode, by the story's subgoals or its score."""

from __future__ import annotations

from aq_gym.envs.jericho.session import StoryState
from aq_gym.envs.jericho.session_manager import SessionManager

_SOLVED = "the story is won"


class StoryProgress:
    """Judges the present moment of a story.

    Args:
        manager: The story's session.
        max_score: The highest score of a story without annotation; None for the one
            that the story names.
    """

    def __init__(self, manager: SessionManager, max_score: int | None) -> None:
        self._manager = manager
        self._max_score = max_score
        self._first_score = 0

    def begin(self) -> None:
        """Begin an episode at the present moment."""
        self._first_score = self._points()

    def subgoals(self) -> dict[str, bool]:
        """Return for each subgoal whether it has been reached."""
        solved = self.success()
        if not self._manager.game.subgoals:
            return {_SOLVED: solved}
        return {
            subgoal.name: solved or reached
            for subgoal, reached in zip(
                self._manager.game.subgoals, self._manager.now.reached, strict=True
            )
        }

    def share(self) -> float:
        """Return the share of subgoals reached, or of the score without any."""
        if self.success():
            return 1.0
        if self._manager.game.subgoals:
            reached = self._manager.now.reached
            return sum(reached) / len(reached)
        highest = self._highest_score()
        if highest <= self._first_score:
            return 0.0
        # The last point counts when the story is won.
        gained = min(self._points(), highest - 1) - self._first_score
        return max(0.0, gained / (highest - self._first_score))

    def success(self) -> bool:
        """Return whether the last subgoal is reached or the story is won.

        A story without annotation is won, too, when it ends with its highest score.
        """
        now = self._manager.now
        if now.won or (now.reached and now.reached[-1]):
            return True
        return (
            now.over and not now.reached and 0 < self._highest_score() <= self._points()
        )

    def state(self) -> StoryState:
        """Return the present moment, with the data that its progress is judged by."""
        return self._manager.state(self._first_score)

    def resume(self, state: StoryState) -> None:
        """Return to the moment of a state.

        Raises:
            ValueError: If the state is of another story or damaged.
        """
        self._manager.resume(state)
        self._first_score = state.first_score

    def _points(self) -> int:
        return self._manager.now.score.points or 0

    def _highest_score(self) -> int:
        return self._max_score or self._manager.now.score.highest
