"""The sources of problems: generated ones, a user's own, and AgentBoard's."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from random import Random

import numpy as np

from aq_gym.core.splits import Split, draw, in_split
from aq_gym.core.tasks import TaskSource, UserTasks
from aq_gym.envs.pddl.domains import ProblemDraft
from aq_gym.envs.pddl.instance import Instance, grade
from aq_gym.envs.pddl.library import (
    DIFFICULTIES,
    load_domain,
    words_for,
)
from aq_gym.envs.pddl.logic import (
    PDDLError,
    Task,
    parse_domain,
    parse_problem,
)
from aq_gym.envs.pddl.pddlgym_files import PREFIX, pddlgym_problems, problems_in
from aq_gym.papers import agentboard
from aq_gym.support.user_files import UserFileError, read_text

_NUMBERS = 2**31
_NAME = re.compile(r"(?P<kind>easy|hard|size[1-9][0-9]?)-(?P<number>0|[1-9][0-9]{0,9})")


class GeneratedProblems:
    """The generated problems of an included domain; each has a number.

    Args:
        name: The domain.
        difficulty: "easy", "hard", or None for both.
        split: "all", "train" or "test".
        problem: A fixed problem, as a number or as ``easy-7``; None for any.
        size: The number of objects to move, instead of a difficulty.

    Raises:
        ValueError: If there is no such domain or size, or the problem is malformed or
            not in the split.
    """

    def __init__(
        self,
        name: str,
        difficulty: str | None,
        split: str,
        problem: int | str | None,
        size: int | None = None,
    ) -> None:
        self._name = name
        self._loaded = load_domain(name)
        self._kinds = (difficulty,) if difficulty else DIFFICULTIES
        if size is not None:
            self._kinds = (self._kind_of_size(size, difficulty),)
        self._split = split
        self._fixed = None if problem is None else self._fix(problem)

    def draw(self, rng: np.random.Generator) -> str:
        """Draw the id of a problem of the split."""
        return f"{self._name}:{self._fixed or self._draw(rng)}"

    def get(self, task_id: object) -> Instance:
        """Generate a problem from its id, such as ``blocksworld:easy-7``.

        Raises:
            ValueError: If the id is malformed, or of another domain, difficulty or
                split.
        """
        domain, _, name = str(task_id).rpartition(":")
        if domain != self._name:
            raise ValueError(
                f"task_id={task_id!r}: give {self._name}:easy-NUMBER or "
                f"{self._name}:hard-NUMBER"
            )
        return self._make(self._check(name, f"task_id={task_id!r}"))

    def _draw(self, rng: np.random.Generator) -> str:
        kind = self._kinds[0]
        if len(self._kinds) > 1:
            kind = self._kinds[int(rng.integers(2))]
        return draw(
            lambda: f"{kind}-{int(rng.integers(_NUMBERS))}",
            self._split_key,
            self._split,
        )

    def _fix(self, problem: int | str) -> str:
        if isinstance(problem, bool) or not isinstance(problem, int):
            return self._check(str(problem), f"problem={problem!r}")
        if len(self._kinds) > 1:
            raise ValueError(
                f"problem={problem} needs a difficulty: give difficulty='easy' or "
                f"'hard', or problem='easy-{problem}'"
            )
        return self._check(f"{self._kinds[0]}-{problem}", f"problem={problem}")

    def _check(self, name: str, source: str) -> str:
        """Return a problem's name if it is valid; ``source`` is for error messages."""
        match = _NAME.fullmatch(name)
        if match is None or int(match["number"]) >= _NUMBERS:
            raise ValueError(
                f"{source}: give a number from 0 to 2**31 - 1: easy-NUMBER"
            )
        if match["kind"] not in self._kinds:
            raise ValueError(f"{source} is not {' or '.join(self._kinds)}")
        if not in_split(self._split_key(name), self._split):
            raise ValueError(f"{source} is not in split={self._split!r}")
        return name

    def _kind_of_size(self, size: int, difficulty: str | None) -> str:
        if difficulty is not None:
            raise ValueError(
                f"size={size}, difficulty={difficulty!r}: give one of them"
            )
        sizes = self._loaded.sizes
        if size not in sizes:
            raise ValueError(
                f"size={size}: {self._name} has the sizes {sizes[0]} to {sizes[-1]}"
            )
        return f"size{size}"

    def _split_key(self, name: str) -> str:
        if self._split == "all":
            return ""
        return f"{self._name},{_draft(self._name, name).canonical_form()}"

    def _make(self, name: str) -> Instance:
        draft, kind = _draft(self._name, name), name.partition("-")[0]
        pddl = draft.pddl(self._name, name)
        loaded = self._loaded
        return Instance(
            f"{self._name}:{name}",
            Task(loaded.domain, parse_problem(pddl, loaded.domain)),
            loaded.words,
            kind if kind in DIFFICULTIES else draft.difficulty,
            loaded.pddl,
            pddl,
        )


# Cached, because draw() generates a problem to find its split, and get() needs it
# again.
@lru_cache(maxsize=4)
def _draft(domain: str, name: str) -> ProblemDraft:
    kind, _, number = name.partition("-")
    size = None if kind in DIFFICULTIES else int(kind.removeprefix("size"))
    # Not np_random, because only the number determines the problem.
    return load_domain(domain).generate(Random(int(number)), kind, size)


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
    """Return whether an argument is PDDL text, not the path of a file."""
    return given.lstrip(f"{_BYTE_ORDER_MARK} \t\r\n").startswith(("(", ";"))


def _text(argument: str, given: str) -> str:
    """Return a PDDL text unchanged, or the contents of a file."""
    if is_pddl_text(given):
        return given.removeprefix(_BYTE_ORDER_MARK)
    try:
        return read_text(Path(given))
    except UserFileError as error:
        raise UserFileError(f"{argument}: {error}") from error
    except (OSError, ValueError) as error:  # too long for a path, or has a null
        raise ValueError(
            f"{argument}={given!r:.200}: give a file's path or PDDL text"
        ) from error


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
