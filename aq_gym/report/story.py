"""Say in sentences what the steps to go of an episode show."""

from __future__ import annotations

from aq_gym.core.text import plural
from aq_gym.evaluation import METRICS, EpisodeResult
from aq_gym.registration import row_of
from aq_gym.wrappers.steps_to_go import INFINITE


def story(episode: EpisodeResult) -> list[str]:
    """Return sentences on one episode whose steps to go were counted.

    A loss is named only where the environment's row declares it as proven.

    Args:
        episode: The episode.
    """
    known = {
        name: int(value)
        for name in ("net waste", "determined at", "lost at", "out of time at")
        if (value := METRICS[name].of(episode)) is not None
    }
    told = []
    if "net waste" in known:
        waste = plural(known["net waste"], "step")
        told.append(f"Net waste: {waste} more than the expert's way from the start.")
    if "determined at" in known:
        step = known["determined at"]
        after = episode.steps - step
        said = (
            f"said {plural(after, 'step')} later" if episode.success else "never said"
        )
        told.append(f"One secret was left after step {step}: {said}.")
    if "lost at" in known:
        told.append(f"Lost at step {known['lost at']}.")
    elif episode.steps_to_go[-1] == INFINITE:
        told.append("At the end the expert finds no way, which proves no loss.")
    if "out of time at" in known:
        step = known["out of time at"]
        told.append(f"From step {step} on the expert needs more steps than are left.")
    what = row_of(episode.env).expert
    return [*told, f"Steps to go, by the expert of {episode.expert}: {what}."]
