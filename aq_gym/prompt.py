"""The prompt of a benchmark: see ``aq_gym.core.prompt``."""

from aq_gym.core.prompt import Example, ExampleTurn, Prompt, packaged_prompt

__all__ = ["Example", "ExampleTurn", "Prompt", "packaged_prompt"]
