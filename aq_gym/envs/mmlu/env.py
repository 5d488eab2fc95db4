"""The MMLU environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Unpack

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Start, Turn
from aq_gym.core.tasks import task_of
from aq_gym.core.text import plural, quote
from aq_gym.envs.mmlu import actions, picture
from aq_gym.envs.mmlu.generated import GENERATED
from aq_gym.envs.mmlu.question import LETTERS, PUBLISHED, Question
from aq_gym.envs.mmlu.sources import (
    DOWNLOAD,
    MOST_SHOTS,
    example_source,
    task_source,
)
from aq_gym.support.data import source_of

_MOST_RETRIES = 100
_HOW = 'Answer with its letter, in the form "Answer: LETTER".'
_GROUPS = {**PUBLISHED, **GENERATED}


class MMLUEnv(TextEnv):
    """Answer a question with four options.

    ## Description
    MMLU (Hendrycks et al., 2021) has 14,042 test questions of 57 subjects, from
    elementary mathematics to law. With ``data_dir`` the published questions are read
    from the user's files; they are not part of this package. Without it, questions are
    generated from 15 families such as arithmetic, dates, sets and charts. Generated
    questions serve for training and for tests of a harness. They require no knowledge,
    and a score on them is not an MMLU score.

    The expert is privileged: it knows the right option.

    ## Action Space
    Text: the letter of an option, such as ``Answer: B``, ``B``, ``(B)``, ``answer[B]``
    or "The answer is B because ...", or the text of an option, with or without its
    letter. In a longer text the last "the answer is" or box counts. A text that is not
    an answer costs a step, but not an answer. ``check valid actions`` (or ``help``)
    lists the answers, and costs a step.

    ## Observation Space
    Text: the question with its options at reset; then whether the answer is right, and
    how many more answers can be given.

    ## Starting State
    A question drawn from ``np_random``. Published questions are drawn uniformly from
    the selection; for a generated question the family is drawn first.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is 1.0 after the right answer, and 0.0 before it. A wrong answer earns
    nothing.

    ## Episode End
    Terminated by the right answer, or by a wrong one when no retry is left. Truncated
    after 20 steps (``max_episode_steps``).

    ## Information
    The keys of :class:`aq_gym.TextEnv`; ``answers_left``: the number of answers that
    can still be given; on reset also ``labels``: "subject" and "group", by which the
    summary of a run groups scores. ``subgoals`` has "answered" and "right answer".

    ## Arguments
    * ``data_dir=None``: the folder of the published files, csv or parquet, or
      "downloaded" for the folder of ``aq-gym download mmlu``. None for generated
      questions.
    * ``split="all"``: published questions have "dev", "validation" and "test", "all"
      for these three, and "train" for the auxiliary training questions, which have no
      subjects. Generated questions have only "train" and "test", and no test question
      is a training question with other names.
    * ``subject=None``: one subject or a list of them; None for all. For generated
      questions, a family.
    * ``group=None``: "STEM", "humanities", "social sciences" or "other". For generated
      questions "numbers", "measures", "logic" or "texts".
    * ``question=None``: the number, from 0, of a published question of one subject and
      split; only this question is played.
    * ``shots=0``: the number of solved examples of the same subject before the
      question, 0 to 5. Published examples come from the split "dev", generated ones
      from "train". The question itself is never an example.
    * ``shuffle=None``: a seed for the order of the options; the same seed always gives
      the same order. A question with an option such as "all of the above" keeps its
      order.
    * ``retries=0``: the number of wrong answers that can be followed by another, 0 to
      100. With three or more, an agent that tries all letters succeeds. AgentQuest's
      interactive mode limits them only by the number of steps.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.
      With ``instructions=False`` the examples remain.

    ## References
    Hendrycks et al., "Measuring Massive Multitask Language Understanding", ICLR 2021.
    Gioacchini et al., "AgentQuest: A Modular Benchmark Framework to Measure Progress
    and Improve LLM Agents", NAACL 2024 (demonstrations).

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If arguments do not fit together, or a file cannot be read.
        FileNotFoundError: If ``data_dir`` lacks a file.
        ImportError: If ``data_dir`` has parquet files and pyarrow is not installed.
    """

    plain_arguments: ClassVar[frozenset[str]] = frozenset({"subject", "group"})
    shared_attributes = frozenset({"_examples_of", "_question", "_tasks"})

    def __init__(
        self,
        data_dir: str | None = None,
        split: Literal["all", "train", "dev", "validation", "test"] = "all",
        subject: str | Sequence[str] | None = None,
        group: str | None = None,
        question: int | None = None,
        shots: int = 0,
        shuffle: int | None = None,
        retries: int = 0,
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        for name, value, most in (
            ("shots", shots, MOST_SHOTS),
            ("retries", retries, _MOST_RETRIES),
        ):
            if not 0 <= value <= most:
                raise ValueError(f"{name}={value!r} must be 0 to {most}")
        self._shuffle = shuffle
        self._retries = retries
        self._tasks = task_source(data_dir, split, subject, group, question)
        self.source = source_of(DOWNLOAD, data_dir)
        self._examples_of = example_source(data_dir, split, subject, group, shots)
        self._question: Question | None = None
        self._given = ""

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, question = task_of(self._tasks, options, self.np_random)
        question = self._begin(task_id, question)
        parts = [_shown(question)]
        if examples := self._examples_of(question):
            parts.insert(0, _examples(examples))
        if self.instructions:
            parts.insert(0, _instructions(self._retries))
        group = _GROUPS.get(question.subject, "none")
        return Start(
            "\n\n".join(parts),
            _goal(question),
            task_id,
            labels={"subject": question.subject, "group": group},
        )

    def _begin(self, task_id: str, question: Question) -> Question:
        if self._shuffle is not None:
            question = question.shuffled(self._shuffle, task_id)
        self._task_id, self._question, self._given = task_id, question, ""
        return question

    @property
    def _options(self) -> tuple[str, ...]:
        return self._question.options if self._question else ()

    def _read(self, text: str) -> str | None:
        """Return the letter that a text means."""
        letter = actions.read(text, self._options)
        return None if letter in ("", actions.AMBIGUOUS) else letter

    def stated_answer(self, text: str) -> str | None:
        """Return the part of a text that states its answer, or the letter in it.

        None if no part does.

        Args:
            text: Any text.
        """
        found = actions.stated(text, self._options)
        return found[0] if found else None

    def _write(self, action: str) -> str:
        return actions.write(action)

    def _said(self, action: str) -> str:
        return action

    def _step(self, action: str) -> Turn:
        self._given += action
        if self.success():
            return Turn("Right answer.")
        left = self._answers_left()
        return Turn(_wrong(left), terminated=not left)

    def _refuse(self, text: str) -> Turn:
        ambiguous = actions.read(text, self._options) == actions.AMBIGUOUS
        what = (
            "the text of more than one option"
            if ambiguous
            else "not one of the options"
        )
        return Turn.invalid(f"{quote(text)} is {what}. {_HOW}")

    def _answers_left(self) -> int:
        return 0 if self.success() else self._retries + 1 - len(self._given)

    def subgoals(self) -> dict[str, bool]:
        """Return whether an answer was given, and whether it was right."""
        return {"answered": bool(self._given), "right answer": self.success()}

    def progress(self) -> float:
        """Return 1.0 after the right answer, else 0.0."""
        return float(self.success())

    def success(self) -> bool:
        """Return whether the last answer was right."""
        assert self._question is not None
        return self._given[-1:] == self._question.letter

    def admissible_actions(self) -> tuple[str, ...]:
        """List the four answers."""
        return tuple(map(actions.write, LETTERS))

    def solution(self) -> str:
        """Return the letter and the text of the right option."""
        question = self._question
        assert question is not None
        return f"{question.letter}. {question.options[question.answer]}"

    def expert_action(self) -> str:
        """Return the right answer; the expert is privileged."""
        assert self._question is not None
        return actions.write(self._question.letter)

    def _draw(self) -> Drawing:
        assert self._question is not None
        return picture.draw(self._question, self._given)

    def extra_info(self) -> dict[str, Any]:
        """Return how many more answers can be given."""
        return {"answers_left": self._answers_left()}

    def _get_state(self) -> tuple[str, str]:
        return self._task_id, self._given

    def _set_state(self, world: tuple[str, str]) -> None:
        task_id, given = world
        self._begin(task_id, self._tasks.get(task_id))
        self._given = given


def _goal(question: Question) -> str:
    """State the goal in one sentence."""
    return f"Choose the right answer to a question about {_named(question)}."


def _instructions(retries: int) -> str:
    """Explain the task to an agent that has never seen it.

    Args:
        retries: How many wrong answers can be followed by another.
    """
    counts = (
        f"After a wrong answer you can answer again, {plural(retries, 'time')} at most."
        if retries
        else "Your first answer counts."
    )
    return f"The question has four options, and one is right. {_HOW} {counts}"


def _examples(questions: Sequence[Question]) -> str:
    """Write questions with their answers.

    Args:
        questions: One or more questions of one subject.
    """
    parts = (f"{_shown(one)}\nAnswer: {one.letter}" for one in questions)
    head = f"Examples about {_named(questions[0])}, with their answers:"
    return "\n\n".join((head, *parts))


def _shown(question: Question) -> str:
    """Write a question with its options."""
    options = zip(LETTERS, question.options, strict=True)
    lines = (f"{letter}. {option}" for letter, option in options)
    return "\n".join((f"Question: {question.text}", *lines))


def _wrong(left: int) -> str:
    """Return the observation after a wrong answer."""
    if not left:
        return "Wrong answer."
    times = "once" if left == 1 else f"{left} times"
    return f"Wrong answer. You can answer {times} more."


def _named(question: Question) -> str:
    return question.subject.replace("_", " ")
