"""Mean progress and repetition at each step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aq_gym.evaluation.episode import Episode


def curves(episodes: Sequence[Episode]) -> dict[str, list[float]]:
    """Return the papers' mean curves: a value for each step t.

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
    longest = max((e.steps for e in scored), default=0)
    progress = np.empty((len(scored), longest))
    best, repetition = np.empty_like(progress), np.empty_like(progress)
    for row, episode in enumerate(scored):
        repeated = np.cumsum(episode.repeated) / max(episode.steps - 1, 1)
        _hold(progress[row], np.array(episode.progress))
        best[row] = np.maximum.accumulate(progress[row])
        _hold(repetition[row], repeated)
    if not scored:
        return {"progress": [], "best progress": [], "repetition": []}
    return {
        "progress": progress.mean(axis=0).tolist(),
        "best progress": best.mean(axis=0).tolist(),
        "repetition": repetition.mean(axis=0).tolist(),
    }


def _hold(row: np.ndarray, values: np.ndarray) -> None:
    row[: len(values)] = values
    row[len(values) :] = values[-1]
