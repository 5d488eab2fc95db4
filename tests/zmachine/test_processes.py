"""Many interpreters: threads, forks, memory, limits."""

import copy
import os
import pickle
import threading
from pathlib import Path

import pytest

from aq_gym.zmachine import Interpreter, Stream
from zmachine.compiled import path_of, play

resource = pytest.importorskip("resource")

LINES = ["f", "lamp, cat", "s", "f", "u", "f", "w", "v"] * 5


def walk(texts, index):
    interpreter, opening = play("reader", 5)
    texts[index] = opening.text + "".join(interpreter.step(x).text for x in LINES)


def test_interpreters_in_threads_play_as_one_alone():
    alone, together = {}, {}
    walk(alone, 0)
    threads = [threading.Thread(target=walk, args=(together, i)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(together.values()) == {alone[0]}
    assert len(together) == 8


def test_one_interpreter_in_two_threads_is_refused(monkeypatch):
    interpreter, _ = play("faults", 5)
    inside, leave = threading.Event(), threading.Event()
    run = interpreter._sandbox.run

    def waiting(name):
        inside.set()
        assert leave.wait(120)
        return run(name)

    monkeypatch.setattr(interpreter._sandbox, "run", waiting)
    running = threading.Thread(target=interpreter.step, args=("?",))
    running.start()
    try:
        assert inside.wait(120)
        with pytest.raises(RuntimeError, match="another thread"):
            interpreter.snapshot()
    finally:
        leave.set()
        running.join()
    interpreter.snapshot()


def test_a_closed_interpreter_is_refused():
    interpreter, _ = play("reader", 5)
    interpreter.close()
    interpreter.close()
    for use in (interpreter.snapshot, interpreter.dynamic_memory, interpreter.start):
        with pytest.raises(RuntimeError, match="closed"):
            use()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_an_interpreter_is_not_copied(copied):
    with pytest.raises(TypeError, match="make another"):
        copied(play("reader", 5)[0])


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_an_impossible_seed_is_refused(seed):
    interpreter, _ = play("reader", 5)
    with pytest.raises(ValueError, match=r"seed must be 0 to 18,446,744"):
        interpreter.start(seed)
    with pytest.raises(ValueError, match=r"seed must be 0 to 2,147,483,647"):
        interpreter.start(2**31, Stream.JERICHO)


def resident():
    """Return how many bytes of memory this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_making_and_closing_leaves_nothing_behind():
    story = path_of("reader", 5).read_bytes()
    files, threads = len(os.listdir("/proc/self/fd")), threading.active_count()

    def make(count):
        for _ in range(count):
            interpreter = Interpreter(story)
            interpreter.start(1)
            interpreter.step("s")
            interpreter.close()

    make(100)
    before = resident()
    make(1_000)
    assert resident() - before < 4_000_000
    # Those of earlier tests may have ended meanwhile.
    assert len(os.listdir("/proc/self/fd")) <= files
    assert threading.active_count() <= threads


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_an_interpreter_plays_on_after_a_fork():
    interpreter, _ = play("reader", 5)
    expected = [play("reader", 5)[0].step("lamp").text, interpreter.step("lamp").text]
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        texts = [play("reader", 5)[0].step("lamp").text, interpreter.step("lamp").text]
        os.write(writing, b"same" if texts == expected else b"other")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 10) == b"same"
    os.close(reading)
    os.close(writing)
