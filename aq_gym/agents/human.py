"""The agent that reads actions from a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Protocol, TextIO

import gymnasium as gym

from aq_gym.agents.agent import check_text_actions
from aq_gym.core.text import plural
from aq_gym.core.text_env import TextEnv

_COMMANDS = (
    'Type an action, or "check valid actions", which takes a step; :quit leaves, :undo '
    "takes the last action back.\n"
)
# Words that some games know as actions.
_LEAVING = ("quit", "exit")


class Output(Protocol):
    """A stream for text."""

    def write(self, text: str, /) -> object:
        """Write a text."""

    def flush(self) -> None:
        """Flush the stream."""


class HumanAgent:
    """Shows observations and progress, and reads one action per line.

    The line ``:quit`` leaves, like the end of the input. ``:undo`` takes back the last
    action, if the environment has a method ``undo``, which returns the observation and
    info before that action, or None if there is none. ``help`` tells of them without a
    step, if the environment is a :class:`aq_gym.core.TextEnv`; so do ``quit`` and
    ``exit``, which are actions when typed twice.

    Args:
        env: The environment.
        stdin: The stream of lines; by default ``sys.stdin``.
        stdout: The stream for text; by default ``sys.stdout``.
        hide_progress: Whether to show only the number of the step, because agents see
            no more.
        read: Shows a prompt and returns a line, in place of the streams.
        look: Shows the picture of the state, above each observation.

    Raises:
        ValueError: If the environment's actions are numbers.
    """

    # A person sees the progress, and may take actions back.
    privileged = True

    def __init__(
        self,
        env: gym.Env[Any, Any],
        stdin: TextIO | None = None,
        stdout: Output | None = None,
        hide_progress: bool = False,
        read: Callable[[str], str] | None = None,
        look: Callable[[], None] | None = None,
    ) -> None:
        check_text_actions(env)
        self._env = env
        self._in = stdin or sys.stdin
        self._out: Output = stdout or sys.stdout
        self._hide_progress = hide_progress
        self._ask = read or self._read
        self._look = look
        self._cap = getattr(env.spec, "max_episode_steps", None)
        self._steps = 0
        # There "help" is the same as "check valid actions".
        self._ours = isinstance(env.unwrapped, TextEnv)

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        self._steps = 0
        self._out.write(_COMMANDS)

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Show the observation and read a line.

        Raises:
            EOFError: At the end of the input, and after ``:quit``.
        """
        self._show(observation, info)
        asked = ""
        while True:
            line = self._ask(self._prompt(info))
            command = line.strip().lower()
            if command == ":quit":
                raise EOFError("you left")
            if command == ":undo":
                info = self._undo(info)
            elif command.startswith(":") or (command == "help" and self._ours):
                self._out.write(_COMMANDS)
            elif command in _LEAVING and command != asked:
                asked = command
                self._out.write(f":quit leaves; {command} once more is an action.\n")
            else:
                self._steps += 1
                return line

    def _show(self, observation: str, info: dict[str, Any]) -> None:
        self._out.write("\n")
        if self._look is not None:
            self._look()
        self._out.write(f"{observation}\n")
        feedback = info.get("feedback", "")
        if feedback not in observation:
            self._out.write(f"({feedback})\n")

    def _prompt(self, info: dict[str, Any]) -> str:
        cap = f" of {self._cap}" if self._cap else ""
        parts = [f"step {self._steps}{cap}"]
        subgoals = info.get("subgoals")
        if subgoals and not self._hide_progress:
            done = f"{sum(subgoals.values())} of {plural(len(subgoals), 'subgoal')}"
            parts.append(done)
        return f"{' · '.join(parts)} > "

    def _undo(self, info: dict[str, Any]) -> dict[str, Any]:
        """Undo one action, and return the info before it."""
        before = None
        if self._env.has_wrapper_attr("undo"):
            before = self._env.get_wrapper_attr("undo")()
        if before is None:
            self._out.write("there is no action to take back\n")
            return info
        self._steps -= 1
        observation, info = before
        self._show(observation, info)
        return info

    def _read(self, prompt: str) -> str:
        self._out.write(prompt)
        self._out.flush()
        line = self._in.readline()
        if not line:
            raise EOFError("the input ended")
        return line.rstrip("\n")
