"""Texts that an agent might write to break an environment, drawn without end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import numpy as np

# What most environments read at most, and sometimes more.
LONGEST = 100_000
MOST_DAMAGE = 4
# ASCII with its control characters, the basic plane with its surrogates, everything.
ALPHABETS = (0x80, 0x10000, 0x110000)
# Repeated up to the longest text: what opens and never closes, what a search goes back
# over, what grows in lower case or when it is normalized.
PIECES = (
    "[", "{", "(", '{"a":', "[[", "a(", "f(x=", "search[", '"', "'", "\\", '\\"',
    "<tool_call>", "```\n", "Action:", "a", "a ", "a, ", " ", "\n", "\t,", "9", "1 ",
    "1/", "-", "--", "+", "*", "**", "^", "1e9*", ".", "=", "A1:", "$", "%", ",", ";",
    "not ", "and ", "to ", "the ", "take ", "again. ", "is it ", "\u0130", "\ufdfa",
    "e\u0301", "\ufb03", "\u0662", "\u00b2", "\u200b", "\u202e", "\0", "\ud800",
    "\U0001f642", "<", "&lt;", "#", "| ", "_",
)  # fmt: skip
VALUES = (
    "9" * 5_000, "1e999", "-1", "NaN", "Infinity", "0x" + "f" * 4_000, "10**10**10",
    "9**9**9**9", "=A1", "A1:XFD1048576", "ZZZ9999999", "null", "true", "[]", "{}",
    '""', "../../etc/passwd", "/dev/zero", "__import__('os').system('true')",
    "{0.__class__}", "%n%s", "9999-99-99", "0000-00-00", "24:61", "\x1b[2J", "*", ".*",
    "(a+)+$", "\u0661\u0662", "",
)  # fmt: skip
CALLS = (
    '{{"name": "{name}", "arguments": {value}}}',
    '<tool_call>{{"name": "{name}", "arguments": {value}}}</tool_call>',
    "Action: {name} with Action Input: {value}",
    '```json\n{{"tool": "{name}", "parameters": {value}}}\n```',
    '{{"method": "tools/call", "params": {{"name": "{name}", "arguments": {value}}}}}',
    "{name}({value})",
    "{name}[{value}]",
)
_WORD = re.compile(r"\w+")


def hostile_texts(rng: np.random.Generator, samples: Sequence[str]) -> Iterator[str]:
    """Yield texts endlessly, all kinds alike."""
    while True:
        sample = samples[int(rng.integers(len(samples)))]
        yield _noise(rng, 300)
        yield _damaged(rng, sample)
        yield _filled(rng, sample, _value(rng))
        yield _call(rng, sample)
        yield _repeated(rng)


def _noise(rng: np.random.Generator, longest: int) -> str:
    size = int(rng.integers(longest + 1))
    alphabet = ALPHABETS[int(rng.integers(len(ALPHABETS)))]
    return "".join(map(chr, rng.integers(alphabet, size=size).tolist()))


def _damaged(rng: np.random.Generator, action: str) -> str:
    """Replace some part of an action, which may be empty, by noise."""
    start, end = sorted(rng.integers(len(action) + 1, size=2).tolist())
    return action[:start] + _noise(rng, MOST_DAMAGE) + action[end:]


def _filled(rng: np.random.Generator, action: str, value: str) -> str:
    """Replace a word or number of an action."""
    words = list(_WORD.finditer(action))
    if not words:
        return action + value
    word = words[int(rng.integers(len(words)))]
    return action[: word.start()] + value + action[word.end() :]


def _repeated(rng: np.random.Generator) -> str:
    """Repeat one piece, or two in turn, to a length of any magnitude."""
    chosen = rng.integers(len(PIECES), size=int(rng.integers(1, 3)))
    piece = "".join(PIECES[one] for one in chosen)
    return piece * int(10 ** rng.uniform(0, np.log10(LONGEST)) / len(piece) + 1)


def _value(rng: np.random.Generator) -> str:
    if rng.random() < 0.5:
        return _repeated(rng)
    return VALUES[int(rng.integers(len(VALUES)))]


def _call(rng: np.random.Generator, action: str) -> str:
    """Write a call of the action's first word with a deep, wide or strange value."""
    found = _WORD.search(action)
    form = CALLS[int(rng.integers(len(CALLS)))]
    depth = int(10 ** rng.uniform(0, 4))
    name = json.dumps(_noise(rng, 9))
    values = (
        "[" * depth + "]" * depth,
        '{"a":' * depth + "1" + "}" * depth,
        "{" + ", ".join(f'"{k}": {k}' for k in range(depth)) + "}",
        f"{{{name}: {json.dumps(_value(rng))}}}",
        json.dumps({"name": _value(rng), "page": _value(rng)}),
        ", ".join(f"a{k}={k}" for k in range(depth)),
        _value(rng),
    )
    value = values[int(rng.integers(len(values)))]
    return form.format(name=found[0] if found else "help", value=value)
