"""The agent that plans between the trials of a task, as Reflexion does."""

import json
from pathlib import Path

import pytest
from scripted_server import answer, raw

from aq_gym import trajectory
from aq_gym.agents import requests_of
from aq_gym.cli.main import main
from aq_gym.datasets.runs import played_episodes
from aq_gym.evaluation import RunStoppedError, Suite, Task, load_run, run
from aq_gym.report.agents import agent_rows
from aq_gym.report.data import load_runs
from aq_gym.report.summary import summary_rows

TASK = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=2, trials=3)
SAID = ("1122", "3344", "Plan one.", "1234", "4321", "Plan two.", "5618")


def play(server, out, task=TASK, memories=3, **params):
    params = {
        "model": "m", "base_url": server.url, "timeout": 3, "max_retries": 0,
        "memories": memories, **params,
    }  # fmt: skip
    run(Suite("one", (task,)), out, "llm", params)
    (file,) = trajectory.iter_trajectories(out / "trajectories")
    return load_run(out).episodes[-1], file


def contents(requests):
    return [[one["content"] for one in sent["messages"]] for sent in requests]


def test_the_plan_of_a_failed_trial_is_part_of_the_next(serve, tmp_path):
    server = serve(*map(answer, SAID))
    episode, file = play(server, tmp_path)
    sent = contents(server.requests)
    assert len(sent) == 7
    # The plan is asked for where the trial ended, and the next one begins anew.
    assert sent[2][:-1] == [*sent[1], "3344"]
    assert "4 guesses" not in sent[2][-1] and "without success" in sent[2][-1]
    assert len(sent[3]) == len(sent[0])
    assert sent[3][-1].startswith(sent[0][-1]) and "1. Plan one." in sent[3][-1]
    assert "3344" not in json.dumps(sent[3])
    assert sent[6][-1].endswith("1. Plan one.\n2. Plan two.")
    for secret in ("5618", "task_id", "best_progress", "trial_over"):
        assert secret not in json.dumps(sent)
    assert episode.success and episode.scores["trials"] == 3.0
    assert episode.usage["tokens"] == 7 * 107
    assert [step["action"] for step in file.steps] == list(SAID)
    rebuilt = [
        [m["content"] for m in one] for step in requests_of(file) for one in step
    ]
    assert rebuilt == sent


def test_only_the_latest_plans_are_kept(serve, tmp_path):
    server = serve(*map(answer, SAID))
    play(server, tmp_path, memories=1)
    last = contents(server.requests)[-1][-1]
    assert "Plan two." in last and "Plan one." not in last


def test_without_memories_a_trial_begins_anew_and_nothing_is_asked(serve, tmp_path):
    server = serve(*(answer(text) for text in SAID if "Plan" not in text))
    episode, file = play(server, tmp_path, memories=0)
    sent = contents(server.requests)
    assert len(sent) == 5 and sent[0] == sent[2] == sent[4]
    assert episode.success and [s["action"] for s in file.steps][2] == ""
    assert [len(one) for one in requests_of(file)] == [1, 1, 0, 1, 1, 0, 1]


@pytest.mark.parametrize(
    ("stop", "memories", "prompting"),
    [
        (4, 3, "act"),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in ((2, 3, "act"), (3, 3, "memory"), (2, 0, "act"), (3, 0, "act"))
        ),
    ],
)
def test_a_stopped_run_goes_on_in_its_trial(serve, tmp_path, stop, memories, prompting):
    said = [answer(text) for text in SAID if memories or "Plan" not in text]
    params = {"memories": memories, "prompting": prompting}
    whole, file = play(serve(*said), tmp_path / "whole", **params)
    stop = min(stop, len(said) - 1)
    refused = raw(401, json.dumps({"error": {"message": "no key"}}))
    with pytest.raises(RunStoppedError):
        play(serve(*said[:stop], refused), tmp_path / "stopped", **params)
    server = serve(*said[stop:])
    episode, again = play(server, tmp_path / "stopped", **params)
    assert len(server.requests) == len(said) - stop
    assert requests_of(again) == requests_of(file)
    assert [s["observation"] for s in again.steps] == [
        s["observation"] for s in file.steps
    ]
    assert episode.usage.pop("tokens") == 107 * (len(said) - stop)
    for one in (episode, whole):
        one.usage.clear()
    assert episode == whole


def test_a_killed_run_goes_on_in_its_trial(serve, tmp_path):
    said = [*map(answer, SAID)]
    _, file = play(serve(*said), tmp_path)
    lines = file.path.read_text().splitlines(keepends=True)
    file.path.write_text("".join(lines[:5]) + lines[5][:20])
    (tmp_path / "episodes.jsonl").unlink()
    server = serve(*said[4:])
    episode, again = play(server, tmp_path)
    assert len(server.requests) == 3 and episode.success
    assert requests_of(again) == requests_of(file)


@pytest.mark.slow
def test_the_summary_has_the_share_solved_within_each_trial(serve, tmp_path, capsys):
    server = serve(*map(answer, SAID))
    command = f"""run --env aq/Mastermind-v0?code=5618 --episodes 2 --max-steps 2
        --trials 3 --agent llm --model m --base-url {server.url} --out {tmp_path}
        --agent-arg memories=3 --quiet""".split()
    assert main(command) == 0
    assert "solved within 1, 2, ... trials: 0.50, 0.50, 1.00" in capsys.readouterr().out
    overall = load_run(tmp_path).summary["overall"]
    assert overall["solved by trial"] == [0.5, 0.5, 1.0]
    assert overall["metrics"]["trials"]["value"] == 2.0
    more = ["--from", str(tmp_path), "--continue-to", "5", "--base-url", server.url]
    assert main(["run", *more, "--out", f"{tmp_path}2", "--trials", "2"]) != 0
    assert "--trials goes with a new run" in capsys.readouterr().err
    assert main(["run", *more, "--out", f"{tmp_path}2"]) != 0
    assert "has several trials, which cannot be continued" in capsys.readouterr().err
    with pytest.raises(ValueError, match="has several trials, each a conversation"):
        list(played_episodes(tmp_path))


@pytest.mark.parametrize("more", [[], ["--trials", "1"], ["--dry-run"]])
def test_plans_without_trials_are_refused(more, tmp_path, capsys):
    command = ["run", "--env", "aq/Mastermind-v0", "--agent", "llm", "--model", "m"]
    command += ["--agent-arg", "memories=3", "--base-url", "http://127.0.0.1:9"]
    assert main([*command, "--out", str(tmp_path), *more]) == 1
    assert "memories=3 plans between trials, but each" in capsys.readouterr().err


@pytest.mark.slow
def test_every_table_says_within_how_many_trials(tmp_path, capsys):
    run = ["run", "--env", "aq/Mastermind-v0", "--episodes", "1", "--max-steps", "1"]
    run += ["--quiet", "--out", str(tmp_path / "several"), "--trials"]
    assert main([*run, "3"]) == main([*run[:-2], str(tmp_path / "one")]) == 0
    several, one = str(tmp_path / "several"), str(tmp_path / "one")
    capsys.readouterr()
    page = str(tmp_path / "page.html")
    for command in (
        ["report", one, several, "--markdown"],
        ["report", one, several, "--latex"],
        ["compare", several, one],
        ["leaderboard", several, "--out", page],
    ):
        assert main(command) == 0
        said = capsys.readouterr().out
        if page in command:
            said = Path(page).read_text("utf-8")
        assert "random, within 3 trials" in " ".join(said.split())
    runs = load_runs([one, several])
    # They are not repetitions of each other.
    assert agent_rows(runs, summary_rows(runs)) == []
    assert main([*run, "2"]) == 1
    assert "trials: 3 here, 2 now; give another dir" in capsys.readouterr().err


@pytest.mark.slow
def test_a_dry_run_counts_every_trial(tmp_path, capsys):
    command = [
        *("run", "--env", "aq/Mastermind-v0", "--episodes", "2", "--max-steps", "4"),
        *("--trials", "3", "--agent", "llm", "--model", "m", "--dry-run"),
        *("--agent-arg", "memories=3", "--out", "x"),
    ]
    assert main(command) == 0
    # Of 4 actions each, and two plans.
    assert " 28 " in capsys.readouterr().out
