"""BabyAI missions that one action completes."""

from typing import Any

import gymnasium as gym

import aq_gym
from aq_gym.agents import RandomAgent

ID = "aq/BabyAI-text-GoToObj-v0"
# The prompt is only the observation, which names the one object of the room.
KWARGS = {"instructions": False}
ROOMS = [ID.replace("GoToObj", name) for name in ("GoToObjS4", "GoToObjS6", "GoToObj")]
# Draws from rooms of three sizes, larger ones as more missions succeed. In half of the
# rooms no single step reaches the object.
SAMPLER = aq_gym.TaskSampler(
    [f"{room}?split=train&instructions=false" for room in ROOMS],
    target=0.3,
    max_steps=1,
)


def one_step_seeds(split: str, count: int) -> list[int]:
    """Return the first seeds whose object is in view, so that one action reaches it.

    Args:
        split: "train" or "test".
        count: How many.
    """
    env = gym.make(ID, max_episode_steps=1, split=split, **KWARGS)
    seeds: list[int] = []
    seed = 0
    while len(seeds) < count:
        env.reset(seed=seed)
        action = env.get_wrapper_attr("expert_action")()
        if env.step(action)[1] == 1.0:
            seeds.append(seed)
        seed += 1
    return seeds


def play_random(seed: int, split: str) -> tuple[dict[str, Any], float]:
    """Play a step of the random agent.

    Args:
        seed: The seed of the task.
        split: "train" or "test".

    Returns:
        Its messages, as a row to clone it from, and its return.
    """
    env = gym.make(ID, split=split, **KWARGS)
    agent = RandomAgent(env)
    observation, info = env.reset(seed=seed)
    agent.reset(observation, info)
    action = agent.act(observation, info)
    kwargs = {**KWARGS, "split": split}
    with aq_gym.Episode(ID, kwargs, seed, max_steps=1, example=False) as episode:
        prompt = episode.messages
        _, reward, _ = episode.step(action)
    said = [{"role": "assistant", "content": action}]
    return {"prompt": prompt, "completion": said}, reward
