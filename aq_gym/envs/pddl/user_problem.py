"""A domain and problem that the user gives, as files or text."""

from __future__ import annotations

from pathlib import Path

from aq_gym.core.tasks import UserTasks
from aq_gym.envs.pddl.instance import Instance, grade
from aq_gym.envs.pddl.library import words_for
from aq_gym.envs.pddl.logic import (
    PDDLError,
    Task,
    parse_domain,
    parse_problem,
)
from aq_gym.support.user_files import UserFileError, read_text

_BYTE_ORDER_MARK = "\ufeff"


def user_problem(domain_file: str, problem_file: str) -> UserTasks[Instance]:
    """Return a source with one problem.

    Args:
        domain_file: The path of a domain, or its text.
        problem_file: The path of a problem, or its text.

    Raises:
        ValueError: If either can't be read.
    """
    argument, domain_pddl = "domain_file", _text("domain_file", domain_file)
    problem_pddl = _text("problem_file", problem_file)
    try:
        domain = parse_domain(domain_pddl)
        argument = "problem_file"
        problem = parse_problem(problem_pddl, domain)
        task = Task(domain, problem)
    except PDDLError as error:
        raise PDDLError(f"{argument}: {error}") from None
    if task.solved(task.init):
        raise PDDLError("problem_file: the goal already holds at the start")
    task_id = f"{domain.name}:{problem.name}"
    words, difficulty = words_for(domain), grade(task)
    instance = Instance(task_id, task, words, difficulty, domain_pddl, problem_pddl)
    return UserTasks({task_id: instance}, "the tasks of problem_file")


def is_pddl_text(given: str) -> bool:
    """Return whether an argument is PDDL text; otherwise it is the path of a file."""
    return given.lstrip(f"{_BYTE_ORDER_MARK} \t\r\n").startswith(("(", ";"))


def _text(argument: str, given: str) -> str:
    """Return a PDDL text unchanged, or the contents of a file."""
    if is_pddl_text(given):
        return given.removeprefix(_BYTE_ORDER_MARK)
    try:
        return read_text(Path(given))
    except UserFileError as error:
        raise UserFileError(f"{argument}: {error}") from error
    except (OSError, ValueError) as error:  # too long for a path, or with a null
        raise ValueError(
            f"{argument}={given!r:.200}: give a file's path or PDDL text"
        ) from error
