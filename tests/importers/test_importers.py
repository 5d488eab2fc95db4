"""Logs of other frameworks, read as runs."""

import json
import re
import zipfile

import gymnasium as gym
import numpy as np
import pytest

from aq_gym.cli import main
from aq_gym.evaluation import load_run
from aq_gym.importers import import_logs, read_log
from aq_gym.importers.convert import LogRuns
from aq_gym.importers.episode import Said, steps_of
from aq_gym.trajectory import iter_trajectories
from aq_gym.wrappers import SubgoalProgress, TrajectoryLogger

FORMATS = ["atif", "tau2", "inspect", "eval"]


@pytest.mark.parametrize("name", FORMATS)
def test_a_log_becomes_a_run(tmp_path, logs, name):
    episodes = import_logs([logs[name]], tmp_path / "run")
    solved = [True] if name == "atif" else [True, False]
    assert [one.success for one in episodes] == solved
    assert [one.progress_rate for one in episodes] == list(map(float, solved))
    for one in episodes:
        # The third of four actions repeats the second.
        assert (one.steps, one.repetitions) == (4, 1)
        assert one.usage["tokens"] == (60 if name == "tau2" else 45)
        assert one.grounding == (None if name == "atif" else 2 / 3)
    run = load_run(tmp_path / "run")
    assert run.episodes == episodes
    assert run.summary["tasks"]
    for recorded in iter_trajectories(tmp_path / "run" / "trajectories"):
        assert "Make a file." in recorded.header["observation"]
        assert "hidden" not in json.dumps(recorded.steps)
        first, *_, last = recorded.steps
        action = {"name": "try", "arguments": {"x": -1}}
        assert json.loads(first["action"]) == action
        assert first["observation"] == "seen 0"
        assert last["action"] == "Done."


@pytest.mark.parametrize("name", FORMATS)
def test_progress_is_that_of_the_patterns(tmp_path, logs, name):
    goals = {"first": "seen 0", "last": "seen 2", "never": "seen 9", "asked": "Make"}
    for episode in import_logs([logs[name]], tmp_path / "run", goals):
        # The fourth one holds at the start, and counts for nothing.
        assert episode.progress == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3])
        assert episode.success == (episode.seed == 0)


def test_without_a_score_success_is_that_of_all_patterns(tmp_path, logs):
    (logs["atif"] / "trial" / "result.json").unlink()
    with pytest.raises(ValueError, match="does not say whether it was solved"):
        import_logs([logs["atif"]], tmp_path / "run")
    assert not (tmp_path / "run").exists()
    (episode,) = import_logs([logs["atif"]], tmp_path / "run", {"last": "seen 2"})
    assert episode.success
    assert episode.progress == [0, 0, 1, 1]


def with_values(path, *values):
    """Write a log of Inspect's whose samples have the values, None for no score."""
    log = json.loads(path.read_text())
    sample = log["samples"][0]
    log["samples"] = [
        {
            **sample,
            "id": n,
            "scores": None if value is None else {"s": {"value": value}},
        }
        for n, value in enumerate(values)
    ]
    path.write_text(json.dumps(log))
    return path


@pytest.mark.parametrize(
    "values", [[7, 3, 10], [55, 100.0], [1, 0, 5], ["7", "10"], [-1, 1], [0.5, 1.5]]
)
def test_scores_beyond_1_need_a_scale(tmp_path, logs, values):
    log = with_values(logs["inspect"], *values)
    with pytest.raises(ValueError, match=r"need a scale: .*--scale NUMBER, or --subg"):
        import_logs([log], tmp_path / "run")
    best = max(map(float, values))
    episodes = import_logs([log], tmp_path / "run", scale=best)
    assert [one.success for one in episodes] == [float(v) == best for v in values]
    with pytest.raises(ValueError, match=r"scale=0\.25 is below the score"):
        import_logs([log], tmp_path / "other", scale=0.25)
    episodes = import_logs([log], tmp_path / "other", {"never": "seen 9"})
    assert not any(one.success for one in episodes)


def test_a_reward_beyond_1_needs_a_scale(tmp_path, logs):
    found = json.loads(logs["tau2"].read_text())
    found["simulations"][0]["reward_info"]["reward"] = 7
    logs["tau2"].write_text(json.dumps(found))
    with pytest.raises(ValueError, match="need a scale"):
        import_logs([logs["tau2"]], tmp_path / "run")
    file = logs["atif"] / "trial" / "result.json"
    file.write_text('{"verifier_result": {"rewards": {"reward": 7}}}')
    with pytest.raises(ValueError, match="need a scale"):
        import_logs([logs["atif"]], tmp_path / "run")
    command = ["import", str(logs["atif"]), "--out", str(tmp_path / "run")]
    assert main([*command, "--scale", "10"]) == 0
    assert not load_run(tmp_path / "run").episodes[0].success


def test_grades_and_shares_are_judged_without_a_scale(tmp_path, logs):
    values = ["C", "P", "I", "N", True, False, 1, 0.99, "1.0", "yes", "no"]
    log = with_values(logs["inspect"], *values)
    solved = [value in ("C", True, "1.0", "yes") for value in values]
    assert [one.success for one in import_logs([log], tmp_path / "run")] == solved


def test_a_sample_without_a_score_is_not_scored(tmp_path, logs):
    values = ["C", None, float("nan"), "good", ["C"], {"a": 1}, "I"]
    log = with_values(logs["inspect"], *values)
    first, *rest, last = import_logs([log], tmp_path / "run")
    assert first.success
    assert not last.success
    assert not (first.error or last.error)
    assert {one.error for one in rest} == {"the log does not say whether it was solved"}
    log = with_values(logs["inspect"], None, "good")
    with pytest.raises(ValueError, match="--subgoals FILE"):
        import_logs([log], tmp_path / "other")


def test_of_several_scores_one_is_named(tmp_path, logs, capsys):
    log = with_values(logs["inspect"], "I", "C")
    found = json.loads(log.read_text())
    for sample, passed in zip(found["samples"], (1, 0), strict=True):
        of_two = {"value": {"passed": passed, "words": 55}}
        sample["scores"] = {"length": {"value": 55}, **sample["scores"], "two": of_two}
    log.write_text(json.dumps(found))
    with pytest.raises(ValueError, match=r"has length, s, two/passed, two/words: give"):
        import_logs([log], tmp_path / "run")
    for name, solved in (("s", [False, True]), ("two/passed", [True, False])):
        command = ["import", str(log), "--score", name, "--out", str(tmp_path / name)]
        assert main(command) == 0
        episodes = load_run(tmp_path / name).episodes
        assert [one.success for one in episodes] == solved
    assert main([*command[:2], "--score", "x", "--out", str(tmp_path / "x")])
    assert "another --score than 'x'" in " ".join(capsys.readouterr().err.split())


def test_scores_that_agree_need_no_name(tmp_path, logs):
    log = with_values(logs["inspect"], "I", "C")
    found = json.loads(log.read_text())
    for sample, solved in zip(found["samples"], (False, True), strict=True):
        same = {"value": {"success": solved}}
        sample["scores"] = {"a": same, "b": same}
    log.write_text(json.dumps(found))
    episodes = import_logs([log], tmp_path / "run")
    assert [one.success for one in episodes] == [False, True]


def test_an_invalidated_sample_is_not_scored(tmp_path, logs):
    found = json.loads(logs["inspect"].read_text())
    found["samples"][0]["invalidation"] = {"author": "a", "reason": "a leak"}
    logs["inspect"].write_text(json.dumps(found))
    first, second = import_logs([logs["inspect"]], tmp_path / "run")
    assert first.error == "the sample was invalidated"
    assert not (second.error or second.success)


def test_old_logs_of_inspect_are_read(tmp_path, logs):
    log = json.loads(logs["inspect"].read_text())
    for sample in log["samples"]:
        sample["score"] = sample.pop("scores")["match"]
        for one in sample["messages"]:
            if error := one.pop("error", None):
                one["tool_error"] = error["message"]
    logs["inspect"].write_text(json.dumps({**log, "version": 1}))
    episodes = import_logs([logs["inspect"]], tmp_path / "run")
    assert [one.success for one in episodes] == [True, False]
    assert {one.grounding for one in episodes} == {2 / 3}
    (tmp_path / "begun").mkdir()
    file = tmp_path / "begun" / logs["eval"].name
    with zipfile.ZipFile(logs["eval"]) as whole, zipfile.ZipFile(file, "w") as begun:
        for name in whole.namelist():
            begun.writestr(
                name.replace("header.json", "_journal/start.json"), whole.read(name)
            )
    assert list(read_log(file)) == list(read_log(logs["eval"]))


def test_formats_of_predecessors_are_named(tmp_path):
    old = [{"task_id": 0, "reward": 1.0, "info": {}, "traj": [], "trial": 0}]
    (tmp_path / "a.json").write_text(json.dumps(old))
    with pytest.raises(
        ValueError, match=r"a\.json has the old format of tau-bench: im"
    ):
        list(read_log(tmp_path / "a.json"))
    (tmp_path / "results.json").write_text('{"results": [], "n_resolved": 0}')
    with pytest.raises(ValueError, match="old format of Terminal-Bench: import a job"):
        list(read_log(tmp_path))
    (tmp_path / "a.json").write_text("[1]")
    with pytest.raises(ValueError, match="has no known format"):
        list(read_log(tmp_path / "a.json"))


def test_several_calls_are_one_action_and_one_failure_makes_it_invalid():
    calls = [{"name": name, "arguments": {}} for name in "ab"]
    said = [
        Said("system", "Rules."),
        Said("user", "Go."),
        Said("assistant", "", calls),
        Said("tool", "yes", failed=False),
        Said("tool", "no", failed=True),
    ]
    first, (step,) = steps_of(said)
    assert first == "Rules.\n\nGo."
    assert json.loads(step.action) == calls
    assert step.observation == "yes\n\nno"
    assert step.valid is False


def test_an_import_continues_where_it_was_killed(tmp_path, logs):
    episodes = import_logs([logs["tau2"]], tmp_path / "run")
    file = tmp_path / "run" / "episodes.jsonl"
    rows = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(rows[0] + rows[1][:20])
    (tmp_path / "run" / "summary.json").unlink()
    assert import_logs([logs["tau2"]], tmp_path / "run") == episodes
    run = load_run(tmp_path / "run")
    assert run.episodes == episodes
    assert run.summary
    with pytest.raises(ValueError, match="another run"):
        import_logs([logs["eval"]], tmp_path / "run")


def test_a_trajectory_in_several_files_is_one_episode(tmp_path, logs):
    (whole,) = read_log(logs["atif"])
    first = next(logs["atif"].glob("*/agent/trajectory.json"))
    log = json.loads(first.read_text())
    steps = log["steps"]
    copied = [{**one, "is_copied_context": True} for one in steps[:2]]
    rest = {**log, "steps": [*copied, *steps[2:]]}
    first.with_name("rest.json").write_text(json.dumps(rest))
    log = {**log, "steps": steps[:2], "continued_trajectory_ref": "rest.json"}
    first.write_text(json.dumps(log))
    assert list(read_log(logs["atif"])) == [whole]
    for name in ("../agent/rest.json", "trajectory.json"):
        first.write_text(json.dumps({**log, "continued_trajectory_ref": name}))
        with pytest.raises(ValueError, match="must be another file of its folder"):
            list(read_log(logs["atif"]))


def test_a_folder_of_tau2_is_read(tmp_path, logs):
    log = json.loads(logs["tau2"].read_text())
    (tmp_path / "voice" / "simulations").mkdir(parents=True)
    first, second = log.pop("simulations")
    del second["messages"]
    for one in (first, {**second, "ticks": [{"tick_id": 0}]}):
        file = tmp_path / "voice" / "simulations" / f"{one['id']}.json"
        file.write_text(json.dumps(one))
    (tmp_path / "voice" / "results.json").write_text(json.dumps(log))
    written, spoken = read_log(tmp_path / "voice")
    assert written == next(read_log(logs["tau2"]))
    assert spoken.error == "a spoken simulation: ticks are not read"


def test_a_failed_sample_is_an_error(tmp_path, logs):
    log = json.loads(logs["inspect"].read_text())
    log["samples"][1]["error"] = {"message": "the model did not answer"}
    log["samples"][0]["messages"] = []
    logs["inspect"].write_text(json.dumps(log))
    first, second = import_logs([logs["inspect"]], tmp_path / "run")
    assert first.error == "the log has no action"
    assert second.error == "the model did not answer"


def test_commands_read_logs(tmp_path, logs, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "metrics_of_logs.py").write_text(
        "def steps_taken(trajectory):\n    return len(trajectory.steps)\n"
    )
    goals = tmp_path / "goals.json"
    goals.write_text('{"last": "seen 2"}')
    run = str(tmp_path / "run")
    command = ["import", str(logs["tau2"]), "--subgoals", str(goals), "--out", run]
    assert main(command) == 0
    assert "tau2/airline" in capsys.readouterr().out
    assert main(["report", str(logs["tau2"]), run, "--markdown"]) == 0
    assert "llm\\_agent m" in capsys.readouterr().out
    before = logs["tau2"].read_bytes()
    metric = ["--metric", "metrics_of_logs:steps_taken"]
    assert main(["score", str(logs["tau2"]), run, *metric]) == 0
    assert capsys.readouterr().out.count("4.00") == 2
    assert logs["tau2"].read_bytes() == before


def test_logs_of_two_agents_are_refused(tmp_path, logs):
    with pytest.raises(ValueError, match="one agent, but these logs are of llm_"):
        import_logs([logs["tau2"], logs["eval"]], tmp_path / "run")


VALUES = [None, True, 0, -1.5, 10**400, "", "x", "\ud800", [], [[]], {}, {"role": 3}]


def places(value, path=()):
    """Every place in a JSON value."""
    yield path
    pairs = value.items() if isinstance(value, dict) else ()
    pairs = enumerate(value) if isinstance(value, list) else pairs
    for key, item in pairs:
        yield from places(item, (*path, key))


@pytest.mark.parametrize("name", ["atif", "tau2", "inspect"])
@pytest.mark.slow
def test_a_damaged_log_is_an_error_in_words(tmp_path, logs, name):
    path = logs[name]
    path = next(path.glob("*/agent/*.json")) if path.is_dir() else path
    whole = path.read_text()
    for number, place in enumerate(places(json.loads(whole))):
        log = json.loads(whole)
        owner = {"": log}
        for key in ("", *place)[:-1]:
            owner = owner[key]
        owner[("", *place)[-1]] = VALUES[number % len(VALUES)]
        path.write_text(json.dumps(owner.get("", log) if not place else log))
        try:
            import_logs([path], tmp_path / f"run{number}", {"last": "seen 2"})
        except ValueError as error:
            assert len(str(error)) < 1_000


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "a.json").write_text('{"a": 1}')
    with pytest.raises(ValueError, match="has no known format"):
        list(read_log(tmp_path / "a.json"))
    (tmp_path / "a.eval").write_bytes(b"no archive")
    with pytest.raises(ValueError, match="is not a log of Inspect"):
        list(read_log(tmp_path / "a.eval"))
    (tmp_path / "a.eval").unlink()
    with pytest.raises(ValueError, match="which a job of Harbor has"):
        list(read_log(tmp_path))


def test_a_member_that_cannot_be_read_is_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
        archive.writestr("header.json", "[" * 100_000 + "]" * 100_000)
    with pytest.raises(ValueError, match=r"a\.eval: header\.json: .* too deeply"):
        list(read_log(tmp_path / "a.eval"))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_inspect_does_not_use_are_refused(tmp_path, method):
    with zipfile.ZipFile(tmp_path / "a.eval", "w", method) as archive:
        archive.writestr("header.json", b"{}")
    with pytest.raises(ValueError, match=r"header\.json is encrypted or packed other"):
        list(read_log(tmp_path / "a.eval"))


def test_zstandard_is_read(tmp_path, logs):
    pytest.importorskip("zipfile_zstd")
    with (
        zipfile.ZipFile(logs["eval"]) as plain,
        zipfile.ZipFile(tmp_path / "z.eval", "w", 93) as packed,
    ):
        for name in plain.namelist():
            packed.writestr(name, plain.read(name))
    assert list(read_log(tmp_path / "z.eval")) == list(read_log(logs["eval"]))
    data = (tmp_path / "z.eval").read_bytes()
    # The first member begins with Zstandard's magic number.
    damaged = data.replace(b"\x28\xb5\x2f\xfd", b"none", 1)
    assert damaged != data
    (tmp_path / "z.eval").write_bytes(damaged)
    with pytest.raises(ValueError, match=r"z\.eval: header\.json: "):
        list(read_log(tmp_path / "z.eval"))


def test_a_folder_of_trajectories_is_a_run(tmp_path, capsys):
    env = SubgoalProgress(gym.make("FrozenLake-v1", is_slippery=False), {"goal": "15"})
    env = TrajectoryLogger(env, tmp_path / "lake")
    for seed, moves in ((0, (1, 1, 2, 1, 2, 2)), (0, (0, 0)), (None, (1, 2))):
        env.reset(seed=seed)
        for move in moves:
            env.step(move)
    env.close()
    killed = (tmp_path / "lake" / "episode-00000.jsonl").read_text().splitlines()
    (tmp_path / "lake" / "killed.jsonl").write_text("\n".join(killed[:3]) + "\n")
    solved, left, lost, unended = import_logs([tmp_path / "lake"], tmp_path / "run")
    assert (solved.success, solved.ended, solved.progress_rate) == (
        True,
        "terminated",
        1,
    )
    # Four of six moves were made before.
    assert (solved.repetitions, left.repetition_rate) == (4, 1.0)
    assert (left.ended, left.attempt, left.error) == ("truncated", 2, "")
    assert (lost.ended, lost.success) == ("terminated", False)
    # No other episode has its number as a seed.
    assert (lost.seed, lost.attempt) == (1, 1)
    assert "has no end" in unended.error
    assert load_run(tmp_path / "run").manifest["agent"] == "lake"
    page = tmp_path / "report.html"
    assert main(["report", str(tmp_path / "lake"), "-o", str(page)]) == 0
    assert "Report: lake" in page.read_text()
    assert main(["report", str(tmp_path)]) == 1
    assert f"these are runs: {tmp_path / 'run'}" in capsys.readouterr().err
    with pytest.raises(ValueError, match="has its own"):
        import_logs([tmp_path / "lake"], tmp_path / "other", {"goal": "15"})


def test_a_folder_of_inspects_logs_is_a_run(tmp_path, logs):
    folder = logs["eval"].rename(tmp_path / "one.eval").parent
    assert len(import_logs([folder], tmp_path / "run")) == 2


def test_trajectories_without_progress_say_what_to_do(tmp_path):
    env = TrajectoryLogger(gym.make("FrozenLake-v1"), tmp_path / "lake")
    env.reset(seed=0)
    env.close()
    with pytest.raises(ValueError, match="SubgoalProgress before TrajectoryLogger"):
        import_logs([tmp_path / "lake"], tmp_path / "run")


def test_damaged_trajectories_are_named_and_not_scored(tmp_path):
    folder = tmp_path / "own"
    env = TrajectoryLogger(gym.make("aq/Mastermind-v0"), folder, agent="mine")
    for seed in range(4):
        env.reset(seed=seed)
        for code in ("0123", "4567"):
            env.step(f"Guess: {code}")
    env.close()
    files = sorted(folder.glob("*.jsonl"))
    half, rubbish, between = (file.read_bytes() for file in files[:3])
    files[0].write_bytes(half[:20])
    files[1].write_bytes(rubbish[::-1])
    lines = between.split(b"\n")
    files[2].write_bytes(b"\n".join([lines[0], b"\xff\0", *lines[2:]]))
    rows = import_logs([folder], tmp_path / "run")
    assert {row.env for row in rows} == {"aq/Mastermind-v0"}
    assert [bool(row.error) for row in rows] == [True, True, True, False]
    for row, file in zip(rows[:3], files, strict=False):
        assert file.name in row.error
    assert len({row.task for row in rows}) == 4


def test_trajectories_with_odd_values_are_read_or_named(tmp_path):
    lake = gym.make("FrozenLake-v1", desc=np.array([["S", "F"], ["F", "G"]]))
    env = TrajectoryLogger(SubgoalProgress(lake, {"goal": "3"}), tmp_path / "lake")
    env.reset(seed=0)
    env.step(1)
    env.close()
    assert import_logs([tmp_path / "lake"], tmp_path / "run")[0].error == ""
    (file,) = (tmp_path / "lake").glob("*.jsonl")
    text = file.read_text()
    for odd in ("[]", "null", "1" + "0" * 400, '"x"', "NaN"):
        lines = [re.sub(',"crc":[^}]*', "", line) for line in text.splitlines()]
        lines[1] = lines[1].replace('"progress":0.0', f'"progress":{odd}')
        file.write_text("\n".join([*lines, ""]))
        with pytest.raises(ValueError, match=file.name):
            import_logs([tmp_path / "lake"], tmp_path / "other")


def test_a_log_that_is_read_again_keeps_its_run_until_the_new_one_is_whole(logs):
    with LogRuns() as runs:
        run = runs.run_of(logs["inspect"])
        whole = load_run(run)
        text = logs["inspect"].read_text()
        logs["inspect"].write_text(text[:-2])
        with pytest.raises(ValueError, match="it is not JSON"):
            runs.run_of(logs["inspect"])
        assert load_run(run) == whole
        logs["inspect"].write_text(f"{text}\n")
        assert runs.run_of(logs["inspect"]) == run
        assert load_run(run) == whole
    assert not run.exists()
