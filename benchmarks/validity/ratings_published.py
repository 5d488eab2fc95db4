"""What does the verifier find in the ratings that the authors of AgentEval published?

    python benchmarks/validity/ratings_published.py CHECKOUT

CHECKOUT is a checkout of their repository, which has no licence and is only read. Their
model rated solutions of mathematics problems on each criterion in a request of its own,
18 times, and on all criteria in one request, 50 times.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from aq_gym.ratings import (
    Criterion,
    Ratings,
    published_criteria,
    published_ratings,
    verify,
)


def show(
    name: str, criteria: Sequence[Criterion], ratings: Mapping[str, Ratings]
) -> None:
    """Print the findings for one way of asking, and a row for each criterion."""
    results = {one.name: verify(one, ratings[one.name]) for one in criteria}
    rows = results.values()
    spread = [one.get("coefficient_of_variation") or 0.0 for one in rows]
    changes = [one.get("disturbed", {}).get("disturbed") for one in rows]
    lower = sum(one["mean_after"] < one["mean_before"] for one in changes if one)
    episodes = len(next(iter(ratings.values())).repeats)
    alphas = [one["alpha"] for one in rows if one["alpha"] is not None]
    print(
        f"{name}: {len(results)} criteria, {episodes} episodes, "
        f"{sum(one['missing'] for one in rows):,} of "
        f"{sum(one['ratings'] for one in rows):,} ratings missing, "
        f"{sum(one > 0.5 for one in spread)} criteria with a coefficient of variation "
        f"above 0.5, {lower} lower on disturbed copies, "
        f"{sum(one['decision'] == 'keep' for one in rows)} kept; median alpha "
        f"{median(alphas):.2f}\n\n| criterion | decision | alpha | area |\n"
        "|---|---|---|---|"
    )
    for criterion, own in results.items():
        alpha, area = own["alpha"], own.get("success_area")
        agreement = "-" if alpha is None else f"{alpha:.2f}"
        shown = f"{area.value:.2f} [{area.low:.2f}, {area.high:.2f}]" if area else "-"
        print(f"| {criterion} | {own['decision']} | {agreement} | {shown} |")
    print()


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
    show("one criterion in a request", criteria, one)
    show("all criteria in one request", criteria, every)


if __name__ == "__main__":
    main()
