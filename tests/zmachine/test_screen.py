"""The upper window and version 3's status line."""

import pytest

from zmachine.compiled import play


def test_the_status_line_has_score_and_turns():
    interpreter, _ = play("status", 3)
    assert interpreter.upper_window() == ("Damp Cellar".ljust(60) + "-5/12",)
    interpreter.step("a")
    assert interpreter.upper_window() == ("Attic".ljust(60) + "5/13",)


def test_the_status_line_has_the_time():
    interpreter, _ = play("clock", 3)
    assert interpreter.upper_window() == ("Damp Cellar".ljust(60) + "21:05",)


def test_an_upper_window_below_the_status_line():
    interpreter, _ = play("status", 3)
    assert interpreter.step("u").text == ">"
    assert interpreter.upper_window()[1:] == ("upper",)


@pytest.mark.parametrize("version", [5, 8])
def test_the_upper_window(version):
    interpreter, opening = play("screen", version)
    pictures = [opening.text, interpreter.upper_window()]
    assert pictures == ["lower\ncursor 213\n", ("first row", "    second €")]
    shown = []
    while interpreter.status == 2:
        text = interpreter.step("").text
        shown.append((text, interpreter.upper_window()))
    assert shown == [
        ("", ("first", "SEC second €", "down")),
        # A box that was shown and given up stays until the next step.
        ("", ("first", "SEC second €", "down", "  a box")),
        ("", ("first",)),
        ("", ("first".ljust(125) + "edg",)),
        ("cleared\n", ("",)),
        ("lower still\n", ("",)),
        # The window grows with what is printed below it, as menus are.
        ("", ("", "", "  below")),
        ("", ("", "", "  below")),
        ("", ("",)),
    ]


def test_the_upper_window_is_part_of_the_state():
    interpreter, _ = play("screen", 5)
    interpreter.step("")
    here, shown = interpreter.snapshot(), interpreter.upper_window()
    interpreter.step("")
    there = interpreter.upper_window()
    interpreter.restore(here)
    assert interpreter.upper_window() == shown != there
    interpreter.step("")
    assert interpreter.upper_window() == there
