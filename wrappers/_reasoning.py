"""Separate a model's reasoning from its answer."""

from __future__ import annotations

import re
from typing import NamedTuple

_TAGS = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis"
# XML-like tags, and the special tokens of Seed, Kimi, Mistral, Magistral and Cohere.
_TAG = re.compile(
    rf"<(?P<end>/?)(?:seed:)?(?:{_TAGS})[ \t]*+>"
    r"|\u25c1(?P<kimi>/?)think\u25b7"
    r"|\[(?P<mistral>/?)THINK\]"
    r"|<\|(?:START|(?P<cohere>END))_THINKING\|>",
    re.IGNORECASE,
)
# The channels of gpt-oss: reasoning is on "analysis", the answer on "final".
_CHANNEL = re.compile(r"<\|channel\|>\s*+(\w++)[^<]*+(?:<\|constrain\|>[^<]*+)?")
_MESSAGE = "<|message|>"
_FINAL_WITHOUT_TOKENS = "assistantfinal"
# The tokens at which a model's turn ends, and wrappers around an answer.
_TURN_END = re.compile(
    r"<\|(?:end|return|call|im_end|eot_id|endoftext|end_of_text|END_RESPONSE)\|>"
    r"|</s>|<end_of_turn>|<\uff5cend\u2581of\u2581sentence\uff5c>"
)
_OPENING = re.compile(r"\s*+(?:<\|START_RESPONSE\|>|<\|im_start\|>assistant\n)")


class Answer(NamedTuple):
    """The answer in a completion.

    Attributes:
        text: The completion without reasoning; "" if it is reasoning alone.
        has_reasoning: Whether reasoning was removed.
        cut: Whether the reasoning was not closed, as if the completion was cut off.
    """

    text: str
    has_reasoning: bool
    cut: bool


def split_reasoning(completion: str) -> Answer:
    """Remove the reasoning from a completion.

    Reasoning is the content of ``<think>`` and similar tags and of gpt-oss's analysis
    channel. Without the opening tag, which some chat templates remove, it is
    everything before the closing tag; without the closing tag, everything after the
    opening one. A completion without reasoning is returned unchanged.
    """
    if "|>" in completion and _CHANNEL.search(completion):
        return _final_channel(completion)
    if completion.startswith("analysis"):
        _, found, final = completion.rpartition(_FINAL_WITHOUT_TOKENS)
        if found:
            return Answer(final, True, False)
    kept: list[str] = []
    start, inside, found_any = 0, False, False
    for tag in _TAG.finditer(completion):
        found_any = True
        if any(tag.group("end", "kimi", "mistral", "cohere")):
            # What stands before a closing tag is reasoning, with or without an
            # opening tag.
            if not inside:
                kept.clear()
            inside = False
        elif not inside:
            kept.append(completion[start : tag.start()])
            inside = True
        start = tag.end()
    if not inside:
        kept.append(completion[start:])
    text = "".join(kept) if found_any else completion
    return Answer(_one_turn(text), found_any, inside)


def _final_channel(completion: str) -> Answer:
    """Return the first message on a channel that is not reasoning."""
    reasoning = -1
    for channel in _CHANNEL.finditer(completion):
        if not completion.startswith(_MESSAGE, channel.end()):
            continue
        start = channel.end() + len(_MESSAGE)
        if channel[1].lower() != "analysis":
            end = _TURN_END.search(completion, start)
            text = completion[start : end.start()] if end else completion[start:]
            return Answer(text, reasoning >= 0, False)
        reasoning = start
    cut = reasoning >= 0 and _TURN_END.search(completion, reasoning) is None
    return Answer("", reasoning >= 0, cut)


def _one_turn(text: str) -> str:
    """Remove the tokens around the model's turn, and everything after it."""
    if "<" not in text:
        return text
    opening = _OPENING.match(text)
    text = text[opening.end() :] if opening else text
    end = _TURN_END.search(text)
    return text[: end.start()] if end else text
