"""Mean progress and repetition at each step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aq_gym.evaluation.episode import EpisodeResult

__all__ = ["curves"]

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
    scored = [e for e in episodes if not e.error and e.steps]
    if not scored:
        return {name: [] for name in _NAMES}
    longest = max(e.steps for e in scored)
    table = np.empty((len(_NAMES), len(scored), longest))
    for row, episode in enumerate(scored):
        progress = np.array(episode.progress)
        repeated = np.cumsum(episode.repeated) / max(episode.steps - 1, 1)
        each = progress, np.maximum.accumulate(progress), repeated
        for curve, values in zip(table, each, strict=True):
            curve[row, : len(values)] = values
            curve[row, len(values) :] = values[-1]
    means = (curve.mean(axis=0).tolist() for curve in table)
    return dict(zip(_NAMES, means, strict=True))
