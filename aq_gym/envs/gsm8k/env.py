"""The GSM8K environment."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np

from aq_gym.core import Start
from aq_gym.core.splits import Split
from aq_gym.core.tasks import separate, task_of
from aq_gym.envs.gsm8k import actions
from aq_gym.envs.gsm8k.problem import Problem, Work, exact_value
from aq_gym.envs.gsm8k.sources import DOWNLOAD, split_files, task_source
from aq_gym.support.data import source_of
from aq_gym.tools import Call, Toolbox
from aq_gym.tools.answer_env import AnswerEnv
from aq_gym.tools.arithmetic import write_fraction
from aq_gym.tools.env import ToolArguments

# The most values, besides the answer, of an easy problem and of a medium one.
_EASY = 2
_MEDIUM = 3
_TASK = "Solve a word problem step by step."
_RULES = (
    "What counts is each value on the way, when you calculate or state it on its own, "
    "and the right answer."
)


class _Progress(NamedTuple):
    """The state of an episode, apart from the state of its tools."""

    task_id: str
    stated: frozenset[Fraction]
    guesses: int
    answers: int
    right: bool


class GSM8KEnv(AnswerEnv):
    r"""Solve a word problem of elementary mathematics in steps.

    ## Description
    GSM8K (Cobbe et al., 2021) has 8,792 word problems that take two to eight steps.
    With ``data_dir`` the problems are the published ones, from the user's files: their
    sentences are not part of this package. Without it, problems of the same form are
    made from 67 templates of our own, with other names and numbers each time.

    The expert is privileged: it calculates the steps of the solution.

    ## Action Space
    Text: one call of a tool, such as ``calculate[16 - 3 - 4]``, ``think[...]`` and
    ``answer[18]``, or in any other form that :func:`aq_gym.tools.read_calls` reads,
    such as ``calculate(expression="16 - 3")`` or JSON. "The answer is 18", ``Answer:
    18``, ``#### 18``, ``\boxed{18}`` and ``18`` are answers, too, and in a longer text
    the last of them counts. ``calculate`` is exact, see ``aq_gym.tools.arithmetic``.
    ``check valid actions`` (or ``help``) lists the tools at the cost of a step. A wrong
    call changes nothing, and the answer explains the error.

    ## Observation Space
    Text: the tools and the problem at reset; then the value of a calculation, "OK.", or
    whether the answer is right.

    ## Starting State
    A problem drawn from ``np_random``.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of subgoals reached. The subgoals are the right answer, and
    the values in the solution that are neither in the question nor the answer. After
    the right answer progress is 1.0, whatever was found before.

    A value counts once, when it is the result of a calculation, is stated in a thought
    (after "=" if the thought has an equation), or is given as a wrong answer. A call
    counts only if it has exactly one new number: one that was neither in the question
    nor computed or stated before. Known numbers are those of the question, those
    computed or stated before, and constants such as 60 and 100. A number that is not
    calculated from known numbers is a guess, and the guesses that count are limited to
    the number of values. So a list of guesses earns nothing, and single guesses earn
    next to nothing.

    ## Episode End
    Terminated by the right answer, or by a wrong one when no retry is left. Numbers are
    compared by value, with or without a unit (see :func:`aq_gym.answers.is_same`). A
    text that is not a number is invalid, and not an answer. Truncated after 20 steps
    (``max_episode_steps``).

    ## Information
    The keys of :class:`aq_gym.tools.env.ToolEnv`. ``subgoals`` has "value 1" to "value
    n", or the sub-questions of the socratic files, and "right answer"; on reset also
    ``labels``: the number of "subgoals", by which the summary of a run groups scores:
    with one subgoal, progress is 0 or 1. ``difficulty`` is "easy" up to
    two values, "medium" with three, else "hard", and "" without values.

    ## Arguments
    * ``split="all"``: "train" or "test". The published files have these two splits,
      with 7,473 and 1,319 problems. Our own problems are split by template and numbers.
    * ``data_dir=None``: the folder of the published files (``train.jsonl``,
      ``test.jsonl``), or "downloaded" for the folder of ``aq-gym download gsm8k``.
    * ``columns=None``: the names that "question" and "answer" have in the files, such
      as ``{"question": "input", "answer": "target"}``, for other files of the same
      form, as JSON Lines or a JSON array. An answer may be a number alone; such a
      problem has no steps, and its progress is 0 or 1.
    * ``socratic=False``: whether to read ``train_socratic.jsonl`` and
      ``test_socratic.jsonl``, whose sub-questions are the names of subgoals.
    * ``perturb=False``: whether to play twins of the published problems, with other
      numbers and, if the names are recognized, other first names. The difference
      between the scores on problems and on twins shows memorization. Only problems
      whose solution can be calculated again with other numbers have twins: 507 of the
      1,319 test problems.
    * ``problem=None``: the number of one published problem, from 0: its line in the
      file of the split.
    * ``retries=0``: how many wrong answers can be followed by another, 0 to 100.
      AgentQuest's interactive mode limits them only by the number of steps.
    * ``parallel_calls=False``, ``distractors=0``, ``rename=False``, ``faults=0.0``: see
      :class:`aq_gym.tools.env.ToolEnv`.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Cobbe et al., "Training Verifiers to Solve Math Word Problems", 2021. Gioacchini et
    al., "AgentQuest: A Modular Benchmark Framework to Measure Progress and Improve LLM
    Agents", NAACL 2024 (demonstrations). Yao et al., "ReAct: Synergizing Reasoning and
    Acting in Language Models", ICLR 2023 (the form ``calculate[...]``).

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If an argument is out of its range or needs ``data_dir``, a file
            cannot be read, or ``list_actions`` is True: there are too many actions.
        FileNotFoundError: If ``data_dir`` lacks a file.
    """

    plain_arguments: ClassVar[frozenset[str]] = frozenset(
        {
            *("split", "socratic", "perturb", "problem", "retries"),
            *("parallel_calls", "distractors", "rename", "faults"),
        }
    )
    shared_attributes = AnswerEnv.shared_attributes | {"_tasks"}
    toolbox = Toolbox([Work.calculate, Work.think, Work.answer])

    def __init__(
        self,
        split: Split = "all",
        data_dir: str | None = None,
        socratic: bool = False,
        perturb: bool = False,
        problem: int | None = None,
        retries: int = 0,
        columns: Mapping[str, str] | None = None,
        **shared: Unpack[ToolArguments],
    ) -> None:
        super().__init__(retries, **shared)
        self._tasks = task_source(data_dir, split, socratic, perturb, problem, columns)
        if data_dir is not None and not perturb:
            files = split_files(data_dir, split, socratic).values()
            self.source = source_of(DOWNLOAD, data_dir, files)

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, problem = task_of(self._tasks, options, self.np_random)
        self.begin_tools(task_id)
        self._task_id = task_id
        self.world: Work = Work(problem)
        asked = f"Problem: {problem.question}"
        opening = self.opening(_TASK, "84", _RULES, asked)
        subgoals = str(len(problem.subgoals))
        return Start(
            opening, problem.question, task_id, _grade(problem), {"subgoals": subgoals}
        )

    def read_answer(self, stated: str) -> str | None:
        """Return the number in what a text states as its answer."""
        return actions.read_answer(stated)

    def canonical_call(self, call: Call) -> Call:
        """Return a call's canonical form, which answers of the same value share."""
        name = self._variant.names["answer"]
        if call.name.casefold() == name.casefold():
            answer, *_ = (*call.positional, *call.arguments.values())
            call = Call(name, {}, (actions.plain_answer(str(answer)),))
        return super().canonical_call(call)

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw an answer, or a calculation with numbers of the question or results."""
        own = separate(rng)
        work = self.world
        numbers = sorted(work.problem.given | work.stated) or [Fraction(2)]
        return self._called(*actions.draw_call(numbers, own))

    def expert_action(self) -> str:
        """Return the next calculation of the solution that counts, or the answer."""
        work, problem = self.world, self.world.problem
        for step in problem.steps:
            counts = step.value in problem.values and step.value not in work.stated
            # A call that cannot count any more would be repeated forever.
            right = exact_value(step.expression) == step.value
            if counts and right and work.has_chance(step.expression):
                return self._called("calculate", step.expression)
        return self._called("answer", write_fraction(problem.answer))

    def _called(self, tool: str, argument: str) -> str:
        """Return a call in ReAct's form."""
        return f"{self._variant.names[tool]}[{argument}]"

    def solution(self) -> str:
        """Return the right number."""
        return write_fraction(self.world.problem.answer)

    def _get_world(self) -> _Progress:
        work = self.world
        counts = work.guesses, work.answers, work.right
        return _Progress(self._task_id, work.stated, *counts)

    def _set_world(self, world: _Progress) -> None:
        self._task_id = world.task_id
        self.world = Work(self._tasks.get(world.task_id), *world[1:])


def _grade(problem: Problem) -> str:
    """Return the difficulty: by the number of values on the way to the answer."""
    values = len(problem.values)
    if not problem.steps:
        return ""
    return "easy" if values <= _EASY else "medium" if values <= _MEDIUM else "hard"
