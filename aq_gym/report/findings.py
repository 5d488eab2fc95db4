"""Describe how an agent behaves, in sentences computed from its episodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from statistics import fmean, median
from typing import Any, NamedTuple

from aq_gym.core.text import plural
from aq_gym.evaluation import METRICS, EpisodeResult
from aq_gym.registration import row_of
from aq_gym.report.stuck import MISSED, WITHOUT, quarters_of, reached, stuck_at
from aq_gym.support.escaping import short

_MOST_EXAMPLES = 3
_INVALID = 3
_RISING = 0.1
_OFTEN = 0.25


class Finding(NamedTuple):
    """A sentence, and a few episodes that show it.

    Attributes:
        text: The sentence.
        examples: The task of each episode and the step that shows it, or 0.
    """

    text: str
    examples: list[tuple[str, int]]


def find(
    observed: Sequence[Observed], names: Sequence[str], stuck: int | None
) -> list[Finding]:
    """Return the findings of a run in one environment, the most important first.

    A repeated action counts only if it got the same answer as before: in 2048, the
    four moves have to be repeated.

    Args:
        observed: The run's episodes.
        names: The milestones of the environment's chart: see
            :func:`aq_gym.report.stuck.milestones`.
        stuck: The place of the milestone at which most episodes are stuck, -1 if none
            are: see :func:`aq_gym.report.stuck.bottlenecks`. None if the milestones
            have no order.
    """
    scored = [seen for seen in observed if not seen.episode.error]
    failed = [seen for seen in scored if not seen.episode.success]
    parts = (
        _outcome(scored, failed),
        _wasted(scored),
        _determined(scored),
        _too_late(failed),
        _missed(failed, names) if stuck is None else _stuck(failed, names, stuck),
        _stalls(failed),
        _falls(failed),
        _invalid(scored),
        _loops(failed),
        _cut_off(scored),
        _errors([seen for seen in observed if seen.episode.error]),
    )
    return [finding for part in parts for finding in part]


def _outcome(
    scored: Sequence[Observed], failed: Sequence[Observed]
) -> Iterable[Finding]:
    if not scored:
        return
    if not failed:
        steps = sum(seen.episode.steps for seen in scored) / len(scored)
        yield Finding(
            f"Solves all {len(scored)} episodes, in {steps:.1f} steps on average.", []
        )
        return
    yield Finding(
        f"Does not solve {len(failed)} of {len(scored)} episodes.", _examples(failed)
    )
    stuck = [seen for seen in failed if not any(seen.episode.progress)]
    if stuck:
        futile = sum(len(seen.futile) for seen in stuck)
        steps = sum(seen.steps for seen in stuck)
        share = futile / max(steps, 1)
        yield Finding(
            f"Makes no progress at all in {len(stuck)} of {len(scored)} episodes; "
            f"{_percent(share)} of the {steps} actions there {_FUTILE}.",
            _examples(stuck),
        )


def _wasted(scored: Sequence[Observed]) -> Iterable[Finding]:
    found = _valued("net waste", scored)
    if found:
        most = sorted(found, key=_place, reverse=True)
        privileged = row_of(found[0][0].episode.env).expert.privileged
        knows = ", which knows more than the agent" if privileged else ""
        yield Finding(
            f"Net waste: {fmean(waste for _, waste in found):.1f} steps on average in "
            f"{plural(len(found), 'episode')}, beyond those of the expert{knows}.",
            _examples([seen for seen, _ in most]),
        )


def _determined(scored: Sequence[Observed]) -> Iterable[Finding]:
    at = _valued("determined at", scored)
    if at:
        later = [value for _, value in _valued("said after", scored)]
        never = sorted((one for one in at if not one[0].episode.success), key=_place)
        said = ""
        if later:
            steps = plural(round(median(later)), "step")
            said = f"said {steps} later in {len(later)}, "
        yield Finding(
            f"Determined after step {median(value for _, value in at):.0f} (median of "
            f"{plural(len(at), 'episode')}), {said}never in {len(never)}.",
            _steps(never),
        )


def _too_late(failed: Sequence[Observed]) -> Iterable[Finding]:
    """Name the step at which unsolved episodes were lost or ran out of time."""
    for name, text in (
        ("lost at", "Lost at step"),
        ("out of time at", "The expert needs more steps than are left from step"),
    ):
        if found := _valued(name, failed):
            step = median(value for _, value in found)
            among = f"{len(found)} of {plural(len(failed), 'unsolved episode')}"
            yield Finding(f"{text} {step:.0f} (median of {among}).", _steps(found))


_place = itemgetter(1)


def _valued(name: str, episodes: Sequence[Observed]) -> list[tuple[Observed, float]]:
    of = METRICS[name].of
    values = ((seen, of(seen.episode)) for seen in episodes)
    return [(seen, value) for seen, value in values if value is not None]


def _steps(found: Sequence[tuple[Observed, float]]) -> list[tuple[str, int]]:
    return [(seen.episode.task, int(step)) for seen, step in found[:_MOST_EXAMPLES]]


# The effect of a futile action, as worded in the sentences.
_FUTILE = "repeat one and get the same answer"


def _stuck(
    failed: Sequence[Observed], names: Sequence[str], worst: int
) -> Iterable[Finding]:
    """Name the milestone at which most episodes are stuck, which the chart outlines."""
    if worst < 0:
        return
    found = [seen for seen in failed if stuck_at(reached(seen, names)) == worst]
    among = f"{len(found)} of {len(failed)} unsolved episodes"
    among = among if failed[1:] else "the unsolved episode"
    if worst == len(names) - 1:
        text = f"Reaches every subgoal, but not the solution, in {among}."
    else:
        name = names[worst]
        text = (
            f"Gets stuck most often at “{name}”, the first subgoal missed in {among}."
        )
    yield Finding(text, _examples(found))


def _missed(failed: Sequence[Observed], names: Sequence[str]) -> Iterable[Finding]:
    """Name the subgoals that most unsolved episodes miss, in any order."""
    places = [reached(seen, names) for seen in failed]
    shares: dict[str, float] = {}
    for place, name in enumerate(names[:-1]):
        own = [at[place] for at in places if at[place] != WITHOUT]
        if own:
            shares[name] = own.count(MISSED) / len(own)
    most = max(shares.values(), default=0)
    worst = [name for name, share in shares.items() if share == most]
    if not most or len(worst) == len(shares):
        return
    at = names.index(worst[0])
    found = [s for s, place in zip(failed, places, strict=True) if place[at] == MISSED]
    have = sum(place[at] != WITHOUT for place in places)
    told = ", ".join(f"“{name}”" for name in worst[:_MOST_EXAMPLES])
    if more := len(worst) - _MOST_EXAMPLES:
        told += f" and {more} more" if more > 0 else ""
    among = f"{len(found)} of {have} unsolved episodes"
    yield Finding(f"Misses {told} most often, in {among}.", _examples(found))


def _stalls(failed: Sequence[Observed]) -> Iterable[Finding]:
    moving = [seen for seen in failed if any(seen.episode.progress)]
    if not moving:
        return
    steps = [_last_rise(seen.episode.progress) for seen in moving]
    lengths = [seen.episode.steps for seen in moving]
    if median(steps) >= 0.8 * median(lengths):
        return
    trend = _trend(_futile_around(moving, steps))
    late = [
        seen for _, seen in sorted(zip(steps, moving, strict=True), key=itemgetter(0))
    ]
    several = f"medians of the {len(moving)} unsolved episodes"
    yield Finding(
        f"Stalls at step {median(steps):.0f} of {median(lengths):.0f} "
        f"({several if moving[1:] else 'the unsolved episode'} that made progress), "
        f"{trend}.",
        _examples(late, lambda seen: _last_rise(seen.episode.progress)),
    )


def _trend(counts: tuple[int, int, int, int]) -> str:
    futile, early, futile_after, late = counts
    before, after = futile / max(early, 1), futile_after / max(late, 1)
    if not before and not after:
        return "where no action gets the same answer again"
    shares = (
        f"{_percent(before)} of the {early} actions {_FUTILE} up to there, "
        f"{_percent(after)} of the {late} after"
    )
    return f"with repetition rising: {shares}" if after - before > _RISING else shares


def _last_rise(progress: Sequence[float]) -> int:
    """Return the step, counted from 1, at which the best progress rose last."""
    best = max(progress, default=0.0)
    return progress.index(best) + 1 if best > 0 else 0


def _futile_around(
    episodes: Sequence[Observed], steps: Sequence[int]
) -> tuple[int, int, int, int]:
    """Count the futile actions and all actions, up to some steps and after them."""
    pairs = list(zip(episodes, steps, strict=True))
    all_futile = sum(len(seen.futile) for seen in episodes)
    futile = sum(at <= step for seen, step in pairs for at, _ in seen.futile)
    before, length = sum(steps), sum(seen.steps for seen in episodes)
    return futile, before, all_futile - futile, length - before


def _percent(share: float) -> str:
    """Write a percentage; only 0 and 1 are written as 0% and 100%."""
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


def _falls(failed: Sequence[Observed]) -> Iterable[Finding]:
    fallen = [
        seen
        for seen in failed
        if seen.episode.progress
        and seen.episode.progress[-1] < max(seen.episode.progress)
    ]
    if len(fallen) * 4 >= len(failed) > 0:
        yield Finding(
            f"Ends below the best progress it reached in {len(fallen)} of "
            f"{len(failed)} unsolved episodes.",
            _examples(fallen, lambda seen: _fall(seen.episode.progress)),
        )


def _fall(progress: Sequence[float]) -> int:
    """Return the step, counted from 1, at which the best progress was finally lost."""
    best = max(progress)
    return len(progress) - progress[::-1].index(best) + 1


def _invalid(scored: Sequence[Observed]) -> Iterable[Finding]:
    counts: Counter[tuple[str, str]] = Counter()
    for seen in scored:
        counts.update({key: len(steps) for key, steps in seen.invalid.items()})
    steps = sum(seen.steps for seen in scored)
    total = sum(counts.values())
    if not total:
        return
    yield Finding(
        f"{total} of {steps} actions ({_percent(total / steps)}) are invalid.", []
    )
    for key, count in counts.most_common(_INVALID):
        action, answer = key
        examples = [seen for seen in scored if key in seen.invalid]
        times = "once" if count == 1 else f"{count} times"
        yield Finding(
            f"Tries “{action}” {times}, which is answered “{answer}”.",
            _examples(examples, partial(_first_invalid, key)),
        )


def _first_invalid(key: tuple[str, str], seen: Observed) -> int:
    return seen.invalid[key][0]


def _loops(failed: Sequence[Observed]) -> Iterable[Finding]:
    looping = [
        seen
        for seen in failed
        if seen.steps >= 10 and len(seen.futile) >= _OFTEN * seen.steps
    ]
    if not looping:
        return
    counts = Counter(action for seen in looping for _, action in seen.futile)
    action, _ = counts.most_common(1)[0]
    yield Finding(
        f"A quarter or more of the actions {_FUTILE} in {len(looping)} of "
        f"{len(failed)} unsolved episodes, most often “{action}”.",
        _examples(looping, lambda seen: seen.futile[0][0]),
    )


def _cut_off(scored: Sequence[Observed]) -> Iterable[Finding]:
    cut = [seen for seen in scored if seen.cut_off]
    if cut:
        count, answers = sum(s.cut_off for s in cut), sum(s.answers for s in scored)
        yield Finding(
            f"{count} of {answers} answers ({_percent(count / answers)}) are cut off "
            "by the token limit.",
            _examples(cut),
        )


def _errors(broken: Sequence[Observed]) -> Iterable[Finding]:
    reasons = Counter(short(seen.episode.error, 160) for seen in broken)
    for reason, count in reasons.most_common(_INVALID):
        episodes = [s for s in broken if short(s.episode.error, 160) == reason]
        noun = "episode ends" if count == 1 else "episodes end"
        yield Finding(f"{count} {noun} with the error “{reason}”.", _examples(episodes))


def _examples(
    episodes: Sequence[Observed], step: Callable[[Observed], int] = lambda _: 0
) -> list[tuple[str, int]]:
    return [(seen.episode.task, step(seen)) for seen in episodes[:_MOST_EXAMPLES]]


@dataclass(slots=True)
class Observed:
    """The part of an episode's trajectory that the findings need.

    Attributes:
        episode: The episode's results.
        subgoals: For each subgoal, by its name, the step at which it first held: 0 at
            the start, None if it never did.
        quarters: The first step with each quarter of the progress.
        invalid: The steps of each pair of an invalid action and its answer.
        steps: The number of steps.
        futile: The step and the action of each step whose action got the same answer as
            before, numbers of steps and guesses aside.
        answers: The number of answers whose reason to stop was noted.
        cut_off: The number of answers that the token limit cut off.
    """

    episode: EpisodeResult
    subgoals: dict[str, int | None] = field(default_factory=dict)
    quarters: dict[str, int] = field(default_factory=dict)
    invalid: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    steps: int = 0
    futile: list[tuple[int, str]] = field(default_factory=list)
    answers: int = 0
    cut_off: int = 0


def observe(episode: EpisodeResult, record: Mapping[str, Any]) -> Observed:
    """Return the part of an episode that the findings need."""
    seen = Observed(episode, quarters=quarters_of(episode.progress))
    names = record.get("subgoals", [])
    first = dict.fromkeys(record.get("held", ()), 0)
    seen.steps = len(record.get("steps", ()))
    for number, step in enumerate(record.get("steps", ()), 1):
        action = short(step["action"])
        if "again" in step:
            seen.futile.append((number, action))
        for held in step.get("held", ()):
            first.setdefault(held, number)
        if step.get("invalid"):
            why = step.get("feedback") or step["observation"]
            seen.invalid.setdefault((action, short(why, 120)), []).append(number)
        reason = step.get("notes", {}).get("finish_reason")
        seen.answers += reason is not None
        seen.cut_off += reason == "length"
    seen.subgoals = {short(name): first.get(n) for n, name in enumerate(names)}
    return seen
