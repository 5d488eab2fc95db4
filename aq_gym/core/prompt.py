"""The prompt of a benchmark: instructions and an example for a language model."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple


class ExampleTurn(NamedTuple):
    """One turn of an example.

    Attributes:
        thought: The reason for the action, from the observations so far.
        action: The action.
        observation: The observation that followed.
    """

    thought: str
    action: str
    observation: str


class Example(NamedTuple):
    """A real, successful episode that can be reproduced.

    Attributes:
        kwargs: The environment's constructor arguments, JSON-safe.
        seed: The seed of its reset.
        goal: The ``goal`` in the info of its reset.
        observation: Its first observation.
        turns: All its turns, in order.
    """

    kwargs: Mapping[str, Any]
    seed: int
    goal: str
    observation: str
    turns: tuple[ExampleTurn, ...]


class Prompt(NamedTuple):
    """The return value of :meth:`aq_gym.TextEnv.task_prompt`.

    Attributes:
        system: The kind of task, the form of actions and the measure of success; ""
            if there is no prompt.
        example: An episode of another instance, or None.
    """

    system: str = ""
    example: Example | None = None


class PublishedPrompt(NamedTuple):
    """The messages of a paper's agent, from files of the user.

    Attributes:
        source: The paper's benchmark, such as "AgentBoard".
        messages: The first messages: pairs of a role and a text.
        history: For a paper that writes the history as lines at the end of the last
            message: the lines at the start, as pairs of a label and a text. Each answer
            adds its first line, after ``Action: ``. None if the first observation, each
            answer and each observation are separate messages.
        history_text: Returns the part of an answer that is written in the history.
        rewrite: For a paper that writes a new single message for each request: returns
            it from the turns so far, which are pairs of an answer and an observation,
            the first with the answer "". None for other papers.
        request: The fields of a request that the paper sets, such as ``temperature``:
            pairs of a name and a value.
    """

    source: str
    messages: tuple[tuple[str, str], ...] = ()
    history: tuple[tuple[str, str], ...] | None = None
    history_text: Callable[[str], str] = str
    rewrite: Callable[[Sequence[tuple[str, str]]], str] | None = None
    request: tuple[tuple[str, Any], ...] = ()


def packaged_prompt(package: str, example: str = "") -> Prompt:
    """Read the ``prompt.json`` that is installed with a benchmark.

    The file contains the "system" prompt and "examples" by name, each with the fields
    of :class:`Example`.

    Args:
        package: The package, for example ``aq_gym.envs.mastermind``.
        example: The name of the example; if there is no such example, the first one
            is used.
    """
    text = files(package).joinpath("prompt.json").read_text("utf-8")
    record = json.loads(text)
    examples = record["examples"]
    fields = examples.get(example) or next(iter(examples.values()))
    turns = tuple(ExampleTurn(**turn) for turn in fields.pop("turns"))
    return Prompt(record["system"], Example(**fields, turns=turns))


def prompt_of(benchmark: type, example: str = "") -> Prompt:
    """Return the prompt of a class, from the ``prompt.json`` in its package.

    A subclass in another package has the prompt of the class that it derives from,
    unless its own package has a prompt.
    """
    for cls in benchmark.__mro__:
        package = sys.modules[cls.__module__].__package__
        if package and files(package).joinpath("prompt.json").is_file():
            return packaged_prompt(package, example)
    return Prompt()
