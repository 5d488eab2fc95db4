"""What a language model is told of a benchmark before its episode begins."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

__all__ = ["Example", "ExampleTurn", "Prompt", "packaged_prompt"]


class ExampleTurn(NamedTuple):
    """One turn of an example.

    Attributes:
        thought: Why the action is a good one, from what was seen so far.
        action: What was done.
        observation: What the environment answered.
    """

    thought: str
    action: str
    observation: str


class Example(NamedTuple):
    """A true episode that was played to success; anybody can play it again.

    Attributes:
        kwargs: The environment's constructor arguments, JSON-safe.
        seed: The seed of its reset.
        goal: The ``goal`` in its first info.
        observation: Its first observation.
        turns: All its turns.
    """

    kwargs: Mapping[str, Any]
    seed: int
    goal: str
    observation: str
    turns: tuple[ExampleTurn, ...]


class Prompt(NamedTuple):
    """What :meth:`aq_gym.TextEnv.task_prompt` returns.

    Attributes:
        system: What kind of task it is, how to act and what counts; "" if there is
            nothing to say.
        example: An episode of another instance, or None.
    """

    system: str = ""
    example: Example | None = None


def packaged_prompt(package: str, example: str = "") -> Prompt:
    """Read the ``prompt.json`` that is installed with a benchmark.

    It has the "system" prompt and "examples" by name, each with the fields of
    :class:`Example`.

    Args:
        package: Such as ``aq_gym.envs.mastermind``.
        example: The example's name; where there is none of it, the first is taken.
    """
    text = files(package).joinpath("prompt.json").read_text("utf-8")
    record = json.loads(text)
    examples = record["examples"]
    fields = examples.get(example) or next(iter(examples.values()))
    turns = tuple(ExampleTurn(**turn) for turn in fields.pop("turns"))
    return Prompt(record["system"], Example(**fields, turns=turns))
