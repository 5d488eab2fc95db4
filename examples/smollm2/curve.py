"""Write and draw the learning curve of a run."""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")


def write(
    path: Path,
    held_out: Mapping[str, float],
    steps: Sequence[Mapping[str, Any]],
    draws: Sequence[Any],
) -> None:
    """Write the figures of a run, and draw them beside the file.

    Args:
        path: The JSON file.
        held_out: The mean returns on held-out tasks.
        steps: The trainer's log.
        draws: What a sampler drew.
    """
    record: dict[str, Any] = {"held_out": held_out, "cpu_seconds": time.process_time()}
    record["draws"] = draws
    for name in ("reward", "reward_std", "loss", "grad_norm"):
        record[name] = [one[name] for one in steps if "reward" in one]
    path.write_text(json.dumps(record) + "\n")
    draw(record, path.with_suffix(".png"))


def draw(record: Mapping[str, Any], path: Path) -> None:
    """Draw the mean reward of each step, and the held-out means.

    Args:
        record: What the example writes.
        path: The picture, a PNG or SVG file.
    """
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    figure, axes = pyplot.subplots(figsize=(6.4, 3.6))
    rewards = record["reward"]
    steps = range(1, len(rewards) + 1)
    axes.plot(steps, rewards, ".", color="0.6", label="mean reward of a step")
    latest = [rewards[max(0, i - 4) : i + 1] for i in range(len(rewards))]
    means = [sum(some) / len(some) for some in latest]
    axes.plot(steps, means, label="mean of the last 5 steps")
    held_out = record["held_out"]
    ends = (0, len(rewards))
    axes.plot(ends, (held_out["clone"], held_out["trained"]), "s", label="held out")
    random = held_out["random agent"]
    axes.axhline(random, linestyle=":", color="0.3", label="random agent, held out")
    axes.set(xlabel="GRPO step", ylabel="return", ylim=(0, 1.05))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(path, dpi=100)
    pyplot.close(figure)
