"""The bytes of every request of an episode are pinned: runs are compared by them."""

import hashlib

import gymnasium as gym
import pytest
from scripted_server import answer, raw

from aq_gym.agents import LLMAgent
from aq_gym.core.prompt import Example, ExampleTurn, Prompt

TOO_LONG = raw(400, '{"error": {"message": "maximum context length is 9"}}')
SAID = ["go north", "<think>Hm.</think>\ngo south", "Größe \U0001f600 \ud83d", ""]
SAID += ["Thought: why?\nAction: go south", "go north", "y" * 3_000]
FIELDS = {"top_p": 0.9, "stop": ["\n\n", "ü"]}
PINNED = {
    "act": "b1b334451829895f",
    "react": "ac9aee289acdd6d3",
    "memory": "e206cfca53566609",
    "chat": "d2349aa74e5d4583",
}


class Corridor(gym.Env):
    """An environment whose words no one else changes."""

    action_space = observation_space = gym.spaces.Text(10_000)

    def task_prompt(self):
        turn = ExampleTurn("I try.", "go up", "You \u201cfly\u201d.")
        return Prompt("Leave.", Example({}, 0, "Get out.", "A room.", (turn,)))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return "A corridor.", {}

    def step(self, action):
        return f"You see {len(action)} doors.\n" * 9, 0.0, False, False, {}


@pytest.mark.parametrize("prompting", PINNED)
def test_the_requests_of_a_conversation_are_pinned(serve, prompting):
    said = [answer(text) for text in SAID]
    server = serve(*said[:3], TOO_LONG, *said[3:], TOO_LONG, *said)
    env = Corridor()
    agent = LLMAgent(
        env, "m", server.url, prompting, context=1_000, max_tokens=100,
        temperature=0.5, request=FIELDS, keep_reasoning=prompting == "react",
    )  # fmt: skip
    observation, info = env.reset(seed=0)
    agent.reset(observation, info)
    for _ in range(10):
        observation, *_, info = env.step(agent.act(observation, info))
    assert len(server.bodies) > 10
    sent = hashlib.sha256(b"\n".join(server.bodies)).hexdigest()
    assert sent[:16] == PINNED[prompting]
