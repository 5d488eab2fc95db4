"""Mean progress and repetition at each step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aq_gym.evaluation.episode import EpisodeResult

_NAMES = ("progress", "best progress", "repetition")


def curves(episodes: Sequence[EpisodeResult]) -> dict[str, list[float]]:
    """Return the mean curves of both papers: a value for each step t.

    PR_t and RR_t are AgentQuest's (section 3); r_t, the highest progress up to t, is
    AgentBoard's (section 2.2).

    An episode that has ended keeps its last value, so that every step averages over
    the same episodes. RR_t is the number of repeated actions up to t, divided by
    T - 1, where T is the length of the episode.

    Args:
        episodes: Finished episodes; those with an error are left out.

    Returns:
        "progress" (PR_t), "best progress" (r_t) and "repetition" (RR_t), each as long
        as the longest episode.
    """
    tables = curve_tables([e for e in episodes if not e.error])
    return {
        name: table.mean(axis=0).tolist() if table.size else []
        for name, table in tables.items()
    }


def solved_by_trial(episodes: Sequence[EpisodeResult]) -> list[float]:
    """Return the share of episodes solved within 1, 2, ... trials.

    It is the figure of Reflexion (Shinn et al., NeurIPS 2023); see
    :class:`aq_gym.wrappers.Trials`.

    Args:
        episodes: Finished episodes; those with an error are left out.

    Returns:
        As many shares as the longest episode had trials; empty if an episode had no
        count of trials.
    """
    scored = [e for e in episodes if not e.error]
    trials = [e.scores.get("trials", 0) for e in scored]
    if not trials or not min(trials):
        return []
    solved = [n for n, e in zip(trials, scored, strict=True) if e.success]
    return [
        sum(n <= most for n in solved) / len(scored)
        for most in range(1, int(max(trials)) + 1)
    ]


def curve_tables(episodes: Sequence[EpisodeResult]) -> dict[str, np.ndarray]:
    """Return tables of curves by name: a row for each episode that has a step."""
    played = [episode for episode in episodes if episode.steps]
    longest = max((episode.steps for episode in played), default=0)
    tables = {name: np.empty((len(played), longest)) for name in _NAMES}
    for row, episode in enumerate(played):
        progress = np.array(episode.progress, dtype=float)
        repeated = np.cumsum(episode.repeated) / max(episode.steps - 1, 1)
        each = progress, np.maximum.accumulate(progress), repeated
        for table, values in zip(tables.values(), each, strict=True):
            table[row, : len(values)] = values
            table[row, len(values) :] = values[-1]
    return tables
