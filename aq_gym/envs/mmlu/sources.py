"""The questions that a constructor's arguments select."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path

from aq_gym.core.splits import in_split
from aq_gym.core.tasks import GeneratedTasks, NumberedTasks, TaskSource
from aq_gym.envs.mmlu import generated
from aq_gym.envs.mmlu.generated import GENERATED
from aq_gym.envs.mmlu.official import TRAINING, DataFile, find_files, read_files
from aq_gym.envs.mmlu.question import PUBLISHED, Question, chosen
from aq_gym.envs.mmlu.structure import structure
from aq_gym.support.data import Download, data_folder

DOWNLOAD = Download(
    name="mmlu",
    url="https://people.eecs.berkeley.edu/~hendrycks/data.tar",
    example="data/test/*_test.csv",
    variable="AQ_GYM_MMLU",
    size=166_184_960,
    sha256="bec563ba4bac1d6aaf04141cd7d1605d7a5ca833e38f994051e818489592989b",
    note="MMLU's csv files (Hendrycks et al., MIT)",
)
MOST_SHOTS = 5
_DOWNLOADED = "downloaded"


def task_source(
    data_dir: str | None,
    split: str,
    subject: str | Sequence[str] | None,
    group: str | None,
    question: int | None,
) -> TaskSource[Question]:
    """Return the questions to play; see :class:`MMLUEnv` for the arguments.

    Raises:
        FileNotFoundError: If a file is missing.
        ValueError: If arguments do not fit together, or a file cannot be read.
    """
    if data_dir is None:
        if split in ("dev", "validation"):
            raise ValueError(f"split={split!r} needs data_dir: published questions")
        if question is not None:
            raise ValueError(f"question={question} needs data_dir: published questions")
        subjects = chosen(GENERATED, subject, group)
        return GeneratedTasks(
            partial(generated.draw_id, subjects),
            partial(generated.make, subjects),
            f"FAMILY-LEVEL-NUMBER with a family of {[*subjects]}, a level of "
            f"{[*generated.LEVELS]} and a number below {generated.NUMBERS}",
            split,
            structure,
        )
    if split == "train" and (subject, group) != (None, None):
        raise ValueError(
            f"subject={subject!r:.80} and group={group!r} can't be given with "
            "split='train': its questions have no subjects"
        )
    subjects = (TRAINING,) if split == "train" else chosen(PUBLISHED, subject, group)
    splits = ("dev", "validation", "test") if split == "all" else (split,)
    files = {one: _files(data_dir, one, subjects) for one in splits}
    groups = {
        f"{one}-{name}": range(len(read_files(files[one]).get(name, ())))
        for one in splits
        for name in subjects
    }
    if not any(groups.values()):
        raise ValueError(
            f"data_dir={data_dir!r:.200} has no question of split={split!r} with "
            f"subject={subject!r:.80} and group={group!r}"
        )
    if question is not None:
        groups = _only(groups, question)
    return NumberedTasks(groups, partial(_published, files), split)


def _only(groups: Mapping[str, range], question: int) -> dict[str, range]:
    """Return the group of a single question."""
    if len(groups) > 1:
        raise ValueError(
            f"question={question} needs one subject and one split, not {len(groups)}"
        )
    ((name, numbers),) = groups.items()
    if question not in numbers:
        raise ValueError(
            f"question={question}: {name} has {len(numbers)} questions, from number 0"
        )
    return {name: range(question, question + 1)}


def example_source(
    data_dir: str | None, split: str, subject: str | Sequence[str] | None,
    group: str | None, shots: int,
) -> Callable[[Question], tuple[Question, ...]]:  # fmt: skip
    """Return a function from a question to the examples that precede it.

    Args:
        data_dir: The folder of the published files, or None.
        split: The split that is played.
        subject: The subjects that are played.
        group: The group that is played.
        shots: The number of examples.

    Raises:
        FileNotFoundError: If there is no file of the split "dev".
        ValueError: If a subject has too few examples.
    """
    if data_dir is None or not shots:
        return partial(_generated_examples, shots)
    if split == "train":
        raise ValueError(
            f"shots={shots}: split='train' has no subjects, so no examples"
        )
    subjects = chosen(PUBLISHED, subject, group)
    files = _files(data_dir, "dev", subjects)
    for name in subjects:
        count = len(read_files(files).get(name, ()))
        if count < shots:
            raise ValueError(f"shots={shots}: the split 'dev' has {count} of {name}")
    return partial(_published_examples, files, shots)


def _files(data_dir: str, split: str, subjects: Sequence[str]) -> tuple[DataFile, ...]:
    """Return the files of a split without those of other subjects."""
    folder = data_folder(DOWNLOAD) if data_dir == _DOWNLOADED else Path(data_dir)
    found = find_files(folder, split)
    return tuple(one for one in found if one.subject in ("", *subjects))


def _published(
    files: Mapping[str, tuple[DataFile, ...]], task_id: str, group: str, number: int
) -> Question:
    split, _, subject = group.partition("-")
    return read_files(files[split])[subject][number]


def _published_examples(
    files: tuple[DataFile, ...], shots: int, question: Question
) -> tuple[Question, ...]:
    known = read_files(files)[question.subject]
    return tuple(islice((one for one in known if one.text != question.text), shots))


def _generated_examples(shots: int, question: Question) -> tuple[Question, ...]:
    if not shots:
        return ()
    known = _examples(question.subject, question.level)
    asked = structure(question)
    return tuple(islice((known[one] for one in known if one != asked), shots))


@lru_cache(maxsize=64)
def _examples(family: str, level: str) -> dict[str, Question]:
    """Return questions of a family by structure, none of them in the test split."""
    found: dict[str, Question] = {}
    for number in range(generated.NUMBERS):
        one = generated.question(family, level, number)
        if in_split(form := structure(one), "train"):
            found.setdefault(form, one)
        if len(found) > MOST_SHOTS:
            break
    return found
