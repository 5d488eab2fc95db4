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
        first, left = episode.steps_to_go[0], episode.steps_to_go[-1]
        rest = f" and has {left} still to go" if left else ""
        told.append(
            f"Net waste of {plural(known['net waste'], 'step')}: the expert needs "
            f"{first} from the start, the agent took {episode.steps}{rest}."
        )
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
        told.append(
            f"Out of time from step {step} on: the expert needs "
            f"{episode.steps_to_go[step]} more, {episode.cap - step} of {episode.cap} "
            "steps are left."
        )
    return [*told, _expert(episode)]


_MEANING = {
    "optimal": "the fewest possible",
    "upper bound": "fewer may do",
    "estimate": "an estimate, as luck with the secret counts",
    "proven": "there is none",
    "given up": "there may still be one",
}


def _expert(episode: EpisodeResult) -> str:
    known = row_of(episode.env).expert
    than = "more than" if known.privileged else "no more than"
    return (
        f"The steps that the expert of {episode.expert} needs from each state: "
        f"{_MEANING.get(known.steps_to_go, known.steps_to_go)}. Where it finds no way, "
        f"{_MEANING[known.lost]}. It knows {than} the agent."
    )
