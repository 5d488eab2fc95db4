"""The steps to go of finished runs, counted by replay."""

import dataclasses
import json

import gymnasium as gym
import pytest
from toy_envs import LampsEnv

from aq_gym.cli.main import main
from aq_gym.envs.mastermind import MastermindEnv, protocol
from aq_gym.evaluation import (
    METRICS,
    EpisodeResult,
    Suite,
    Task,
    compare,
    load_run,
    run,
    score,
)
from aq_gym.evaluation.metrics import shown_metrics
from aq_gym.trajectory.trust import UntrustedError

REPLAYED = [metric for metric in METRICS.values() if metric.replayed]
SUITE = Suite(
    "some",
    (
        *(Task("aq/Mastermind-v0", seed, {"code_length": 2}, 4) for seed in range(2)),
        Task("aq/PDDL-v0", 0, {"domain": "gripper"}, 3),
        Task("aq/2048-v0", 0, {"goal": 16}, 3),
        Task("aq/Hangman-v0", 0, {"lives": 1}, 9),
    ),
)


@pytest.fixture
def played(tmp_path):
    run(SUITE, tmp_path / "run")
    return tmp_path / "run"


def rows_of(folder):
    return {episode.task: episode for episode in load_run(folder).episodes}


def test_rows_get_a_number_for_each_state_whoever_counts(played, tmp_path):
    estimates = score(played, REPLAYED)
    rows = rows_of(played)
    for episode in rows.values():
        if "2048" in episode.env:
            assert (episode.steps_to_go, episode.expert) == ([], "")
            continue
        assert len(episode.steps_to_go) == episode.steps + 1
        assert episode.steps_to_go[0] > 0 and episode.expert.startswith("aq-gym ")
        assert bool(episode.secrets_left) == ("PDDL" not in episode.env)
        assert "Mastermind" not in episode.env or episode.secrets_left[0] == 100
        assert "Hangman" not in episode.env or episode.ended == "terminated"
        assert episode.ended == "truncated" or episode.steps_to_go[-1] == -1
        assert EpisodeResult(**episode.to_record()) == episode
    summary = load_run(played).summary
    waste = summary["benchmarks"]["aq/PDDL-v0"]["metrics"]["net waste"]["value"]
    steps = next(e.steps_to_go for e in rows.values() if "PDDL" in e.env)
    assert waste == 3 + steps[-1] - steps[0]
    assert score(played, REPLAYED, workers=2) == estimates
    assert rows_of(played) == rows


def test_runs_are_compared_if_one_expert_counted(played, tmp_path, capsys):
    run(SUITE, tmp_path / "best", "expert")
    for folder in (played, tmp_path / "best"):
        score(folder, REPLAYED)
    first, second = (load_run(f).episodes for f in (played, tmp_path / "best"))
    assert compare(first, second)["net waste"].difference.value < 0
    assert "net waste" not in {metric.name for metric in shown_metrics()}
    newer = [dataclasses.replace(one, expert="aq-gym 9") for one in second]
    assert "net waste" not in compare(first, newer)
    assert main(["compare", str(played), str(tmp_path / "best")]) == 0
    shown = capsys.readouterr().out
    assert (
        "\nnet waste: steps more than" in shown
        and "different versions of an expert" not in shown
    )
    file = tmp_path / "best" / "episodes.jsonl"
    rows = [one.to_record() for one in newer]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["compare", str(played), str(tmp_path / "best")]) == 0
    assert "different versions of an expert" in capsys.readouterr().out


def test_the_command_says_what_the_numbers_mean(played, capsys, monkeypatch):
    # The folder's name may be long.
    monkeypatch.setenv("COLUMNS", "300")
    assert main(["score", str(played), "--metric", "steps-to-go"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "net waste" in words and "determined" in words
    assert "aq/Mastermind-v0: estimate; lost: proven" in words
    assert "aq/2048-v0: not counted, because chance decides" in words
    assert words.endswith(f" next: aq-gym report {played}")
    assert main(["score", str(played), "--metric", "steps"]) == 1
    assert "must be steps-to-go or of the form" in capsys.readouterr().err


def test_what_differs_is_left_out_and_counted(played, monkeypatch):
    score(played, REPLAYED)
    assert sum(bool(episode.steps_to_go) for episode in rows_of(played).values()) == 4
    monkeypatch.setattr(protocol, "_count", lambda *counts: "many")
    with pytest.warns(match=r"2 of 5 episodes have no steps to go.*1: observation was"):
        score(played, REPLAYED)
    assert sum(bool(episode.steps_to_go) for episode in rows_of(played).values()) == 2


def test_an_environment_of_another_package_has_to_be_trusted(tmp_path, monkeypatch):
    gym.register("replayed/Lamps-v0", "toy_envs:LampsEnv", max_episode_steps=2)
    run(Suite("own", (Task("replayed/Lamps-v0", 0),)), tmp_path / "run")
    del gym.registry["replayed/Lamps-v0"]
    with pytest.raises(UntrustedError):
        score(tmp_path / "run", REPLAYED)
    assert "steps_to_go" not in (tmp_path / "run" / "episodes.jsonl").read_text()
    closed = []
    monkeypatch.setattr(LampsEnv, "close", lambda env: closed.append(env))
    score(tmp_path / "run", REPLAYED, trust=True)
    # Both that which is replayed and its copy.
    assert len(set(map(id, closed))) == 2
    (episode,) = load_run(tmp_path / "run").episodes
    assert episode.steps_to_go[0] == 3 and len(episode.steps_to_go) == 3
    assert episode.expert == "toy-envs"


def test_an_environment_without_an_expert_has_no_steps_to_go(played, monkeypatch):
    monkeypatch.setattr(MastermindEnv, "expert_action", None)
    with pytest.warns(match=r"2 of 5 episodes .* has no expert_action\(\)"):
        score(played, REPLAYED)
    assert sum(bool(episode.steps_to_go) for episode in rows_of(played).values()) == 2


def episode(steps_to_go, secrets_left=(), env="aq/MMLU-v0", success=False, cap=9):
    steps = len(steps_to_go) - 1
    return EpisodeResult(
        "a", env, env, 0, steps=steps, success=success, cap=cap,
        steps_to_go=list(steps_to_go), secrets_left=list(secrets_left),
    )  # fmt: skip


def values(one):
    found = {m.name: m.of(one) for m in REPLAYED}
    return {name: value for name, value in found.items() if value is not None}


def test_waste_is_what_an_episode_took_more_than_the_expert():
    # It comes nearer, goes away, and is better than the expert once.
    assert values(episode([4, 3, 4, 4, 2, 1, 0], success=True)) == {
        "net waste": 2.0, "waste": 3.0, "closest": 0.0,
    }  # fmt: skip
    assert values(episode([4, 3, -1, -1])) == {
        "waste": 0.0, "closest": 3.0, "lost at": 2.0,
    }  # fmt: skip


def test_a_loss_is_said_only_where_it_is_proven():
    assert "lost at" not in values(episode([4, 3, -1, -1], env="aq/Hangman-v0"))
    assert "lost at" not in values(episode([4, 3, -1, -1], env="else/Where-v0"))
    assert "lost at" not in values(episode([4, -1, 3, 2]))
    assert values(episode([4, -1, 3, -1]))["lost at"] == 3


def test_out_of_time_is_another_thing():
    assert values(episode([2, 2, 2, 2], cap=3))["out of time at"] == 2
    assert values(episode([9, 9, 9], cap=2))["out of time at"] == 0
    assert "out of time at" not in values(episode([2, 1, 2, -1], cap=3))
    assert "out of time at" not in values(episode([2, 2, 1, 0], cap=3))
    assert "out of time at" not in values(episode([9, 9, 9], cap=0))


def test_knowing_and_saying():
    known = values(episode([3, 1, 1, 0], [9, 1, 1, 1], success=True))
    assert known["determined at"] == 1 and known["said after"] == 2
    assert known["determined, not said"] == 0.0
    silent = values(episode([3, 1, 1, 1], [9, 1, 1, 1]))
    assert silent["determined, not said"] == 1.0 and "said after" not in silent
    never = values(episode([3, 2, 1, 1], [9, 4, 2, 2]))
    assert not {"determined at", "said after", "determined, not said"} & set(never)


@pytest.mark.parametrize(
    "wrong", [{"steps_to_go": [1]}, {"secrets_left": [-2] * 4}, {"steps_to_go": 3}]
)
def test_a_damaged_row_is_left_out(played, wrong):
    score(played, REPLAYED)
    file = played / "episodes.jsonl"
    one = next(iter(rows_of(played).values()))
    record = dataclasses.replace(one, **wrong).to_record()
    file.write_text(json.dumps(record) + "\n")
    with pytest.warns(match="damaged"):
        assert load_run(played).episodes == []
