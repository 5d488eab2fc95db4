"""A made-up checkout of AgentQuest, whose drivers have our sentences."""

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

# AgentQuest's folders, and our sentences for each.
SENTENCES = {
    "mastermind": "mastermind.agentquest:_OURS",
    "sudoku": "sudoku.agentquest:_OURS",
    "hangman": "hangman.agentquest:_OURS",
    "wordle": "wordle.agentquest:_OURS",
    "cipher": "cipher.agentquest:_OURS",
    "twothousandfortyeight": "game2048.agentquest:_OURS",
    "alfworld": "alfworld.protocol:_AGENTQUEST_WORDS",
}


def write_checkout(root: Path, wordle: Sequence[str] = ("abyes", "qzxjv")) -> None:
    """Write the drivers, and Wordle's words, into a folder."""
    benchmarks = root / "agentquest" / "benchmarks"
    for name, place in SENTENCES.items():
        folder = benchmarks / name
        folder.mkdir(parents=True, exist_ok=True)
        module, _, constant = place.partition(":")
        texts = getattr(import_module(f"aq_gym.envs.{module}"), constant)
        (folder / "driver.py").write_text(driver(texts))
    (benchmarks / "wordle" / "data.json").write_text(
        json.dumps({"5 letters": [*wordle, 5]})
    )
    for cipher in ("caesar", "atbash", "affine", "vigenere", "railfence", "adfgvx"):
        file = benchmarks / "cipher" / "algorithms" / f"{cipher}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(driver({"get_initial_instructions": ["Decipher it."]}))


def driver(texts: Mapping[str, Sequence[str]]) -> str:
    """Return Python code with these texts, whose slots are ``{}``.

    They are made longer where the reader would take them for keys.
    """
    lines = []
    for name, listed in texts.items():
        lines.append(f"def {name}(x):")
        lines += [
            f"    yield f{text.replace('{}', '{x}').ljust(12)!r}" for text in listed
        ]
    return "\n".join(lines)
