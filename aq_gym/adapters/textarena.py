"""Games of TextArena for one player."""

from __future__ import annotations

import copy
from typing import Any

from aq_gym.adapters.foreign import ForeignEnv, Reply

_GAME = -1


class TextArenaEnv(ForeignEnv):
    """A game of TextArena for one player as a Gymnasium environment.

    The reward is TextArena's, which it gives at the end: 1 for a win, otherwise mostly
    the share that was achieved. Added to info on step: ``action_valid: bool``, False
    for what TextArena calls an invalid move; ``feedback: str``, its reason; and, on
    reset too, ``success: bool``, whether the reward was at least 1. TextArena ends most
    games at the second invalid move in succession; a few of them (such as Countdown)
    give no reward for it that is a number, which counts as 0.

    Contained: each episode is played in a copy of the game, because TextArena's
    observation wrappers keep the texts of the episode before; its random numbers, which
    come from the process's generator, are private. Not contained: its wrappers cannot
    be pickled (a deep copy works), and some games download word lists or ask a model.

    Args:
        game: The game, as ``textarena.make`` returns it.
    """

    def __init__(self, game: Any) -> None:
        super().__init__()
        self._new_game = game
        self._game = game

    def _begin(self, seed: int) -> tuple[str, dict[str, Any]]:
        self._game = copy.deepcopy(self._new_game)
        try:
            self._game.reset(num_players=1, seed=seed)
        except AssertionError as error:
            raise ValueError(
                f"{self._name()} is not for one player: {error}"
            ) from error
        kinds = {cls.__name__ for cls in type(self._game.state).__mro__}
        if "SinglePlayerState" not in kinds:
            raise ValueError(f"{self._name()} is not for one player")
        return self._observation(), {"success": False}

    def _play(self, action: str) -> Reply:
        over, _ = self._game.step(action)
        if not over:
            valid = not self._game.state.error_count
            feedback = "" if valid else str(self._game.state.logs[-1][1])
            info = {"action_valid": valid, "feedback": feedback, "success": False}
            return Reply(self._observation(), 0.0, False, False, info)
        rewards, outcomes = self._game.close()
        given, valid = rewards[0], not outcomes[0]["invalid_move"]
        # Some games pass the reason of an invalid move as its reward.
        reward = 0.0 if isinstance(given, str) else float(given)
        reason = given if isinstance(given, str) else str(outcomes[0].get("reason"))
        info = {
            "action_valid": valid,
            "feedback": "" if valid else reason,
            "success": reward >= 1.0,
        }
        return Reply(reason, reward, True, False, info)

    def _name(self) -> str:
        return str(getattr(self._new_game, "env_id", type(self._new_game).__name__))

    def _observation(self) -> str:
        _, seen = self._game.get_observation()
        if isinstance(seen, str):
            return seen.strip()
        # Without an observation wrapper they are (sender, text, kind).
        return "\n".join(str(text) for sender, text, *_ in seen if sender == _GAME)
