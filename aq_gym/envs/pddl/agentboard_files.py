"""AgentBoard's planning problems, read from a checkout of its repository."""

from __future__ import annotations

import os
from pathlib import Path

from aq_gym.core.tasks import UserTasks
from aq_gym.envs.pddl.instance import Instance
from aq_gym.envs.pddl.pddlgym_files import problems_in
from aq_gym.support.data import cache_folder

PREFIX = "agentboard:"
_VARIABLE = "AGENTBOARD_DATA"
_PLACES = ("agentboard/environment/pddl_env/pddlgym/pddl", "pddlgym/pddl", ".")


def agentboard_problems(
    domain: str, problem: int | str | None, data_dir: str | None
) -> UserTasks[Instance]:
    """Return the problems of one of AgentBoard's domains, in its order.

    Args:
        domain: ``agentboard:barman``, ``blockworld``, ``gripper`` or ``tyreworld``.
        problem: A problem's index or file name; None for all.
        data_dir: A checkout of AgentBoard's repository; None for the folder that the
            environment variable ``AGENTBOARD_DATA`` names.

    Raises:
        FileNotFoundError: If there is no such checkout.
        ValueError: If there is no such domain or problem.
    """
    given = data_dir or os.environ.get(_VARIABLE) or str(cache_folder("agentboard"))
    for place in _PLACES:
        folder = Path(given).expanduser() / place
        if (folder / "gripper.pddl").is_file():
            return problems_in(folder, domain, problem)
    raise FileNotFoundError(
        f"domain={domain!r}: {given} has no problems of AgentBoard: check out "
        "https://github.com/hkust-nlp/AgentBoard and give its path as data_dir=, or in "
        f"{_VARIABLE}; generated problems of the same domains need no data"
    )
