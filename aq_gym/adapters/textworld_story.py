"""Z-code stories of TextWorld on the Z-machine of this package; imports TextWorld."""

from __future__ import annotations

from functools import partial
from typing import Any

from textworld import EnvInfos, Environment, GameState
from textworld.envs import TWInform7
from textworld.envs.wrappers import Limit

from aq_gym.zmachine import Answer, Interpreter, Status

# TextWorld's own limit.
_USUAL_CAP = 50


def story_arguments(
    path: str, infos: EnvInfos, arguments: dict[str, Any]
) -> dict[str, Any]:
    """Return arguments for ``textworld.gym.register_game`` with our interpreter.

    Args:
        path: The story file, beside which TextWorld has written a JSON file.
        infos: The values requested of TextWorld.
        arguments: The user's arguments.

    Raises:
        ValueError: If the story was not made by TextWorld.
    """
    if not TWInform7.compatible(path):
        raise ValueError(
            f"env={'textworld:' + path!r}: not a .z8 file with TextWorld's .json file "
            f"beside it; play it with gymnasium.make('aq/Jericho-v0', game={path!r})"
        )
    cap = arguments.get("max_episode_steps", _USUAL_CAP)
    limit = [partial(Limit, max_episode_steps=cap)] if cap else []
    wrappers = [partial(_replace, infos), *limit, *arguments.get("wrappers", ())]
    return {**arguments, "max_episode_steps": None, "wrappers": wrappers}


def _replace(infos: EnvInfos, env: Environment) -> Environment:
    """Return an environment that reads the same stories as ``env``."""
    return _Inform7(_Story(infos))


# TextWorld has no type annotations.
class _Inform7(TWInform7):  # type: ignore[misc]
    """TextWorld's reader of a story's text; it also notices a story that has stopped.

    A story that stops because the agent's command quits or breaks it counts as lost,
    with its score. If it were an error, an agent could remove an episode that it is
    losing.
    """

    def step(self, command: str) -> tuple[GameState, float, bool]:
        """Type a command."""
        state, score, done = super().step(command)
        if self.unwrapped.halted:
            state["lost"] = not state["won"]
        return state, score, done or self.unwrapped.halted


class _Story(Environment):  # type: ignore[misc]
    """A story on our Z-machine, which treats a backslash like any other character."""

    def __init__(self, infos: EnvInfos) -> None:
        super().__init__(infos)
        self.halted = False
        self._interpreter: Interpreter | None = None

    def load(self, path: str) -> None:
        """Read a story file."""
        self.close()
        with open(path, "rb") as file:
            # Without undo, as in Frotz: TextWorld would not notice an undo.
            self._interpreter = Interpreter(file.read(), undo=False)

    def reset(self) -> GameState:
        """Start the story from its beginning."""
        answer = self._machine().start()
        if answer.status is Status.FAILED:
            raise RuntimeError(answer.error)
        return self._state(None, answer)

    def step(self, command: str) -> tuple[GameState, None, bool]:
        """Type a line, or press a key where the story waits for one."""
        state = self._state(command, self._machine().step(command))
        return state, None, self.halted

    def _send(self, command: str) -> str:
        return self._machine().step(command).text

    def _machine(self) -> Interpreter:
        if self._interpreter is None:
            raise RuntimeError("no story is loaded")
        return self._interpreter

    def _state(self, command: str | None, answer: Answer) -> GameState:
        self.halted = answer.status in (Status.HALTED, Status.FAILED)
        text = answer.text
        if answer.status is Status.FAILED:
            text = f"{text}\nThe game broke: {answer.error}."
        self.state = GameState(raw=text, feedback=text, last_command=command)
        return self.state

    def close(self) -> None:
        """Release the interpreter."""
        if self._interpreter is not None:
            self._interpreter.close()
        self._interpreter = None
