"""``aq-gym play`` at a terminal: the line editor, undo and the answer."""

import io
import os
import pty
import re
import select
import subprocess
import sys
import time

import gymnasium as gym
import pytest

from aq_gym import trajectory
from aq_gym.cli.commands.play import Narrator
from aq_gym.cli.output import Screen
from aq_gym.cli.terminal import completions
from aq_gym.evaluation.task import wrap_env


@pytest.mark.parametrize(
    ("env_id", "begun", "expected"),
    [
        ("aq/2048-v0", "", {"up", "down", "left", "right"}),
        ("aq/2048-v0", "  DO", {"down"}),
        ("aq/2048-v0", ":u", {":undo"}),
        ("aq/ToolQuery-v0", "get", set()),
        ("CartPole-v1", "x", set()),
    ],
)
def test_actions_are_completed(env_id, begun, expected):
    env = gym.make(env_id)
    env.reset(seed=1)
    assert set(completions(env, begun)) <= expected
    assert bool(set(completions(env, begun))) == bool(expected)


def narrator(tmp_path, **kwargs):
    env = wrap_env(gym.make("aq/Mastermind-v0", **kwargs), tmp_path, extract=False)
    return Narrator(env, Screen(io.StringIO()), aloud=False)


def test_a_step_taken_back_is_undone_in_wrappers_and_files_too(tmp_path):
    env = narrator(tmp_path, code="5618")
    first, info = env.reset(seed=0)
    assert env.undo() is None
    env.step("1111")
    env.step("1111")
    _, then = env.undo()
    assert then["progress"] == 0.25
    assert env.undo() == (first, info)
    env.step("5618")
    assert "solved after 1 step: progress rate 1.00, repetition rate 0.00" in (
        env.summary()
    )
    env.close()
    episodes = {
        tuple(step["action"] for step in one.steps): one.path
        for one in trajectory.iter_trajectories(tmp_path)
    }
    assert {("1111", "1111"), ("5618",)} <= set(episodes)
    assert trajectory.replay(episodes["5618",]).identical


def test_the_answer_is_told_to_who_did_not_find_it(tmp_path):
    env = narrator(tmp_path, code="5618")
    env.reset(seed=0)
    env.step("1111")
    assert env.answer() == "answer: 5618\n"
    env.step("5618")
    assert env.answer() == ""
    words = Narrator(gym.make("aq/2048-v0"), Screen(io.StringIO()), aloud=False)
    words.reset(seed=0)
    assert words.answer() == ""


@pytest.mark.slow
def test_a_game_in_a_real_terminal():
    keys, screen = pty.openpty()
    command = [sys.executable, "-m", "aq_gym.cli", "play", "aq/2048-v0", "--seed", "1"]
    size = {"TERM": "xterm-256color", "COLUMNS": "100"}
    process = subprocess.Popen(
        command,
        stdin=screen,
        stdout=screen,
        stderr=screen,
        env={**os.environ, **size},
        start_new_session=True,
    )
    os.close(screen)
    try:
        _until(keys, "step 1/2000")
        os.write(keys, b"dow\t\r")
        _until(keys, "step 2/2000")
        os.write(keys, b":undo\r")
        _until(keys, "step 1/2000")
        os.write(keys, b"\x1b[A\x1b[A\r")  # twice up: the first line again
        _until(keys, "step 2/2000")
        os.write(keys, b":quit\r")
        assert "not solved after 1 step, you left" in _until(keys, "(seed 1)")
        assert process.wait(600) == 0
    finally:
        process.kill()
        os.close(keys)


def _until(terminal, text):
    """Read from a terminal until it shows a text."""
    seen, end = "", time.monotonic() + 600
    while text not in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen):
        assert time.monotonic() < end, seen
        ready, _, _ = select.select([terminal], [], [], 0.2)
        if ready:
            part = os.read(terminal, 65536).decode(errors="replace")
            seen += part
            if "\x1b[6n" in part:
                os.write(terminal, b"\x1b[1;1R")  # where the cursor is
    return seen


@pytest.mark.parametrize(
    ("env_id", "answer"),
    [
        ("aq/ToolQuery-v0", r"^answer: .+\n$"),
        ("aq/GSM8K-v0", r"^answer: -?[\d./]+\n$"),
        ("aq/MMLU-v0", r"^answer: [ABCD]\. .+\n$"),
        ("aq/GAIA-v0", r"^answer: .+\n$"),
    ],
)
def test_the_answer_of_a_question_is_told(env_id, answer):
    env = Narrator(gym.make(env_id), Screen(io.StringIO()), aloud=False)
    env.reset(seed=1)
    assert re.search(answer, env.answer())
    assert env.unwrapped.solution() not in env.unwrapped.secrets()
