"""Random actions."""

from __future__ import annotations

import numpy as np

from aq_gym.envs.cipher.logic.grammar import grammar
from aq_gym.envs.cipher.logic.keys import draw_key, write_key


def draw_action(rng: np.random.Generator, sentences: int) -> str:
    """Draw a tool with any arguments, or a solution."""
    kind = int(rng.integers(8))
    if kind == 0:
        return draw_solution(rng, sentences)
    if kind == 1:
        return ("frequencies", "ciphertext", "atbash")[int(rng.integers(3))]
    period = int(rng.integers(1, 21))
    if kind == 2:
        return f"column {int(rng.integers(1, period + 1))} of {period}"
    if kind == 3:
        return f"coincidence {period}"
    if kind == 4:
        return f"rails {int(rng.integers(2, 16))}"
    if kind == 5:
        return f"vigenere {write_key(draw_key('vigenere', 'easy', rng))}"
    if kind == 6:
        affine = write_key(draw_key("affine", "easy", rng))
        return f"affine {affine.replace('.', ' ')}"
    return f"shift {int(rng.integers(1, 26))}"


def draw_solution(rng: np.random.Generator, sentences: int) -> str:
    """Draw a solution."""
    numbers = tuple(grammar().draw(rng) for _ in range(sentences))
    return f"Plain text: {grammar().text(numbers)}"
