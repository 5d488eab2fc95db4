"""The registry of metrics: how each is measured, aggregated and formatted.

A metric is one :class:`Metric` in :data:`METRICS`. ``summary.json``, ``aq-gym
compare``, the result tables and the report all read it from there. Episodes with an
error count in no metric.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import copysign, inf
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal, Protocol

from aq_gym.evaluation.intervals import Bounds, Estimate, mean_interval
from aq_gym.registration import row_of
from aq_gym.support.data import packaged_json
from aq_gym.wrappers.steps_to_go import INFINITE, regret

if TYPE_CHECKING:
    from aq_gym.evaluation.episode import EpisodeResult


class Tracker(Protocol):
    """Measures one episode, step by step, as it is played or read from its file."""

    def add(
        self,
        action: object,
        observation: object,
        info: Mapping[str, Any],
        notes: Mapping[str, Any],
    ) -> None:
        """Add a step.

        Args:
            action: The action, as the agent gave it: the whole completion of a model.
            observation: The observation after the step.
            info: The info dict of the step.
            notes: The agent's notes on the action.
        """

    def value(self) -> float | None:
        """Return the value for the steps so far, or None."""


@dataclass(frozen=True)
class Metric:
    """A number for each episode, and how it is aggregated over episodes.

    Attributes:
        name: Its name, in lower case, as in ``summary.json``.
        value: Returns the value of an episode, or None if the episode has none and is
            left out. By default, the value that ``tracker`` or ``aq-gym score``
            recorded.
        bounds: The lowest and highest possible value, which may be infinite, None where
            there are none. They
            determine the interval, see :func:`~aq_gym.evaluation.mean_interval`.
        most: Returns the highest possible value of an episode, where that differs
            between episodes. The interval ends at their mean, which keeps its coverage.
        digits: Decimals shown.
        shown: Where the metric is shown: "overview" (everywhere), "table" (in the
            tables of each environment and in comparisons) or "summary" (in
            ``summary.json`` only).
        higher_is_better: Whether a higher value is better; None if this can't be said.
        tracker: Makes a tracker of one episode, for a value that depends on actions or
            observations, which an :class:`~aq_gym.evaluation.EpisodeResult` lacks.
        replayed: Whether the value needs the episode's steps to go, which ``aq-gym
            score --metric steps-to-go`` counts.
    """

    name: str
    value: Callable[[EpisodeResult], float | None] | None = None
    bounds: Bounds = None
    most: Callable[[EpisodeResult], float] | None = None
    digits: int = 2
    shown: Literal["overview", "table", "summary"] = "summary"
    higher_is_better: bool | None = None
    tracker: Callable[[], Tracker] | None = None
    replayed: bool = False

    def of(self, episode: EpisodeResult) -> float | None:
        """Return the value of an episode, or None if it has none."""
        if self.value is None:
            return episode.scores.get(self.name)
        return self.value(episode)

    def estimate(self, episodes: Sequence[EpisodeResult]) -> Estimate | None:
        """Return the mean over episodes, or None if none has a value."""
        of = self.value or self.of
        known = [(value, e) for e in episodes if (value := of(e)) is not None]
        if not known:
            return None
        values, own = zip(*known, strict=True)
        # An environment of another package may report progress outside 0.0 to 1.0.
        bounds = held(self.bounds, values)
        found = mean_interval(values, [e.unit for e in own], bounds)
        if found.high is None or self.most is None:
            return found
        most = fmean(map(self.most, own))
        return found._replace(high=max(found.value, min(found.high, most)))

    def format(self, estimate: Estimate | None) -> str:
        """Return an estimate as text: its value and, if it has one, its interval."""
        if estimate is None:
            return "-"
        told = [round(one, 9) for one in estimate if one is not None]
        digits = self.digits
        if self.bounds == (0.0, 1.0) and all(0.0 <= one <= 1.0 for one in told):
            # What is neither 0 nor 1 is not shown as if it were.
            while 0.0 < told[0] < 1.0 and float(decimals(told[0], digits)) in (0, 1):
                digits += 1
        value, *ends = (decimals(one, digits) for one in told)
        return f"{value} [{', '.join(ends)}]" if ends[1:] else value


def decimals(value: float, digits: int, sign: str = "-") -> str:
    """Return a value with some decimals, halves rounded away from zero.

    Args:
        value: The value.
        digits: The number of decimals.
        sign: "+" for a sign before positive values too.
    """
    # A sum of floats may be a hair below a half that it should be.
    return f"{value + copysign(1e-10, value):{sign}z,.{digits}f}"


def held(bounds: Bounds, values: Sequence[float]) -> Bounds:
    """Return the bounds if no value is outside, otherwise None."""
    inside = bounds and bounds[0] <= min(values) and max(values) <= bounds[1]
    return bounds if inside else None


@cache
def floors() -> Mapping[str, float]:
    """Return the progress that chance gets, by setting (see tools/floors.py)."""
    read: dict[str, float] = packaged_json("aq_gym.evaluation", "floors.json")
    return read


def above_chance(setting: str, progress: float) -> float | None:
    """Return (p - floor) / (1 - floor), None without a floor below 1.0.

    Args:
        setting: The setting of the episode.
        progress: Its progress p.
    """
    floor = floors().get(setting, 1.0)
    return (progress - floor) / (1.0 - floor) if floor < 1.0 else None


METRICS: dict[str, Metric] = {}


def register_metric(metric: Metric) -> Metric:
    """Add a metric to the registry.

    A metric with a tracker must be registered in every process that plays episodes:
    register it in the module of the agent or of the environment.

    Args:
        metric: The metric.

    Raises:
        ValueError: If there is a metric of this name, or it has neither a value nor a
            tracker.
    """
    if metric.name in METRICS:
        raise ValueError(f"metric {metric.name!r} is registered already")
    if metric.value is None and metric.tracker is None:
        raise ValueError(f"metric {metric.name!r} must have a value or a tracker")
    METRICS[metric.name] = metric
    return metric


def shown_metrics(overview: bool = False, replayed: bool = False) -> list[Metric]:
    """Return the metrics of the result tables, in the order of the registry.

    Args:
        overview: Whether to return only those that are shown everywhere.
        replayed: Whether to add those that need the steps to go.
    """
    places = ("overview",) if overview else ("overview", "table")
    return [
        metric
        for metric in METRICS.values()
        if metric.shown in places or (replayed and metric.replayed)
    ]


def summarize(episodes: Sequence[EpisodeResult]) -> dict[str, Estimate]:
    """Return the estimate of every metric for which episodes have values.

    Args:
        episodes: Finished episodes; those with an error are left out.

    Returns:
        The estimates by name; empty if every episode had an error.
    """
    scored = [episode for episode in episodes if not episode.error]
    metrics = {**METRICS, **_unregistered(scored)}
    estimates = ((name, metric.estimate(scored)) for name, metric in metrics.items())
    return {name: estimate for name, estimate in estimates if estimate}


def _unregistered(episodes: Sequence[EpisodeResult]) -> dict[str, Metric]:
    """Return metrics in the rows that are not registered in this process."""
    names = {name for e in episodes for name in e.scores if name not in METRICS}
    return {name: Metric(name) for name in sorted(names)}


def format_estimate(name: str, estimate: Estimate | None) -> str:
    """Return a metric's estimate as text: its value and its 95% interval."""
    return METRICS[name].format(estimate)


def shown_p(value: float) -> str:
    """Return a p-value as text, such as "= 0.023"; it is never shown as 0."""
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"


def _rate(
    name: str, value: Callable[[EpisodeResult], float | None], better: bool = True
) -> Metric:
    """Return a rate from 0.0 to 1.0 that the tables show."""
    return Metric(name, value, (0.0, 1.0), shown="table", higher_is_better=better)


def _count(
    name: str, value: Callable[[EpisodeResult], float | None], **more: Any
) -> Metric:
    return Metric(name, value, **{"bounds": (0.0, inf), "digits": 1, **more})


def _waste(episode: EpisodeResult) -> float | None:
    steps = episode.steps_to_go
    found = [cost for cost in map(regret, steps, steps[1:]) if cost is not None]
    return sum(cost for cost in found if cost > 0) if found else None


def _net_waste(episode: EpisodeResult) -> float | None:
    """Return the sum of the regret, which needs the first and last state only."""
    steps = episode.steps_to_go
    cost = regret(steps[0], steps[-1]) if steps else None
    return None if cost is None else cost + episode.steps - 1


def _closest(episode: EpisodeResult) -> float | None:
    found = [steps for steps in episode.steps_to_go if steps != INFINITE]
    return min(found, default=None)


def _lost_at(episode: EpisodeResult) -> float | None:
    """Return the step from which on the expert finds no way, where that is a proof."""
    if row_of(episode.env).expert.lost != "proven":
        return None
    return _end_begins([h == INFINITE for h in episode.steps_to_go])


def _out_of_time_at(episode: EpisodeResult) -> float | None:
    """Return the step from which on the expert needs more steps than are left."""
    # Without a known cap, no state is compared.
    left = range(episode.cap, -1, -1) if episode.cap else ()
    pairs = zip(episode.steps_to_go, left, strict=False)
    return _end_begins([h > steps for h, steps in pairs])


def _end_begins(holds: list[bool]) -> int | None:
    """Return the first of the states that all hold up to the end."""
    before = next((t for t in reversed(range(len(holds))) if not holds[t]), -1)
    return before + 1 if before + 1 < len(holds) else None


def _determined_at(episode: EpisodeResult) -> int | None:
    found = episode.secrets_left
    return found.index(1) if 1 in found else None


def _said_after(episode: EpisodeResult) -> float | None:
    step = _determined_at(episode)
    return episode.steps - step if episode.success and step is not None else None


def _not_said(episode: EpisodeResult) -> float | None:
    return None if _determined_at(episode) is None else float(not episode.success)


for _metric in (
    replace(_rate("success rate", lambda e: float(e.success)), shown="overview"),
    # AgentBoard's r_T: the highest progress of the episode.
    replace(_rate("progress rate", lambda e: e.progress_rate), shown="overview"),
    Metric(
        "progress above chance",
        lambda e: above_chance(e.setting, e.progress_rate),
        bounds=(-inf, 1.0),
        shown="table",
        higher_is_better=True,
    ),
    # AgentQuest's PR_T, with T the last step of the episode: progress may have fallen.
    _rate("final progress", lambda e: e.progress[-1] if e.progress else None),
    # AgentQuest, section 3.2, with T the length of the episode.
    _rate("repetition rate", lambda e: e.repetition_rate, better=False),
    # The same rate for the actions' texts; AgentQuest compares parsed actions instead.
    Metric(
        "repetition rate of texts",
        lambda e: e.repetition_rate_raw,
        higher_is_better=False,
    ),
    # The repetition rate with AgentQuest's T, which is always the step cap.
    _rate(
        "repetition rate over the cap",
        lambda e: e.repetitions / max(e.cap - 1, 1) if e.cap else None,
        better=False,
    ),
    # AgentBoard's share of valid actions, if the environment reports them.
    _rate("grounding accuracy", lambda e: e.grounding),
    _count(
        "steps",
        lambda e: e.steps,
        most=lambda e: e.cap or inf,
        shown="table",
        higher_is_better=False,
    ),
    _count(
        "steps to success",
        lambda e: e.steps if e.success else None,
        higher_is_better=False,
    ),
    _count(
        "tokens",
        lambda e: e.usage.get("tokens"),
        digits=0,
        shown="table",
        higher_is_better=False,
    ),
    _count("distinct observations", lambda e: e.distinct_observations),
    # Only if the environment reports info["location"].
    _count("distinct locations", lambda e: e.distinct_locations or None),
    # The actions that an episode took more than the expert would have from its first
    # state: all of them, or only those that did not bring it nearer.
    Metric("net waste", _net_waste, digits=1, higher_is_better=False, replayed=True),
    _count("waste", _waste, higher_is_better=False, replayed=True),
    # The fewest actions that the expert needed from any state of the episode.
    _count("closest", _closest, higher_is_better=False, replayed=True),
    _count("lost at", _lost_at, replayed=True),
    _count("out of time at", _out_of_time_at, replayed=True),
    # The step after which one secret was left, and how many steps later it was said.
    _count("determined at", _determined_at, higher_is_better=False, replayed=True),
    _count("said after", _said_after, higher_is_better=False, replayed=True),
    Metric(
        "determined, not said",
        _not_said,
        (0.0, 1.0),
        higher_is_better=False,
        replayed=True,
    ),
):
    register_metric(_metric)
