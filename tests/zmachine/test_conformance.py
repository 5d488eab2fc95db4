"""Stories that check the machine against the standard, instruction by instruction."""

import pytest

from aq_gym.zmachine import Status
from zmachine.compiled import (
    ALL,
    EVERY_VERSION,
    compile_story,
    path_of,
    play,
)

# How many checks run: one that is skipped by a wrong branch would not be missed.
CHECKS = {
    "arithmetic": (55, 64),
    "routines": (21, 32),
    "objects": (42, 43),
    "tables": (6, 18),
}


@pytest.mark.parametrize("version", EVERY_VERSION)
@pytest.mark.parametrize("name", CHECKS)
def test_instructions(name, version):
    _, opening = play(name, version)
    count = CHECKS[name][version >= 5]
    assert opening.text.endswith(f"{count} checks, 0 failures\n")
    assert opening.status == Status.HALTED


@pytest.mark.parametrize("version", [5, 8])
def test_streams(version):
    _, opening = play("streams", version)
    assert opening.text == "[outer again]\nshown,shown again\n14 checks, 0 failures\n"


@pytest.mark.parametrize("version", EVERY_VERSION)
def test_tables_and_names_are_printed(version):
    assert play("objects", version)[1].text.startswith("box|ink\n")
    if version >= 5:
        tables = play("tables", version)[1].text
        assert tables.startswith("[ab\ncd\nef]\n[ab.]\n")


TEXT = """\
Plain, CAPITALS, 0123456789 .,!?_#'"/\\-:()
signs: $ % & * + < = > @ [ ] ^ { | } ~
letters: ä Ö ß é ù î ñ ç œ £ ¡ ¿
unicode: œ ¡
lamps
thing with a long name
packed
-32768 0
?ä?A
A€ü
α???�
abbreviated words and abbreviated words ABBREVIATED abbreviated words \n\
printed and returned
21 checks, 0 failures
"""  # noqa: RUF001


@pytest.mark.parametrize("version", [5, 8])
def test_text(version):
    assert play("text", version)[1].text == TEXT


@pytest.mark.parametrize("version", [5, 8])
def test_own_alphabets_and_characters(version):
    interpreter, opening = play("alphabet", version)
    assert opening.text == "The quick brown fox: 0123456789 !?\nαβ and Ж\n>"  # noqa: RUF001
    said = [interpreter.step(line).text for line in ("FOX αβ", "αβ quit", "Ж", "quit")]
    assert said == [
        "6 characters, 2 words: fox first 102\n>",
        "7 characters, 2 words: alpha first 155\n>",
        "1 characters, 1 words: first 157\n>",
        "4 characters, 1 words: first 113\n",
    ]


@pytest.mark.needs("inform6")
@pytest.mark.parametrize(("name", "version"), ALL)
def test_the_committed_stories_are_the_sources(name, version, tmp_path):
    target = tmp_path / f"{name}.z{version}"
    compile_story(name, version, target)
    assert target.read_bytes() == path_of(name, version).read_bytes()
