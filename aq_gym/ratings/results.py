"""The settings and the content of ``ratings.json``: ratings, and findings on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from aq_gym.core.arguments import check_arguments
from aq_gym.evaluation.intervals import Estimate
from aq_gym.ratings.criteria import MOST_CRITERIA, Criterion
from aq_gym.ratings.disturbances import parse_disturbance
from aq_gym.ratings.episodes import RatedEpisode
from aq_gym.ratings.judge import Judge, family
from aq_gym.ratings.measures import krippendorff_alpha, weighted_kappa
from aq_gym.ratings.verifier import THRESHOLDS, Ratings, Thresholds, typical, verify

_RANGES = {
    "seeds": (1, 1_000), "number": (1, MOST_CRITERIA), "repeats": (1, 1_000),
    "retries": (0, 100),
}  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """How criteria are found, and episodes are rated.

    Args:
        task: A description of the agents' task; by default the ids of the environments
            and the beginning of an episode of each.
        based_on: What the critic sees: the "task" alone, or "episodes", a successful
            and a failed one; "auto" for episodes where there are both.
        seeds: How often criteria are suggested; the paper's number is 50.
        number: How many criteria are kept; the paper's is 25.
        asking: "all" criteria in one request, or "one" in each.
        repeats: How often each episode is rated; the paper's number is 50, and its
            figures were stable after about 18.
        retries: How often an invalid answer is asked again.
        disturbances: The disturbed copies that are rated once each: "sentences:0.25",
            "words:0.5" and "steps:0.5" leave out such a share, "shuffled" has the steps
            in another order, "other-end" the end of another task's episode, and
            "appeal" a text that asks the judge for the best values.
        thresholds: What a criterion must reach.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If one is out of its range, or there is no such disturbance.
    """

    task: str = ""
    based_on: Literal["auto", "task", "episodes"] = "auto"
    seeds: int = 5
    number: int = 10
    asking: Literal["all", "one"] = "all"
    repeats: int = 5
    retries: int = 2
    disturbances: tuple[str, ...] = ("sentences:0.25", "steps:0.5")
    thresholds: Thresholds = THRESHOLDS

    def __post_init__(self) -> None:
        """Check the arguments."""
        check_arguments(Settings.__init__, self.__dict__)
        for name, (low, high) in _RANGES.items():
            if not low <= getattr(self, name) <= high:
                raise ValueError(
                    f"{name}={getattr(self, name)} must be from {low} to {high}"
                )
        if len(set(self.disturbances)) < len(self.disturbances):
            raise ValueError(f"disturbances={self.disturbances}: one is given twice")
        for one in self.disturbances:
            parse_disturbance(one)


_Labels = Mapping[str, Sequence[tuple[str, int]]]


class Rating(NamedTuple):
    """The values that a judge gave to a transcript.

    Attributes:
        judge: The judge's number.
        copy: The disturbance's name, "" for the episode itself.
        number: The number of the repetition.
        episode: The episode's name.
        asked: The names of the criteria.
        values: The values for which there was a valid answer.
    """

    judge: int
    copy: str
    number: int
    episode: str
    asked: Sequence[str]
    values: Mapping[str, int]


def notes_of(
    judges: Sequence[Judge], episodes: Sequence[RatedEpisode], refusals: Sequence[str]
) -> list[str]:
    """Return notes on the judges for the reader of the ratings."""
    players = sorted({one.model for one in episodes if one.model})
    notes = [
        f"{judge.model} rates {player}, a model of its own family; judges may prefer "
        "texts like their own"
        for judge in judges
        for player in players
        if family(judge.model) and family(judge.model) == family(player)
    ]
    if any(judge.temperature == 0.0 for judge in judges):
        notes.append(
            "with temperature 0 the repetitions show how much the order of the values "
            "and their codes matter, not how stable the judge is"
        )
    if refusals:
        notes.append(
            f"{len(refusals)} requests were refused; their ratings are missing. The "
            f"last one: {refusals[-1]:.200}"
        )
    return notes


def notes_of_gaps(
    left_out: Sequence[str], disturbances: Sequence[str], ratings: Sequence[Rating]
) -> list[str]:
    """Return notes on episodes and disturbances that nobody rated."""
    notes = []
    if left_out:
        some = ", ".join(left_out[:5]) + ", ..." * (len(left_out) > 5)
        notes.append(
            f"episodes left out: {len(left_out)} ({some}), because they are cut off "
            "or damaged, ended with an error or have no steps"
        )
    made = {one.copy for one in ratings}
    notes += [
        f"{kind} changes no episode, so no copy of this kind was rated"
        for kind in disturbances
        if kind not in made
    ]
    return notes


def results_of(
    criteria: Sequence[Criterion],
    episodes: Sequence[RatedEpisode],
    ratings: Sequence[Rating],
    labels: _Labels,
    settings: Settings,
) -> dict[str, Any]:
    """Return the findings on each criterion, and all ratings, as JSON."""
    findings = []
    for criterion in criteria:
        own = _ratings_of(criterion.name, ratings, episodes, settings.disturbances)
        found = verify(criterion, own, settings.thresholds)
        found["agreement"] = _agreement(criterion, ratings, labels)
        findings.append({**criterion.to_record(), **_plain(found)})
    return {
        "criteria": findings,
        "kept": [one["name"] for one in findings if one["decision"] == "keep"],
        "ratings": [_record(one, criteria) for one in ratings],
    }


def _ratings_of(
    name: str,
    ratings: Sequence[Rating],
    episodes: Sequence[RatedEpisode],
    disturbances: Sequence[str],
) -> Ratings:
    """Return the ratings of a criterion, with all judges' ratings as repetitions."""
    own = [one for one in ratings if name in one.asked]
    repeats: dict[str, list[int | None]] = {one.name: [] for one in episodes}
    units = {one.name: one.unit for one in episodes}
    for one in own:
        if not one.copy:
            repeats[one.episode].append(one.values.get(name))
    first = {
        (one.judge, one.episode): one.values.get(name)
        for one in own
        if not one.copy and not one.number
    }
    disturbed: dict[str, dict[str, tuple[int, int]]] = {k: {} for k in disturbances}
    for one in own:
        before, after = first[one.judge, one.episode], one.values.get(name)
        if one.copy and before is not None and after is not None:
            key = f"{one.episode}\n{one.judge}" if one.judge else one.episode
            units[key] = units[one.episode]
            disturbed[one.copy][key] = before, after
    truth: dict[str, dict[str, float]] = {}
    for episode in episodes:
        for quantity, value in episode.truth.items():
            truth.setdefault(quantity, {})[episode.name] = value
    return Ratings(repeats, disturbed, truth, units)


def _agreement(
    criterion: Criterion, ratings: Sequence[Rating], labels: _Labels
) -> dict[str, Any]:
    """Return how judges and people agree on a criterion."""
    values: dict[int, dict[str, list[int]]] = {}
    for one in ratings:
        rated = one.values.get(criterion.name)
        if not one.copy and rated is not None:
            own = values.setdefault(one.judge, {})
            own.setdefault(one.episode, []).append(rated)
    within = [rated for own in values.values() for rated in own.values()]
    judges = [
        {name: typical(rated, criterion.ordinal) for name, rated in own.items()}
        for own in values.values()
    ]
    together = [
        [own[name] for own in judges if name in own]
        for name in sorted({name for own in judges for name in own})
    ]
    found: dict[str, Any] = {
        "within_judges": krippendorff_alpha(within, criterion.ordinal)
    }
    if len(judges) > 1:
        found["between_judges"] = krippendorff_alpha(together, criterion.ordinal)
    if given := labels.get(criterion.name):
        rated_by_people = [
            (own[name], value) for own in judges for name, value in given if name in own
        ]
        first, second = ([pair[n] for pair in rated_by_people] for n in (0, 1))
        power = 2 if criterion.ordinal else 0
        count = len(criterion.values)
        found["people_kappa"] = weighted_kappa(first, second, count, power)
        same = sum(one == other for one, other in rated_by_people)
        found["people_share"] = same / max(1, len(first))
        found["labels"] = len(given)
    return found


def _record(rating: Rating, criteria: Sequence[Criterion]) -> dict[str, Any]:
    """Return a rating with the values as texts, None where they are missing."""
    values = {
        one.name: one.values[rating.values[one.name]]
        if one.name in rating.values
        else None
        for one in criteria
        if one.name in rating.asked
    }
    kept = ("judge", "copy", "number", "episode")
    return {**{name: getattr(rating, name) for name in kept}, "values": values}


def _plain(value: Any) -> Any:
    """Return a JSON value, with estimates as objects."""
    if isinstance(value, Estimate):
        return value._asdict()
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return list(map(_plain, value))
    return value
