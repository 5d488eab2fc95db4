"""Select the task source by the environment's arguments."""

from __future__ import annotations

from aq_gym.core.splits import Split
from aq_gym.core.tasks import TaskSource
from aq_gym.envs.pddl import agentboard_files
from aq_gym.envs.pddl.generated import GeneratedProblems
from aq_gym.envs.pddl.instance import Instance
from aq_gym.envs.pddl.pddlgym_files import PREFIX, pddlgym_problems
from aq_gym.envs.pddl.user_problem import user_problem

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
    if domain.startswith(agentboard_files.PREFIX):
        _refuse_parts(difficulty or size, split, "AgentBoard's problems")
        return agentboard_files.agentboard_problems(domain, problem, data_dir)
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
