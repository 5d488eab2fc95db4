"""Play an episode with any function from text to text, and measure its progress.

Run it: python examples/agent_loop.py
"""

from collections.abc import Callable

import gymnasium as gym

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.wrappers import ExtractAction, RepetitionRate

SYSTEM = "Answer with one line: Action: <what you do>"


def play(model: Callable[[str], str], env_id: str, seed: int) -> dict[str, object]:
    """Play one episode; the model sees only its prompt."""
    # The action is what follows "Action:" in the completion; repetition is counted
    # on that, not on the thoughts around it.
    env = ExtractAction(RepetitionRate(gym.make(env_id)))
    observation, info = env.reset(seed=seed)
    prompt = [SYSTEM, observation]
    terminated = truncated = False
    while not (terminated or truncated):
        completion = model("\n".join(prompt))
        observation, _, terminated, truncated, info = env.step(completion)
        prompt += [completion, observation]
    env.close()
    return info


def counting_model() -> Callable[[str], str]:
    """Stand in for a language model: it guesses 0000, 0001, 0002, ..."""
    guesses = iter(range(10_000))
    return lambda prompt: f"Thought: why not the next?\nAction: {next(guesses):04d}"


if __name__ == "__main__":
    for seed in range(3):
        info = play(counting_model(), "aq/Mastermind-v0", seed)
        print(
            f"seed {seed}: success {info['success']}, "
            f"progress rate {info['best_progress']:.2f}, "
            f"repetition rate {info['repetition_rate']:.2f}"
        )
