"""Select the tasks by the environment's arguments."""

from __future__ import annotations

from aq_gym.core.tasks import TaskSource
from aq_gym.envs.webshop.agentboard import AgentBoardTasks
from aq_gym.envs.webshop.official import HumanTasks, SyntheticTasks
from aq_gym.envs.webshop.tasks import Task, catalogues, generated_tasks

_PRODUCTS = (100, 100_000)


def task_source(
    products: int,
    catalogue: int | None,
    difficulty: str,
    split: str,
    data_dir: str | None,
    goals: str,
    goal: int | None,
) -> TaskSource[Task]:
    """Return the tasks; see :class:`WebShopEnv` for the arguments.

    Raises:
        ValueError: If an argument is out of its range, or two contradict each other.
    """
    agentboard = goals == "agentboard"
    human = data_dir is not None and goals == "human"
    if goals == "synthetic" and data_dir is None:
        raise ValueError(
            "goals='synthetic' needs data_dir, a folder with WebShop's files; leave "
            "goals out for generated shops"
        )
    if catalogue is not None and (data_dir is not None or agentboard):
        raise ValueError(
            f"catalogue={catalogue} is the number of a generated shop: leave it out "
            "with data_dir or goals='agentboard'"
        )
    if goal is not None and not agentboard and not human:
        raise ValueError(
            f"goal={goal} needs goals='agentboard', or goals='human' with data_dir"
        )
    if goal is not None and human and (difficulty, split) != ("any", "all"):
        raise ValueError(
            f"goal={goal} is one goal: difficulty={difficulty!r} must be 'any' and "
            f"split={split!r} 'all'"
        )
    if (data_dir is not None or agentboard) and products < 0:
        raise ValueError(f"products={products} must be 0 (all) or more")
    if agentboard:
        if (difficulty, split) != ("any", "all"):
            raise ValueError(
                f"difficulty={difficulty!r}, split={split!r}: AgentBoard's goals can't "
                "be divided; use 'any' and 'all'"
            )
        return AgentBoardTasks(data_dir, products, goal)
    if data_dir is not None:
        if human:
            return HumanTasks(data_dir, products, difficulty, split, goal)
        return SyntheticTasks(data_dir, products, difficulty, split)
    if not _PRODUCTS[0] <= products <= _PRODUCTS[1]:
        raise ValueError(
            f"products={products} must be {_PRODUCTS[0]} to {_PRODUCTS[1]}"
        )
    last = catalogues(products) - 1
    if catalogue is not None and not 0 <= catalogue <= last:
        raise ValueError(f"catalogue={catalogue} must be 0 to {last}")
    return generated_tasks(catalogue, products, difficulty, split)
