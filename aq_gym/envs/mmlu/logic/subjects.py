"""The 57 subjects of MMLU in its four groups, and the families of generated questions.

The groups are those of MMLU's ``categories.py``; see NOTICE.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aq_gym.core.text import did_you_mean
from aq_gym.envs.mmlu.logic.families import FAMILIES

__all__ = ["GENERATED", "PUBLISHED", "chosen"]

_GROUPS = {
    "STEM": """abstract_algebra astronomy college_biology college_chemistry
        college_computer_science college_mathematics college_physics computer_security
        conceptual_physics electrical_engineering elementary_mathematics
        high_school_biology high_school_chemistry high_school_computer_science
        high_school_mathematics high_school_physics high_school_statistics
        machine_learning""",
    "humanities": """formal_logic high_school_european_history high_school_us_history
        high_school_world_history international_law jurisprudence logical_fallacies
        moral_disputes moral_scenarios philosophy prehistory professional_law
        world_religions""",
    "social sciences": """econometrics high_school_geography
        high_school_government_and_politics high_school_macroeconomics
        high_school_microeconomics high_school_psychology human_sexuality
        professional_psychology public_relations security_studies sociology
        us_foreign_policy""",
    "other": """anatomy business_ethics clinical_knowledge college_medicine global_facts
        human_aging management marketing medical_genetics miscellaneous nutrition
        professional_accounting professional_medicine virology""",
}
# The group of each subject.
PUBLISHED: Mapping[str, str] = dict(
    sorted((name, group) for group, names in _GROUPS.items() for name in names.split())
)
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
        ValueError: If there is no such subject or group, or none of both.
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
        raise ValueError(f"group={group!r} has none of subject={subject!r:.200}")
    return found
