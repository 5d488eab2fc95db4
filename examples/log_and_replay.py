"""Log an episode to a file, read it back, and replay it.

Run it: python examples/log_and_replay.py
"""

import tempfile

import gymnasium as gym
import numpy as np

import aq_gym.trajectory
from aq_gym.wrappers import RepetitionRate, TrajectoryLogger


def log_episode(directory: str, seed: int) -> None:
    """Play one episode of random guesses, logging each step to a file."""
    env = TrajectoryLogger(
        RepetitionRate(gym.make("aq/Mastermind-v0", max_episode_steps=8)),
        directory,
        agent="random guesses",
    )
    rng = np.random.default_rng([seed, 1])  # not the env's own stream
    env.reset(seed=seed)
    over = False
    while not over:
        guess = f"Guess: {rng.integers(10_000):04d}"
        env.annotate(thought="I feel lucky")  # anything you want to keep per step
        *_, terminated, truncated, _ = env.step(guess)
        over = terminated or truncated
    env.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        log_episode(directory, seed=1)
        for episode in aq_gym.trajectory.iter_trajectories(directory):
            print(episode.name, "complete" if episode.complete else "incomplete")
            for step in episode.steps:
                print(f"  {step['action']:12} progress {step['info']['progress']:.2f}")
            print("ended:", episode.end)

            # Makes the environment again from the file and compares every step.
            report = aq_gym.trajectory.replay(episode.path)
            print("identical:", report.identical, "over", report.steps, "steps")
