"""Step many text environments at once, in this process or in other processes.

Run it: python examples/vector_envs.py
"""

import gymnasium as gym

import aq_gym  # noqa: F401 (registers the ids)

NUM_ENVS = 4
GUESSES = ("0123", "4567", "8901")


def rollout(workers: int) -> list[tuple[str, ...]]:
    """Make the same guesses in every environment; each has a different code."""
    envs = gym.make_vec("aq/Mastermind-v0", NUM_ENVS, num_workers=workers)
    observations, infos = envs.reset(seed=7)
    seen = [tuple(observations)]
    for guess in GUESSES:
        observations, rewards, _, _, infos = envs.step((guess,) * NUM_ENVS)
        seen.append(tuple(observations))
        print(f"{workers} workers: {guess}: {rewards}, progress {infos['progress']}")
    envs.close()
    return seen


if __name__ == "__main__":
    in_this_process = rollout(0)
    in_processes = rollout(2)
    print("the same text:", in_this_process == in_processes)
    print(in_processes[-1][0])
