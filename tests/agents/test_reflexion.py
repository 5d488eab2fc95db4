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
from aq_gym.papers import reflexion
from aq_gym.report.agents import agent_rows
from aq_gym.report.data import load_runs
from aq_gym.report.summary import summary_rows
from aq_gym.support.user_files import UserFileError

TASK = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=2, trials=3)
SAID = ("1122", "3344", "Plan one.", "1234", "4321", "Plan two.", "5618")
HOUSE = Task(
    "aq/ALFWorld-v0", 0, {"protocol": "reflexion", "receptacles": 4}, 4, trials=3
)


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


CODE = {
    "alfworld_trial.py": """
base_prompt = 'Tidy up, as shown.\\n' + d[f'react_{v}_1'] + d[f'react_{v}_0']
""",
    "env_history.py": """
def _get_base_query(base_query, start_info, memory):
    query = base_query
    if len(memory) > 0:
        query += '\\n\\nWhat you noted:'
        for i, m in enumerate(memory):
            query += f'\\nNote number {i}:\\n{m.strip()}'
    query += f"\\nThe task to do:\\n{start_info}"
""",
    "generate_reflections.py": """
def _generate_reflection_query(log_str, memory):
    query: str = f'''Note what went wrong.

{FEW_SHOT_EXAMPLES}

{scenario}'''
    if len(memory) > 0:
        query += '\\n\\nEarlier notes:\\n'
        for i, m in enumerate(memory):
            query += f'Note number {i}: {m}\\n'
    query += '\\n\\nNew note:'
    return query
""",
    "reflexion_few_shot_examples.txt": "One failed.\n",
    "prompts/alfworld_3prompts.json": json.dumps(
        {f"react_{kind}_{n}": f"{kind} {n}.\n" for n in (0, 1)
         for kind in ("put", "clean", "heat", "cool", "puttwo", "examine")}
    ),
}  # fmt: skip


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout of Reflexion's form, which ``REFLEXION_DATA`` names."""
    for name, text in CODE.items():
        file = tmp_path / "reflexion" / "alfworld_runs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.setenv("REFLEXION_DATA", str(tmp_path / "reflexion"))
    return tmp_path / "reflexion" / "alfworld_runs"


NOTED = ("think: hm", "look", "look", " Note A. ", "dance", "dance", "B", "help")


@pytest.mark.slow
def test_its_own_prompts_are_sent(serve, tmp_path, checkout):
    server = serve(*map(answer, NOTED))
    _, file = play(server, tmp_path / "run", HOUSE)
    sent = contents(server.requests)
    assert {len(one) for one in sent} == {1}
    sent = [one for (one,) in sent]
    opening = sent[0].removeprefix(
        "Tidy up, as shown.\nputtwo 1.\nputtwo 0.\n\nThe task to do:\n"
    )
    assert opening.startswith("You are in the middle of a room.")
    assert opening.endswith(
        "Your task is to: find two cloth and put them in cabinet.\n>"
    )
    assert sent[1] == f"{sent[0]} think: hm\nOK.>"
    assert sent[3].startswith("Note what went wrong.\n\nOne failed.\n\n\nYou are in")
    assert sent[3].endswith("\n\nSTATUS: FAIL\n\nNew note:")
    assert sent[4].startswith(
        "Tidy up, as shown.\nputtwo 1.\nputtwo 0.\n\n\nWhat you noted:\nNote number 0:"
        "\nNote A.\nThe task to do:\nYou are in"
    )
    assert sent[6].endswith(
        "> dance\nNothing happens.\n> dance\nNothing happens.\n\nSTATUS: FAIL\n\n"
        "Earlier notes:\nNote number 0:  Note A. \n\n\nNew note:"
    )
    plans = [sent for sent in server.requests if "stop" not in sent]
    assert len(plans) == 2 and {one["temperature"] for one in server.requests} == {0}
    # An action that repeats the one before it ends a trial.
    assert [s["info"]["trial_over"] for s in file.steps[:4]] == [
        False,
        False,
        True,
        False,
    ]
    assert [m for step in requests_of(file) for m in step] == [
        one["messages"] for one in server.requests
    ]
    notes = load_run(tmp_path / "run").what["notes"]
    assert notes["prompts"] == {"aq/ALFWorld-v0": "Reflexion"}


@pytest.mark.slow
def test_without_a_checkout_the_words_are_ours_and_the_run_says_so(
    serve, tmp_path, capsys
):
    server = serve(answer("look around"))
    command = f"""run --env aq/ALFWorld-v0?protocol=reflexion&receptacles=4 --episodes 1
        --max-steps 2 --trials 2 --agent llm --model m --base-url {server.url}
        --out {tmp_path} --agent-arg memories=3 --quiet""".split()
    assert main(command) == 0
    said = capsys.readouterr().err
    assert "prompts of this package: aq/ALFWorld-v0; Reflexion's need REFLEX" in said
    assert load_run(tmp_path).what["notes"]["prompts"] == {"aq/ALFWorld-v0": "ours"}
    assert server.requests[0]["messages"][0]["role"] == "system"


def test_a_variable_that_names_no_checkout_raises(tmp_path, monkeypatch):
    monkeypatch.setenv("REFLEXION_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="has no alfworld_runs"):
        reflexion.prompt("put", "")


@pytest.mark.parametrize("name", sorted(CODE))
def test_files_of_another_form_are_named(checkout, name):
    (checkout / name).write_text("[" if name.endswith(".json") else "x = 1")
    if name.endswith(".txt"):
        (checkout / name).unlink()
    with pytest.raises(UserFileError, match=name):
        reflexion.prompt("put", "")
