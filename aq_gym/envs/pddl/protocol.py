"""The protocols: ours, and AgentBoard's with its wording, reading and reward.

AgentBoard's is written from the behaviour of its published environment and compared
with it by ``benchmarks/pddl_agentboard.py``. Where it lists actions or facts in the
order of Python's hashes, which differs from process to process, they are sorted here.
"""

from __future__ import annotations

import json
import re
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import accumulate, takewhile
from typing import Any, NamedTuple

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.core.text import normalize
from aq_gym.envs.pddl.actions import Grammar
from aq_gym.envs.pddl.instance import Instance
from aq_gym.envs.pddl.logic import Task
from aq_gym.envs.pddl.logic.language import Atom
from aq_gym.envs.pddl.text import Prose
from aq_gym.papers import agentboard

CHECK = "check valid actions"
_LOOK = "look around"
_LOOKS = frozenset({"look", _LOOK})
_LONGEST_LIST = 90_000

# Their observations say what is new; the others' say everything.
_NEW_FACTS_ONLY = frozenset({"barman", "tyreworld"})
# The domains, by AgentBoard's names, that its prompts are for.
_PROMPTED = frozenset({"barman", "blockworld", "gripper", "tyreworld"})
_NO_EFFECT = "The action is not valid and therefore takes no effect. "
_UNREAD = f"{_NO_EFFECT}Please check valid actions."
_NOT_NOW = (
    f"{_NO_EFFECT}Please remember to satisfy the restriction of actions. "
    "You can also check valid actions."
)
_SATISFIED = " The goal is satisfied."
# A word as nltk's tokenizer separates it: "b3" in "b3, b3. (b3)", but not in "b3.," or
# "b3/b4". A stop is separated at the end of a sentence, and with more kinds of quotes
# and brackets after it at the end of the text.
_BREAK = r"""\s,:;@#$%&?!*()\[\]{}<>"`\u00ab\u00bb\u201c\u201d\u2018\u2019\u201e"""
_STOP = r"""\.(?!\.)(?!\s+"["')\]}]*(?:\s|$))(?:$|\s|[)";}\]*:@'({\[!?])"""
_LAST_STOP = r"""\.[>\u00bb\u201d\u2019][\])}>"'\u00bb\u201d\u2019 ]*\s*$"""
_TOKEN = re.compile(
    rf"(?:(?<![^{_BREAK}])|(?<=--)|(?<=\.\.)|(?<=(?<!\w)'))"
    r"[a-z0-9_]+(?:-[a-z0-9_]+)*"
    rf"(?=$|[{_BREAK}]|--|\.\.|'[smd]?(?:$|[{_BREAK}]|--|\.)|{_STOP}|{_LAST_STOP})"
)


class Answer(NamedTuple):
    """The result of an action.

    Attributes:
        turn: What the agent reads, and whether the action is valid.
        action: The position of the action that was carried out, None for none.
        state: The next state, if one was.
        reward: AgentBoard's reward so far, in its protocol.
    """

    turn: Turn
    action: int | None = None
    state: int = 0
    reward: float = 0.0


class Protocol:
    """The default protocol, for one task.

    Args:
        task: The task.
        instance: The instance that the task belongs to.

    Attributes:
        prose: The sentences of the task.
        difficulty: The difficulty of the instance.
    """

    def __init__(self, task: Task, instance: Instance) -> None:
        self._task = task
        self._grammar = Grammar(task, instance.words)
        self.prose = Prose(task, instance.words)
        self.difficulty = instance.difficulty

    @property
    def goal(self) -> str:
        """The goal in one sentence."""
        return self.prose.goal

    def opening(self, state: int, instructions: bool) -> str:
        """Return the first observation."""
        return self.prose.opening(state, instructions)

    def text_of(self, name: str) -> str:
        """Return the text of an action, given by its canonical name."""
        return name

    def valid(self, state: int) -> list[int]:
        """Return the positions of the valid actions."""
        return self._task.valid(state)

    def help(self, state: int) -> str:
        """Return the answer to ``check valid actions``."""
        names = [self._task.actions[i].name for i in self._task.valid(state)]
        lengths = accumulate(len(name) + 2 for name in names)
        fitting = sum(1 for _ in takewhile(_LONGEST_LIST.__ge__, lengths))
        listed = [*names[:fitting], CHECK, _LOOK]
        more = len(names) - fitting
        rest = f" {more} more can't be listed." if more > 0 else ""
        return f"Valid actions: {', '.join(listed)}.{rest}"

    def canonical(self, action: str) -> str | None:
        """Return the canonical form of an action of the task, None for other text."""
        canonical = self._grammar.canonical(action)
        if canonical is None and normalize(action) in _LOOKS:
            return _LOOK
        return canonical

    def extra_info(self, reward: float) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}

    def published_prompt(self, state: int) -> PublishedPrompt | None:
        """Return the prompt of the paper's agent, None without one."""
        return None

    def play(self, state: int, reward: float, action: str) -> Answer:
        """Return the result of an action.

        Args:
            state: The state before it.
            reward: AgentBoard's reward before it.
            action: Any text.
        """
        index = self._task.index.get(action)
        if index is None:
            reading = self._grammar.read(action)
            name = self._completed(state, reading.partial) or reading.name
            index = self._task.index.get(name)
            if index is None and reading.problem:
                if normalize(action) in _LOOKS:
                    return Answer(Turn(self.prose.state(state)))
                return Answer(Turn.invalid(reading.problem))
            if index is None:
                return self._refuse(reading.schema, reading.args, state)
        if not self._task.applicable(state, index):
            ground = self._task.actions[index]
            return self._refuse(ground.schema, ground.args, state)
        after = self._task.step(state, index)
        return Answer(Turn(self.prose.state(after)), index, after)

    def _refuse(self, schema: str, args: tuple[str, ...], state: int) -> Answer:
        return Answer(Turn.invalid(self.prose.refusal(schema, args, state)))

    def _completed(
        self, state: int, partial: tuple[str, tuple[str, ...]] | None
    ) -> str:
        """Return the only valid action with the given objects, or ""."""
        if partial is None:
            return ""
        schema, given = partial
        actions = (self._task.actions[i] for i in self._task.valid(state))
        fitting = [
            one.name
            for one in actions
            if one.schema == schema
            and all(not a or a == b for a, b in zip(given, one.args, strict=True))
        ]
        return fitting[0] if len(fitting) == 1 else ""


class AgentBoardProtocol(Protocol):
    """AgentBoard's environment of one task; see :class:`Protocol`."""

    def __init__(self, task: Task, instance: Instance) -> None:
        super().__init__(task, instance)
        domain = instance.task_id.rpartition(":")[0].rpartition(":")[2]
        self._domain = domain
        self._new_facts_only = domain in _NEW_FACTS_ONLY
        self.difficulty = label_of(instance.task_id) or instance.difficulty

    def valid(self, state: int) -> list[int]:
        """Return the positions of the actions that AgentBoard calls valid.

        As in pddlgym, no object stands for two parameters of an action.
        """
        return [i for i in self._task.valid(state) if self._is_bound_once(i)]

    def _is_bound_once(self, action: int) -> bool:
        args = self._task.actions[action].args
        return len(set(args)) == len(args)

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

    def opening(self, state: int, instructions: bool) -> str:
        """Return the first observation."""
        told = self.prose.rules() if instructions else []
        return "\n".join([*told, self.goal, " ".join(self.facts(state))])

    def help(self, state: int) -> str:
        """Return AgentBoard's list of the valid actions."""
        return f"Valid actions are: {', '.join(self.valid_actions(state))}"

    def extra_info(self, reward: float) -> dict[str, Any]:
        """Return AgentBoard's reward."""
        return {"agentboard_reward": float(reward)}

    def published_prompt(self, state: int) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, None without a checkout or for other domains."""
        part = "blockworld" if self._domain == "blocksworld" else self._domain
        if part not in _PROMPTED:
            return None
        return agentboard.prompt(
            "pddl_vanilla_prompt",
            self.goal,
            [("Observation", " ".join(self.facts(state)))],
            part=part,
            check=CHECK,
        )

    def valid_actions(self, state: int) -> list[str]:
        """Return the texts of the valid actions, sorted; always valid ones are last."""
        names = (self._task.actions[i].name for i in self.valid(state))
        texts = sorted(map(self.text_of, names))
        return [*texts, CHECK, *([_LOOK] if self._new_facts_only else [])]

    def text_of(self, name: str) -> str:
        """Return AgentBoard's text of an action, given by its canonical name."""
        schema, *args = name.split(" ")
        return _sentence(schema, tuple(args))

    def matching(self, state: int) -> float:
        """Return the share of goal conditions that hold."""
        goals = self._task.goals
        return sum(goal.condition.holds(state) for goal in goals) / len(goals)

    def canonical(self, action: str) -> str | None:
        """Return the canonical form of an action of the task, None for other text."""
        text = action.lower()
        if "check" in text:
            return CHECK
        if _LOOK in text:
            return _LOOK
        return action.strip() if action.strip() in self._texts else None

    def play(self, state: int, reward: float, action: str) -> Answer:
        """Return the result of an action; see :meth:`Protocol.play`."""
        text = action.lower()
        if "check" in text:
            return Answer(Turn(self.help(state)))
        if _LOOK in text:
            return Answer(Turn(" ".join(self.facts(state))))
        name = self._read(state, text)
        if name is None:
            return Answer(Turn.invalid(_UNREAD))
        index = self._task.index.get(name)
        if index is None or not self._task.applicable(state, index):
            return Answer(Turn.invalid(_NOT_NOW))
        if not self._is_bound_once(index):
            return Answer(Turn.invalid(_NOT_NOW))
        after = self._task.step(state, index)
        if after == state:
            return Answer(Turn.invalid(_NOT_NOW))
        shown = self.facts(after)
        if self._new_facts_only:
            shown = sorted(set(shown) - set(self.facts(state)))
        observation = " ".join(shown)
        if self._task.solved(after):
            observation += _SATISFIED
        reward = max(reward, self.matching(after))
        return Answer(Turn(observation), index, after, reward)

    def _read(self, state: int, text: str) -> str | None:
        """Return the name of the action that a text mentions.

        The first word that names an action valid now decides which one; its objects
        are the first that are mentioned, wherever they stand.
        """
        words = _TOKEN.findall(text)
        actions = self._task.actions
        valid = {actions[i].schema for i in self.valid(state)}
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


PROTOCOLS = {"aq": Protocol, "agentboard": AgentBoardProtocol}
