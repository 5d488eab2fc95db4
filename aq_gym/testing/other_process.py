"""The other process of ``check_other_process``: spec in, transcript out."""

import json
import sys

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec

from aq_gym.testing.determinism import transcript

if __name__ == "__main__":
    spec = EnvSpec.from_json(sys.stdin.read())
    sys.stdout.write(json.dumps(transcript(gym.make(spec))))
