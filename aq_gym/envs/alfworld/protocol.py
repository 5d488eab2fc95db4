"""The protocols of ALFWorld: their texts, and how they read commands.

AgentBoard's protocol has its own subgoals, its own "look" and its own command for
putting things. It is written from AgentBoard's published environment and data card, and
compared with AgentBoard's code by ``benchmarks/judges/agentboard.py``. Its subgoals are
patterns that observations may match in any order, so just seeing the lamp counts.

AgentQuest's driver lists the valid commands in every observation. Its sentences are
read from the user's checkout; without a checkout our own are used.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Turn
from aq_gym.envs.alfworld import commands
from aq_gym.envs.alfworld.engine import Engine
from aq_gym.envs.alfworld.logic.house import CLEAN, COOL, HEAT, LOOK, PLACE, TWO, Goal
from aq_gym.envs.alfworld.text import NOTHING_HAPPENS, Words, instructions
from aq_gym.papers import agentboard
from aq_gym.papers.agentquest import words as words_of

CHECK = "check valid actions"
_COMMAND = re.compile(r"action:\s*(.+)")
_FORM = "Write a command in this form: Action: <command>"
# Sentences for AgentQuest's protocol without a checkout of its code.
_AGENTQUEST_WORDS = {
    "get_admissible_commands": (f"Commands:\n{{}}\n{_FORM}",),
    "step": ("You have solved it.\n{}",),
    "parse_agent_output": (f"That is not a command. {_FORM}",),
}
_SEEN = r"^(?=.* you see)(?=.*a {obj} \d+)"
_TAKEN = r"You pick up the {obj} \d+"
# The third pattern of each type of task; None for a type with two patterns.
_THIRD = {
    PLACE: None,
    LOOK: r"^(?=.* you see)(?=.*a {toggle})",
    CLEAN: r"You clean the {obj} \d+",
    HEAT: r"You heat the {obj} \d+ using the",
    COOL: r"You cool the {obj} \d+ using the",
    TWO: r"You put the {obj} \d+ in/on the {recep} \d+",
}
# AgentBoard's names of the types of task, in its prompts.
_EXAMPLES = {
    PLACE: "put",
    LOOK: "examine",
    CLEAN: "clean",
    HEAT: "heat",
    COOL: "cool",
    TWO: "puttwo",
}
_NUMBERED_LOCATION = "You arrive at loc "


class Command(NamedTuple):
    """A command that was read.

    Attributes:
        form: The command in the game's own form.
        written: The text that the agent wrote, which feedback quotes.
    """

    form: str
    written: str = ""


class AlfworldProtocol(Protocol[Engine, Command]):
    """The default protocol."""

    # "help" is left out, because it is a command of the game.
    help_actions: ClassVar[frozenset[str]] = frozenset(
        {CHECK, "check available actions"}
    )

    def words(self, words: Words) -> Words:
        """Return the phrases of a game in this protocol."""
        return words

    def difficulty(self, goal: Goal) -> str:
        """Return "easy" or "hard"."""
        return "easy" if goal.task_type in (PLACE, LOOK) else "hard"

    def opening(self, game: Engine, explained: bool) -> str:
        """Return the first observation, after the instructions if there are any."""
        if not explained:
            return game.opening()
        return f"{instructions(game.words)}\n{game.opening()}"

    def form(self, game: Engine, written: str) -> str:
        """Return a text as the command that is passed to the engine."""
        return commands.read(written, game.words)

    def read(self, game: Engine, text: str) -> Command | None:
        """Read a command, whether or not it is valid now."""
        form = self.form(game, text)
        known = commands.understands(form, game.words, game.house.receptacle_names)
        return Command(form, text) if known else None

    def write(self, game: Engine, action: Command) -> str:
        """Return the canonical form of a command."""
        return action.form

    def play(self, game: Engine, action: Command) -> Turn:
        """Carry out a command, or explain why it is not valid now."""
        answer = self.answer(game, action.form)
        if answer is None:
            return self.refuse(game, action.written)
        game.observe(answer)
        return Turn(self.observation(game, answer))

    def answer(self, game: Engine, form: str) -> str | None:
        """Carry out a command and return the answer; None if it is invalid."""
        answer = game.step(form)
        if answer is None:
            full = commands.completed(form, game.commands)
            answer = game.step(full) if full != form else None
        return answer

    def refuse(self, game: Engine, text: str) -> Turn:
        """Return the engine's answer to an invalid command, with an explanation."""
        why = commands.problem(game.house, game.words, text, game.commands)
        observation = self.observation(game, NOTHING_HAPPENS)
        return Turn(observation, action_valid=False, feedback=why)

    def observation(self, game: Engine, answer: str) -> str:
        """Return the observation for an answer of the engine."""
        return answer

    def help(self, game: Engine) -> str:
        """Return the answer to ``check valid actions``, in AgentBoard's words."""
        return _list(game.commands())

    def extra_info(self, game: Engine) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}


class AgentBoardProtocol(AlfworldProtocol):
    """AgentBoard's protocol."""

    def words(self, words: Words) -> Words:
        """Return a game's phrases, with the command "put" of older releases."""
        return replace(
            words,
            put="put {o} in/on {r}",
            put_answer="You put the {o.name} in/on the {r.name}.",
        )

    def difficulty(self, goal: Goal) -> str:
        """Return AgentBoard's difficulty: easy for placing one object, else hard."""
        return "easy" if goal.task_type == PLACE else "hard"

    def opening(self, game: Engine, explained: bool) -> str:
        """Return the first observation, which "look" repeats."""
        view = game.opening().split("\n\n")[1].split("\n")[0]
        game.record = game.record._replace(view=view)
        return super().opening(game, explained)

    def form(self, game: Engine, written: str) -> str:
        """Return the command that AgentBoard passes to the engine."""
        return agentboard_command(written)

    def answer(self, game: Engine, form: str) -> str | None:
        """Carry out a command and return the answer; None if it is invalid."""
        answer = game.step(form)
        if answer is None:
            return None
        if form == "look":
            answer = game.record.view
        elif "go to" in form or "open" in form:
            game.record = game.record._replace(view=answer)
        answer = shown(answer)
        _match(game, answer)
        return answer

    def help(self, game: Engine) -> str:
        """Return AgentBoard's list of the valid commands."""
        return _list((*game.commands(), CHECK))

    def extra_info(self, game: Engine) -> dict[str, Any]:
        """Return AgentBoard's progress, in which solving the task is a subgoal too."""
        count = len(patterns(game.house.goal)) + 1
        reward = 1.0 if game.solved() else len(game.record.matched) / count
        return {"agentboard_reward": reward}

    def prompt(self, game: Engine) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, or None without a checkout."""
        seen, _, task = game.opening().partition("\n\nYour task is to: ")
        return agentboard.prompt(
            "alfworld_base",
            task.strip(),
            [("Observation", seen.split("\n\n")[-1])],
            example=_EXAMPLES[game.house.goal.task_type],
            check=CHECK,
            inventory=True,
            history_text=agentboard_command,
        )


class AgentQuestProtocol(AlfworldProtocol):
    """AgentQuest's protocol, whose observations explain the actions."""

    help_actions: ClassVar[frozenset[str]] = frozenset()
    parses_free_text: ClassVar[bool] = True
    prefix: ClassVar[str] = "Action: "

    def __init__(self) -> None:
        self._words = words_of("alfworld", _AGENTQUEST_WORDS)

    def opening(self, game: Engine, explained: bool) -> str:
        """Return the first observation, with the valid commands."""
        return self.observation(game, game.opening())

    def form(self, game: Engine, written: str) -> str:
        """Return the command that AgentQuest passes to the engine, or ""."""
        match = _COMMAND.search(written.lower())
        return match[1] if match else ""

    def write(self, game: Engine, action: Command) -> str:
        """Return a command as an action."""
        return self.prefix + action.form

    def answer(self, game: Engine, form: str) -> str | None:
        """Carry out a command and return the answer; None if it is invalid."""
        return game.step(form)

    def refuse(self, game: Engine, text: str) -> Turn:
        """Explain the form of an action, or why a command is invalid."""
        if self.form(game, text):
            return super().refuse(game, text)
        return Turn.invalid(self._words["parse_agent_output"][0].fill())

    def observation(self, game: Engine, answer: str) -> str:
        """Return an answer with the valid commands, or with news of success."""
        if game.solved():
            return self._words["step"][0].fill(answer)
        listed = self._words["get_admissible_commands"][0]
        return f"{answer}\n{listed.fill(list(game.commands()))}"


def patterns(goal: Goal) -> tuple[str, ...]:
    """Return AgentBoard's subgoals for a goal, as regular expressions."""
    third = _THIRD[goal.task_type]
    forms = (_SEEN, _TAKEN) if third is None else (_SEEN, _TAKEN, third)
    return tuple(
        form.replace("{obj}", goal.target)
        .replace("{toggle}", goal.toggle)
        .replace("{recep}", goal.receptacle)
        for form in forms
    )


def agentboard_command(action: str) -> str:
    """Return the command that AgentBoard passes to the engine."""
    action = action.strip()
    if "put" in action:
        if " in " in action:
            action = action.replace(" in ", " in/on ")
        elif " on " in action:
            action = action.replace(" on ", " in/on ")
    return action[:-1].strip() if action.endswith(".") else action


def shown(answer: str) -> str:
    """Return the part of an engine's answer that AgentBoard shows."""
    if answer.startswith(_NUMBERED_LOCATION):
        return answer[answer.find(". ") + 2 :]
    return answer


def _match(game: Engine, observation: str) -> None:
    """Record the patterns that an observation matches."""
    found = set(game.record.matched)
    for position, pattern in enumerate(_compiled(patterns(game.house.goal))):
        if pattern.search(observation):
            found.add(position)
    game.record = game.record._replace(matched=tuple(sorted(found)))


def _list(commands: tuple[str, ...]) -> str:
    return f"Choose an action from these valid actions: {', '.join(commands)}"


@lru_cache(maxsize=256)
def _compiled(forms: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, forms))
