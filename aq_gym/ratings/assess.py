"""Rate the episodes of a run: criteria, ratings, and their verification."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.evaluation.store import lock_run
from aq_gym.ratings.criteria import Criterion, read_labels, save_criteria
from aq_gym.ratings.critic import Critic, distinct
from aq_gym.ratings.disturbances import parse_disturbance
from aq_gym.ratings.episodes import RatedEpisode, Transcript, load_episodes, quote
from aq_gym.ratings.first_bad_step import FIRST_BAD_STEP, first_bad_steps
from aq_gym.ratings.journal import Journal
from aq_gym.ratings.judge import Caller, Judge, check_max_cost
from aq_gym.ratings.quantifier import Rater
from aq_gym.ratings.results import Rating, Settings, notes_of, notes_of_gaps, results_of
from aq_gym.support.json_files import read_text, write_json

_SHOWN_ENVS, _SHOWN_START = 5, 1_500


def assess(
    path: str | os.PathLike[str],
    judges: Sequence[Judge],
    settings: Settings | None = None,
    *,
    criteria: Sequence[Criterion] = (),
    labels: str | os.PathLike[str] | None = None,
    limit: int | None = None,
    max_cost: float | None = None,
    workers: int = 1,
) -> dict[str, Any]:
    """Rate the episodes of a run, and write ``ratings.json`` beside its files.

    Every answer is written to ``ratings/journal.jsonl`` at once. The same call
    continues after a kill, an error or a limit; requests whose answers are in the
    journal are not sent again. The criteria are written to ``ratings/criteria.json``,
    to be edited and given again.

    Args:
        path: The run's directory, or any folder of trajectories.
        judges: The models that rate; the first one suggests the criteria.
        settings: How criteria are found and episodes are rated.
        criteria: The criteria; by default the first judge suggests them. With
            ``FIRST_BAD_STEP``, only the episodes are rated whose steps to go show it.
        labels: A CSV file of ratings by people, with the columns ``task``,
            ``criterion`` and ``value``.
        limit: The number of episodes to rate, the first ones; None for all.
        max_cost: The maximum cost of all calls, by the judges' prices.
        workers: The number of calls made at once.

    Returns:
        The content of ``ratings.json``.

    Raises:
        EndpointError: If a call failed, after all retries.
        FileNotFoundError: If there is no run and no trajectory.
        LimitReachedError: If the limit is reached; raise the limit to continue.
        ValueError: If a file is damaged, two judges are equal, no criteria were
            suggested, another process writes to the run, or ``max_cost`` is not above
            0 or no judge has a price.
    """
    folder = Path(path, "ratings")
    check_max_cost(max_cost, judges)
    episodes, left_out = load_episodes(Path(path))
    shown = first_bad_steps(Path(path)) if FIRST_BAD_STEP in criteria else None
    with lock_run(Path(path)):
        journal = Journal(folder)
        try:
            caller = Caller(journal, max_cost, workers)
            chosen = _with_truth(episodes, shown)[:limit]
            session = _Session(caller, judges, settings or Settings(), chosen)
            results = session.results(criteria, labels, left_out, shown)
        finally:
            journal.close()
        save_criteria(folder / "criteria.json", session.criteria)
        write_json(Path(path, "ratings.json"), results)
    return results


def plan(
    path: str | os.PathLike[str],
    judges: Sequence[Judge],
    settings: Settings | None = None,
    *,
    criteria: Sequence[Criterion] = (),
    labels: str | os.PathLike[str] | None = None,
    limit: int | None = None,
    max_cost: float | None = None,
) -> dict[str, float]:
    """Return the number of calls and tokens that an assessment still needs.

    The tokens read are a cautious estimate, and the tokens written are the maximum.
    Requests that must be repeated are not counted.

    Args:
        path: As for :func:`assess`.
        judges: As for :func:`assess`.
        settings: As for :func:`assess`.
        criteria: As for :func:`assess`; without any, a typical size is assumed.
        labels: As for :func:`assess`; checked where criteria are given.
        limit: As for :func:`assess`.
        max_cost: As for :func:`assess`; only checked.

    Raises:
        FileNotFoundError: If there is no run and no trajectory, or no file of labels.
        ValueError: As for :func:`assess`.
    """
    check_max_cost(max_cost, judges)
    shown = first_bad_steps(Path(path)) if FIRST_BAD_STEP in criteria else None
    episodes = _with_truth(load_episodes(Path(path))[0], shown)[:limit]
    if labels and criteria:
        read_labels(Path(labels), criteria, [one.name for one in episodes])
    elif labels:
        read_text(Path(labels))
    journal = Journal(Path(path, "ratings"), write=False)
    caller = Caller(journal, plan=True)
    session = _Session(caller, judges, settings or Settings(), episodes)
    session.rate(session.choose(criteria))
    return caller.planned


_Steps = list[tuple[str, int]] | None


def _with_truth(episodes: Sequence[RatedEpisode], shown: _Steps) -> list[RatedEpisode]:
    """Return the episodes; if first bad steps are given, only those that have one."""
    known = None if shown is None else dict(shown)
    return [one for one in episodes if known is None or one.name in known]


class _Job(NamedTuple):
    """The rating of one transcript."""

    judge: int
    copy: str
    number: int
    episode: RatedEpisode
    transcript: Transcript
    criteria: Sequence[Criterion]


class _Session:
    """One assessment of some episodes."""

    def __init__(
        self,
        caller: Caller,
        judges: Sequence[Judge],
        settings: Settings,
        episodes: Sequence[RatedEpisode],
    ) -> None:
        if not judges or len({one.identity for one in judges}) < len(judges):
            raise ValueError(
                "judges must not be empty, and must differ in more than the endpoint, "
                "such as in name or seed"
            )
        self._caller, self._judges, self._settings = caller, judges, settings
        self._episodes = episodes
        self._task = f"The task:\n{quote(settings.task or _task_of(episodes))}"
        self._based_on = "given"
        self.criteria: Sequence[Criterion] = ()

    def results(
        self,
        criteria: Sequence[Criterion],
        labels: str | os.PathLike[str] | None,
        left_out: Sequence[str],
        shown: _Steps,
    ) -> dict[str, Any]:
        """Return the content of ``ratings.json``."""
        self.criteria = self.choose(criteria)
        names = [one.name for one in self._episodes]
        people = read_labels(Path(labels), self.criteria, names) if labels else {}
        if shown is not None:
            people = {**people, FIRST_BAD_STEP.name: shown}
        ratings = self.rate(self.criteria)
        return {
            "judges": [one.model for one in self._judges],
            "notes": [
                *notes_of(self._judges, self._episodes, self._caller.journal.refusals),
                *notes_of_gaps(left_out, self._settings.disturbances, ratings),
            ],
            "settings": self._settings.__dict__,
            "based_on": self._based_on,
            "used": self._caller.journal.used,
            **results_of(
                self.criteria, self._episodes, ratings, people, self._settings
            ),
        }

    def choose(self, given: Sequence[Criterion]) -> Sequence[Criterion]:
        """Return the criteria: those given, or those that the first judge suggests."""
        if given:
            return given
        settings = self._settings
        pairs = [] if settings.based_on == "task" else _pairs(self._episodes)
        if settings.based_on == "episodes" and not pairs:
            raise ValueError(
                "based_on='episodes' needs a successful and a failed episode"
            )
        self._based_on = "episodes" if pairs else "task"
        critic = Critic(
            self._caller, self._judges[0], self._task, pairs, settings.retries
        )
        suggested = critic.suggest(settings.seeds)
        chosen = critic.consolidate(suggested, settings.number)
        # Until all are known, they are placeholders, which stay as many as they are.
        return distinct(chosen)

    def rate(self, criteria: Sequence[Criterion]) -> list[Rating]:
        """Return the ratings of all episodes and their disturbed copies."""
        return self._caller.map(self._rated, self._jobs(criteria))

    def _rated(self, job: _Job) -> Rating:
        rater = Rater(
            self._caller,
            self._judges[job.judge],
            self._task,
            self._settings.retries,
        )
        values = rater.rate(job.criteria, job.transcript, job.number)
        name, asked = job.episode.name, tuple(one.name for one in job.criteria)
        return Rating(job.judge, job.copy, job.number, name, asked, values)

    def _jobs(self, criteria: Sequence[Criterion]) -> list[_Job]:
        settings = self._settings
        disturbances = list(map(parse_disturbance, settings.disturbances))
        one_each = settings.asking == "one"
        groups = [[one] for one in criteria] if one_each else [criteria]
        rated = []
        for episode in self._episodes:
            copies: list[tuple[str, int, Transcript]] = [
                ("", number, episode.transcript) for number in range(settings.repeats)
            ]
            for one in disturbances:
                copy = one.apply(episode, self._episodes)
                if copy is not None:
                    copies.append((one.name, 0, copy))
            rated += [(episode, *copy) for copy in copies]
        return [
            _Job(judge, name, number, episode, transcript, group)
            for episode, name, number, transcript in rated
            for judge in range(len(self._judges))
            for group in groups
        ]


def _task_of(episodes: Sequence[RatedEpisode]) -> str:
    """Return the ids of the environments, and the beginning of an episode of each."""
    first = {one.env: one.transcript.start for one in reversed(episodes)}
    shown = [
        f"{env or 'An environment'}; an episode begins:\n{start[:_SHOWN_START]}"
        for env, start in sorted(first.items())[:_SHOWN_ENVS]
    ]
    return "Act in a text environment until its goal is reached.\n" + "\n".join(shown)


def _pairs(
    episodes: Sequence[RatedEpisode],
) -> list[tuple[Transcript, Transcript]]:
    """Return successful and failed episodes in pairs, each used at least once."""
    groups: tuple[list[Transcript], list[Transcript]] = [], []
    for one in episodes:
        if "success" in one.truth:
            groups[not one.truth["success"]].append(one.transcript)
    won, lost = groups
    if not won or not lost:
        return []
    fill = (won[0], lost[0])
    return [
        (first or fill[0], second or fill[1])
        for first, second in zip_longest(won, lost)
    ]
