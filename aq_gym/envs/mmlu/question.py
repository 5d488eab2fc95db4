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
# "All of the above", "A and C": such an option refers to others.
_NAMES_OTHERS = re.compile(
    r"\b(?i:above|below|these|other (?:options|choices|answers))\b|"
    r"\b[A-D](?:,| and| or| nor) [A-D]\b"
)


class Question(NamedTuple):
    """A question with four options, one of which is right.

    Attributes:
        subject: Its subject, or the family of a generated one.
        text: The question.
        options: The four options.
        answer: The number of the right one, 0 to 3.
        difficulty: "easy" or "hard"; "" for a published one.
    """

    subject: str
    text: str
    options: tuple[str, ...]
    answer: int
    difficulty: str = ""

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


# Each group's subjects, with the numbers of their test questions.
_GROUPS = {
    "STEM": """
        abstract_algebra 100  astronomy 152  college_biology 144
        college_chemistry 100  college_computer_science 100
        college_mathematics 100  college_physics 102  computer_security 100
        conceptual_physics 235  electrical_engineering 145
        elementary_mathematics 378  high_school_biology 310
        high_school_chemistry 203  high_school_computer_science 100
        high_school_mathematics 270  high_school_physics 151
        high_school_statistics 216  machine_learning 112""",
    "humanities": """
        formal_logic 126  high_school_european_history 165
        high_school_us_history 204  high_school_world_history 237
        international_law 121  jurisprudence 108  logical_fallacies 163
        moral_disputes 346  moral_scenarios 895  philosophy 311  prehistory 324
        professional_law 1534  world_religions 171""",
    "social sciences": """
        econometrics 114  high_school_geography 198
        high_school_government_and_politics 193  high_school_macroeconomics 390
        high_school_microeconomics 238  high_school_psychology 545
        human_sexuality 131  professional_psychology 612  public_relations 110
        security_studies 245  sociology 201  us_foreign_policy 100""",
    "other": """
        anatomy 135  business_ethics 100  clinical_knowledge 265
        college_medicine 173  global_facts 100  human_aging 223  management 103
        marketing 234  medical_genetics 100  miscellaneous 783  nutrition 306
        professional_accounting 282  professional_medicine 272  virology 166""",
}
# The group of each subject.
PUBLISHED: Mapping[str, str] = dict(
    sorted((name, one) for one, rows in _GROUPS.items() for name in rows.split()[::2])
)
# The number of test questions of each subject.
TEST_SIZES: Mapping[str, int] = {
    name: int(count)
    for rows in _GROUPS.values()
    for name, count in zip(rows.split()[::2], rows.split()[1::2], strict=True)
}


def chosen(
    groups: Mapping[str, str], subject: str | Sequence[str] | None, group: str | None
) -> tuple[str, ...]:
    """Return the subjects that arguments select.

    Args:
        groups: The group of each subject.
        subject: A subject, several, or None for all.
        group: A group, or None for all.

    Raises:
        ValueError: If there is no such subject or group, or no subject is in both.
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
