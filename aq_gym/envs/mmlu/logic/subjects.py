"""The 57 subjects of MMLU in its four groups, and the families of generated questions.

The groups are those of MMLU's ``categories.py``; see NOTICE.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aq_gym.core.text import did_you_mean
from aq_gym.envs.mmlu.logic.families import FAMILIES

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
GENERATED: Mapping[str, str] = {name: one.group for name, one in FAMILIES.items()}


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
