"""Say in sentences what the steps to go of an episode show."""

from __future__ import annotations

from collections.abc import Sequence

from gymnasium.envs.registration import load_env_creator

from aq_gym.core.text import plural
from aq_gym.evaluation import METRICS, EpisodeResult
from aq_gym.registration import row_of
from aq_gym.support.escaping import short
from aq_gym.wrappers.steps_to_go import INFINITE


def story(episode: EpisodeResult, actions: Sequence[str] = ()) -> list[str]:
    """Return sentences on one episode whose steps to go were counted.

    A loss is named only where the environment's row declares it as proven, or where
    the environment ended the episode.

    Args:
        episode: The episode.
        actions: Its actions, if they are known.
    """
    known = {
        name: int(value)
        for name in ("net waste", "determined at", "lost at", "out of time at")
        if (value := METRICS[name].of(episode)) is not None
    }
    told = []
    first, last = episode.steps_to_go[0], episode.steps_to_go[-1]
    # A lost game is over, whatever the expert can prove.
    if last == INFINITE and episode.ended == "terminated":
        known.setdefault("lost at", episode.steps)
    if (step := known.get("lost at")) is not None:
        told.append(
            f"Lost at step {step}"
            + "".join(f", by “{short(action)}”" for action in actions[step - 1 : step])
            + "."
        )
    begin = max((t for t, h in enumerate(episode.steps_to_go, 1) if h >= 0), default=0)
    if last == INFINITE and begin != step:
        told.append(
            f"From {f'step {begin}' if begin else 'the start'} on the expert finds no "
            f"way{', which proves no loss' if step is None else ''}."
        )
    if (step := known.get("determined at")) is not None:
        later = f"said {plural(episode.steps - step, 'step')} later"
        told.append(
            f"One secret was left after step {step}: "
            f"{later if episode.success else 'never said'}."
        )
    # At the cap itself, there is nothing more to say than that the steps ran out.
    if (step := known.get("out of time at", episode.cap)) < episode.cap:
        sure = row_of(episode.env).expert.steps_to_go == "optimal"
        told.append(
            f"{'Too' if sure else 'Probably too'} late from step {step} on, with "
            f"{episode.cap - step} of {episode.cap} steps left: the expert needs "
            f"{episode.steps_to_go[step]}."
        )
    if (waste := known.get("net waste")) is not None:
        wasted = f"Net waste of {plural(waste, 'step')}" if waste > 0 else "No waste"
        told.append(
            f"{wasted}: the expert needs {first} from the start, the agent took "
            f"{episode.steps}{f' and has {last} still to go' if last else ''}."
        )
    return [*told, _expert(episode)]


def counting(env: str) -> str:
    """Return what an environment's documentation says of its progress, or "".

    It is "" for an id of another package, or one that needs a package that is missing.

    Args:
        env: The id.
    """
    row = row_of(env)
    known = row.entry_point.startswith("aq_gym.") and not row.missing()
    told = (load_env_creator(row.entry_point).__doc__ if known else "") or ""
    rewards = told.partition("## Rewards\n")[2].partition("\n\n")[0]
    # The first sentence is the same for all: the reward is the rise of progress.
    return " ".join(rewards.replace("`", "").split()).partition(". ")[2]


_MEANING = {
    "optimal": "the fewest possible",
    "upper bound": "fewer may do",
    "estimate": "an estimate, as luck with the secret counts",
    "proven": "there is none",
    "given up": "there may still be one",
}


def _expert(episode: EpisodeResult) -> str:
    known = row_of(episode.env).expert
    return (
        f"The steps that the expert of {episode.expert} needs from each state: "
        f"{_MEANING.get(known.steps_to_go, known.steps_to_go)}. Where it finds no way, "
        f"{_MEANING[known.lost]}. "
        f"It knows {'' if known.privileged else 'no '}more than the agent."
    )
