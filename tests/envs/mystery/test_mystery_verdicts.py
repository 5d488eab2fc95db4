"""Verdicts are kept, shared and replayed."""

import json
import pickle
import threading

import gymnasium as gym
import pytest
from envs.mystery.own_puzzles import SECRET, made
from scripted_server import answer

from aq_gym import trajectory
from aq_gym.envs.mystery.judge.judge import Judge
from aq_gym.envs.mystery.judge.verdicts import VerdictFile
from aq_gym.envs.mystery.recover import recover
from aq_gym.wrappers import TrajectoryLogger


def test_a_second_run_asks_nothing(puzzles, judge, unconfigured):
    server = judge(answer("no"))
    env = made(puzzles)
    env.reset()
    first = env.step("Did he die?")
    again = made(puzzles)
    again.reset()
    assert again.step("Did he die?") == first
    assert env.step("Did he die?")[:4] == first[:4]
    assert len(server.requests) == 1


def test_verdicts_are_kept_where_they_should_be(puzzles, judge, tmp_path):
    judge(answer("no"))
    file = tmp_path / "run" / "verdicts.jsonl"
    env = made(puzzles, verdicts=str(file))
    env.reset()
    env.step("Did he die?")
    (line,) = file.read_text().splitlines()
    record = json.loads(line)
    assert len(record.pop("key")) == 64
    assert record == {
        "verdict": "no", "model": "m", "kind": "question", "text": "Did he die?"
    }  # fmt: skip
    assert SECRET not in line
    default = made(puzzles)
    default.reset()
    default.step("Did he live?")
    assert puzzles.with_name("mine.json.verdicts.jsonl").exists()


def test_the_key_is_in_no_file_and_no_spec(puzzles, judge, tmp_path):
    judge(answer("no"))
    env = TrajectoryLogger(made(puzzles), tmp_path / "log")
    env.reset(seed=0)
    env.step("Did he die?")
    env.close()
    assert SECRET not in env.spec.to_json()
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path
    assert SECRET.encode() not in pickle.dumps(env.unwrapped)


def test_a_trajectory_is_executed_again_without_an_endpoint(
    puzzles, judge, tmp_path, monkeypatch
):
    judge(answer("yes"), answer("yes"), answer("no"), answer("yes"))
    verdicts = tmp_path / "run" / "verdicts.jsonl"
    env = TrajectoryLogger(made(puzzles, verdicts=str(verdicts)), tmp_path / "log")
    env.reset(seed=0)
    played = [env.step(a) for a in ("Is it a game?", "Story: He moves a token.")]
    env.close()
    assert json.loads(played[0][4]["judge"])[0]["verdict"] == "yes"
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name)

    def replayed():
        again = made(puzzles, verdicts=str(verdicts))
        again.reset(seed=0)
        return [again.step(a) for a in ("Is it a game?", "Story: He moves a token.")]

    assert replayed() == played
    # The file of verdicts is lost; the trajectory has them all.
    verdicts.unlink()
    logged = list((tmp_path / "log").rglob("*.jsonl"))
    assert recover(logged, verdicts) == 4
    assert recover(logged, verdicts) == 0
    assert replayed() == played


@pytest.mark.usefixtures("unconfigured")
def test_a_verdict_that_is_missing_offline_ends_the_episode_with_an_error(puzzles):
    file = puzzles.with_name("v.jsonl")
    file.write_text(json.dumps({"key": "0" * 64, "verdict": "no"}) + "\n")
    env = made(puzzles, verdicts=str(file))
    env.reset()
    _, reward, _, truncated, info = env.step("Did he die?")
    assert truncated
    assert reward == 0.0
    assert "no endpoint is configured" in info["error"]


def test_a_file_of_something_else_is_not_written_to(puzzles, judge, tmp_path):
    judge(answer("no"))
    other = tmp_path / "notes.jsonl"
    other.write_text("my notes\n")
    with pytest.raises(ValueError, match="is not a file of verdicts"):
        made(puzzles, verdicts=str(other))
    with pytest.raises(ValueError, match=r"must end in '.jsonl'"):
        made(puzzles, verdicts=str(tmp_path / ".profile"))
    assert other.read_text() == "my notes\n"


def test_torn_lines_are_sealed_and_left_out(tmp_path):
    path = tmp_path / "v.jsonl"
    file = VerdictFile(path)
    assert file.put("a" * 64, "yes", {}) == "yes"
    with path.open("a") as torn:
        torn.write('{"key": "')
    assert file.put("b" * 64, "no", {"text": "\u00e9" * 9_000}) == "no"
    again = VerdictFile(path)
    assert [again.get(key * 64) for key in "abc"] == ["yes", "no", ""]


def test_the_first_of_two_verdicts_counts_for_everybody(tmp_path):
    path = tmp_path / "v.jsonl"
    one, other = VerdictFile(path), VerdictFile(path)
    assert one.put("a" * 64, "yes", {}) == "yes"
    assert other.put("a" * 64, "no", {}) == "yes"
    assert VerdictFile(path).get("a" * 64) == "yes"


def test_many_writers_tear_no_line(tmp_path):
    path = tmp_path / "v.jsonl"

    def write(number):
        file = VerdictFile(path)
        for i in range(50):
            file.put(f"{number}-{i}".rjust(64, "0"), "yes", {"text": "x" * 400})

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A writer that sees half of another's line begins a new one: then one is empty.
    lines = list(filter(None, path.read_text().splitlines()))
    assert len({json.loads(line)["key"] for line in lines}) == len(lines) == 200


@pytest.mark.parametrize(
    "line", ["", "[]", "{}", "[" * 100_000, '{"key": "a", "verdict": "no"}',
             json.dumps({"key": "a" * 64, "verdict": "maybe"})], ids=range(6),
)  # fmt: skip
def test_other_lines_are_no_verdicts(tmp_path, line):
    path = tmp_path / "v.jsonl"
    good = json.dumps({"key": "b" * 64, "verdict": "no"})
    path.write_text(f"{line}\n{good}\n")
    assert VerdictFile(path).get("b" * 64) == "no"
    assert VerdictFile(path).get("a" * 64) == ""


def test_a_judge_of_another_model_has_verdicts_of_its_own(puzzles, judge, tmp_path):
    server = judge(answer("no"))
    env = made(puzzles)
    env.reset()
    env.step("Did he die?")
    other = gym.make("aq/Mystery-v0", puzzles=str(puzzles), judge_model="other")
    other.reset()
    other.step("Did he die?")
    assert [request["model"] for request in server.requests] == ["m", "other"]
    assert isinstance(Judge("m", tmp_path / "x.jsonl"), Judge)


def test_the_library_replays_such_a_trajectory_if_it_is_trusted(
    puzzles, judge, tmp_path, monkeypatch
):
    judge(answer("no"), answer("yes"))
    env = TrajectoryLogger(made(puzzles), tmp_path / "log")
    env.reset(seed=0)
    env.step("Did he die?")
    env.step("Story: He plays, and moves a token.")
    env.close()
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY")
    (file,) = (tmp_path / "log").rglob("*.jsonl")
    report = trajectory.replay(file, trust=True)
    assert report.identical, report.difference
    assert report.steps == 2
    # It names files, which a file from elsewhere may not do unasked.
    with pytest.raises(Exception, match="trust"):
        trajectory.replay(file)
