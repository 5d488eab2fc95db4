"""The usage of model calls: tokens, cost, and truncated answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from aq_gym.models.completion import Completion
from aq_gym.models.conversation import estimate_tokens
from aq_gym.models.messages import message

_FILTERED = "content_filter"


class Call(NamedTuple):
    """An answered request, and its estimated tokens, for one that was not counted."""

    completion: Completion
    estimated: int = 0


def usage_notes(calls: Sequence[Call], price: tuple[float, float]) -> dict[str, object]:
    """Return the notes on the calls of a step.

    Tokens that the endpoint did not count are cautiously estimated, and appear only in
    ``estimated_tokens`` and ``estimated_cost``. The price is for a million tokens read
    and a million written.
    """
    completions = [call.completion for call in calls]
    read = sum(one.prompt_tokens for one in completions)
    written = sum(one.completion_tokens for one in completions)
    estimates = [_estimate(call) for call in calls]
    more_read, more_written = (sum(one) for one in zip(*estimates, strict=True))
    optional = {
        "retries": sum(one.retries for one in completions),
        "cached_tokens": sum(one.cached_tokens for one in completions),
        "cut_answers": sum(map(_is_cut, completions)),
        "filtered_answers": sum(map(_is_filtered, completions)),
        "empty_answers": sum(map(_is_empty, completions)),
        "estimated_tokens": more_read + more_written,
        "estimated_cost": _cost(more_read, more_written, price),
    }
    return {
        "calls": len(calls),
        "prompt_tokens": read,
        "completion_tokens": written,
        "tokens": read + written,
        "cost": _cost(read, written, price),
        "latency": sum(one.latency for one in completions),
        "finish_reason": completions[-1].finish_reason,
        **{name: value for name, value in optional.items() if value},
    }


def _estimate(call: Call) -> tuple[int, int]:
    """Return the tokens read and written that the endpoint did not count."""
    one = call.completion
    read = 0 if one.prompt_tokens else call.estimated
    if one.completion_tokens or not (one.content or one.reasoning or one.tool_calls):
        return read, 0
    said = message(
        "assistant", one.content, reasoning=one.reasoning, tool_calls=one.tool_calls
    )
    return read, estimate_tokens([said])


def _cost(read: int, written: int, price: tuple[float, float]) -> float:
    return (read * price[0] + written * price[1]) / 1e6


def _is_cut(one: Completion) -> bool:
    return one.finish_reason == "length"


def _is_filtered(one: Completion) -> bool:
    return one.finish_reason == _FILTERED or bool(one.refusal)


def _is_empty(one: Completion) -> bool:
    explained = _is_cut(one) or _is_filtered(one) or one.tool_calls
    return not explained and not one.content.strip()
