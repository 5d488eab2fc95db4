"""Describe how an agent behaves, in sentences computed from its episodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from statistics import fmean, median
from typing import Any, NamedTuple

from aq_gym.core.text import percent, plural
from aq_gym.evaluation import METRICS
from aq_gym.registration import row_of
from aq_gym.report.collect import Collected, Observed
from aq_gym.report.overview import is_looping
from aq_gym.report.stuck import (
    MISSED,
    WITHOUT,
    bottlenecks,
    kinds_of,
    reached,
    stuck_at,
)
from aq_gym.support.escaping import short

_MOST_EXAMPLES = 3
_RISING = 0.1
# The least mean of steps wasted that is told.
_WASTED = 0.05
# The weight of what only says that episodes failed.
_LEAST = 0.01
# The least difference between the shares of subgoals missed that is told.
_TELLING = 0.2
# Findings of these kinds tell where an episode ended, or how, as others do.
_SAME = {"no progress": "stuck", "stuck": "stuck"}

# The run and the task of an episode, and the step that shows a finding, or 0.
Example = tuple[str, str, int]


class Finding(NamedTuple):
    """A sentence, and a few episodes that show it.

    Attributes:
        text: The sentence.
        examples: Steps that show it.
        weight: The number of episodes whose failure it explains, less where it explains
            only a part; 0.0 if it explains no failure.
        share: The share of the actions or episodes that it is about, or None.
        kind: What it is about, such as "loops".
    """

    text: str
    examples: list[Example]
    weight: float = 0.0
    share: float | None = None
    kind: str = ""


def find(
    observed: Sequence[Observed], names: Sequence[str], stuck: int | None
) -> list[Finding]:
    """Return the findings of a run in one environment, with their weights.

    A repeated action counts only if it got the same answer as before: in 2048, the
    four moves have to be repeated.

    Args:
        observed: The run's episodes.
        names: The milestones of the environment's chart: see
            :func:`aq_gym.report.stuck.milestones`.
        stuck: The place of the milestone at which most episodes are stuck, -1 if none
            are: see :func:`aq_gym.report.stuck.bottlenecks`. None if the milestones
            have no order.

    Returns:
        The findings, those that explain the most failures first.
    """
    scored = [seen for seen in observed if not seen.episode.error]
    failed = [seen for seen in scored if not seen.episode.success]
    parts = {
        "errors": _errors([seen for seen in observed if seen.episode.error]),
        "outcome": _outcome(scored, failed),
        "invalid": _invalid(scored),
        "cut off": _cut_off(scored),
        "loops": _loops(failed),
        "determined": _determined(scored),
        "too late": _too_late(failed),
        "no progress": _no_progress(failed),
        "stuck": _missed(failed, names)
        if stuck is None
        else _stuck(failed, names, stuck),
        "falls": _falls(failed),
        "waste": _wasted(scored),
    }
    return sorted(
        (
            one._replace(kind=one.kind or kind)
            for kind, part in parts.items()
            for one in part
        ),
        key=lambda finding: -finding.weight,
    )


def find_all(collected: Collected, runs: Sequence[int]) -> dict[str, list[Finding]]:
    """Return the findings of an agent, by benchmark.

    Args:
        collected: The data of the episodes.
        runs: The numbers of the agent's runs.
    """
    found = {}
    for env, own in collected.observed.items():
        if seen := [one for number in runs for one in own.get(number, ())]:
            names = collected.milestones[env]
            stuck = bottlenecks(seen, names)[""] if env in collected.ordered else None
            found[env] = find(seen, names, stuck)
    return found


def telling(found: Sequence[Finding], most: int) -> list[Finding]:
    """Return the findings that explain most, at least a quarter of what the best does.

    Args:
        found: The return value of :func:`find`; of those that tell the same about the
            episodes, the first is kept.
        most: How many are returned at most.
    """
    first = {_SAME.get(one.kind, one.text): one for one in reversed(found)}
    told = [one for one in found if first[_SAME.get(one.kind, one.text)] is one]
    return [one for one in told if one.weight >= told[0].weight / 4][:most]


def _outcome(
    scored: Sequence[Observed], failed: Sequence[Observed]
) -> Iterable[Finding]:
    if failed:
        text = f"Does not solve {len(failed)} of {plural(len(scored), 'episode')}"
        at = [*filter(None, map(_last_rise, failed))]
        text += (
            f"; the last progress of {len(at)} is at step {_middle(at)}" if at else ""
        )
        yield Finding(f"{text}.", _examples(failed, _last_rise), _LEAST)


def _last_rise(seen: Observed) -> int:
    """Return the step that brought the best progress, 0 if there is none."""
    progress = seen.episode.progress
    return progress.index(max(progress)) + 1 if any(progress) else 0


def _no_progress(failed: Sequence[Observed]) -> Iterable[Finding]:
    stuck = [seen for seen in failed if not any(seen.episode.progress)]
    if stuck:
        steps = sum(seen.steps for seen in stuck)
        futile = sum(len(seen.futile) for seen in stuck)
        again = (
            f"; {percent(futile / steps)} of the {steps} actions there {_FUTILE}"
            if futile >= _RISING * steps > 0
            else ""
        )
        said = Counter(action for seen in stuck for action in seen.actions)
        action, count = max(said.items(), key=_place, default=("", 0))
        of = "" if again else f" of the {steps} actions there"
        often = f"; {count}{of} are {f'“{action}”' if action else 'empty'}"
        yield _of_failed(
            f"Ends without any progress in {_among(stuck, failed)}{again}"
            f"{often if count > max(1, _RISING * steps) else ''}.",
            stuck,
            failed,
            # That single answers are wrong tells little.
            0.8 if steps > len(stuck) or 2 * count > steps else 0.3,
        )


def _wasted(scored: Sequence[Observed]) -> Iterable[Finding]:
    found = _valued("net waste", scored)
    if found and fmean(waste for _, waste in found) >= _WASTED:
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
    if not at:
        return
    later = [value for _, value in _valued("said after", scored)]
    never = sorted((one for one in at if not one[0].episode.success), key=_place)
    unsolved = max(1, sum(not seen.episode.success for seen in scored))
    text = f"The answer was determined after step {median(map(_place, at)):g} "
    text += f"(median of {plural(len(at), 'episode')})"
    if later:
        steps = plural(round(median(later)), "step")
        text += f", said {steps} later in {len(later)}"
    if never:
        text += f", never said in {len(never)}" if later else ", but never said"
    if again := sum(n > step for seen, step in never for n, _ in seen.futile):
        text += f"; {again} of the actions after it {_FUTILE}"
    yield Finding(f"{text}.", _steps(never), 1.3 * len(never), len(never) / unsolved)


def _too_late(failed: Sequence[Observed]) -> Iterable[Finding]:
    """Name the step at which unsolved episodes were lost, and how near others came."""
    if lost := _valued("lost at", failed):
        last = all(at == seen.episode.steps for seen, at in lost)
        said = Counter(action for seen, _ in lost for action in seen.actions[-1:])
        how = (
            f"with its last action, such as “{max(said.items(), key=_place)[0]}”,"
            if last and said
            else f"at step {_middle([*map(_place, lost)])}"
        )
        yield Finding(
            f"Loses the task for good {how} in {_among(lost, failed)}.",
            _steps(lost),
            # That a wrong answer ends an episode tells little.
            (0.3 if last else 1.0) * len(lost),
            len(lost) / len(failed),
            "stuck" if last else "",
        )
    # One that its last step lost did not run out of them.
    out = [
        seen
        for seen in failed
        if seen.episode.steps_to_go
        and seen.episode.ended == "truncated"
        and 0 < seen.episode.cap <= seen.episode.steps
    ]
    # Where the expert needs all of them from the start, the cap left none to spare.
    if late := [
        (seen, at)
        for seen, at in _valued("out of time at", out)
        if at > 1 or 0 <= seen.episode.steps_to_go[0] < seen.episode.cap
    ]:
        left = [n for seen in out if (n := seen.episode.steps_to_go[-1]) > 0]
        to_go = f" with {_middle(left, ' to go')}" if left else ""
        # At the last step, or in a loop, this says no more than that they ran out.
        early = [(seen, at) for seen, at in late if at < seen.episode.cap]
        some = f" in {len(early)} of them" * (len(early) < len(out))
        since = (
            f": from step {median(map(_place, early)):g} on the expert needs more "
            f"steps than are left{some}"
            if early
            else ""
        )
        yield Finding(
            f"Runs out of steps{to_go} in {_among(out, failed)}{since}.",
            _steps(early or late),
            0.4 * len(late) + 0.5 * sum(not _looping(seen) for seen, _ in early),
            len(out) / len(failed),
        )


_place = itemgetter(1)


def _valued(name: str, episodes: Sequence[Observed]) -> list[tuple[Observed, float]]:
    of = METRICS[name].of
    values = ((seen, of(seen.episode)) for seen in episodes)
    return [(seen, value) for seen, value in values if value is not None]


def _middle(values: Sequence[float], unit: str = "") -> str:
    return f"{median(values):g}{unit}{' (median)' if values[1:] else ''}"


def _steps(found: Sequence[tuple[Observed, float]]) -> list[Example]:
    return [
        (seen.run, seen.episode.task, int(step))
        for seen, step in found[:_MOST_EXAMPLES]
    ]


def _among(some: Sequence[Any], failed: Sequence[Observed]) -> str:
    if not failed[1:]:
        return "the unsolved episode"
    every = f"all {len(failed)}" if failed[2:] else "both"
    count = every if len(some) == len(failed) else f"{len(some)} of {len(failed)}"
    return f"{count} unsolved episodes"


def _of_failed(
    text: str,
    some: Sequence[Observed],
    failed: Sequence[Observed],
    weight: float,
    step: Callable[[Observed], int] = lambda _: 0,
) -> Finding:
    share = len(some) / len(failed)
    return Finding(text, _examples(some, step), weight * len(some), share)


# The effect of a futile action, as worded in the sentences.
_FUTILE = "repeat one and get the same answer"


def _stuck(
    failed: Sequence[Observed], names: Sequence[str], worst: int
) -> Iterable[Finding]:
    """Name the milestone at which most episodes are stuck, which the chart outlines."""
    if worst < 0:
        return
    found = [seen for seen in failed if stuck_at(reached(seen, names)) == worst]
    among = _among(found, failed)
    if worst == len(names) - 1:
        whole = not any(None in seen.subgoals.values() for seen in found)
        last = "every subgoal" if whole else f"“{names[-2]}”"
        text = f"Reaches {last}, but not the solution, in {among}."
    else:
        name = names[worst]
        often = " most often" if failed[1:] else ""
        text = f"Gets stuck{often} before “{name}”, missed first in {among}"
        kinds = Counter(_next_kind(seen) for seen in found if name not in seen.subgoals)
        kind, count = kinds.most_common(1)[0] if kinds else ("", 0)
        text += (
            f"; {count} of them miss “{kind}” next." if kind not in ("", name) else "."
        )
    # Of the last ones, or of episodes with one step, it tells only that they failed.
    yield _of_failed(
        text,
        found,
        failed,
        _LEAST
        if worst >= len(names) - 2
        else 0.5
        if any(seen.steps > 1 for seen in failed)
        else 0.2,
        _last_rise,
    )


def _next_kind(seen: Observed) -> str:
    """Return the kind of the first subgoal that an episode missed, "" if it has one."""
    kinds = kinds_of(seen.subgoals)
    missed = (k for k, own in kinds.items() if None in map(seen.subgoals.get, own))
    # Kinds of many subgoals each, such as the rows of a Sudoku, say little.
    return next(missed, "") if 2 * len(kinds) > len(seen.subgoals) else ""


def _missed(failed: Sequence[Observed], names: Sequence[str]) -> Iterable[Finding]:
    """Name the subgoals that most unsolved episodes miss, in any order."""
    places = [reached(seen, names) for seen in failed]
    shares: dict[str, tuple[float, int]] = {}
    for place, name in enumerate(names[:-1]):
        own = [at[place] for at in places if at[place] != WITHOUT]
        if own:
            shares[name] = own.count(MISSED) / len(own), len(own)
    most = max(shares.values(), default=(0, 0))
    worst = [name for name, share in shares.items() if share == most]
    if not most[0] or most[0] - min(shares.values())[0] < _TELLING:
        return
    at = names.index(worst[0])
    found = [s for s, place in zip(failed, places, strict=True) if place[at] == MISSED]
    have = [s for s, place in zip(failed, places, strict=True) if place[at] != WITHOUT]
    told = ", ".join(f"“{name}”" for name in worst[:_MOST_EXAMPLES])
    told += f" and {len(worst[_MOST_EXAMPLES:])} more" * (len(worst) > _MOST_EXAMPLES)
    told += " most often," if have[1:] else ""
    among = _among(found, have) + " with it" * (len(have) < len(failed))
    # What each of them misses may only be what is left when all else is done.
    weight = 0.3 if most[0] == 1 else 0.5
    yield _of_failed(f"Misses {told} in {among}.", found, have, weight, _last_rise)


def _falls(failed: Sequence[Observed]) -> Iterable[Finding]:
    fallen = [
        seen
        for seen in failed
        if seen.episode.progress
        and seen.episode.progress[-1] < max(seen.episode.progress)
    ]
    if len(fallen) * 4 >= len(failed) > 0:
        yield _of_failed(
            f"Ends below the best progress it reached in {_among(fallen, failed)}.",
            fallen,
            failed,
            0.3,
            # The step, counted from 1, at which the best progress was finally lost.
            lambda seen: (
                len(seen.episode.progress)
                - seen.episode.progress[::-1].index(max(seen.episode.progress))
                + 1
            ),
        )


def _invalid(scored: Sequence[Observed]) -> Iterable[Finding]:
    answers: dict[str, Counter[str]] = {}
    for seen in scored:
        for (action, answer), at in seen.invalid.items():
            answers.setdefault(action, Counter())[answer] += len(at)
    counts = Counter({action: own.total() for action, own in answers.items()})
    steps = sum(seen.steps for seen in scored)
    total = counts.total()
    if not total:
        return
    share = total / steps
    text = f"{percent(share)} of its actions ({total} of {steps}) are invalid: it says"
    [(action, count)] = counts.most_common(1)
    [(answer, same)] = answers[action].most_common(1)
    often = "most often" if same < count else "which is"
    key = action, answer
    examples = [seen for seen in scored if key in seen.invalid]
    times = "once" if count == 1 else f"{count} times"
    stopped = [seen.end for seen in scored if "invalid" in seen.end]
    many = "all" if 1 < len(stopped) == len(scored) else f"{len(stopped)} of"
    stop = f" stop {many} {plural(len(scored), 'episode')}"
    yield Finding(
        f"{text} {f'“{action}”' if action else 'nothing'} {times}, {often} "
        f"answered “{answer.rstrip('.')}”"
        f"{f'; {stopped[0]}{stop}' if stopped else ''}.",
        _examples(examples, lambda seen: seen.invalid[key][0]),
        # Most of them are a better explanation than all others.
        max(
            (1.3 if share > 0.5 else 1.0)
            * share
            * sum(not seen.episode.success for seen in scored),
            len(stopped),
        ),
        share,
    )


def _loops(failed: Sequence[Observed]) -> Iterable[Finding]:
    looping = [*filter(_looping, failed)]
    if not looping:
        return
    counts = Counter(action for seen in looping for _, action in seen.futile)
    (action, count), *others = counts.most_common(2)
    often = "most often" if others else "always"
    if others and others[0][1] == count:
        often = "such as"
    yield _of_failed(
        f"Loops in {_among(looping, failed)}: {counts.total()} of "
        f"{'their' if looping[1:] else 'its'} {sum(seen.steps for seen in looping)} "
        f"actions {_FUTILE}, {often} “{action}”.",
        looping,
        failed,
        1.0,
        lambda seen: seen.futile[0][0],
    )


def _looping(seen: Observed) -> bool:
    return is_looping(seen.steps, len(seen.futile))


def _cut_off(scored: Sequence[Observed]) -> Iterable[Finding]:
    cut = [seen for seen in scored if seen.cut_off]
    if cut:
        count, answers = sum(s.cut_off for s in cut), sum(s.answers for s in scored)
        yield Finding(
            f"{count} of {answers} answers ({percent(count / answers)}) are cut off "
            "by the token limit.",
            _examples(cut),
            len(scored) * count / answers,
            count / answers,
        )


def _errors(broken: Sequence[Observed]) -> Iterable[Finding]:
    reasons = Counter(short(seen.episode.error, 160) for seen in broken)
    for reason, count in reasons.most_common(_MOST_EXAMPLES):
        episodes = [s for s in broken if short(s.episode.error, 160) == reason]
        noun = "episode ends" if count == 1 else "episodes end"
        text = f"{count} {noun} with the error “{reason}”."
        yield Finding(text, _examples(episodes), 2.0 * count)


def _examples(
    episodes: Sequence[Observed], step: Callable[[Observed], int] = lambda _: 0
) -> list[Example]:
    return [
        (seen.run, seen.episode.task, step(seen)) for seen in episodes[:_MOST_EXAMPLES]
    ]
