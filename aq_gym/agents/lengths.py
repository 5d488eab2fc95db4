"""The limits of a language model's conversation."""

from __future__ import annotations

__all__ = ["check_lengths"]


def check_lengths(context: int, max_tokens: int) -> None:
    """Check that a completion fits into the context beside the messages.

    Args:
        context: The tokens that the model can read and write together.
        max_tokens: The longest completion, in tokens.

    Raises:
        ValueError: If ``max_tokens`` is less than 1, or ``context`` is not more.
    """
    if max_tokens < 1:
        raise ValueError(f"{max_tokens=} must be at least 1")
    if context <= max_tokens:
        raise ValueError(f"{context=} must be more than {max_tokens=}")
