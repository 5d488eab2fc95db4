"""The settings of an assessment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from aq_gym.core.arguments import check_arguments
from aq_gym.ratings.criteria import MOST_CRITERIA
from aq_gym.ratings.disturbances import parse_disturbance
from aq_gym.ratings.quantifier import Asking
from aq_gym.ratings.verifier import THRESHOLDS, Thresholds

_RANGES = {
    "seeds": (1, 1_000), "number": (1, MOST_CRITERIA), "repeats": (1, 1_000),
    "retries": (0, 100), "similarity": (0, 1),
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
        parts: Whether the criteria are divided into parts, which are rated too.
        embeddings: A model of embeddings that finds criteria of equal meaning, "" for
            none; then only equal names count as equal.
        embeddings_url: Its endpoint.
        similarity: The cosine above which two names mean the same; the paper's is 0.75.
        asking: "all" criteria in one request, "one" in each, or "both", to compare
            them; the results are then those of "all".
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
    parts: bool = False
    embeddings: str = ""
    embeddings_url: str | None = None
    similarity: float = 0.75
    asking: Literal["all", "one", "both"] = "all"
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

    @property
    def ways(self) -> tuple[Asking, ...]:
        """How criteria are asked for, the main way first."""
        return ("all", "one") if self.asking == "both" else (self.asking,)
