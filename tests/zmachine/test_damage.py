"""A small part of benchmarks/attacks/zmachine_fuzz.py; properties of any input."""

import runpy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aq_gym.zmachine import Interpreter, StateError, Status
from zmachine.compiled import path_of, play


def test_damaged_stories_states_and_hostile_lines(root, monkeypatch, capsys):
    script = str(root / "benchmarks" / "attacks" / "zmachine_fuzz.py")
    sizes = ["--stories", "40", "--lines", "2000", "--states", "20", "--makes", "50"]
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


@settings(max_examples=200)
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


@settings(max_examples=200)
@given(lines=st.lists(st.sampled_from(["s", "u", "f", "r", "k", "lamp"]), max_size=8))
def test_a_packed_state_is_the_same_state(lines):
    interpreter, _ = play("reader", 5)
    for line in lines:
        interpreter.step(line)
    snapshot = interpreter.snapshot()
    packed = interpreter.pack(snapshot)
    other = Interpreter(path_of("reader", 5).read_bytes())
    assert other.unpack(packed) == snapshot
    assert other.pack(other.unpack(packed)) == packed
    other.restore(other.unpack(packed))
    for line in ("u", "f", "s"):
        assert other.step(line) == interpreter.step(line)
    assert other.snapshot() == interpreter.snapshot()


@settings(max_examples=100)
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


@settings(max_examples=300)
@given(data=st.binary(max_size=600))
def test_any_bytes_are_refused_as_a_state(waiting, data):
    with pytest.raises(StateError):
        waiting[0].unpack(data)
