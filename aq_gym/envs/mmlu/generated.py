"""Generated questions, each made from its id."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

import numpy as np

from aq_gym.envs.mmlu import families, reasoning
from aq_gym.envs.mmlu.families import Family
from aq_gym.envs.mmlu.question import Question

# The families by their names, and the group of each.
FAMILIES: Mapping[str, Family] = {
    one.name: one for one in (*families.FAMILIES, *reasoning.FAMILIES)
}
GENERATED: Mapping[str, str] = {name: one.group for name, one in FAMILIES.items()}
NUMBERS = 10**6
# The two kinds of frames in each family, by the aim of their design.
LEVELS = ("easy", "hard")
_DRAWS = 60
_ID = re.compile(r"(\w+)-(easy|hard)-(0|[1-9]\d{0,5})", re.ASCII)


def draw_id(names: Sequence[str], rng: np.random.Generator) -> str:
    """Draw the id of a question, ``FAMILY-LEVEL-NUMBER``.

    Args:
        names: The families to draw from.
        rng: A generator.
    """
    family = names[int(rng.integers(len(names)))]
    level = LEVELS[int(rng.integers(len(LEVELS)))]
    return f"{family}-{level}-{int(rng.integers(NUMBERS))}"


def make(names: Sequence[str], task_id: str) -> Question | None:
    """Return the question of an id, or None."""
    found = _ID.fullmatch(task_id)
    if found is None or found[1] not in names:
        return None
    return question(found[1], found[2], int(found[3]))


def question(family: str, level: str, number: int) -> Question:
    """Make a question.

    Args:
        family: The name of a family.
        level: "easy" or "hard".
        number: Its number, from 0.
    """
    rng = Random(f"{family} {level} {number}")
    texts: dict[str, str] = {}
    while len(texts) < 4:
        ask = FAMILIES[family].frame(rng, level == "hard")
        texts = {}
        for _ in range(_DRAWS):
            text, answer = ask()
            texts.setdefault(answer, text)
            if len(texts) == 4:
                break
    options = rng.sample(list(texts), 4)
    # Drawn last, so that the options do not depend on it.
    right = rng.randrange(4)
    return Question(family, texts[options[right]], (*options,), right, level)
