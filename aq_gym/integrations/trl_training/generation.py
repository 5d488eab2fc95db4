"""Generation with the trainer's model."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

_TESTED = "1.16.0"


def generate(
    trainer: Any, prompts: list[list[int]], max_tokens: int
) -> tuple[list[list[int]], list[list[float]] | None]:
    """Complete prompts with the trainer's model, with vLLM if the trainer uses it.

    Args:
        trainer: The trainer.
        prompts: The token ids of the prompts.
        max_tokens: The longest completion.

    Returns:
        The token ids of the completions, and the log probabilities that vLLM sampled
        them with; None without vLLM.

    Raises:
        RuntimeError: If the installed TRL generates in a different way.
    """
    with _limited(trainer, max_tokens):
        return _generate(trainer, prompts)


def _generate(
    trainer: Any, prompts: list[list[int]]
) -> tuple[list[list[int]], list[list[float]] | None]:
    # The trainer's own loop of tool calls generates with it; there is no public method.
    method: Any = getattr(trainer, "_generate_single_turn", None)
    if method is None:
        raise _unsupported("the method is missing")
    # Without images and other fields of the prompts.
    arguments: tuple[Any, ...] = (prompts, None, {})
    options = {"num_generations": 1}
    signature = inspect.signature(method)
    try:
        signature.bind(*arguments, **options)
    except TypeError:
        raise _unsupported(f"its parameters are {signature}") from None
    generated = method(*arguments, **options)
    if not _is_known(generated, len(prompts)):
        raise _unsupported(f"it returned {generated!r:.200}")
    completions, logprobs = generated
    return completions, logprobs


def _is_known(generated: Any, count: int) -> bool:
    """Return whether a result has the form that :func:`generate` returns."""
    try:
        completions, logprobs = generated
        lengths = [len(ids) for ids in completions]
        scored = lengths if logprobs is None else [len(one) for one in logprobs]
    except (TypeError, ValueError):
        return False
    first = [token for ids in completions for token in ids[:1]]
    # A tensor's items are not ints.
    known = all(isinstance(token, int) for token in first)
    return known and len(lengths) == count and scored == lengths


def _unsupported(problem: str) -> RuntimeError:
    return RuntimeError(
        f"trl {version('trl')} generates in another way than trl {_TESTED}, with which "
        f"Rollouts was tested: GRPOTrainer._generate_single_turn: {problem}. Install "
        f"trl {_TESTED}, or generate with a function of your own: "
        "Rollouts(generate=...)"
    )


@contextmanager
def _limited(trainer: Any, max_tokens: int) -> Iterator[None]:
    """Limit the length of completions, which would otherwise be the whole episode's."""
    places = [(trainer.generation_config, "max_new_tokens")]
    if trainer.use_vllm:
        places = [(trainer.vllm_generation, "max_completion_length")]
    before = [getattr(*place) for place in places]
    try:
        for owner, name in places:
            setattr(owner, name, max_tokens)
        yield
    finally:
        for (owner, name), value in zip(places, before, strict=True):
            setattr(owner, name, value)
