"""A system prompt improved by GEPA, with a model that only obeys."""

import os
import re

import pytest


def model(messages):
    """Guess the letter that the system prompt says, and none without a hint."""
    hints = re.findall(r"hint: (\w+)", messages[0]["content"])
    return hints[-1] if hints else "?"


@pytest.mark.filterwarnings("default")
def test_a_prompt_that_helps_is_kept(capsys):
    if not os.environ.get("AQ_GYM_TEST_FOREIGN"):
        pytest.skip("needs gepa, as in .ci/integrations")
    from frameworks.gepa_prompt import PART, improve

    asked = []

    def reflect(prompt):
        asked.append(prompt)
        return f"```\nPlay well. hint: {'ez'[len(asked) % 2]}\n```"

    best, scores = improve("aq/Hangman-v0", model, reflect, 60)
    assert scores[0] == 0.0
    assert max(scores) > 0
    assert best[PART] == "Play well. hint: e"
    assert "of the subgoals" in asked[0]
