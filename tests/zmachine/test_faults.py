"""A story's errors and damage: the same answer every time."""

import runpy
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.zmachine import Interpreter, Status, StoryError
from zmachine.compiled import path_of, play

FAULTS = {
    "d": "a division by zero",
    "m": "a division by zero",
    "w": "a write outside dynamic memory",
    "r": "the stack is full",
    "u": "the stack is empty",
    "c": "a call of something that isn't a routine",
    "p": "a property that the object doesn't have",
    "n": "a property that the object doesn't have",
    "o": "an object that doesn't exist",
    "s": "too many memory streams inside one another",
    "t": "a throw to a routine that isn't running",
    "l": "the instruction budget of the step is spent",
    "x": "too much text in one step",
}


@pytest.mark.parametrize("key", FAULTS)
def test_a_fault_is_an_answer(key):
    interpreter, _ = play("faults", 5, budget=1_000_000)
    before = interpreter.snapshot()
    answer = interpreter.step(key)
    assert answer.status == interpreter.status == Status.FAILED
    assert answer.error == f"the story failed: {FAULTS[key]}"
    failed = interpreter.snapshot()
    with pytest.raises(RuntimeError, match="stopped"):
        interpreter.step("q")
    interpreter.restore(before)
    assert interpreter.step(key) == answer
    assert interpreter.snapshot() == failed
    interpreter.restore(before)
    assert interpreter.step("?").text == "no error\n"


def test_text_outside_the_story_is_nothing():
    interpreter, _ = play("faults", 5)
    assert interpreter.step("a").text == "no error\n"


def test_text_printed_before_a_fault_is_in_the_answer():
    interpreter, _ = play("faults", 5)
    text = interpreter.step("x").text
    assert text.startswith("more textmore text")
    assert 0xFFF0 < len(text) <= 0x10000


def test_the_budget_is_the_steps_own():
    interpreter, _ = play("faults", 5, budget=1_000)
    begun = interpreter.steps
    assert interpreter.step("l").status == Status.FAILED
    assert interpreter.steps - begun == 1_001
    interpreter, _ = play("faults", 5, budget=1_000)
    for _ in range(100):
        begun = interpreter.steps
        assert interpreter.step("?").status == Status.KEY
        assert 5 < interpreter.steps - begun < 50


def crafted(code, version=5):
    """Return a story that begins with some instructions."""
    memory = bytearray(0x800)
    memory[0] = version
    fields = {4: 0x400, 6: 0x400, 8: 0x300, 10: 0x100, 12: 0x40, 14: 0x380}
    for place, value in fields.items():
        struct.pack_into(">H", memory, place, value)
    memory[0x400 : 0x400 + len(code)] = code
    return bytes(memory)


def begin(code, **options):
    return Interpreter(crafted(code), **options).start(0)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("00 00 00", "an unknown instruction"),
        ("be 1e ff", "an unknown instruction"),
        ("b5", "an unknown instruction"),
        ("b1", "a return from the main routine"),
        ("e8 bf 05", "a local variable that the routine doesn't have"),
        # A jump to before the beginning of memory.
        ("8c 80 00", "an access outside memory"),
    ],
)
def test_code_that_is_none(code, error):
    answer = begin(bytes.fromhex(code))
    assert answer == ("", Status.FAILED, f"the story failed: {error}")


@pytest.mark.parametrize(
    "code",
    [
        "8c ff ff",  # jump to itself
        "f7 03 12 34 00 40 ff ff 00 10 10 40 8c ff f2",  # scan a table of 65,535 fields
        "f3 3f ff ff fe 03 00 40 ff ff ff ff 00 00 8c ff f0",  # print one, unseen
        "fd 00 00 40 00 40 80 00 8c ff f6",  # copy a table of 32,768 bytes
    ],
)
def test_an_endless_loop_ends_with_the_budget(code):
    answer = begin(bytes.fromhex(code.replace(" ", "")), budget=300_000)
    assert answer.status == Status.FAILED


@pytest.mark.parametrize("version", [0, 1, 2, 6, 7, 9, 255])
def test_other_versions_are_refused(version):
    with pytest.raises(StoryError, match="version 3, 4, 5 or 8"):
        Interpreter(crafted(b"", version))


@pytest.mark.parametrize(
    "story", [b"", b"\x05", bytes(63), bytes(64), b"\x05" * 64, bytes(0x80001)]
)
def test_what_is_no_story_is_refused(story):
    with pytest.raises(StoryError):
        Interpreter(story)


@pytest.mark.parametrize("budget", [0, -1, 1_000_000_001])
def test_an_impossible_budget_is_refused(budget):
    with pytest.raises(ValueError, match="budget must be 1 to 1,000,000,000"):
        Interpreter(path_of("faults", 5).read_bytes(), budget=budget)


def test_damaged_stories_and_states(root, monkeypatch, capsys):
    script = str(root / "benchmarks" / "attacks" / "damaged_stories.py")
    sizes = ["--stories", "40", "--states", "20"]
    monkeypatch.setattr("sys.argv", [script, *sizes])
    monkeypatch.chdir(root)
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(script, run_name="__main__")
    output = capsys.readouterr().out
    assert ended.value.code == 0, output
    assert output.endswith("all is well\n")


@pytest.fixture(scope="module", params=[3, 4, 5, 8])
def waiting(request):
    """A story that waits for a line, in every version, and its state."""
    name = "status" if request.param == 3 else "reader"
    interpreter, _ = play(name, request.param)
    return interpreter, interpreter.snapshot()


@given(lines=st.lists(st.text(), max_size=5))
def test_any_text_gets_an_answer(waiting, lines):
    interpreter, begun = waiting
    interpreter.restore(begun)
    for line in lines:
        if interpreter.status in (Status.HALTED, Status.FAILED):
            break
        before = interpreter.snapshot()
        answer = interpreter.step(line)
        assert answer.status != Status.FAILED
        interpreter.restore(before)
        assert interpreter.step(line) == answer


@given(lines=st.lists(st.sampled_from(["s", "u", "f", "r", "k", "lamp"]), max_size=8))
def test_a_new_start_forgets_all(lines):
    for name in ("reader", "screen", "dice"):
        played, _ = play(name, 5)
        for line in lines:
            if played.status in (Status.LINE, Status.KEY):
                played.step(line)
        fresh = Interpreter(path_of(name, 5).read_bytes())
        assert played.start(5) == fresh.start(5)
        assert played.snapshot() == fresh.snapshot()
        assert played.upper_window() == fresh.upper_window()
