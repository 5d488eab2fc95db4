"""Is a text step cheaper than minigrid's own step, and than AgentBoard's rendering?

Run it with ``python benchmarks/babyai_step.py``; it needs nothing beyond the package.
Both sides take the same primitive actions on the same worlds, in turns, so that a noisy
machine is noisy for both. AgentBoard's published wrapper describes one observation in 1
to 5 ms; the last column compares with the lower end.
"""

import contextlib
import io
import statistics
import time

import gymnasium as gym
import numpy as np

import aq_gym  # noqa: F401

LEVELS = ("GoToRedBall", "GoToLocal", "PutNextLocal", "UnlockPickup", "BossLevel")
WORDS = ("turn left", "turn right", "move forward")
STEPS, ROUNDS = 300, 9
AGENTBOARD_SECONDS = 1e-3


def main() -> None:
    """Print both times and their ratio for each level."""
    print("level            minigrid us   text us   ratio   AgentBoard/text")
    for level in LEVELS:
        pairs = [measure(level, seed) for seed in range(ROUNDS)]
        theirs = statistics.median(pair[0] for pair in pairs)
        ours = statistics.median(pair[1] for pair in pairs)
        ratio = statistics.median(pair[0] / pair[1] for pair in pairs)
        print(
            f"{level:16} {theirs * 1e6:11.1f} {ours * 1e6:9.1f} {ratio:7.1f}"
            f" {AGENTBOARD_SECONDS / ours:17.0f}"
        )


def measure(level: str, seed: int) -> tuple[float, float]:
    """Return the seconds that a step takes in minigrid, and in text."""
    plain = gym.make(f"BabyAI-{level}-v0", max_steps=10**6).unwrapped
    text = gym.make(f"aq/BabyAI-text-{level}-v0").unwrapped
    actions = [int(a) for a in np.random.default_rng(seed).integers(3, size=STEPS)]
    with contextlib.redirect_stdout(io.StringIO()):
        plain.reset(seed=seed)
    text.reset(seed=seed)
    theirs = timed(plain, actions, seed)
    return theirs, timed(text, [WORDS[action] for action in actions], seed)


def timed(env: gym.Env, actions: list, seed: int) -> float:
    """Return the seconds of a step, a new episode beginning where one ends."""
    total = 0.0
    for action in actions:
        start = time.perf_counter()
        over = env.step(action)[2]
        total += time.perf_counter() - start
        if over:
            with contextlib.redirect_stdout(io.StringIO()):
                env.reset(seed=seed)
    return total / len(actions)


if __name__ == "__main__":
    import minigrid  # noqa: F401

    main()
