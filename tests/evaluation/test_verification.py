"""Runs are proved by their replay; what is changed in their files is found."""

import json
import random
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import gymnasium as gym
import pytest
from scripted_server import answer
from toy_envs import ToyAgent, TwoLamps

from aq_gym import trajectory
from aq_gym.cli import main
from aq_gym.evaluation import (
    METRICS,
    RunStoppedError,
    Suite,
    Task,
    compact,
    load_run,
    run,
    score,
    summarize,
    verify,
)
from aq_gym.evaluation.episode import recorded_episode
from aq_gym.evaluation.summary import summary_record
from aq_gym.support.json_files import write_json
from aq_gym.trajectory import jsonl
from aq_gym.trajectory.codec import encode

SUITE = Suite.load("quick").part(
    episodes=2, max_steps=3, only=["aq/Wordle-v0", "aq/Cipher-v0"]
)


class Counting(ToyAgent):
    """Guesses, and notes what it has used."""

    def act(self, observation, info):
        self.env.annotate(tokens=7)
        return "Guess: crane"


COUNTING = f"{__name__}:Counting"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    run(SUITE, folder, COUNTING)
    return folder


@pytest.fixture
def copied(played, tmp_path):
    return Path(shutil.copytree(played, tmp_path / "copied"))


def kinds(found):
    return [one.kind for one in found.differences]


def write_lines(file, records):
    lines = [jsonl.with_checksum(jsonl.dumps(record)) for record in records]
    file.write_bytes(b"".join(line + b"\n" for line in lines))


def lines_of(file):
    return jsonl.read(file).records


def forge(folder, change):
    """Change all steps of a run, and make rows and summary of them."""
    episodes = []
    for task in SUITE.tasks:
        file = folder / "trajectories" / f"{task.name}.jsonl"
        records = lines_of(file)
        change(records)
        write_lines(file, records)
        episodes.append(recorded_episode(task, trajectory.read(file)))
    write_lines(folder / "episodes.jsonl", [one.to_record() for one in episodes])
    write_json(folder / "summary.json", summary_record(SUITE, episodes))


def succeed(records):
    solved = {"success": True, "progress": 1.0, "best_progress": 1.0}
    records[-2]["info"] |= solved
    records[-2] |= {"terminated": True, "truncated": False, "reward": 1.0}
    records[-1] |= {**solved, "return": 1.0, "reason": "terminated"}


def cut(records):
    del records[2:-1]
    records[1]["truncated"] = True
    last = records[1]["info"]
    records[-1] |= {"steps": 1, "return": 0.0, "reason": "truncated"}
    records[-1] |= {key: last[key] for key in records[-1].keys() & last.keys()}


def go_on(records):
    records.insert(-1, {**records[-2], "t": records[-2]["t"] + 1})
    records[-1]["steps"] += 1


def other_seed(records):
    records[0]["seed"] += 1


def other_end(records):
    records[-1]["progress"] = 0.25


def test_a_run_is_verified_and_nothing_is_written(played, capsys):
    before = {path: path.stat().st_mtime_ns for path in played.rglob("*")}
    assert main(["verify", str(played)]) == 0
    assert capsys.readouterr().out == (
        f"{played}: 4 of 4 episodes verified\n"
        f"  claimed, not proved: that the agent was {COUNTING}; its tokens\n"
    )
    after = {path: path.stat().st_mtime_ns for path in played.rglob("*")}
    assert after == before


@pytest.mark.slow
def test_processes_verify_as_this_one_does(played):
    assert verify(played, SUITE, workers=2) == verify(played, SUITE)


@pytest.mark.parametrize("change", [succeed, cut, go_on, other_seed, other_end])
def test_a_forged_run_is_found(copied, change):
    forge(copied, lambda records: None)
    assert verify(copied, SUITE).holds
    forge(copied, change)
    found = verify(copied, SUITE)
    assert kinds(found) == ["trajectories"]
    assert (found.verified, found.differences[0].number) == (0, 4)


def test_each_kind_of_difference_is_named(copied, capsys):
    rows = lines_of(copied / "episodes.jsonl")
    rows[0]["success"] = True
    write_lines(copied / "episodes.jsonl", rows[:3])
    (copied / "trajectories" / f"{rows[1]['task']}.jsonl").unlink()
    assert main(["verify", str(copied)]) == 1
    out = capsys.readouterr().out
    assert "1 of 4 episodes verified\n  tasks: 1 differ: " in out
    assert f"{rows[3]['task']} has no episode\n  trajectories: 1 differ: " in out
    assert "success is True, and the trajectory gives False\n  summary: " in out
    (copied / "summary.json").unlink()
    assert verify(copied, SUITE).differences[-1].first == "summary.json is missing"


def test_a_leaderboard_shows_what_is_proved(played, copied, tmp_path):
    forge(copied, succeed)
    page = tmp_path / "board.html"
    command = ["leaderboard", str(played), str(copied), "--verify", "-o", str(page)]
    assert main(command) == 0
    text = page.read_text()
    assert '"4">4 of 4</td>' in text
    assert '"0">0 of 4<small>trajectories differ</small></td>' in text
    assert "trajectories: 4 differ: " in text
    assert f"claimed, not proved: that the agent was {COUNTING}; its tokens" in text


def test_a_run_of_other_tasks_is_found(copied):
    other = replace(SUITE, tasks=SUITE.tasks[1:])
    found = verify(copied, other)
    assert kinds(found) == ["suite", "tasks", "summary"]
    assert found.differences[1].first.endswith(" is not in the suite")


def test_a_failure_is_not_hidden_as_an_error(copied):
    rows = lines_of(copied / "episodes.jsonl")
    rows[0] |= {"error": "TimeoutError: no answer", "ended": "error"}
    write_lines(copied / "episodes.jsonl", rows)
    assert "rows" in kinds(verify(copied, SUITE))
    file = copied / "trajectories" / f"{rows[0]['task']}.jsonl"
    write_lines(file, lines_of(file)[:-1])
    found = verify(copied, SUITE)
    assert kinds(found) == ["summary"]
    assert found.verified == 3
    assert "ended with an error: TimeoutError: no answer" in found.claimed[-1]


def test_packed_scored_and_continued_runs_are_verified(played, tmp_path):
    first = replace(SUITE, tasks=SUITE.tasks[:2])
    run(first, tmp_path, COUNTING)
    (tmp_path / "summary.json").unlink()
    file = tmp_path / "trajectories" / f"{SUITE.tasks[1].name}.jsonl"
    write_lines(file, lines_of(file)[:-2])
    rows = tmp_path / "episodes.jsonl"
    write_lines(rows, lines_of(rows)[:1])
    run(SUITE, tmp_path, COUNTING)
    compact(tmp_path)
    score(tmp_path, [length])
    found = verify(tmp_path, SUITE)
    assert found.holds
    assert found.claimed[-2:] == ("its tokens", "the metrics length")
    score(tmp_path, [METRICS["net waste"]])
    assert verify(tmp_path, SUITE) == found


def test_steps_to_go_are_counted_again(tmp_path, monkeypatch):
    suite = Suite("one", (Task("aq/Mastermind-v0", 0, {"code_length": 2}, 4),))
    run(suite, tmp_path)
    score(tmp_path, [METRICS["net waste"]])
    file = tmp_path / "episodes.jsonl"
    (row,) = lines_of(file)
    assert verify(tmp_path, suite).holds
    for change in (
        {"steps_to_go": [*row["steps_to_go"][:-1], 9]},
        {"secrets_left": [*row["secrets_left"][:-1], 99]},
        {"scores": {"net waste": -9.0}},
        {"steps_to_go": [], "secrets_left": []},
    ):
        write_lines(file, [row | change])
        assert "rows" in kinds(verify(tmp_path, suite)), change
    write_lines(file, [row | {"expert": "aq-gym 0.0.1"}])
    found = verify(tmp_path, suite)
    assert found.holds
    assert "the steps to go that aq-gym 0.0.1 counted" in found.claimed
    write_lines(file, [row | {"expert": "x\nall verified"}])
    assert verify(tmp_path, suite).lines()[-1].endswith("x all verified counted")
    summary = json.loads((tmp_path / "summary.json").read_text())
    summary["overall"]["metrics"]["net waste"]["value"] += 1
    write_json(tmp_path / "summary.json", summary)
    assert kinds(verify(tmp_path, suite)) == ["summary"]
    monkeypatch.delitem(gym.registry, "aq/Mastermind-v0")
    assert kinds(verify(tmp_path, suite)) == ["summary"]


def length(recorded):
    return len(recorded.steps)


def test_a_models_run_that_was_stopped_is_verified(serve, tmp_path):
    suite = Suite("two", SUITE.tasks[:2])
    server = serve(answer("Guess: crane"))
    params = {"model": "m", "base_url": server.url}
    with pytest.raises(RunStoppedError):
        run(suite, tmp_path, "llm", params, limits={"tokens": 300})
    assert not verify(tmp_path, suite).holds
    run(suite, tmp_path, "llm", params)
    found = verify(tmp_path, suite)
    assert found.holds
    assert "tokens" in found.claimed[1]


@pytest.fixture
def lamps(monkeypatch):
    def register(env_id, **more):
        monkeypatch.setitem(
            gym.registry,
            env_id,
            gym.envs.registration.EnvSpec(env_id, TwoLamps, **more),
        )
        tasks = (Task(env_id, seed, max_steps=2) for seed in (0, 1))
        return Suite("lamps", tuple(tasks))

    return register


def test_what_cannot_be_replayed_is_claimed(lamps, tmp_path, monkeypatch):
    suite = lamps("Chance-v0", nondeterministic=True)
    run(suite, tmp_path)
    found = verify(tmp_path, suite)
    assert (found.verified, found.holds, found.differences) == (0, False, ())
    # A reason is told once.
    said = rf"2 episodes, such as {suite.tasks[0].name}: .* declared nondeterministic"
    assert re.fullmatch(said, found.claimed[-1])
    # Its row is compared with its trajectory.
    rows = lines_of(tmp_path / "episodes.jsonl")
    write_lines(tmp_path / "episodes.jsonl", [rows[0] | {"progress_rate": 1.0}])
    assert "rows" in kinds(verify(tmp_path, suite))
    write_lines(tmp_path / "episodes.jsonl", rows)
    monkeypatch.delitem(gym.registry, "Chance-v0")
    assert "can be made here" in verify(tmp_path, suite).claimed[-1]


@pytest.mark.parametrize(
    "options",
    ["--suite quick --only aq/Wordle-v0 --limit 2",
     "--env aq/Wordle-v0 aq/2048-v0?goal=1024 aq/Hangman-v0 --episodes 1"],
)  # fmt: skip
def test_the_suite_is_made_from_its_name_or_the_rows(tmp_path, capsys, options):
    out = tmp_path / "run"
    options = f"run {options} --max-steps 2 --quiet"
    assert main([*options.split(), "--out", str(out)]) == 0
    rows = lines_of(out / "episodes.jsonl")
    write_lines(out / "episodes.jsonl", rows[::-1])
    assert main(["verify", str(out)]) == 0
    write_lines(out / "episodes.jsonl", rows[1:])
    assert main(["verify", str(out)]) == 1
    assert re.search(r"(suite|tasks): [12] differ", capsys.readouterr().out)


def test_an_environment_of_a_module_is_made_if_the_module_is_given(
    tmp_path, monkeypatch, capsys
):
    (tmp_path / "lamp_rooms.py").write_text(
        "import gymnasium as gym\n"
        'gym.register("Two/Lamps-v0", "toy_envs:TwoLamps", max_episode_steps=2)\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    out, module = str(tmp_path / "run"), ["--env-module", "lamp_rooms"]
    options = ["--env", "Two/Lamps-v0", "--episodes", "2", "--quiet", "--out", out]
    assert main(["run", *options, *module]) == 0
    assert main(["verify", out]) == 1
    assert "or --env-module lamp_rooms" in capsys.readouterr().err
    assert main(["verify", out, *module]) == 0
    # As in a worker, which imports the module for the first task.
    del sys.modules["lamp_rooms"], gym.registry["Two/Lamps-v0"]
    tasks = tuple(Task("lamp_rooms:Two/Lamps-v0", seed) for seed in (0, 1))
    assert verify(out, Suite("command line", tasks)).holds
    del sys.modules["lamp_rooms"], gym.registry["Two/Lamps-v0"]


def test_a_suite_of_the_user_must_be_given(tmp_path, capsys):
    out, file = tmp_path / "run", tmp_path / "mine.json"
    tasks = [{"id": "aq/Wordle-v0", "seeds": [0, 1], "max_steps": 2}]
    file.write_text(json.dumps({"name": "mine", "tasks": tasks}))
    command = ["--suite", str(file), "--limit", "1", "--out", str(out)]
    assert main(["run", *command, "--quiet"]) == 0
    assert main(["verify", str(out)]) == 1
    assert "give --suite and its file" in capsys.readouterr().err
    assert main(["verify", str(out), "--suite", str(file)]) == 0


def places(value):
    """Yield the owner and key of each value of a JSON object."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in [*items]:
        yield value, key
        if isinstance(item, dict | list):
            yield from places(item)


def edited(rng, record):
    """Change one value of a JSON object."""
    owner, key = rng.choice([*places(record)])
    old = owner[key]
    others = [0, 1, 0.25, True, False, "", "terminated", None, [], {}]
    if isinstance(old, int | float):
        others += 5 * [old + 1, -old, old * 0.5]
    owner[key] = rng.choice(others)
    if rng.random() < 0.1:
        del owner[key]


def edit(rng, file):
    if file.suffix == ".json":
        record = json.loads(file.read_text())
        edited(rng, record)
        file.write_text(json.dumps(record))
        return
    records = lines_of(file)
    edited(rng, rng.choice(records))
    write_lines(file, records)


def scores(folder):
    loaded = load_run(folder)
    metrics = loaded.summary["overall"]["metrics"]
    return loaded.manifest["suite"], metrics, summarize(loaded.episodes)


@pytest.mark.filterwarnings("ignore:.*damaged row")
@pytest.mark.parametrize("edits", [15, pytest.param(1_000, marks=pytest.mark.slow)])
def test_any_edit_is_found_or_changes_no_score(played, tmp_path, edits):
    rng, known, found = random.Random(edits), encode(scores(played)), 0
    for number in range(edits):
        folder = Path(shutil.copytree(played, tmp_path / str(number)))
        names = ["run.json", "summary.json", "episodes.jsonl", "trajectories/*"]
        edit(rng, rng.choice(sorted(folder.glob(rng.choice(names)))))
        try:
            holds = verify(folder, SUITE).holds
        except ValueError:
            holds = False
        found += not holds
        assert not holds or encode(scores(folder)) == known
        shutil.rmtree(folder)
    assert found > edits / 3
