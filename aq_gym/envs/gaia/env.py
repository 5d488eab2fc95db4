"""The GAIA environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple, Unpack

import numpy as np

from aq_gym.answers import cleaned
from aq_gym.core import Start
from aq_gym.core.tasks import separate, task_of
from aq_gym.envs.gaia import expert
from aq_gym.envs.gaia.desk import Desk
from aq_gym.envs.gaia.sources import DOWNLOAD, task_source
from aq_gym.envs.gaia.user_tools import user_tools
from aq_gym.support.data import source_of
from aq_gym.tools import Toolbox
from aq_gym.tools.answer_env import AnswerEnv
from aq_gym.tools.env import ToolArguments

_TOOLBOX = Toolbox(
    [Desk.list_files, Desk.read_file, Desk.calculate, Desk.think, Desk.answer]
)

_TASK = "Answer a question; files and tools help."
_RULES = (
    "An answer is a number, as few words as possible, or a list with commas: "
    "numbers in digits and without a unit, words without articles and "
    "abbreviations, unless the question asks for them."
)
_LONGEST = 500
# "The answer is not in the file" is not an answer.
_DOUBT = re.compile(
    r"(?:not|still|probably|likely|most likely|unclear|unknown|either|that|in the|to be"
    r"|wrong|incorrect|correct|right|between|less than|more than|at (?:least|most)"
    r"|in step|the (?:sum|product)|(?:i|we) (?:need|will|must|should|have|can|do|am)"
    r"|let me|let's|your|[\d.,]+ or)\b",
    re.IGNORECASE,
)
# "Lisbon. It is the capital of Portugal"; "St. Petersburg" is one name.
_SENTENCE = re.compile(
    r"(?:(?<=\w{3})|(?<=[^\w\s]|\d))[.!](?:\s+(?=[A-Z])|$)"
    r"|, (?:because|since|as|so|which|not)\b|\s\("
    r"|(?<=\d) (?:because|since|as|and not|rather than)\b"
)
_CALL = re.compile(r"[^\W\d]\w*[\[(]|\{")


class _Progress(NamedTuple):
    """The state of an episode, apart from the state of its tools."""

    task_id: str
    read: frozenset[tuple[str, int]]
    reached: frozenset[int]
    answers: int
    answer: str


class GAIAEnv(AnswerEnv):
    r"""Answer a question with the help of files and tools.

    ## Description
    GAIA (Mialon et al., 2023) has 466 questions in three levels that take several steps
    with files, tools and the web, and have one short answer: 165 for validation, with
    answers and annotated steps, and 301 for test, whose answers are private. With
    ``data_dir`` they are read from the user's copy, because GAIA's owners ask that they
    not be shared. Without it, 20 questions of our own in the same form are played, with
    files of every readable kind; a score on them is not a GAIA score.

    There is no web here. ``tools="module:functions"`` adds functions of the user's own,
    such as a search.

    The expert is privileged: it knows the annotated steps and the answer.

    ## Action Space
    Text: one call of a tool, such as ``read_file[sales.xlsx]``, ``calculate[12 * 30]``,
    ``think[...]`` and ``answer[Lisbon]``, or in any other form that
    :func:`aq_gym.tools.read_calls` reads, such as ``read_file(name="a.pdf", page=2)``
    or JSON. ``FINAL ANSWER: Lisbon``, "The answer is Lisbon", AgentQuest's ``Answer:
    Lisbon``, ``\boxed{Lisbon}`` and a number are answers, too, and in a longer text the
    last of them counts. ``check valid actions`` (or ``help``) lists the tools at the
    cost of a step. An invalid call changes nothing, and the answer explains the error.

    ``read_file`` reads text of any kind, ``.xlsx`` (values, and the colours of filled
    cells), ``.docx``, ``.pptx``, ``.pdf`` and the members of a ``.zip``; a page has
    8,000 characters. Images, sound, videos and files over 32 MiB are refused with the
    reason.

    ## Observation Space
    Text: the tools, the question and the name of its file at reset; then the result of
    the call.

    ## Starting State
    A question drawn from ``np_random``.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of subgoals reached: "file read" if there is a file that is
    not an image, sound or video, a subgoal for each annotated step with a value that
    can be observed, and the right answer.
    After the right answer progress is 1.0, whatever was found before.

    The annotation is written for people. A step counts if it has a number of two or
    more digits, or a quoted text, that does not occur in the question, the answer or an
    earlier step. It is reached when this value is in a result of ``read_file``,
    ``calculate`` or a user's tool. A step whose value cannot be observed is not a
    subgoal: for example, a step that opens a page, looks at a picture or only thinks. A
    value that the agent computes without a tool is not observed either.

    ## Episode End
    Terminated by the right answer, or by a wrong one when no retry is left. Answers are
    compared by GAIA's rules: numbers by value, lists item by item, text without
    whitespace, case and punctuation. Truncated after 40 steps (``max_episode_steps``).

    ## Information
    The keys of :class:`aq_gym.tools.env.ToolEnv`. ``level: int``, 1 to 3;
    ``annotated_steps: int``, 0 if unknown; ``answer: str``, the last answer given;
    ``scored: bool``, whether the right answer is known; GAIA's test questions have
    none, and are never solved here. ``difficulty`` is "easy" for level 1.

    ## Arguments
    * ``split="example"``: "example" or "all" is the packaged questions, "train" and
      "test" two parts of them. With ``data_dir`` "validation", "test" or "all" as
      published.
    * ``data_dir=None``: the folder of the published files, a copy of GAIA's repository
      (``2023/validation/metadata.parquet`` or ``.jsonl``, and the files beside it), or
      "downloaded" for the folder that ``AQ_GYM_GAIA`` names.
    * ``level=None``: only questions of level 1, 2 or 3.
    * ``files="all"``: "text" leaves out questions with a file that is not text, "none"
      leaves out all questions with a file.
    * ``problem=None``: the id of one question.
    * ``tools=None``: ``"module:name"`` of a function or a list of functions of the
      user's, with annotations and docstrings, see :func:`aq_gym.tools.tool` (but
      without a world). They return a str or plain JSON. ``aq_gym.tools.ToolError``
      carries a message to the agent; any other error stops the episode. An episode is
      as reproducible as their results.
    * ``retries=0``: how many wrong answers can be followed by another, 0 to 100.
      AgentQuest's interactive mode limits them only by the number of steps.
    * ``parallel_calls=False``, ``distractors=0``, ``rename=False``, ``faults=0.0``: see
      :class:`aq_gym.tools.env.ToolEnv`.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Mialon et al., "GAIA: a benchmark for General AI Assistants", ICLR 2024. Gioacchini
    et al., "AgentQuest: A Modular Benchmark Framework to Measure Progress and Improve
    LLM Agents", NAACL 2024 (demonstrations).

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has another type, or ``tools`` names no functions.
        ValueError: If an argument is out of its range or needs ``data_dir``, a file
            cannot be read, or ``list_actions`` is True: there are too many actions.
        FileNotFoundError: If ``data_dir`` lacks a file.
        gymnasium.error.DependencyNotInstalled: If a question's file needs a library of
            the extra ``gaia`` that is missing.
    """

    plain_arguments: ClassVar[frozenset[str]] = frozenset({"problem"})
    shared_attributes = AnswerEnv.shared_attributes | {"_tasks", "_toolbox"}

    def __init__(
        self,
        split: Literal["example", "all", "train", "validation", "test"] = "example",
        data_dir: str | None = None,
        level: int | None = None,
        files: Literal["all", "text", "none"] = "all",
        problem: str | None = None,
        tools: str | None = None,
        retries: int = 0,
        **shared: Unpack[ToolArguments],
    ) -> None:
        own = () if tools is None else user_tools(tools)
        self._toolbox = Toolbox([*_TOOLBOX, *own]) if own else _TOOLBOX
        super().__init__(retries, **shared)
        if level not in (None, 1, 2, 3):
            raise ValueError(f"level={level!r} must be 1, 2, 3 or None")
        self._tasks = task_source(data_dir, split, level, files, problem)
        self.source = source_of(DOWNLOAD, data_dir)

    @property
    def toolbox(self) -> Toolbox:
        """The tools, with those of the user."""
        return self._toolbox

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, question = task_of(self._tasks, options, self.np_random)
        self.begin_tools(task_id)
        self.world: Desk = Desk(question)
        attached = f"\nFile: {question.file.name}" if question.file else ""
        asked = f"Question: {question.question}{attached}"
        opening = self.opening(_TASK, "Lisbon", _RULES, asked)
        difficulty = "easy" if question.level == 1 else "hard"
        return Start(opening, question.question, task_id, difficulty)

    def read_answer(self, stated: str) -> str | None:
        """Return the answer in what a text states."""
        return read_answer(stated)

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a call: a listing, a calculation, or sometimes an answer."""
        own = separate(rng)
        one, other = (int(number) for number in own.integers(1, 1000, size=2))
        if own.random() < 0.1:
            return self.write_call("answer", answer=str(one))
        if own.random() < 0.5:
            return self.write_call("calculate", expression=f"{one} * {other}")
        return self.write_call("list_files")

    def expert_action(self) -> str:
        """Return the next page to read, the next calculation, or the answer."""
        name, arguments = expert.next_call(self.world)
        return self.write_call(name, **arguments)

    def secrets(self) -> tuple[str, ...]:
        """Return no secrets: an answer can be a word of the question or of its file."""
        return ()

    def extra_info(self) -> dict[str, Any]:
        """Return the numbers of calls, and facts about the question and the answer."""
        question = self.world.question
        return {
            **super().extra_info(),
            "level": question.level,
            "annotated_steps": question.steps,
            "answer": self.world.last_answer,
            "scored": bool(question.answer),
        }

    def solution(self) -> str:
        """Return the annotated answer."""
        return self.world.question.answer

    def _get_world(self) -> _Progress:
        desk = self.world
        latches = desk.pages_read, desk.reached, desk.answers, desk.last_answer
        return _Progress(desk.question.task_id, *latches)

    def _set_world(self, world: _Progress) -> None:
        self.world = Desk(self._tasks.get(world.task_id), *world[1:])


def read_answer(stated: str) -> str | None:
    """Return the answer in what a text states; None for a doubt or a call.

    Args:
        stated: What follows "the answer is", the content of a box, or a number.
    """
    answer = cleaned(_SENTENCE.split(stated, maxsplit=1)[0])
    # "Answer: calculate[3 * 6]" is a label before a call.
    if len(answer) > _LONGEST or _DOUBT.match(answer) or _CALL.match(answer):
        return None
    return answer or None
