"""What happens between steps: lines, keys, undo, restarting, saving, the screen."""

import pytest

from aq_gym.zmachine import Status
from zmachine.compiled import play


def said(interpreter, *lines):
    return [interpreter.step(line).text.removesuffix(">") for line in lines]


@pytest.fixture(params=[4, 5, 8])
def reader(request):
    """A story that reports what it reads, one step before its first line."""
    interpreter, opening = play("reader", request.param)
    assert opening == ("turns 0 flags 0\n>", Status.LINE, "")
    interpreter.version = request.param
    return interpreter


@pytest.fixture
def reader5():
    return play("reader", 5)[0]


@pytest.mark.parametrize(
    ("line", "heard"),
    [
        ("Lamp, CAT", "9 [lamp, cat] 3 words, lamp\n"),
        ("", "0 [] 0 words\n"),
        ("   ", "3 [   ] 0 words\n"),
        ("ÄÖ ß€x\t\x00\x7f\x85", "6 [äö ß?x] 2 words\n"),
        ("Æ ŸŒ?", "5 [æ ÿœ?] 2 words\n"),
        ("\ud800\U0001f600", "2 [??] 1 words\n"),
        ("lamp\nquit", "8 [lampquit] 1 words\n"),
    ],
)
def test_a_line(reader, line, heard):
    assert reader.step(line) == (heard + ">", Status.LINE, "")


def test_a_long_line_is_cut(reader):
    length = 19 if reader.version == 4 else 20
    heard = f"{length} [{'b' * length}] 1 words\n"
    assert said(reader, "B" * 50) == [heard]
    assert said(reader, "B" * 1_000_000) == [heard]


def test_a_timed_read_never_runs_out(reader):
    assert reader.step("k").status == Status.KEY
    assert "LATE" not in reader.step("x").text
    flags = reader.read(1, 1)[0]
    assert not flags & 0x80


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("", 13),
        ("\n", 13),
        ("x", 120),
        ("XYZ", 88),
        (" ", 32),
        ("\x1b", 27),
        ("\b", 8),
        ("\x7f", 8),
        ("\x81", 129),
        ("\x84", 132),
        ("é", 170),
        ("€", 63),
        ("\t", 13),
    ],
)
def test_a_key(reader, key, code):
    reader.step("k")
    assert reader.step(key).text == f" {code}\n>"


def test_what_is_left_of_a_line_is_kept(reader5):
    heard = said(reader5, "o", "cd lamp")[1]
    assert heard == "10 [ab cd lamp] 3 words\n"


def test_a_line_without_a_parse_buffer(reader5):
    assert said(reader5, "p", "UNPARSED lamp")[1].startswith("13 [unparsed lamp]")


def test_undo_goes_back_once(reader5):
    heard = said(reader5, "s", "f", "u", "f", "u")
    assert "saved at 11" in heard[0]
    assert "turns 12" in heard[1]
    assert "undone to 1" in heard[2]
    assert "turns 2" in heard[3]
    assert "undo: 0" in heard[4]


def test_undo_can_be_refused():
    interpreter, _ = play("reader", 5, undo=False)
    assert not interpreter.word(0x10) & 0x10
    assert "no undo" in said(interpreter, "s")[0]
    assert "undo: 0" in said(interpreter, "u")[0]
    assert play("reader", 5)[0].word(0x10) & 0x10


def test_there_is_nothing_to_undo_after_a_new_start(reader5):
    said(reader5, "s")
    reader5.start(1)
    assert "undo: 0" in said(reader5, "u")[0]


def test_restarting_keeps_the_storys_own_flags(reader):
    heard = said(reader, "f", "r", "f")
    assert heard[0].endswith("turns 1 flags 2\n")
    assert heard[1].endswith("turns 0 flags 2\n")
    assert heard[2].endswith("turns 1 flags 2\n")
    assert reader.start(1).text == "turns 0 flags 0\n>"


def test_saving_and_restoring_fail(reader):
    assert said(reader, "w")[0].endswith("save 0, restore 0\n")


def test_saving_and_restoring_fail_by_branches():
    interpreter, _ = play("status", 3)
    assert said(interpreter, "s", "r") == ["not saved\n", "not restored\n"]


def test_verify(reader):
    assert said(reader, "v")[0].endswith("whole\n")


def test_quit_ends_it(reader):
    assert reader.step("q").status == reader.status == Status.HALTED
    with pytest.raises(RuntimeError, match="stopped"):
        reader.step("look")
    assert reader.start(2).status == Status.LINE


def test_the_status_line_has_score_and_turns():
    interpreter, _ = play("status", 3)
    assert interpreter.upper_window() == ("Damp Cellar".ljust(60) + "-5/12",)
    interpreter.step("a")
    assert interpreter.upper_window() == ("Attic".ljust(60) + "5/13",)


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
