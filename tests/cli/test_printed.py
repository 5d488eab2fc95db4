"""What a run prints: the bar while it is played, and the table at its end."""

import io
import json
import re
import sys
import threading
from dataclasses import replace

import pytest
from rich.console import Console
from toy_envs import ToyAgent

from aq_gym.cli.output import print_wrapped
from aq_gym.cli.progress_bar import Status, run_with_bar
from aq_gym.cli.table import bar_of, print_results, verdict
from aq_gym.evaluation import Suite, Task, run


@pytest.fixture(scope="module")
def episodes(tmp_path_factory):
    tasks = [Task("aq/Mastermind-v0", seed, max_steps=3) for seed in range(2)]
    tasks += [Task("aq/2048-v0", seed, max_steps=3) for seed in range(2)]
    suite = Suite("two", tuple(tasks))
    return run(suite, tmp_path_factory.mktemp("run"), "random", workers=1)


def printed(episodes, width=100, terminal=True):
    file = io.StringIO()
    console = Console(
        file=file, width=width, force_terminal=terminal, no_color=True, highlight=False
    )
    print_results(console, "random", episodes)
    return file.getvalue()


@pytest.mark.parametrize("width", [80, 100, 120])
def test_a_row_for_each_benchmark_and_all(episodes, width):
    # Instances from elsewhere than most are marked.
    mixed = [replace(episodes[0], source="published"), *episodes[1:]]
    text = printed([*mixed, mixed[0]], width)
    table = text.partition("random solved")[0]
    names = re.findall(r"^(\S+) .*0\.", table, re.M)
    assert names == ["aq/Mastermind-v0", "aq/2048-v0", "all"]
    for heading in ("* published", "success ", "progress rate", "  grounding"):
        assert heading in table and ("  steps  " in table) == (width > 105)
    assert max(map(len, text.splitlines())) <= width
    assert "In summary.json, and in a wide terminal: " in text


def test_p_values_are_not_broken():
    console = Console(file=io.StringIO(), width=20)
    print_wrapped(console, "- [b] more (p = 0.023) and (p < 0.001)", "  ")
    lines = "- [b] more\n  (p = 0.023) and\n  (p < 0.001)\n"
    assert console.file.getvalue() == lines


def test_the_verdict_is_in_words(episodes):
    told = verdict("random", episodes)
    assert told.startswith("random solved 0 of 4 episodes, with a mean progress of 0.")
    assert "% of its actions are repeats, all are valid and 4 episodes ended" in told
    # A mean of 0.01 and 0.06 is not a hair below 0.035, and no one of equals is named.
    rates = zip(episodes, (0.01, 0.06, 0.9, 0.9), strict=True)
    parts = [replace(one, progress_rate=rate) for one, rate in rates]
    parts[-1] = replace(parts[-1], env="mine/Env-v0")
    told = verdict("x", parts)
    assert " from 0.04 in aq/Mastermind-v0 to 0.90 in 2 environments. " in told
    failed = [replace(one, error="no", success=True) for one in episodes]
    assert verdict("random", failed) == "No episode of random was scored."
    lamps = [replace(episodes[0], grounding=None, cap=0, progress_rate=0.5)]
    assert verdict("x", lamps) == (
        "x solved 0 of 1 episode, with a mean progress of 0.50. Per episode 0% of its "
        "actions are repeats."
    )


def test_files_have_all_metrics(episodes, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    text = printed(episodes, width=80, terminal=False)
    assert "grounding" in text
    assert "wide terminal" not in text
    assert "…" not in text
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, printed(episodes, 80, False).splitlines())) <= 80


def test_one_environment_has_a_row_for_each_metric(episodes):
    own = [one for one in episodes if "Mastermind" in one.env]
    own[0] = replace(own[0], difficulty="hard")
    lines = printed(own).splitlines()
    assert lines[2].split() == ["random", "easy", "hard"]
    assert any(line.startswith("repetition rate  ") for line in lines)


@pytest.mark.parametrize(
    ("share", "bar"),
    [(0, ""), (1, "█" * 10), (0.55, "█████▌"), (0.01, "▏"), (-1, ""), (7, "█" * 10)],
)
def test_a_bar_shows_a_share(share, bar):
    assert bar_of(share) == f"{bar:<10}"


TASKS = tuple(Task("aq/Mastermind-v0", seed, max_steps=10) for seed in range(2))
SUITE = Suite("two", TASKS)


def test_steps_of_the_first_episode_count(tmp_path):
    run(SUITE, tmp_path, "random")
    folder = tmp_path / "trajectories"
    first, second = (folder / f"{task.name}.jsonl" for task in TASKS)
    second.unlink()
    lines = first.read_bytes().splitlines(keepends=True)
    notes = {"tokens": 100, "cost": 0.5, "retries": 1, "model": "m"}
    step = json.loads(lines[1])
    step["notes"] = notes
    step.pop("crc")
    noted = json.dumps(step, separators=(",", ":")).encode()
    first.write_bytes(b"".join([lines[0], noted, b"\n", lines[2], lines[3][:50]]))
    status = Status(SUITE, folder)
    status.look()
    status.look()
    assert (status.total, status.done) == (20, 2)
    shown = "0/2, 2 steps, success 0.00, progress 0.00, 100 tokens, cost 0.5, 1 retries"
    assert str(status) == shown


def test_a_narrow_terminal_shows_the_bar_and_the_whole_status(tmp_path, monkeypatch):
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=30)
    monkeypatch.setattr("aq_gym.cli.progress_bar.make_console", lambda stderr: console)
    run_with_bar(SUITE, str(tmp_path), "random", {})
    shown = " ".join(re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", screen.getvalue()).split())
    # The bar, the time so far, and the time that is left.
    last = shown[shown.rindex("random") :]
    assert re.match(r"random ━+ \d:\d\d:\d\d 0:00:00 2/2, 20 steps, ", last)
    assert re.search(r"success 0\.00, progress \d\.\d\d$", last)


class Waits(ToyAgent):
    """An agent that waits until its progress was written."""

    written = threading.Event()

    def act(self, observation, info):
        assert self.written.wait(60)
        return "Guess: 1234"


class Log(io.StringIO):
    def write(self, text):
        Waits.written.set()
        return super().write(text)


def test_without_a_terminal_a_line_says_how_far_a_run_is(tmp_path, monkeypatch):
    monkeypatch.setattr("aq_gym.cli.progress_bar._LOG_SECONDS", 0.01)
    monkeypatch.setattr("sys.stderr", Log())
    suite = Suite("one", (Task("aq/Mastermind-v0", 0, max_steps=1),))
    run_with_bar(suite, str(tmp_path), f"{__name__}:Waits", {})
    first = sys.stderr.getvalue().splitlines()[0]
    assert first == "0/1, 0 steps, success 0.00, progress 0.00"
