"""The packaged word lists are those that their tool makes."""

import codecs
import subprocess
import sys
from pathlib import Path

import pytest

from aq_gym.envs.hangman.game import words_to_draw
from aq_gym.envs.wordle.game import LENGTHS, lexicon

ROOT = Path(__file__).parents[3]
SCOWL = Path("/usr/share/dict/scowl")


def test_no_list_has_a_word_that_is_left_out():
    text = (ROOT / "tools" / "words_left_out.txt").read_text("ascii")
    left_out = set(codecs.decode(text, "rot13").split())
    assert len(left_out) == len(text.split()) > 300
    assert not left_out & set(words_to_draw(3, 12, "all", "all"))
    for length in LENGTHS:
        assert not left_out & lexicon(length).known


@pytest.mark.skipif(not SCOWL.exists(), reason="needs Debian's package scowl")
def test_the_lists_are_what_the_tool_makes():
    tool = ROOT / "tools" / "make_word_lists.py"
    done = subprocess.run(
        [sys.executable, tool, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_missing_scowl_is_named(tmp_path):
    tool = ROOT / "tools" / "make_word_lists.py"
    done = subprocess.run(
        [sys.executable, tool, "--scowl", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "apt-get install scowl" in done.stderr
