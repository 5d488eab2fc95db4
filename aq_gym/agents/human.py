"""The agent that reads actions from a terminal."""

from __future__ import annotations

import sys
from typing import Any, Protocol, TextIO

import gymnasium as gym

from aq_gym.agents.agent import check_text_actions

__all__ = ["HumanAgent"]


class Output(Protocol):
    """A stream for text."""

    def write(self, text: str, /) -> object:
        """Write a text."""

    def flush(self) -> None:
        """Flush the stream."""


class HumanAgent:
    """Shows observations and progress, and reads one action per line.

    Args:
        env: The environment.
        stdin: The stream of lines; by default ``sys.stdin``.
        stdout: The stream for text; by default ``sys.stdout``.

    Raises:
        ValueError: If the environment's actions are numbers.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        stdin: TextIO | None = None,
        stdout: Output | None = None,
    ) -> None:
        check_text_actions(env)
        self._in = stdin or sys.stdin
        self._out: Output = stdout or sys.stdout

    def reset(self, observation: str, info: dict[str, Any]) -> None:
        """Begin an episode."""
        self._out.write('Type an action, or "check valid actions". Ctrl-D leaves.\n')

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Show the observation and read a line.

        Raises:
            EOFError: At the end of the input.
        """
        progress = f"[progress {info['progress']:.0%}] " if "progress" in info else ""
        self._out.write(f"\n{observation}\n")
        feedback = info.get("feedback", "")
        if feedback not in observation:
            self._out.write(f"({feedback})\n")
        self._out.write(f"{progress}> ")
        self._out.flush()
        line = self._in.readline()
        if not line:
            raise EOFError("the player left")
        return line.rstrip("\n")
