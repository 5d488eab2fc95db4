"""Phrases that a reader of technical English stumbles over do not come back."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("aq_gym", "wrappers", "examples", "tools", "benchmarks", "docs")
PHRASES = re.compile(
    r"""\b(?:
        each\ believes | needs\ not\b | in\ no\ time | let\ go\ of | run\ nothing
        | (?<!there\ )is\ no\ (?:number|digit|int|str|path|file)\b
        | why\ a\ text\ is\ none | that\ a\ task\ id\ is | the\ least\ share
        | whom\ a\ language\ model | one\ guess\ all\ the\ time
        | with\ its\ claws | in\ kind\ only | What\ a\ \w+\ comes\ to
        | tests\ hold\ it\ to | without\ end\ or | will\ not\ be\ none
    )""",
    re.VERBOSE,
)


def test_no_text_has_a_phrase_that_was_mended():
    found = []
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in (".py", ".md") and "environments" not in path.parts:
                text = re.sub(r"\s+(?:#\s)?", " ", path.read_text("utf-8"))
                found += [f"{path}: {one[0]}" for one in PHRASES.finditer(text)]
    assert found == []
