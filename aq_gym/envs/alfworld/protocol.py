"""The default protocol, and those of papers where they differ.

AgentBoard's protocol has its own subgoals, "look", and command for putting things. It
is written from AgentBoard's published environment and its data card, and compared with
its code by ``benchmarks/alfworld_agentboard.py``. Its subgoals are patterns that any
observation may match, in any order: seeing the lamp counts.

AgentQuest's driver lists the valid commands in every observation. Its sentences are
read from the user's checkout; without one they are ours.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.envs.alfworld import actions
from aq_gym.envs.alfworld.engine import Engine
from aq_gym.envs.alfworld.logic.goal import CLEAN, COOL, HEAT, LOOK, PLACE, TWO, Goal
from aq_gym.envs.alfworld.text import Words
from aq_gym.papers import agentboard
from aq_gym.papers.agentquest import words as words_of

CHECK = "check valid actions"
_COMMAND = re.compile(r"action:\s*(.+)")
_FORM = "Write a command in this form: Action: <command>"
_OURS = {
    "get_admissible_commands": (f"Commands:\n{{}}\n{_FORM}",),
    "step": ("You have solved it.\n{}",),
    "parse_agent_output": (f"That is not a command. {_FORM}",),
}
_SEEN = r"^(?=.* you see)(?=.*a {obj} \d+)"
_TAKEN = r"You pick up the {obj} \d+"
# The third pattern, where there is one.
_THIRD = {
    PLACE: None,
    LOOK: r"^(?=.* you see)(?=.*a {toggle})",
    CLEAN: r"You clean the {obj} \d+",
    HEAT: r"You heat the {obj} \d+ using the",
    COOL: r"You cool the {obj} \d+ using the",
    TWO: r"You put the {obj} \d+ in/on the {recep} \d+",
}
# AgentBoard's names of the kinds of tasks, in their prompts.
_EXAMPLES = {
    PLACE: "put",
    LOOK: "examine",
    CLEAN: "clean",
    HEAT: "heat",
    COOL: "cool",
    TWO: "puttwo",
}
_NUMBERED_LOCATION = "You arrive at loc "


class Scores(NamedTuple):
    """A paper's record of an episode.

    Attributes:
        matched: The positions of the patterns that were matched, ascending.
        view: The last answer to "go to" or "open", which "look" repeats.
    """

    matched: tuple[int, ...] = ()
    view: str = ""


class Protocol:
    """The default protocol.

    Attributes:
        scores: A paper's memory of the episode, which the default leaves empty.
        own: Whether its texts explain the actions themselves.
    """

    own = False

    def __init__(self) -> None:
        self.scores = Scores()

    def words(self, words: Words) -> Words:
        """Return the phrases of a game in this protocol."""
        return words

    def begin(self, opening: str) -> None:
        """Begin an episode.

        Args:
            opening: The engine's first output.
        """

    def difficulty(self, goal: Goal) -> str:
        """Return "easy" or "hard"."""
        return "easy" if goal.task_type in (PLACE, LOOK) else "hard"

    def read(self, action: str, words: Words) -> str:
        """Return the engine's command for a text."""
        return actions.read(action, words)

    def answer(self, engine: Engine, action: str) -> str | None:
        """Carry out an action and return the answer; None for an invalid one."""
        command = self.read(action, engine.words)
        answer = engine.step(command)
        if answer is None:
            full = actions.completed(command, engine.commands)
            answer = engine.step(full) if full != command else None
        return answer

    def write(self, command: str) -> str:
        """Return a command as an action."""
        return command

    def refusal(self, action: str) -> str:
        """Return why a text is not a command; "" if the engine reports that."""
        return ""

    def said(self, engine: Engine, answer: str) -> str:
        """Return the observation with an answer of the engine."""
        return answer

    def help(self, commands: tuple[str, ...]) -> str:
        """Return the answer to ``check valid actions``, in AgentBoard's words."""
        return f"Choose an action from these valid actions: {', '.join(commands)}"

    def extra_info(self, engine: Engine) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}

    def published_prompt(self, engine: Engine) -> PublishedPrompt | None:
        """Return the prompt of the paper's agent, None without one."""
        return None


class AgentBoardProtocol(Protocol):
    """AgentBoard's protocol."""

    def words(self, words: Words) -> Words:
        """Return a game's phrases with the release's command for putting things."""
        return _with_put(words)

    def begin(self, opening: str) -> None:
        """Begin an episode; see :meth:`Protocol.begin`."""
        self.scores = Scores((), opening.split("\n\n")[1].split("\n")[0])

    def difficulty(self, goal: Goal) -> str:
        """Return AgentBoard's label: easy for placing one object, else hard."""
        return "easy" if goal.task_type == PLACE else "hard"

    def read(self, action: str, words: Words) -> str:
        """Return the command that AgentBoard passes to the engine."""
        return read(action)

    def answer(self, engine: Engine, action: str) -> str | None:
        """Carry out an action and return the answer; None for an invalid one."""
        command = read(action)
        answer = engine.step(command)
        if answer is None:
            return None
        if command == "look":
            answer = self.scores.view
        self.scores = _update(engine.house.goal, self.scores, command, answer)
        return shown(answer)

    def help(self, commands: tuple[str, ...]) -> str:
        """Return AgentBoard's list of the valid commands."""
        return super().help((*commands, CHECK))

    def extra_info(self, engine: Engine) -> dict[str, Any]:
        """Return AgentBoard's progress: solving the task is one more subgoal."""
        count = len(patterns(engine.house.goal)) + 1
        reward = 1.0 if engine.solved() else len(self.scores.matched) / count
        return {"agentboard_reward": reward}

    def published_prompt(self, engine: Engine) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, None if its checkout is not there."""
        seen, _, task = engine.opening().partition("\n\nYour task is to: ")
        return agentboard.prompt(
            "alfworld_base",
            task.strip(),
            [("Observation", seen.split("\n\n")[-1])],
            example=_EXAMPLES[engine.house.goal.task_type],
            check=CHECK,
            inventory=True,
            said=read,
        )


class AgentQuestProtocol(Protocol):
    """AgentQuest's protocol."""

    own = True

    def __init__(self) -> None:
        super().__init__()
        self._words = words_of("alfworld", _OURS)

    def read(self, action: str, words: Words) -> str:
        """Return the command that AgentQuest passes to the engine, "" without one."""
        match = _COMMAND.search(action.lower())
        return match[1] if match else ""

    def answer(self, engine: Engine, action: str) -> str | None:
        """Carry out an action and return the answer; None for an invalid one."""
        return engine.step(self.read(action, engine.words))

    def write(self, command: str) -> str:
        """Return a command as an action."""
        return f"Action: {command}"

    def refusal(self, action: str) -> str:
        """Return why a text is not a command."""
        known = _COMMAND.search(action.lower())
        return "" if known else self._words["parse_agent_output"][0].fill()

    def said(self, engine: Engine, answer: str) -> str:
        """Return an answer with the valid commands, or that the task is solved."""
        if engine.solved():
            return self._words["step"][0].fill(answer)
        listed = self._words["get_admissible_commands"][0]
        return f"{answer}\n{listed.fill(list(engine.commands()))}"


def _with_put(words: Words) -> Words:
    return replace(
        words,
        put="put {o} in/on {r}",
        put_answer="You put the {o.name} in/on the {r.name}.",
    )


def patterns(goal: Goal) -> tuple[str, ...]:
    """Return AgentBoard's subgoals of a goal, as regular expressions."""
    third = _THIRD[goal.task_type]
    forms = (_SEEN, _TAKEN) if third is None else (_SEEN, _TAKEN, third)
    return tuple(
        form.replace("{obj}", goal.target)
        .replace("{toggle}", goal.toggle)
        .replace("{recep}", goal.receptacle)
        for form in forms
    )


def read(action: str) -> str:
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


def _update(goal: Goal, scores: Scores, command: str, answer: str) -> Scores:
    """Return the scores after a command and the answer to it."""
    view = scores.view
    if ("go to" in command or "open" in command) and "Nothing happens" not in answer:
        view = answer
    observation = shown(answer)
    found = set(scores.matched)
    for position, pattern in enumerate(_compiled(patterns(goal))):
        if pattern.search(observation):
            found.add(position)
    return Scores(tuple(sorted(found)), view)


@lru_cache(maxsize=256)
def _compiled(forms: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, forms))


PROTOCOLS = {
    "aq": Protocol,
    "agentboard": AgentBoardProtocol,
    "agentquest": AgentQuestProtocol,
}
