"""The public stories that check interpreters, where a folder has them.

The folder is ``$AQ_GYM_CONFORMANCE``: czech.z3, .z4, .z5 and .z8 (Amir Karger),
praxix.z5 (Zarf and Dannii), etude.z5 and gntests.z5 (Andrew Plotkin, Graham Nelson),
strictz.z3 and .z5 (Torbjörn Andersson). None of them is ours to ship.
"""

import os
import re
from pathlib import Path

import pytest

from aq_gym.zmachine import Interpreter, Status

CZECH = {3: (368, 349), 4: (386, 367), 5: (425, 406), 8: (425, 406)}
# The standard's table 1, from 155 on.
LETTERS = "äöüÄÖÜß»«ëïÿËÏáéíóúýÁÉÍÓÚÝàèìòùÀÈÌÒÙâêîôûÂÊÎÔÛåÅøØãñõÃÑÕæÆçÇþðÞÐ£œŒ¡¿"


@pytest.fixture
def hear():
    """Play one of the stories; return what it says to the inputs."""
    folder = os.environ.get("AQ_GYM_CONFORMANCE")
    if not folder:
        pytest.skip("needs the folder AQ_GYM_CONFORMANCE")

    def hear(name, *inputs):
        path = Path(folder) / name
        if not path.exists():
            pytest.skip(f"needs {name} in AQ_GYM_CONFORMANCE")
        interpreter = Interpreter(path.read_bytes())
        heard = [interpreter.start(1)]
        for text in inputs:
            if heard[-1].status in (Status.LINE, Status.KEY):
                heard.append(interpreter.step(text))
        return heard, interpreter

    return hear


@pytest.mark.parametrize("version", CZECH)
def test_czech(hear, version):
    [answer], _ = hear(f"czech.z{version}")
    performed, passed = CZECH[version]
    assert f"Performed {performed} tests.\n" in answer.text
    assert f"Passed: {passed}, Failed: 0, Print tests: 19\n" in answer.text
    for line in (
        "print_num (0, 1, -1, 32767,-32768, -1): 0, 1, -1, 32767, -32768, -1\n",
        "print_char (abcd): abcd\n",
        "new_line:\n\nThere should be an empty line above this line.\n",
        "print_ret (should have newline after this)\n.\n",
        "print_addr (Hello.): Hello.\n",
        "high memory):\nA long string that Inform will put in high memory\n",
        "(I love 'xyzzy' [two times]): I love 'xyzzy'  I love 'xyzzy'\n",
        "print_obj (Test Object #1Test Object #2): Test Object #1Test Object #2\n",
    ):
        assert line in answer.text
    assert answer.status == Status.HALTED


def test_praxix(hear):
    heard, _ = hear("praxix.z5", "all")
    said = heard[1].text
    failed = re.findall(r".*(?:failed|error|wrong).*", said, re.I)
    assert failed == [
        # As it says itself, several levels of undo are not required.
        "First @restore_undo failed (value 0)!",
        "2 tests failed.",
        "2 tests failed overall: multiundo (2).",
    ]
    assert said.count("Passed.") == 15


@pytest.mark.parametrize("version", [3, 5])
def test_strictz(hear, version):
    heard, _ = hear(f"strictz.z{version}", *"x" * 9)
    said = "".join(answer.text for answer in heard)
    assert said.count("(correct)") == 28
    assert "(incorrect)" not in said
    assert "Test completed!" in said
    assert heard[-1].status == Status.HALTED


def test_gntests(hear):
    heard, interpreter = hear("gntests.z5", "1")
    fonts = " ".join(interpreter.upper_window())
    assert "Font 2 unavailable" in fonts
    assert "Font 3 unavailable" in fonts
    assert fonts.count("abcdefghijklmnopqrstuvwxyz{|}~") == 2
    heard, _ = hear("gntests.z5", "2")
    letters = re.findall(r"^(\d+):   (.) ", heard[-1].text, re.M)
    assert [int(code) for code, _ in letters] == list(range(155, 224))
    assert "".join(letter for _, letter in letters) == LETTERS
    heard, _ = hear("gntests.z5", "3", "a", "\r", "\x81", "é", " ", "4", "6")
    said = "".join(answer.text for answer in heard)
    for line in (
        "97 character 'a'",
        "13 return",
        "129 cursor up",
        "170 accented character 'é'",
        "Fine: the interpreter says colours are unavailable.",
    ):
        assert line in said
