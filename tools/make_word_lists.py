"""Make the word lists of Hangman and Wordle from SCOWL.

SCOWL (Spell Checker Oriented Word Lists, http://wordlist.aspell.net) grades English
words by how common they are: level 10 has the most common ones, level 95 everything.
The lists here are made of its version 2020.12.07, as Debian packages it::

    apt-get install scowl
    python tools/make_word_lists.py

* A word comes from the files ``english-words.*`` and ``american-words.*``, and is
  written in the letters a to z, all in lower case. Proper names, abbreviations,
  contractions and words that are capitalised are in other files of SCOWL, and are
  left out with them.
* Hangman's words are those of levels 10, 20 and 35, with 3 to 12 letters.
* Wordle's answers are those of levels 10 and 20, with 4 to 8 letters; its guesses are
  those of all levels up to 70.
* Slurs, insults that name a group of people, and vulgar words are left out of all
  lists. ``words_left_out.txt`` has them, in ROT13 so that nobody has to read them. They
  were chosen by hand: the words of the files ``misc/offensive.*`` and
  ``misc/profane.*`` in SCOWL's source, their inflections, and others that were found
  by searching levels 10 to 70 for what such words begin with. Words that are mostly
  used in another sense are kept.

A benchmark gets one file for each length, ``data/5.txt.gz``: the canary, then one word
a line, sorted. Wordle's have the answers first, then an empty line, then the guesses
that are not answers.

``--check`` writes nothing, and fails where a packaged list differs from a new one.
"""

from __future__ import annotations

import argparse
import codecs
import gzip
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from aq_gym.support.data import CANARY

ROOT = Path(__file__).parents[1]
ENVS = ROOT / "aq_gym" / "envs"
LEFT_OUT = Path(__file__).with_name("words_left_out.txt")
SCOWL = Path("/usr/share/dict/scowl")
CATEGORIES = ("english-words", "american-words")

HANGMAN_LENGTHS = range(3, 13)
HANGMAN_LEVELS = (10, 20, 35)
WORDLE_LENGTHS = range(4, 9)
ANSWER_LEVELS = (10, 20)
GUESS_LEVELS = (10, 20, 35, 40, 50, 55, 60, 70)


def words(scowl: Path, levels: Iterable[int]) -> set[str]:
    """Read the words of some levels, without the excluded ones."""
    left_out = set(codecs.decode(LEFT_OUT.read_text("ascii"), "rot13").split())
    found = set().union(*(level(scowl, number) for number in levels))
    return found - left_out


@cache
def level(scowl: Path, number: int) -> frozenset[str]:
    """Read the words of one level.

    Raises:
        SystemExit: If SCOWL is not there.
    """
    paths = [scowl / f"{category}.{number}" for category in CATEGORIES]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise SystemExit(f"no {', '.join(missing)}: apt-get install scowl")
    lines = [line for path in paths for line in path.read_text("latin-1").split()]
    return frozenset(
        word for word in lines if word.isascii() and word.isalpha() and word.islower()
    )


def files(scowl: Path) -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of every list."""
    hangman = words(scowl, HANGMAN_LEVELS)
    for length in HANGMAN_LENGTHS:
        yield path_of("hangman", length), lines_of(hangman, length)
    answers = words(scowl, ANSWER_LEVELS)
    others = words(scowl, GUESS_LEVELS) - answers
    for length in WORDLE_LENGTHS:
        text = f"{lines_of(answers, length)}\n{lines_of(others, length)}"
        yield path_of("wordle", length), text


def path_of(benchmark: str, length: int) -> Path:
    """Return the path of a benchmark's words of one length."""
    return ENVS / benchmark / "data" / f"{length}.txt.gz"


def lines_of(all_words: set[str], length: int) -> str:
    """Return the words of one length, sorted, one per line."""
    chosen = sorted(word for word in all_words if len(word) == length)
    return "".join(f"{word}\n" for word in chosen)


def main() -> None:
    """Write the lists, or compare them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--scowl", type=Path, default=SCOWL, help="default: %(default)s"
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    arguments = parser.parse_args()
    for path, text in files(arguments.scowl):
        data = f"# {CANARY}\n{text}".encode("ascii")
        if arguments.check:
            # The texts are compared, because another version of zlib packs them
            # differently.
            if gzip.decompress(path.read_bytes()) != data:
                raise SystemExit(f"{path.relative_to(ROOT)} differs")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(gzip.compress(data, 9, mtime=0))
        print(f"{path.relative_to(ROOT)}: {len(text.split()):,} words")


if __name__ == "__main__":
    main()
