"""Environments of TextArena, GEM and SkyRL-gym."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from aq_gym.adapters.foreign import ForeignEnv, Reply
from aq_gym.support.arguments import check_type

_GAME = -1


class TextArenaEnv(ForeignEnv):
    """A game of TextArena for one player as a Gymnasium environment.

    The reward is TextArena's, which it gives at the end: 1 for a win, otherwise mostly
    the share that was achieved. Added to info on step: ``action_valid: bool``, False
    for what TextArena calls an invalid move; ``feedback: str``, its reason; and, on
    reset too, ``success: bool``, whether the reward was at least 1. TextArena ends most
    games at the second invalid move in succession. A few games (such as Countdown) then
    give a reward that is not a number; it counts as 0.

    Each episode is played in a copy of the game, because TextArena's observation
    wrappers keep the texts of the previous episode. TextArena draws from the process's
    random generator; here the generator is private. Some limits remain: TextArena's
    wrappers cannot be pickled (a deep copy works), and some games download word lists
    or query a model.

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
        # Some games return the reason for an invalid move as its reward.
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


class GemEnv(ForeignEnv):
    """An environment of GEM as a Gymnasium environment.

    Observations, rewards and ends are GEM's; its info is kept. Added to info on reset
    and step: ``success: bool``, whether the episode ended with a reward of at least 1,
    which is GEM's reward of success.

    GEM seeds the process's generators of ``random`` and ``numpy``; here they are
    private. Each episode is played in a copy of the environment.

    Args:
        env: The environment, as ``gem.make`` returns it.
    """

    def __init__(self, env: Any) -> None:
        super().__init__()
        self._new_env = env
        self._env = env

    def _begin(self, seed: int) -> tuple[str, dict[str, Any]]:
        self._env = copy.deepcopy(self._new_env)
        observation, info = self._env.reset(seed=seed)
        return str(observation), {**info, "success": False}

    def _play(self, action: str) -> Reply:
        observation, reward, terminated, truncated, info = self._env.step(action)
        reward = float(reward)
        success = bool(terminated) and reward >= 1.0
        info = {**info, "success": success}
        return Reply(str(observation), reward, bool(terminated), bool(truncated), info)


class SkyRLEnv(ForeignEnv):
    """An environment of SkyRL-gym as a Gymnasium environment.

    An environment of SkyRL-gym is one instance of a task. Instances differ in their
    constructor arguments and in the prompt, which comes from a data set. The
    observation is the content of the messages that it returns; there are none at the
    end. Added to info on reset and step: ``success: bool``, whether the episode ended
    with a reward of at least 1; on step also SkyRL-gym's ``metadata``.

    An environment never resets its count of turns, so each episode is played in a copy.

    Args:
        env: The environment, as ``skyrl_gym.make`` returns it, before ``init``.
        prompt: The prompt that ``init`` is given, as a text of the user.

    Raises:
        TypeError: If ``prompt`` is not a str.
        ValueError: If ``prompt`` is empty.
    """

    def __init__(self, env: Any, prompt: str) -> None:
        check_type("prompt", prompt, str, "a str")
        if not prompt:
            raise ValueError(
                "prompt='' must be the question of the instance, which SkyRL-gym's "
                "environments do not store"
            )
        super().__init__()
        self._new_env = env
        self._env = env
        self._prompt = prompt

    def _begin(self, seed: int) -> tuple[str, dict[str, Any]]:
        self._env = copy.deepcopy(self._new_env)
        messages, _ = self._env.init([{"role": "user", "content": self._prompt}])
        return _contents(messages), {"success": False}

    def _play(self, action: str) -> Reply:
        result = self._env.step(action)
        reward, over = float(result["reward"]), bool(result["done"])
        info = {
            "success": over and reward >= 1.0,
            "metadata": dict(result.get("metadata") or {}),
        }
        return Reply(_contents(result["observations"]), reward, over, False, info)

    def close(self) -> None:
        """Close the environment."""
        self._env.close()


def _contents(messages: Sequence[Mapping[str, Any]]) -> str:
    return "\n\n".join(str(message["content"]) for message in messages)
