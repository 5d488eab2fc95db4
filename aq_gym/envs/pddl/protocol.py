"""The protocols of PDDL: their texts, and how they read actions.

AgentBoard's protocol is written from the behaviour of its published environment and
compared with it by ``benchmarks/judges/agentboard.py``. AgentBoard lists some actions
and facts in the order of Python's hashes, which differs between processes; here they
are sorted.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, takewhile
from typing import Any, NamedTuple

from aq_gym.core.help import WORKS
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Turn
from aq_gym.core.text import normalize
from aq_gym.envs.pddl.actions import Reading
from aq_gym.envs.pddl.instance import Game, Instance
from aq_gym.envs.pddl.logic import Task
from aq_gym.envs.pddl.logic.language import Atom
from aq_gym.papers import agentboard
from aq_gym.support.data import packaged_json

CHECK = "check valid actions"
_LOOK = "look around"
_LOOKS = frozenset({"look", _LOOK})
_LONGEST_LIST = 90_000

# The domains in which AgentBoard's observations have only the new facts.
_NEW_FACTS_ONLY = frozenset({"barman", "tyreworld"})
# The domains, by AgentBoard's names, for which it has prompts.
_PROMPTED = frozenset({"barman", "blockworld", "gripper", "tyreworld"})
_NO_EFFECT = "The action is not valid and therefore takes no effect. "
_UNREAD = f"{_NO_EFFECT}Please check valid actions."
_NOT_NOW = (
    f"{_NO_EFFECT}Please remember to satisfy the restriction of actions. "
    "You can also check valid actions."
)
_SATISFIED = " The goal is satisfied."
# A word as nltk's tokenizer separates it: "b3" in "b3, b3. (b3)", but not in "b3.," or
# "b3/b4". A full stop is separated at the end of a sentence. At the end of the text,
# more kinds of quotes and brackets may follow it.
_BREAK = r"""\s,:;@#$%&?!*()\[\]{}<>"`\u00ab\u00bb\u201c\u201d\u2018\u2019\u201e"""
_STOP = r"""\.(?!\.)(?!\s+"["')\]}]*(?:\s|$))(?:$|\s|[)";}\]*:@'({\[!?])"""
_LAST_STOP = r"""\.[>\u00bb\u201d\u2019][\])}>"'\u00bb\u201d\u2019 ]*\s*$"""
_TOKEN = re.compile(
    rf"(?:(?<![^{_BREAK}])|(?<=--)|(?<=\.\.)|(?<=(?<!\w)'))"
    r"[a-z0-9_]+(?:-[a-z0-9_]+)*"
    rf"(?=$|[{_BREAK}]|--|\.\.|'[smd]?(?:$|[{_BREAK}]|--|\.)|{_STOP}|{_LAST_STOP})"
)


class Action(NamedTuple):
    """An action that was read.

    Attributes:
        text: The text.
        reading: The action of the domain; None for ``look around``, and in AgentBoard's
            protocol, where the meaning of a text depends on the state.
    """

    text: str
    reading: Reading | None = None


class PDDLProtocol(Protocol[Game, Action]):
    """The default protocol."""

    def difficulty(self, instance: Instance) -> str:
        """Return the difficulty of a problem."""
        return instance.difficulty

    def goal(self, game: Game) -> str:
        """Return the goal in one sentence."""
        return game.prose.goal

    def opening(self, game: Game, instructions: bool) -> str:
        """Return the first observation."""
        return game.prose.opening(game.state, instructions)

    def text_of(self, name: str) -> str:
        """Return the text of an action, given by its canonical name."""
        return name

    def valid(self, game: Game) -> list[int]:
        """Return the positions of the valid actions."""
        return game.task.valid(game.state)

    def read(self, game: Game, text: str) -> Action | None:
        """Read an action of the task, whether or not it is valid now."""
        if text in game.task.index:
            schema, *args = text.split(" ")
            return Action(text, Reading(schema, tuple(args)))
        reading = game.grammar.read(text)
        if reading.partial is not None or not reading.problem:
            return Action(text, reading)
        return Action(_LOOK) if normalize(text) in _LOOKS else None

    def write(self, game: Game, action: Action) -> str:
        """Return the canonical form of an action.

        A text that leaves objects out is its own canonical form, because its meaning
        depends on the state.
        """
        reading = action.reading
        if reading is None or reading.partial is not None:
            return action.text
        return reading.name

    def play(self, game: Game, action: Action) -> Turn:
        """Carry out an action, or explain why it cannot be carried out now."""
        reading = action.reading
        if reading is None:
            return Turn(game.prose.state(game.state))
        name = reading.name
        if reading.partial is not None:
            name = _completed(game, *reading.partial)
            if not name:
                return Turn.invalid(reading.problem)
        index = game.task.index.get(name)
        if index is None or not game.task.applicable(game.state, index):
            schema, *args = name.split(" ")
            return Turn.invalid(game.prose.refusal(schema, tuple(args), game.state))
        game.carry_out(index)
        return Turn(game.prose.state(game.state))

    def refuse(self, game: Game, text: str) -> Turn:
        """Explain why a text is not an action."""
        names = (game.task.actions[i].name for i in self.valid(game))
        problem = game.grammar.read(text).problem
        return Turn.invalid(f"{problem} {WORKS}{next(names, _LOOK)}.")

    def help(self, game: Game) -> str:
        """Return the list of the valid actions."""
        names = [game.task.actions[i].name for i in self.valid(game)]
        lengths = accumulate(len(name) + 2 for name in names)
        fitting = sum(1 for _ in takewhile(_LONGEST_LIST.__ge__, lengths))
        listed = [*names[:fitting], CHECK, _LOOK]
        more = len(names) - fitting
        rest = f" {more} more can't be listed." if more > 0 else ""
        return f"Valid actions: {', '.join(listed)}.{rest}"

    def extra_info(self, game: Game) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}


def _completed(game: Game, schema: str, given: tuple[str, ...]) -> str:
    """Return the only valid action with the given objects, or ""."""
    actions = (game.task.actions[i] for i in game.task.valid(game.state))
    fitting = [
        one.name
        for one in actions
        if one.schema == schema
        and all(not a or a == b for a, b in zip(given, one.args, strict=True))
    ]
    return fitting[0] if len(fitting) == 1 else ""


class AgentBoardProtocol(PDDLProtocol):
    """AgentBoard's protocol."""

    def difficulty(self, instance: Instance) -> str:
        """Return AgentBoard's difficulty for its own problems, else the default one."""
        return label_of(instance.task_id) or instance.difficulty

    def goal(self, game: Game) -> str:
        """Return the goal in one sentence."""
        conditions = sorted(
            _sentence(part.formula.predicate, part.formula.bind(part.binding).terms)
            for part in game.task.goals
            if isinstance(part.formula, Atom)
        )
        return "The goal is to satisfy the following conditions: " + ", ".join(
            conditions
        )

    def opening(self, game: Game, instructions: bool) -> str:
        """Return the first observation."""
        rules = game.prose.rules() if instructions else []
        return "\n".join([*rules, self.goal(game), " ".join(_facts(game))])

    def text_of(self, name: str) -> str:
        """Return AgentBoard's text of an action with a canonical name."""
        return _action_text(name)

    def valid(self, game: Game) -> list[int]:
        """Return the positions of the actions that AgentBoard calls valid."""
        return [i for i in super().valid(game) if _is_bound_once(game, i)]

    def read(self, game: Game, text: str) -> Action | None:
        """Read an action in AgentBoard's words, or a request for the valid actions."""
        lower = text.lower()
        if "check" in lower:
            return Action(CHECK)
        if _LOOK in lower:
            return Action(_LOOK)
        return Action(text.strip()) if text.strip() in _texts(game.task) else None

    def play(self, game: Game, action: Action) -> Turn:
        """Carry out an action, or say that it is not valid now."""
        return self._answer(game, action.text.lower())

    def refuse(self, game: Game, text: str) -> Turn:
        """Carry out the action that AgentBoard finds in any other text."""
        return self._answer(game, text.lower())

    def _answer(self, game: Game, text: str) -> Turn:
        if "check" in text:
            return Turn(self.help(game))
        if _LOOK in text:
            return Turn(" ".join(_facts(game)))
        name = self._mentioned(game, text)
        if name is None:
            return Turn.invalid(_UNREAD)
        index = game.task.index.get(name)
        if (
            index is None
            or not game.task.applicable(game.state, index)
            or not _is_bound_once(game, index)
            or game.task.step(game.state, index) == game.state
        ):
            return Turn.invalid(_NOT_NOW)
        before = _facts(game) if _domain(game) in _NEW_FACTS_ONLY else []
        reward = game.world.reward
        game.carry_out(index)
        game.enter(replace(game.world, reward=max(reward, game.matching())))
        shown = sorted(set(_facts(game)) - set(before)) if before else _facts(game)
        observation = " ".join(shown)
        return Turn(observation + _SATISFIED * game.solved())

    def _mentioned(self, game: Game, text: str) -> str | None:
        """Return the name of the action that a text mentions.

        The first word that names a currently valid action decides which action it is.
        Its objects are the first objects mentioned, anywhere in the text.
        """
        words = _TOKEN.findall(text)
        actions = game.task.actions
        valid = {actions[i].schema for i in self.valid(game)}
        schema = next((word for word in words if word in valid), None)
        if schema is None:
            return None
        objects = [word for word in words if word in game.task.problem.objects]
        arity = len(game.task.domain.schemas[schema].parameters)
        return " ".join((schema, *objects[:arity])) if len(objects) >= arity else None

    def help(self, game: Game) -> str:
        """Return AgentBoard's list of the valid actions, including its questions."""
        names = (game.task.actions[i].name for i in self.valid(game))
        always = [CHECK, *([_LOOK] if _domain(game) in _NEW_FACTS_ONLY else [])]
        texts = [*sorted(map(_action_text, names)), *always]
        return f"Valid actions are: {', '.join(texts)}"

    def extra_info(self, game: Game) -> dict[str, Any]:
        """Return AgentBoard's reward."""
        return {"agentboard_reward": float(game.world.reward)}

    def prompt(self, game: Game) -> PublishedPrompt | None:
        """Return AgentBoard's prompt; None without a checkout or for other domains."""
        domain = _domain(game)
        part = "blockworld" if domain == "blocksworld" else domain
        if part not in _PROMPTED:
            return None
        return agentboard.prompt(
            "pddl_vanilla_prompt",
            self.goal(game),
            [("Observation", " ".join(_facts(game)))],
            part=part,
            check=CHECK,
        )


def _domain(game: Game) -> str:
    """Return AgentBoard's name of the domain."""
    return game.instance.task_id.rpartition(":")[0].rpartition(":")[2]


def _is_bound_once(game: Game, action: int) -> bool:
    """Return whether all arguments differ, which pddlgym requires."""
    args = game.task.actions[action].args
    return len(set(args)) == len(args)


def _facts(game: Game) -> list[str]:
    """Return AgentBoard's sentences for all facts, sorted."""
    task = game.task
    changing = [_fact(task.atoms[fact]) for fact in task.facts(game.state)]
    return sorted([*_static(task), *changing])


@lru_cache(maxsize=8)
def _static(task: Task) -> list[str]:
    return [_fact(atom) for atom in task.static]


@lru_cache(maxsize=8)
def _texts(task: Task) -> frozenset[str]:
    actions = () if task.lifted else task.actions
    return frozenset(_action_text(action.name).strip() for action in actions)


def _action_text(name: str) -> str:
    schema, *args = name.split(" ")
    return _sentence(schema, tuple(args))


def _fact(atom: Atom) -> str:
    return _sentence(atom.predicate, atom.terms).capitalize()


def _sentence(name: str, terms: tuple[str, ...]) -> str:
    form = _sentences().get(name)
    # AgentBoard's spelling of facts for which it has no sentence.
    return form.format(*terms) if form else f"{name} {' '.join(terms)}"


def label_of(task_id: str) -> str | None:
    """Return AgentBoard's difficulty of one of its problems, or None for others.

    Args:
        task_id: The id, such as ``agentboard:gripper:prob01``.
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
    data: dict[str, Any] = packaged_json("aq_gym.envs.pddl", "agentboard.json")
    return data
