"""What does the verifier find in the ratings that the authors of AgentEval published?

    python benchmarks/validity/ratings_published.py CHECKOUT

CHECKOUT is one of their repository, which has no licence: it is only read. Their model
rated solutions of mathematics problems on each criterion in a request of its own, 18
times, and on all criteria in one request, 50 times. Printed are the counts, and both
ways beside each other.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from aq_gym.ratings import (
    Criterion,
    Ratings,
    published_criteria,
    published_ratings,
    verify,
)


def found(
    criteria: Sequence[Criterion], ratings: Mapping[str, Ratings]
) -> dict[str, dict[str, Any]]:
    """Return the findings on each criterion."""
    return {one.name: verify(one, ratings[one.name]) for one in criteria}


def counts(name: str, results: Mapping[str, dict[str, Any]], episodes: int) -> None:
    """Print one way of asking in a few lines."""
    rows = results.values()
    spread = [one.get("coefficient_of_variation") or 0.0 for one in rows]
    areas = [one["success_area"].value for one in rows if one.get("success_area")]
    alphas = [one["alpha"] for one in rows if one["alpha"] is not None]
    changes = [one.get("disturbed", {}).get("disturbed") for one in rows]
    lower = sum(one["mean_after"] < one["mean_before"] for one in changes if one)
    copies = f"{lower} lower on disturbed copies" if any(changes) else "no copies"
    print(
        f"{name}: {len(results)} criteria, {episodes} episodes, "
        f"{sum(one['missing'] for one in rows):,} of "
        f"{sum(one['ratings'] for one in rows):,} ratings missing, "
        f"{sum(one > 0.5 for one in spread)} criteria with a coefficient of variation "
        f"above 0.5, {copies}, "
        f"{sum(one['decision'] == 'keep' for one in rows)} kept; median alpha "
        f"{median(alphas):.2f}"
        + (f", median area {median(areas):.2f}" if areas else "")
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    folder = parser.parse_args().checkout / "outputs" / "math"
    criteria = published_criteria(
        folder / "final_filtered_criteria.json", ["problem type"]
    )
    files = [folder / f"evaluated_problems-{n}.json" for n in range(18)]
    one = published_ratings(
        criteria, files, folder / "adversarial_evaluated_problems.json"
    )
    together = folder / "50-seeds-all-crit-in-one"
    files = [together / f"evaluated_problems-{n}.json" for n in range(50)]
    every = published_ratings(criteria, files)
    rows = found(criteria, one), found(criteria, every)
    names = "one criterion in a request", "all criteria in one request"
    for name, ratings, results in zip(names, (one, every), rows, strict=True):
        counts(name, results, len(ratings[criteria[0].name].repeats))
    print(
        "\n| criterion | one: decision | alpha | area | all: decision | alpha | area |"
    )
    print("|---" * 7 + "|")
    for criterion in criteria:
        shown = []
        for results in rows:
            own = results[criterion.name]
            area = own.get("success_area")
            shown += [own["decision"], _number(own["alpha"])]
            shown.append(_number(area.value if area else None))
        print(f"| {criterion.name} | {' | '.join(shown)} |")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    main()
