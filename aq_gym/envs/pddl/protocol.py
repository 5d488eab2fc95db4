"""AgentBoard's protocol: its wording, its reading of actions and its reward.

Written from the behaviour of AgentBoard's published environment and compared with it by
``benchmarks/pddl_agentboard.py``. Where it lists actions or facts in the order of
Python's hashes, which differs from process to process, they are sorted here.
"""

from __future__ import annotations

import json
import re
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from aq_gym.envs.pddl.logic import Task
from aq_gym.envs.pddl.logic.language import Atom

__all__ = ["AgentBoard", "Answer", "label_of"]

# Their observations say what is new; the others' say everything.
_NEW_FACTS_ONLY = frozenset({"barman", "tyreworld"})
_LOOK, _CHECK = "look around", "check valid actions"
_NO_EFFECT = "The action is not valid and therefore takes no effect. "
_UNREAD = f"{_NO_EFFECT}Please check valid actions."
_NOT_NOW = (
    f"{_NO_EFFECT}Please remember to satisfy the restriction of actions. "
    "You can also check valid actions."
)
_SATISFIED = " The goal is satisfied."
_TOKEN = re.compile(r"[a-z0-9_]+(?:-[a-z0-9_]+)*")


class Answer(NamedTuple):
    """The result of an action.

    Attributes:
        observation: The text.
        valid: Whether AgentBoard counts the action as valid.
        state: The next state.
        reward: AgentBoard's reward so far.
        action: The position of the action that was carried out, None for none.
    """

    observation: str
    valid: bool
    state: int
    reward: float
    action: int | None = None


class AgentBoard:
    """AgentBoard's environment of one task.

    Args:
        task: The task.
        domain: The name of its domain in AgentBoard: "barman", "blockworld",
            "gripper" or "tyreworld".
    """

    def __init__(self, task: Task, domain: str) -> None:
        self._task = task
        self._new_facts_only = domain in _NEW_FACTS_ONLY

    @property
    def goal(self) -> str:
        """The goal in one sentence."""
        conditions = sorted(
            _sentence(part.formula.predicate, part.formula.bind(part.binding).terms)
            for part in self._task.goals
            if isinstance(part.formula, Atom)
        )
        return "The goal is to satisfy the following conditions: " + ", ".join(
            conditions
        )

    def facts(self, state: int) -> list[str]:
        """Return the sentences of all facts, sorted."""
        return sorted([*self._static, *self._fluent(state)])

    def opening(self, state: int) -> str:
        """Return the first observation."""
        return " ".join(self.facts(state))

    def valid_actions(self, state: int) -> list[str]:
        """Return the texts of the valid actions, sorted, and those that always are."""
        names = (self._task.actions[i].name for i in self._task.valid(state))
        texts = sorted(map(self.text_of, names))
        return [*texts, _CHECK, *([_LOOK] if self._new_facts_only else [])]

    def text_of(self, name: str) -> str:
        """Return AgentBoard's text of an action, given by its canonical name."""
        schema, *args = name.split(" ")
        return _sentence(schema, tuple(args))

    def matching(self, state: int) -> float:
        """Return the share of goal conditions that hold."""
        goals = self._task.goals
        return sum(goal.condition.holds(state) for goal in goals) / len(goals)

    def understands(self, action: str) -> bool:
        """Return whether a text is an action of the task, in some state."""
        text = action.lower()
        if "check" in text or _LOOK in text:
            return True
        return action.strip() in self._texts

    def play(self, state: int, reward: float, action: str) -> Answer:
        """Return the result of an action.

        Args:
            state: The state before it.
            reward: The reward before it.
            action: Any text.
        """
        text = action.lower()
        if "check" in text:
            listed = ", ".join(self.valid_actions(state))
            return Answer(f"Valid actions are: {listed}", True, state, reward)
        if _LOOK in text:
            return Answer(" ".join(self.facts(state)), True, state, reward)
        name = self._read(state, text)
        if name is None:
            return Answer(_UNREAD, False, state, reward)
        index = self._task.index.get(name)
        if index is None or not self._task.applicable(state, index):
            return Answer(_NOT_NOW, False, state, reward)
        after = self._task.step(state, index)
        if after == state:
            return Answer(_NOT_NOW, False, state, reward)
        shown = self.facts(after)
        if self._new_facts_only:
            shown = sorted(set(shown) - set(self.facts(state)))
        observation = " ".join(shown)
        if self._task.solved(after):
            observation += _SATISFIED
        reward = max(reward, self.matching(after))
        return Answer(observation, True, after, reward, index)

    def _read(self, state: int, text: str) -> str | None:
        """Return the name of the action that a text mentions.

        The first word that names an action valid now decides which one; its objects
        are the first that are mentioned, wherever they stand.
        """
        words = _TOKEN.findall(text)
        actions = self._task.actions
        valid = {actions[i].schema for i in self._task.valid(state)}
        schema = next((word for word in words if word in valid), None)
        if schema is None:
            return None
        objects = [word for word in words if word in self._task.problem.objects]
        arity = len(self._task.domain.schemas[schema].parameters)
        return " ".join((schema, *objects[:arity])) if len(objects) >= arity else None

    @cached_property
    def _static(self) -> list[str]:
        return [_fact(atom) for atom in self._task.static]

    def _fluent(self, state: int) -> list[str]:
        return [_fact(self._task.atoms[fact]) for fact in self._task.facts(state)]

    @cached_property
    def _texts(self) -> frozenset[str]:
        texts = (self.text_of(action.name) for action in self._task.actions)
        return frozenset(text.strip() for text in texts)


def _fact(atom: Atom) -> str:
    return _sentence(atom.predicate, atom.terms).capitalize()


def _sentence(name: str, terms: tuple[str, ...]) -> str:
    form = _sentences().get(name)
    # AgentBoard's own spelling of what it has no sentence for.
    return form.format(*terms) if form else f"{name} {' '.join(terms)}"


def label_of(task_id: str) -> str | None:
    """Return AgentBoard's label of one of its problems, None for any other.

    Args:
        task_id: As ``agentboard:gripper:prob01``.
    """
    prefix, _, problem = task_id.partition(":")
    domain, _, name = problem.partition(":")
    hard = _data()["hard"]
    if prefix != "agentboard" or domain not in hard:
        return None
    return "hard" if name in hard[domain].split() else "easy"


def _sentences() -> dict[str, str]:
    sentences: dict[str, str] = _data()["sentences"]
    return sentences


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    text = (files("aq_gym.envs.pddl") / "agentboard.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
