"""The problems that a constructor's arguments select."""

from __future__ import annotations

import re
from functools import partial
from operator import attrgetter
from pathlib import Path

import numpy as np
from gymnasium.error import Error

from aq_gym.core.tasks import GeneratedTasks, NumberedTasks, TaskSource
from aq_gym.envs.gsm8k.logic import official
from aq_gym.envs.gsm8k.logic.problem import Problem
from aq_gym.envs.gsm8k.logic.templates import VARIANTS, draw_id, make
from aq_gym.envs.gsm8k.logic.twins import twin_of
from aq_gym.support.data import Download, data_folder

_COMMIT = "3101c7d5072418e28b9008a6636bde82a006892c"
DOWNLOAD = Download(
    name="gsm8k",
    url=f"https://github.com/openai/grade-school-math/archive/{_COMMIT}.zip",
    example="*/grade_school_math/data/test.jsonl",
    variable="AQ_GYM_GSM8K",
    # Archives that GitHub makes: their files are known, but their bytes may change.
    known=("aq_gym.envs.gsm8k", "data/official.sha256"),
    note="GSM8K's train, test and socratic files (OpenAI, MIT)",
)
_DOWNLOADED = "downloaded"
_TRIES = 1000


def task_source(
    data_dir: str | None,
    split: str,
    socratic: bool,
    perturb: bool,
    problem: int | None,
) -> TaskSource[Problem]:
    """Return the problems of a split.

    Args:
        data_dir: The folder of the published files, "downloaded" for that of
            ``aq-gym download gsm8k``, or None for problems of our own.
        split: "all", "train" or "test".
        socratic: Whether to read the files with sub-questions.
        perturb: Whether to play twins of the problems.
        problem: The number of the only problem, None for all.

    Raises:
        FileNotFoundError: If a file is missing.
        ValueError: If an argument needs ``data_dir``, or a file cannot be read.
    """
    if data_dir is None:
        given = {"socratic": socratic, "perturb": perturb, "problem": problem}
        for name, value in given.items():
            if value is not None and value is not False:
                raise ValueError(f"{name}={value!r} needs data_dir: published files")
        form = f"TEMPLATE-VARIANT with a packaged template, VARIANT below {VARIANTS}"
        return GeneratedTasks(draw_id, make, form, split, attrgetter("content"))
    folder = data_folder(DOWNLOAD) if data_dir == _DOWNLOADED else Path(data_dir)
    names = ("train", "test") if split == "all" else (split,)
    files = {one: official.find_file(folder, one, socratic) for one in names}
    groups = {one: range(len(official.read_lines(files[one]))) for one in names}
    make_published = partial(_published, files)
    published = NumberedTasks(groups, make_published, split)
    if problem is not None:
        if len(names) != 1:
            raise ValueError(f"problem={problem!r} needs split='train' or 'test'")
        published.get(f"{split}-{problem}", "problem")
        only = {split: range(problem, problem + 1)}
        published = NumberedTasks(only, make_published, split)
    if not perturb:
        return published
    form = "SPLIT-NUMBER-VARIANT of a problem that has twins"
    return GeneratedTasks(
        partial(_draw_twin, published), partial(_twin, published), form
    )


def _published(
    files: dict[str, Path], task_id: str, split: str, number: int
) -> Problem:
    return official.problem_of(files[split], number)


def _twin(published: NumberedTasks[Problem], task_id: str) -> Problem | None:
    """Return the twin of an id, None if there is none."""
    name, _, variant = task_id.rpartition("-")
    if re.fullmatch(r"0|[1-9]\d{0,5}", variant, re.ASCII) is None:
        return None
    rng = np.random.default_rng([int(variant), *name.encode()])
    return twin_of(published.get(name), rng)


def _draw_twin(published: NumberedTasks[Problem], rng: np.random.Generator) -> str:
    for _ in range(_TRIES):
        task_id = f"{published.draw(rng)}-{int(rng.integers(VARIANTS))}"
        if _twin(published, task_id) is not None:
            return task_id
    raise Error(f"perturb=True: none of {_TRIES} problems drawn has a twin")
