"""Select the task source by the environment's arguments; AgentBoard's problems."""

from __future__ import annotations

from aq_gym.core.splits import Split
from aq_gym.core.tasks import TaskSource, UserTasks
from aq_gym.envs.pddl.generated import GeneratedProblems
from aq_gym.envs.pddl.instance import Instance
from aq_gym.envs.pddl.pddlgym_files import PREFIX, pddlgym_problems, problems_in
from aq_gym.envs.pddl.user_problem import user_problem
from aq_gym.papers import agentboard

AGENTBOARD = "agentboard:"
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
    given = agentboard.folder(data_dir)
    for place in _PLACES:
        folder = given / place
        if (folder / "gripper.pddl").is_file():
            return problems_in(folder, domain, problem)
    raise FileNotFoundError(
        f"domain={domain!r}: {given} has no problems of AgentBoard: check out "
        "https://github.com/hkust-nlp/AgentBoard and give its path as data_dir=, or in "
        f"{agentboard.VARIABLE}; generated problems of the same domains need no data"
    )


DEFAULT = "blocksworld"


def task_source(
    domain: str,
    problem: int | str | None,
    difficulty: str | None,
    split: Split,
    domain_file: str | None,
    problem_file: str | None,
    data_dir: str | None = None,
    size: int | None = None,
) -> TaskSource[Instance]:
    """Return the task source; see :class:`PDDLEnv` for the arguments.

    Raises:
        ValueError: If the arguments contradict each other, or a problem does not exist.
    """
    if domain_file is not None or problem_file is not None:
        if domain_file is None or problem_file is None or problem is not None:
            raise ValueError(
                "domain_file and problem_file go together, without problem="
            )
        _refuse_parts(difficulty or size, split, "a problem of your own")
        if domain != DEFAULT:
            raise ValueError(
                f"domain={domain!r}: domain_file gives the domain; leave domain= out"
            )
        return user_problem(domain_file, problem_file)
    if domain.startswith(AGENTBOARD):
        _refuse_parts(difficulty or size, split, "AgentBoard's problems")
        return agentboard_problems(domain, problem, data_dir)
    if data_dir is not None:
        raise ValueError(
            f"data_dir={data_dir!r} needs domain='agentboard:NAME', not {domain!r}"
        )
    if domain.startswith(PREFIX):
        _refuse_parts(difficulty or size, split, "pddlgym's problems")
        return pddlgym_problems(domain, problem)
    return GeneratedProblems(domain, difficulty, split, problem, size)


def _refuse_parts(chosen: str | int | None, split: str, problems: str) -> None:
    if chosen is not None or split != "all":
        raise ValueError(
            f"difficulty or size={chosen!r}, split={split!r}: {problems} can't be "
            "divided; use None and 'all'"
        )
