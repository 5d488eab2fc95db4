"""What a message can carry, and how it is sent."""

import pytest

from aq_gym.models import message
from aq_gym.models.messages import chat_message

CALL = {"id": "c1", "type": "function", "function": {"name": "go", "arguments": "{}"}}
PICTURE = "data:image/png;base64,AAAA"


@pytest.mark.parametrize(
    ("made", "sent"),
    [
        (message("user", "Go ü"), {"role": "user", "content": "Go ü"}),
        (
            message("assistant", "", reasoning="Hm.", tool_calls=[CALL]),
            {"role": "assistant", "content": "", "reasoning_content": "Hm.",
             "tool_calls": [CALL]},
        ),
        (
            message("tool", "done", tool_call_id="c1"),
            {"role": "tool", "content": "done", "tool_call_id": "c1"},
        ),
        (
            message("user", "What is this?", images=[PICTURE]),
            {"role": "user", "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": PICTURE}},
            ]},
        ),
    ],
)  # fmt: skip
def test_a_message_is_sent_as_chat_completions_have_it(made, sent):
    assert chat_message(made) == sent


def test_half_of_a_surrogate_pair_can_be_sent():
    assert message("user", "a\ud83d")["content"] == "a?"
    assert message("assistant", "", reasoning="\ud83d")["reasoning_content"] == "?"
