"""The prompts of Reflexion's agent, read from a checkout that the user names.

They are the work of others and not part of this package. Nothing in a checkout is run.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from pathlib import Path

from aq_gym.core.prompt import PublishedTrials
from aq_gym.papers.agentquest import Template, texts_of
from aq_gym.support.data import named_checkout
from aq_gym.support.user_files import UserFileError, read_text

VARIABLE = "REFLEXION_DATA"
_SOURCE = "Reflexion"
_FOLDER = "alfworld_runs"
_MOST_BYTES = 4_000_000
# What builds the two requests: the file, the name, and the parts of each text.
_TEXTS = (
    ("alfworld_trial.py", "base_prompt", [3]),
    ("env_history.py", "_get_base_query", [1, 3, 2]),
    ("generate_reflections.py", "_generate_reflection_query", [3, 1, 3, 1]),
)


def checkout() -> Path | None:
    """Return the checkout that ``REFLEXION_DATA`` names, None if it is not set.

    Raises:
        FileNotFoundError: If it names no checkout.
    """
    return named_checkout(VARIABLE, _FOLDER, "https://github.com/noahshinn/reflexion")


def prompt(kind: str, opening: str) -> PublishedTrials | None:
    """Return the prompts for a household; None without a checkout.

    Args:
        kind: The kind of task in the names of its examples, such as "puttwo".
        opening: The first observation.

    Raises:
        FileNotFoundError: If ``REFLEXION_DATA`` names no checkout.
        UserFileError: If a file is not of Reflexion's form.
    """
    root = checkout()
    if root is None:
        return None
    [intro], [heading, trial, task], query = (_texts(root, *one) for one in _TEXTS)
    name = "prompts/alfworld_3prompts.json"
    try:
        examples = json.loads(_read(root, name))
        shown = intro.fill(*(examples[f"react_{kind}_{n}"] for n in (1, 0)))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UserFileError(f"{root}, {name}: {error!r:.200}") from None
    few = _read(root, "reflexion_few_shot_examples.txt")
    asked, past, numbered, new = query

    def restated(turns: Sequence[tuple[str, str]], plans: Sequence[str]) -> str:
        kept = [trial.fill(n, plan.strip()) for n, plan in enumerate(plans)]
        memory = "".join([heading.fill(), *kept]) if plans else ""
        return f"{shown}{memory}{task.fill(opening)}\n{_history(turns)}>"

    def reflection(turns: Sequence[tuple[str, str]], plans: Sequence[str]) -> str:
        scenario = f"{opening}\n{_history(turns)}\n\nSTATUS: FAIL".strip()
        listed = "".join(numbered.fill(n, plan) for n, plan in enumerate(plans))
        memory = f"{past.fill()}{listed}" if plans else ""
        return f"{asked.fill(few, scenario)}{memory}{new.fill()}"

    return PublishedTrials(_SOURCE, restated, reflection)


def _history(turns: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"> {said.strip()}\n{seen}" for said, seen in turns[1:])


def _texts(root: Path, name: str, owner: str, parts: list[int]) -> list[Template]:
    try:
        found = list(texts_of(ast.parse(_read(root, name)), owner))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UserFileError(f"{root}, {name}: {error!r:.200}") from None
    if [len(one.parts) for one in found] != parts:
        raise UserFileError(f"{root}, {name}: {owner} is not Reflexion's")
    return found


def _read(root: Path, name: str) -> str:
    try:
        return read_text(root / _FOLDER / name, _MOST_BYTES, root)
    except OSError as error:
        raise UserFileError(f"{root}, {name}: {error!r:.200}") from None
