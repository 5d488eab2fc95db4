"""``aq-gym play`` at a terminal: the line editor, pictures, undo and the answer."""

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
from rich.console import Console

from aq_gym import trajectory
from aq_gym.agents import HumanAgent
from aq_gym.cli.commands.play import Narrator
from aq_gym.cli.output import Screen
from aq_gym.cli.terminal import completions, in_characters
from aq_gym.core.drawing import Circle, Drawing, Line, Polygon, Rect, Text
from aq_gym.evaluation.task import wrap_env


@pytest.mark.parametrize("columns", [10, 120])
def test_a_drawing_fits_the_terminal(columns):
    shapes = [Rect(-50, -9, 400, 300), Text(190, 10, "a long text", anchor="start")]
    shapes += [Circle(300, 0, 200), Polygon(((0, 0), (20, 0), (10, 20)))]
    rendered = in_characters(Drawing(200, 140, "", shapes), columns)
    rows = rendered.plain.split("\n")[:-1]
    assert {len(row) for row in rows} == {min(columns, 38)}
    assert 1 <= len(rows) <= 10
    assert (
        in_characters(Drawing(200, 140, "", shapes), columns, 4).plain.count("\n") <= 4
    )


def test_the_picture_leaves_room_for_the_answer_below_it():
    env = Narrator(gym.make("aq/Sudoku-v0"), Screen(io.StringIO()), aloud=False)
    env._pictures, drawn = True, io.StringIO()
    env._console = Console(file=drawn, width=80, height=60)
    env.reset(seed=0)
    observation = env.step("check valid actions")[0]
    env.look()
    assert 15 < drawn.getvalue().count("\n") <= 60 - observation.count("\n") - 4
    # In fewer than 17 rows a line would hide a row of the board.
    for height, rows in ((46, 18), (42, 18), (41, 0)):
        env._console = Console(file=io.StringIO(), width=80, height=height)
        env.look()
        assert env._console.file.getvalue().count("\n") == rows
    # The answer stands between the picture and the next prompt.
    screen, looks = io.StringIO(), []
    human = HumanAgent(
        env, io.StringIO("x\n"), screen, look=lambda: looks.append(screen.getvalue())
    )
    human.reset("the board", {})
    human.act("the board", {})
    assert "the board" not in looks[0]


def test_control_characters_are_not_sent_to_the_terminal():
    shapes = [Text(0, 7, "a\x1b[2J\r\nb", anchor="start")]
    rendered = in_characters(Drawing(140, 14, "", shapes), 20)
    assert rendered.plain == "a�[2J��b".ljust(20) + "\n"


def test_shapes_become_characters_and_colours():
    shapes = [Rect(0, 0, 70, 28, "#ff0000"), Text(35, 7, "seven", fill="#00ff00")]
    shapes += [Line(0, 35, 70, 35), Circle(7, 50, 3, "#0000ff")]
    rendered = in_characters(Drawing(70, 70, "", shapes), 100)
    assert rendered.plain.split("\n") == [
        *("   seven  ", "          ", "──────────", " ●        "),
        "",
    ]
    first = next(span for span in rendered.spans if span.start <= 3 < span.end)
    assert first.style.bgcolor.name == "#ff0000"
    assert first.style.color.name == "#00ff00"


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
    board = Narrator(gym.make("aq/Sudoku-v0"), Screen(io.StringIO()), aloud=False)
    board.reset(seed=0)
    assert "\nRow 9 | " in board.answer()


@pytest.mark.slow
def test_a_game_in_a_real_terminal():
    keys, screen = pty.openpty()
    command = [sys.executable, "-m", "aq_gym", "play", "aq/2048-v0", "--seed", "1"]
    colours = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    size = {"COLUMNS": "80", "LINES": "40"}
    process = subprocess.Popen(
        command,
        stdin=screen,
        stdout=screen,
        stderr=screen,
        env={**os.environ, **colours, **size},
        start_new_session=True,
    )
    os.close(screen)
    try:
        seen = _until(keys, "step 0 of 2000")
        assert "\x1b[38;2;" in seen  # the picture
        os.write(keys, b"dow\t\r")
        _until(keys, "step 1 of 2000")
        os.write(keys, b":undo\r")
        _until(keys, "step 0 of 2000")
        os.write(keys, b"\x1b[A\x1b[A\r")  # twice up: the first line again
        _until(keys, "step 1 of 2000")
        os.write(keys, b":quit\r")
        assert "not solved after 1 step, you left" in _until(keys, "\n(seed 1)")
        assert process.wait(600) == 0
    finally:
        process.kill()
        process.wait()
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
