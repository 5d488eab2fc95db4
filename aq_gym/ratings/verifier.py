"""The verifier decides which criteria are robust, and which follow the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median_low
from typing import Any, NamedTuple

from aq_gym.evaluation.intervals import Estimate, mean_interval
from aq_gym.ratings.criteria import Criterion
from aq_gym.ratings.disturbances import APPEAL
from aq_gym.ratings.measures import (
    FEWEST_CLUSTERS,
    area_under_curve,
    coefficient_of_variation,
    kendall_tau,
    krippendorff_alpha,
    normalized_entropy,
)

# A sign test with fewer pairs cannot reject at 5%.
_FEWEST_PAIRS = 6


class Thresholds(NamedTuple):
    """The thresholds for keeping a criterion.

    Attributes:
        alpha: The minimum of Krippendorff's alpha over repetitions; he accepts 0.667
            and more for tentative conclusions.
        entropy: The minimum entropy of its values, as a share of the highest possible
            entropy.
        missing: The largest share of missing ratings.
    """

    alpha: float = 0.667
    entropy: float = 0.1
    missing: float = 0.2


THRESHOLDS = Thresholds()


@dataclass
class Ratings:
    """The ratings of one criterion.

    Attributes:
        repeats: For each episode its ratings, as numbers from 0 on; None if missing.
        disturbed: For each disturbance the episodes' ratings before and after it; pairs
            with a missing rating are left out.
        truth: For each known quantity, such as "success", the episodes' values.
        units: The instance of each episode, unless it is the episode itself.
    """

    repeats: dict[str, list[int | None]]
    disturbed: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)
    truth: dict[str, dict[str, float]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)

    def known(self) -> dict[str, list[int]]:
        """Return the ratings of the episodes that have any, without missing ones."""
        kept = {
            name: [one for one in given if one is not None]
            for name, given in self.repeats.items()
        }
        return {name: given for name, given in kept.items() if given}

    def unit(self, name: str) -> str:
        """Return the instance of an episode."""
        return self.units.get(name, name)


def typical(ratings: Sequence[int], ordinal: bool) -> int:
    """Return the lower median of ordinal ratings, the most frequent of others."""
    if ordinal:
        return median_low(ratings)
    return min(Counter(ratings).items(), key=lambda one: (-one[1], one[0]))[0]


def verify(
    criterion: Criterion, ratings: Ratings, thresholds: Thresholds = THRESHOLDS
) -> dict[str, Any]:
    """Return the findings of the ratings about their criterion, as JSON.

    Args:
        criterion: The criterion.
        ratings: Its ratings.
        thresholds: The thresholds that it must reach.

    Returns:
        The measures, ``decision`` ("keep" or "drop"), the ``reasons`` for dropping it
        and ``flags`` that a reader should know. A nominal criterion has no measure that
        needs an order, and its values are never averaged.
    """
    known = ratings.known()
    every = [one for given in known.values() for one in given]
    count = sum(map(len, ratings.repeats.values()))
    values = len(criterion.values)
    found: dict[str, Any] = {
        "ratings": count,
        "missing": count - len(every),
        "alpha": krippendorff_alpha(list(known.values()), criterion.ordinal),
        "entropy": normalized_entropy(every, values) if every else 0.0,
        "distribution": _distribution(criterion, ratings, known),
    }
    if criterion.ordinal:
        found["coefficient_of_variation"] = coefficient_of_variation(
            list(known.values())
        )
        found["success_area"], found["tau"] = _truths(ratings, known)
        found["tasks"] = {
            quantity: len({ratings.unit(name) for name in known if name in truth})
            for quantity, truth in ratings.truth.items()
        }
        found["disturbed"] = {
            kind: _changes(pairs, ratings) for kind, pairs in ratings.disturbed.items()
        }
    reasons = _reasons(found, thresholds)
    decision = "drop" if reasons else "keep"
    flags = _flags(found)
    return {"decision": decision, "reasons": reasons, "flags": flags, **found}


def _distribution(
    criterion: Criterion, ratings: Ratings, known: Mapping[str, Sequence[int]]
) -> dict[str, Any]:
    """Return the share of each typical value among successes, failures and all."""
    each = {name: typical(given, criterion.ordinal) for name, given in known.items()}
    success = ratings.truth.get("success", {})
    groups = {
        "succeeded": [name for name in each if success.get(name) == 1.0],
        "failed": [name for name in each if success.get(name) == 0.0],
    }
    if not any(groups.values()):
        groups = {"all": list(each)}
    return {
        group: [
            {
                "value": value,
                "share": mean_interval(
                    [float(each[name] == index) for name in names],
                    list(map(ratings.unit, names)),
                ),
                "episodes": [name for name in names if each[name] == index],
            }
            for index, value in enumerate(criterion.values)
        ]
        for group, names in groups.items()
        if names
    }


def _truths(
    ratings: Ratings, known: Mapping[str, Sequence[int]]
) -> tuple[Estimate | None, dict[str, Estimate | None]]:
    """Return the area under the curve, and Kendall's tau with each known quantity."""
    area, taus = None, {}
    for quantity, truth in ratings.truth.items():
        names = [name for name in known if name in truth]
        rated = [fmean(known[name]) for name in names]
        actual = [truth[name] for name in names]
        units = list(map(ratings.unit, names))
        taus[quantity] = kendall_tau(rated, actual, units) if names else None
        if quantity == "success" and names:
            area = area_under_curve(rated, list(map(bool, actual)), units)
    return area, taus


def _changes(pairs: Mapping[str, tuple[int, int]], ratings: Ratings) -> dict[str, Any]:
    moved = {name: after < before for name, (before, after) in pairs.items()
             if after != before}  # fmt: skip
    lower = sum(moved.values())
    units = list(map(ratings.unit, moved))
    return {
        "pairs": len(pairs),
        "lower": lower,
        "higher": len(moved) - lower,
        "mean_before": fmean(p[0] for p in pairs.values()) if pairs else None,
        "mean_after": fmean(p[1] for p in pairs.values()) if pairs else None,
        # The share among the copies with another rating; 0.5 by chance.
        "lower_of_moved": mean_interval(list(map(float, moved.values())), units)
        if moved
        else None,
    }


def _reasons(found: Mapping[str, Any], least: Thresholds) -> list[str]:
    reasons = []
    if found["missing"] > least.missing * found["ratings"]:
        reasons.append(f"{found['missing']} of {found['ratings']} ratings are missing")
    if found["entropy"] < least.entropy:
        reasons.append(f"nearly constant: entropy {found['entropy']:.2f}")
    elif found["alpha"] is not None and found["alpha"] < least.alpha:
        reasons.append(f"not repeatable: alpha {found['alpha']:.2f}")
    area = found.get("success_area")
    if area and area.high is not None and area.high < 0.5:
        reasons.append(f"reversed: failures are rated higher (area {area.value:.2f})")
    tried = _tried(found)
    undecided = area is not None and area.low is None
    follows = area is not None and area.low is not None and area.low > 0.5
    if tried and not follows and not any(map(_lowers, tried)):
        lower, higher = (sum(one[key] for one in tried) for key in ("lower", "higher"))
        success = (
            "there are too few tasks to tell whether it follows success"
            if undecided
            else "it does not follow success"
        )
        reasons.append(
            f"tells nothing: {success}, and disturbed copies are rated lower {lower} "
            f"times and higher {higher} times"
        )
    return reasons


def _tried(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the effects of the disturbances that have enough copies."""
    return [
        one
        for kind, one in found.get("disturbed", {}).items()
        if kind != APPEAL and one["pairs"] >= _FEWEST_PAIRS
    ]


def _too_few(found: Mapping[str, Any], quantity: str) -> str:
    what = "the progress rate" if quantity == "progress rate" else quantity
    return (
        f"too few tasks to tell whether it follows {what}: {found['tasks'][quantity]}, "
        f"at least {FEWEST_CLUSTERS} are needed"
    )


def _lowers(change: Mapping[str, Any]) -> bool:
    share = change["lower_of_moved"]
    return share is not None and share.low is not None and share.low > 0.5


def _flags(found: Mapping[str, Any]) -> list[str]:
    flags = []
    # An alpha is also undefined where all ratings are equal.
    if found["alpha"] is None and found["entropy"] > 0:
        flags.append("repeatability is not measured: too few ratings are repeated")
    area = found.get("success_area")
    if area and area.low is None:
        above = ", and failures are rated higher" if area.value < 0.5 else ""
        flags.append(f"{_too_few(found, 'success')} (area {area.value:.2f}){above}")
    elif area and area.low <= 0.5 <= area.high:
        flags.append(f"does not follow success (area {area.value:.2f})")
    tau = found.get("tau", {}).get("progress rate")
    if tau and tau.low is None:
        flags.append(f"{_too_few(found, 'progress rate')} (tau {tau.value:.2f})")
    elif tau and tau.low <= 0:
        flags.append(f"does not follow the progress rate (tau {tau.value:.2f})")
    disturbed = found.get("disturbed")
    if disturbed is not None and not _tried(found):
        flags.append(
            "no disturbance could be compared: one needs the ratings of at least "
            f"{_FEWEST_PAIRS} copies"
        )
    for kind, one in (disturbed or {}).items():
        if one["pairs"] < _FEWEST_PAIRS:
            flags.append(f"{kind}: too few copies to tell ({one['pairs']})")
        elif kind == APPEAL and one["higher"] > one["lower"]:
            flags.append(
                f"{one['higher']} of {one['pairs']} ratings rise if the episode asks "
                "for it"
            )
    return flags
