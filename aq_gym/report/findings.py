"""Describe how an agent behaves, in sentences computed from its episodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from statistics import median
from typing import Any, NamedTuple

from aq_gym.evaluation import EpisodeResult
from aq_gym.report.escaping import short

_MOST_EXAMPLES = 3
_SUBGOALS = 4
_INVALID = 3
_RISING = 0.1
_OFTEN = 0.25
_FEWEST = 3


class Finding(NamedTuple):
    """A sentence, and a few episodes that show it.

    Attributes:
        text: The sentence.
        examples: The task of each episode and the step that shows it, 0 if none does.
    """

    text: str
    examples: list[tuple[str, int]]


def find(observed: Sequence[Observed]) -> list[Finding]:
    """Return the findings of a run in one environment, the most important first."""
    scored = [seen for seen in observed if not seen.episode.error]
    failed = [seen for seen in scored if not seen.episode.success]
    parts = (
        _outcome(scored, failed),
        _stalls(failed),
        _falls(failed),
        _subgoals(scored),
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
        repeated = _share([r for seen in stuck for r in seen.episode.repeated])
        yield Finding(
            f"Makes no progress at all in {len(stuck)} of {len(scored)} episodes; "
            f"{_percent(repeated)} of the actions there are repeats.",
            _examples(stuck),
        )


def _stalls(failed: Sequence[Observed]) -> Iterable[Finding]:
    moving = [seen for seen in failed if any(seen.episode.progress)]
    if not moving:
        return
    steps = [_last_rise(seen.episode.progress) for seen in moving]
    lengths = [seen.episode.steps for seen in moving]
    if median(steps) >= 0.8 * median(lengths):
        return
    trend = _trend(*_repetition_around(moving, steps))
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


def _trend(before: float, after: float) -> str:
    if not before and not after:
        return "without repeating an action"
    first, then = _percent(before), _percent(after)
    shares = f"{first} of the actions are repeats up to there, {then} after"
    return f"with repetition rising: {shares}" if after - before > _RISING else shares


def _last_rise(progress: Sequence[float]) -> int:
    """Return the step, counted from 1, at which the best progress rose last."""
    best, step = 0.0, 0
    for number, value in enumerate(progress, 1):
        if value > best:
            best, step = value, number
    return step


def _repetition_around(
    episodes: Sequence[Observed], steps: Sequence[int]
) -> tuple[float, float]:
    before: list[bool] = []
    after: list[bool] = []
    for seen, step in zip(episodes, steps, strict=True):
        before += seen.episode.repeated[:step]
        after += seen.episode.repeated[step:]
    return _share(before), _share(after)


def _percent(share: float) -> str:
    """Write a percentage; only 0 and 1 are written as 0% and 100%."""
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


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
    """Return the step, counted from 1, that lost the best progress for good."""
    best = max(progress)
    return len(progress) - progress[::-1].index(best) + 1


def _subgoals(scored: Sequence[Observed]) -> Iterable[Finding]:
    have: Counter[str] = Counter()
    missed: dict[str, list[Observed]] = {}
    for seen in scored:
        have.update(list(seen.subgoals))
        for name, step in seen.subgoals.items():
            if step is None:
                missed.setdefault(name, []).append(seen)
    common = [
        (name, episodes)
        for name, episodes in missed.items()
        if have[name] >= min(_FEWEST, len(scored)) and len(episodes) > 0
    ]
    common.sort(key=lambda pair: -len(pair[1]))
    for name, episodes in common[:_SUBGOALS]:
        among = "episodes" if have[name] == len(scored) else "episodes that have it"
        yield Finding(
            f"Never reaches the subgoal “{name}” in {len(episodes)} of {have[name]} "
            f"{among}.",
            _examples(episodes),
        )
    if len(common) > _SUBGOALS:
        others = len(common) - _SUBGOALS
        yield Finding(f"Misses {others} other subgoals in some episodes.", [])


def _invalid(scored: Sequence[Observed]) -> Iterable[Finding]:
    counts: Counter[tuple[str, str]] = Counter()
    for seen in scored:
        counts.update({key: len(steps) for key, steps in seen.invalid.items()})
    steps = sum(sum(seen.actions.values()) for seen in scored)
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
    looping = []
    for seen in failed:
        total = sum(seen.actions.values())
        if total >= 10 and max(seen.actions.values()) >= _OFTEN * total:
            looping.append(seen)
    if not looping:
        return
    counts: Counter[str] = Counter()
    for seen in looping:
        counts.update(dict(seen.actions.most_common(1)))
    action, _ = counts.most_common(1)[0]
    yield Finding(
        f"A single action makes up a quarter or more of {len(looping)} of "
        f"{len(failed)} unsolved episodes, most often “{action}”.",
        _examples(looping, lambda seen: [*seen.episode.repeated, True].index(True) + 1),
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
        invalid: The steps at which each invalid action and its answer came.
        actions: How often each action came.
        answers: How many steps note why the model stopped.
        cut_off: How many answers were cut off by the token limit.
    """

    episode: EpisodeResult
    subgoals: dict[str, int | None] = field(default_factory=dict)
    invalid: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    actions: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    cut_off: int = 0


def observe(episode: EpisodeResult, record: Mapping[str, Any]) -> Observed:
    """Return what the findings need of an episode."""
    seen = Observed(episode)
    names = record.get("subgoals", [])
    first = dict.fromkeys(record.get("held", ()), 0)
    for number, step in enumerate(record.get("steps", ()), 1):
        action = short(step["action"])
        seen.actions[action] += 1
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
