"""The families of generated questions, by their names."""

from aq_gym.envs.mmlu.logic.families import measures, numbers, reasoning, texts
from aq_gym.envs.mmlu.logic.families.family import Family

__all__ = ["FAMILIES"]

FAMILIES: dict[str, Family] = {
    family.name: family
    for module in (numbers, measures, reasoning, texts)
    for family in module.FAMILIES
}
