"""A question with four options, and the 57 subjects of MMLU in its four groups.

The groups are those of MMLU's ``categories.py``; see NOTICE.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from aq_gym.core.text import did_you_mean

LETTERS = "ABCD"
# Options that refer to others, such as "All of the above" or "A and C".
_NAMES_OTHERS = re.compile(
    r"\b(?i:above|below|these|other (?:options|choices|answers))\b|"
    r"\b[A-D](?:,| and| or| nor) [A-D]\b"
)


class Question(NamedTuple):
    """A question with four options, one of which is right.

    Attributes:
        subject: Its subject; for a generated question its family.
        text: The question.
        options: The four options.
        answer: The index of the right option, 0 to 3.
        level: "easy" or "hard" by the frame of a generated question. This is not its
            difficulty: agents that guess are as often right in both.
    """

    subject: str
    text: str
    options: tuple[str, ...]
    answer: int
    level: str = ""

    @property
    def letter(self) -> str:
        """The letter of the right option."""
        return LETTERS[self.answer]

    def shuffled(self, seed: int, task_id: str) -> Question:
        """Return the question with its options in another order.

        A question with an option that refers to others, such as "all of the above",
        keeps its order.
        """
        if any(_NAMES_OTHERS.search(option) for option in self.options):
            return self
        order = Random(f"{seed} {task_id}").sample(range(4), 4)
        options = tuple(self.options[k] for k in order)
        return self._replace(options=options, answer=order.index(self.answer))


# Each group's subjects.
_GROUPS = {
    "STEM": """
        abstract_algebra  astronomy  college_biology
        college_chemistry  college_computer_science
        college_mathematics  college_physics  computer_security
        conceptual_physics  electrical_engineering
        elementary_mathematics  high_school_biology
        high_school_chemistry  high_school_computer_science
        high_school_mathematics  high_school_physics
        high_school_statistics  machine_learning""",
    "humanities": """
        formal_logic  high_school_european_history
        high_school_us_history  high_school_world_history
        international_law  jurisprudence  logical_fallacies
        moral_disputes  moral_scenarios  philosophy  prehistory
        professional_law  world_religions""",
    "social sciences": """
        econometrics  high_school_geography
        high_school_government_and_politics  high_school_macroeconomics
        high_school_microeconomics  high_school_psychology
        human_sexuality  professional_psychology  public_relations
        security_studies  sociology  us_foreign_policy""",
    "other": """
        anatomy  business_ethics  clinical_knowledge
        college_medicine  global_facts  human_aging  management
        marketing  medical_genetics  miscellaneous  nutrition
        professional_accounting  professional_medicine  virology""",
}
# The group of each subject.
PUBLISHED: Mapping[str, str] = dict(
    sorted((name, one) for one, rows in _GROUPS.items() for name in rows.split())
)


def chosen(
    groups: Mapping[str, str], subject: str | Sequence[str] | None, group: str | None
) -> tuple[str, ...]:
    """Return the subjects that arguments select.

    Args:
        groups: The group of each subject.
        subject: A subject, several, or None for all.
        group: A group, or None for all.

    Raises:
        ValueError: If there is no such subject or group, or none of the subjects is in
            the group.
    """
    names = [subject] if isinstance(subject, str) else subject
    if names is None:
        names = list(groups)
    for name in names:
        if name not in groups:
            near = did_you_mean(name, groups)
            raise ValueError(f"subject={name!r:.80}: {near}choose from {[*groups]}")
    known = sorted({*groups.values()})
    if group is not None and group not in known:
        raise ValueError(f"group={group!r:.80}: choose from {known}")
    found = tuple(name for name in names if group in (None, groups[name]))
    if not found:
        raise ValueError(f"group={group!r} includes none of subject={subject!r:.200}")
    return found
