"""``aq-gym play``."""

from __future__ import annotations

import argparse
import copy
import secrets
import sys
from collections import deque
from functools import partial
from typing import Any

import gymnasium as gym

from aq_gym.agents import HumanAgent, load
from aq_gym.agents.view import Seated, seat
from aq_gym.cli.options import (
    add_agent_options,
    add_env,
    agent_name,
    agent_params,
    natural,
    selected_env,
)
from aq_gym.cli.output import Screen, make_console
from aq_gym.cli.terminal import MENU, in_characters, line_editor
from aq_gym.cli.user_errors import UserError, user_errors
from aq_gym.core.text import plural
from aq_gym.evaluation.play import play_seated
from aq_gym.evaluation.task import wrap_env
from aq_gym.models.endpoint import EndpointError

_MOST_UNDONE = 100
_LONGEST_ANSWER = 500
# The lines of a prompt, with those around the picture.
_PROMPT = 3 + MENU
# Above the first, two lines say what can be typed.
_FIRST_PROMPT = _PROMPT + 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_env(parser)
    parser.add_argument(
        "--agent",
        type=agent_name,
        default="human",
        help="human, random, expert, llm, replay:FILE or module:Class (default: human)",
    )
    add_agent_options(parser)
    parser.add_argument(
        "--seed",
        type=natural,
        help="the seed of the episode (default: a random one, printed at the end)",
    )
    parser.add_argument("--out", metavar="DIR", help="the folder for the trajectory")
    parser.add_argument(
        "--hide-progress",
        action="store_true",
        help="hide the subgoals, which agents do not see either",
    )
    parser.add_argument(
        "--no-pictures",
        action="store_true",
        help="draw no pictures in a terminal with colours",
    )


def command(options: argparse.Namespace) -> int:
    """Play one episode."""
    seed = secrets.randbelow(10_000) if options.seed is None else options.seed
    with user_errors():
        narrator, seated = _make(options)
    why = ""
    try:
        play_seated(narrator, seated, seed)
    except EOFError as error:
        why = str(error)
    except KeyboardInterrupt:
        why = "interrupted"
    except EndpointError as error:
        raise UserError(str(error)) from error
    finally:
        narrator.close()
    Screen(sys.stdout).write(f"{narrator.summary(why)} (seed {seed})\n")
    if options.agent == "human":
        sys.stdout.write(narrator.answer())
    return 0


def _make(options: argparse.Namespace) -> tuple[Narrator, Seated]:
    """Return the environment and the agent."""
    screen, human = Screen(sys.stdout), options.agent == "human"
    params = {} if human else agent_params(options)
    make_agent = load(options.agent, params)
    env_id, kwargs = selected_env(options)
    env = wrap_env(
        gym.make(env_id, **kwargs),
        options.out,
        agent=options.agent,
        extract=not human,
    )
    # The human agent shows observations itself.
    pictures = not options.no_pictures
    narrator = Narrator(env, screen, aloud=not human, pictures=pictures)
    if not human:
        return narrator, seat(narrator, make_agent)
    typed = sys.stdin.isatty() and sys.stdout.isatty()
    make_human = partial(
        HumanAgent,
        stdout=screen,
        hide_progress=options.hide_progress,
        read=line_editor(narrator) if typed else None,
        look=narrator.look,
    )
    return narrator, seat(narrator, make_human)


class Narrator(gym.Wrapper[Any, Any, Any, Any]):
    """Prints an episode step by step, and its result.

    Args:
        env: The environment.
        out: The screen.
        aloud: Whether to print every step, not only the last; without it, steps can be
            taken back.
        pictures: Whether to draw the state after each observation, if the output is a
            terminal with colours.
    """

    def __init__(
        self, env: gym.Env[Any, Any], out: Screen, aloud: bool, pictures: bool = False
    ) -> None:
        super().__init__(env)
        self._console = make_console()
        self._pictures = pictures and self._console.color_system is not None
        self._before: deque[tuple[gym.Env[Any, Any], Any, dict[str, Any]]]
        self._before = deque(maxlen=_MOST_UNDONE)
        self._out = out
        self._aloud = aloud
        self._steps = 0
        self._end = ""
        self._observation: Any = ""
        self._info: dict[str, Any] = {}

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        """Reset the environment and print the first observation."""
        self._observation, self._info = self.env.reset(**arguments)
        self._before.clear()
        if self._aloud:
            self.look()
        self._print(f"{self._observation}\n")
        return self._observation, self._info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Step the environment and print the action and the observation."""
        self._print(f"\n> {action}\n")
        if not self._aloud:
            before = copy.deepcopy(self.env), self._observation, self._info
            self._before.append(before)
        result = self.env.step(action)
        self._steps += 1
        self._observation, self._info = result[0], result[4]
        over = result[2] or result[3]
        if over:
            self._end = "the game is over" if result[2] else "the step cap was reached"
        if over or self._aloud:
            self.look()
            self._out.write(f"{self._observation}\n")
            feedback = self._info.get("feedback", "")
            if feedback not in str(self._observation):
                self._out.write(f"({feedback})\n")
        return result

    def undo(self) -> tuple[Any, dict[str, Any]] | None:
        """Undo the last step, and return the observation and info before it.

        A trajectory that is being written ends there; the new one names it as its
        parent.

        Returns:
            The observation and info; None if there is no step to take back.
        """
        if not self._before:
            return None
        self.env.close()
        self.env, self._observation, self._info = self._before.pop()
        self._steps -= 1
        return self._observation, self._info

    def look(self) -> None:
        """Draw the state, if pictures are wanted and there is one.

        It leaves room for the observation, which is shown below it, and for completions
        unless it is too low for its own texts then. If it still is there is no picture.
        """
        if not self._pictures or not self.env.has_wrapper_attr("drawing"):
            return
        drawing = self.env.get_wrapper_attr("drawing")()
        if drawing is not None:
            width, height = self._console.size
            told, feedback = str(self._observation), self._info.get("feedback", "")
            text = told if feedback in told else f"{told}\n({feedback})"
            lines = sum(1 + len(line) // width for line in text.split("\n"))
            rows = height - lines - (_PROMPT if self._steps else _FIRST_PROMPT)
            pictures = (
                in_characters(drawing, width, most)
                for most in (rows, rows + MENU)
                if most > 0
            )
            if picture := next(filter(None, pictures), None):
                self._console.print(picture)

    def answer(self) -> str:
        """Return what the environment kept secret, for a person who did not find it."""
        if self._info.get("success") or not self.env.has_wrapper_attr("solution"):
            return ""
        answer = self.env.get_wrapper_attr("solution")()[:_LONGEST_ANSWER]
        return f"answer: {answer}\n" if answer else ""

    def summary(self, why: str = "") -> str:
        """Return the result of the episode as text."""
        info = self._info
        outcome, reason = "solved", ""
        if not info.get("success"):
            outcome, reason = "not solved", f", {why or self._end}"
        return (
            f"\n{outcome} after {plural(self._steps, 'step')}{reason}: "
            f"progress rate {info.get('best_progress', 0.0):.2f}, "
            f"repetition rate {info.get('repetition_rate', 0.0):.2f}"
        )

    def _print(self, text: str) -> None:
        if self._aloud:
            self._out.write(text)
