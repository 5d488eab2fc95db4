import functools
import hashlib
import http.server
import io
import json
import re
import shutil
import sys
import threading
import zipfile

import pytest

from aq_gym.cli import main
from aq_gym.cli.main import COMMANDS
from aq_gym.evaluation import load_run
from aq_gym.registration import TABLE
from aq_gym.selection import parse_env


def run(capsys, *arguments):
    """Run the command and return its exit code and what it printed."""
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.slow
def test_list_names_every_id_and_its_arguments(capsys):
    code, out, _ = run(capsys, "list")
    assert code == 0
    for row in TABLE:
        assert row.family or row.id in out
    assert "code_length=4" in out


@pytest.mark.slow
def test_demo_plays_whatever_is_installed(capsys, tmp_path):
    code, out, _ = run(capsys, "demo", "--out", tmp_path)
    assert code == 0
    assert "> Guess: tares" in out
    number = r" +\d\.\d\d"
    both = rf"0\.\d\d █[^ ]* {number * 2} +1\.00 █{{10}}{number * 2}"
    assert re.search(rf"^Mastermind-v0 +{both}$", out, re.M)
    assert ("marked with *" in out) == bool(re.search(r"^\S+-v0\* ", out, re.M))
    assert "random solved 0 of " in out
    assert max(map(len, out.partition("random  ")[2].splitlines()[:-4])) <= 80
    assert re.search(r"from 0\.00 in \d+\senvironments to 0\.75 in aq/Mas", out)
    page = tmp_path / "page.html"
    report = re.search(r"aq-gym report (\S+) (\S+)", out)
    assert run(capsys, "report", *report.groups(), "--out", page)[0] == 0
    replay = re.search(r"aq-gym replay (\S+)", out)
    assert run(capsys, "replay", replay[1])[0] == 0


def test_replay_reports_the_first_difference(capsys, tmp_path):
    run(
        capsys, "run", "--env", "aq/Mastermind-v0", "--episodes", 1, "--out", tmp_path
    )  # fmt: skip
    (file,) = (tmp_path / "trajectories").iterdir()
    assert run(capsys, "replay", file)[:2] == (0, "identical over 60 steps\n")
    text = file.read_text().replace("Keep guessing", "Go on", 1)
    file.write_text(text)
    code, _, err = run(capsys, "replay", file)
    assert "is not complete: line 2 is damaged" in err
    file.write_text(re.sub(r',"crc":"\w{8}"}\n', "}\n", text))
    code, out, _ = run(capsys, "replay", file)
    assert code == 1
    assert out.startswith("step 1: observation was ")


def test_play_at_the_terminal(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdin", io.StringIO("5610\n5618\n"))
    setting = 'aq/Mastermind-v0?code="5618"'
    code, out, _ = run(capsys, "play", setting, "--out", tmp_path)
    assert code == 0
    assert "You won! 5618 is the secret code." in out
    assert "solved after 2 steps: progress rate 1.00" in out
    assert len(list(tmp_path.iterdir())) == 1


def test_watch_an_agent_play(capsys):
    _, out, _ = run(
        capsys, "play", "aq/Mastermind-v0", "--agent", "expert", "--seed", 3
    )
    assert out.count("> Guess: ") == out.count("Keep guessing.") + 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "aq/Nothing-v0"], "Nothing"),
        (["play", "aq/Mastermind-v0?oops"], "is not of the form ID?key=value"),
        (["play", "aq/Mastermind-v0", "--agent", "nobody"], "agent='nobody'"),
        (["replay", "no-such-file"], "no-such-file"),
        (["replay", "/"], "/ is a folder: name a file in it"),
        (
            ["play", "aq/Mastermind-v0?length=5"],
            "no argument length: did you mean 'code_length'? it has code_len",
        ),
        (["play", "aq/Mastermind-v0", "--agent", "llm"], "needs --model NAME"),
        (
            ["play", "aq/Mastermind-v0", "--agent", "random", "--model", "m"],
            "--model goes with --agent llm",
        ),
        (["play", "aq/Mastermind-v0?code_length=four"], "code_length='four'"),
        (["play", "no_such_module:aq/X-v0"], "no_such_module"),
        (["run", "--env", "CartPole-v1", "--out", "OUT"], "SubgoalProgress"),
        (["run", "--env", "aq/Mastermind-v0", "--out", "/dev/null/x"], "/dev/null"),
        (
            ["run", "--env", "aq/Mastermind-v0", "--agent", "human", "--out", "OUT"],
            "aq-gym play",
        ),
        (["run", "--suite", "none", "--out", "OUT"], "suite='none'"),
        (
            ["run", "--suite", "quick", "--agent", "llm", "--out", "OUT"],
            "--agent llm needs --model NAME",
        ),
        (["compare", "OUT", "OUT"], "run.json"),
        (
            ["run", "--env", "aq/Mastermind-v0", "--max-tokens", "0", "--out", "OUT"],
            "limit of tokens: 0.0 must be above 0",
        ),
        (
            ["run", "--suite", "quick", "--seed", "0", "--out", "OUT"],
            "--seed goes with --env; a suite has its own",
        ),
        (
            ["run", "--env", "aq/Sudoku-v0", "--limit", "2", "--out", "OUT"],
            "--only and --limit go with --suite",
        ),
        (
            ["run", "--suite", "quick", "--only", "aq/Sudoko-v0", "--out", "OUT"],
            "did you mean 'aq/Sudoku-v0'?",
        ),
        (["run", "--suite", "quik", "--out", "OUT"], "did you mean 'quick'?"),
        (["run", "--env", "aq/Foo-v0", "--out", "OUT"], "'aq/Foo-v0': `aq-gym list`"),
        (
            ["run", "--env", "aq/Mastermind-v0?code_lenght=5", "--out", "OUT"],
            "did you mean 'code_length'?",
        ),
        (
            [
                "run",
                "--env",
                "aq/Sudoku-v0",
                "--agent",
                "llm",
                "--model",
                "m",
                "--agent-arg",
                "temprature=1",
                "--out",
                "OUT",
            ],
            "did you mean 'temperature'?",
        ),
        (
            ["run", "--env", "aq/Mastermind-v0", "--model", "m", "--out", "OUT"],
            "--model goes with --agent llm",
        ),
        (
            [
                "run",
                "--env",
                "aq/Mastermind-v0",
                "--model",
                "m",
                "--base-url",
                "http://h/v1",
                "--out",
                "OUT",
            ],
            "--model, --base-url go with --agent llm",
        ),
    ],
)
def test_a_request_that_cannot_be_met_says_why(capsys, tmp_path, arguments, message):
    arguments = [str(tmp_path) if part == "OUT" else part for part in arguments]
    code, _, err = run(capsys, *arguments)
    assert code == 1
    assert err.startswith("aq-gym: ")
    assert message in err


@pytest.mark.parametrize(
    "bad", [["--episodes", "0"], ["--seed", "-1"], ["--workers", "x"]]
)
def test_numbers_out_of_range_are_refused(capsys, bad):
    with pytest.raises(SystemExit):
        main(["run", "--env", "aq/Mastermind-v0", "--out", "x", *bad])
    assert "must" in capsys.readouterr().err


def test_values_are_read_as_the_constructor_wants_them():
    env_id = "aq/Mastermind-v0"
    typed = f"{env_id}?code=5618&repeats=False&symbols=123456789&code_length=4"
    assert parse_env(typed)[1] == {
        "code": "5618", "repeats": False, "symbols": "123456789", "code_length": 4,
    }  # fmt: skip
    assert parse_env(f"{env_id}?code=None")[1] == {"code": None}
    # An argument of Gymnasium's own.
    assert parse_env(f"{env_id}?max_episode_steps=3")[1] == {"max_episode_steps": 3}


def test_a_comparison_has_a_row_per_benchmark(capsys, tmp_path, monkeypatch):
    ids = ("aq/Mastermind-v0", "aq/BabyAI-text-GoToObj-v0")
    for agent in ("random", "expert"):
        arguments = ["--agent", agent, "--episodes", 3, "--out", tmp_path / agent]
        run(capsys, "run", "--env", *ids, *arguments, "--max-steps", 9)
    code, out, _ = run(capsys, "compare", tmp_path / "random", tmp_path / "expert")
    assert code == 0
    assert re.search(r"^success rate +0\.\d\d +1\.00 .* [01]\.\d{3} +6 *$", out, re.M)
    # Success, progress, repetition and grounding.
    row = r"^Mastermind +\+1\.00( +[+-]\d\.\d+){3} +3 *$"
    assert re.search(row, out, re.M)
    # The other way round, the better run's values are A's, and the signs are the same.
    _, turned, _ = run(capsys, "compare", tmp_path / "expert", tmp_path / "random")
    assert re.search(row, turned, re.M) and "\nA minus B " in turned
    assert re.search(r"^success rate +1\.00 +0\.\d\d +\d.* +6 *$", turned, re.M)
    needed = "below 0.05 from 6 tasks on, and Holm's for 2 benchmarks from 7."
    too_few = f"3 tasks of a benchmark are too few: p can be {needed}"
    assert too_few in " ".join(out.split())
    assert re.search(r"^BabyAI-text( +[+-]\d\.\d+){4} +3 *$", out, re.M)
    names = ("random", "expert", "random")
    _, out, _ = run(capsys, "compare", *(tmp_path / name for name in names))
    row = r"^3 random in random \(3\) +0\.\d+ \[.*\] +\d +0\.\d+ +0\.\d+ +1\.00 *$"
    assert out.startswith("expert (privileged) makes the most progress")
    assert re.search(row, out, re.M)
    assert re.search(r"^BabyAI-text +1\.00( +0\.\d\d){2} +3 *$", out, re.M)
    # Names that are too long have lines of their own.
    monkeypatch.setenv("COLUMNS", "79")
    _, out, _ = run(capsys, "compare", *(tmp_path / name for name in names))
    assert re.search(r"^3 random in random \(3\)\n\n6 tasks .*\n1 +1\.00 ", out, re.M)
    for name in ("my 1", "my 2", "my 3", "expert-"):
        shutil.copytree(tmp_path / "expert", tmp_path / name)
    _, out, _ = run(capsys, "compare", *sorted(tmp_path.glob("my *")))
    assert out.startswith("All runs: expert (privileged), which knows more than")
    # A folder is not named where it says no more than the run's name.
    _, out, _ = run(capsys, "compare", tmp_path / "random", tmp_path / "expert-")
    assert "\nB: expert (privileged). " in out
    # A log of another program has no grounding accuracy.
    rows = (tmp_path / "random").rename(tmp_path / "an") / "episodes.jsonl"
    known = map(json.loads, rows.read_text().splitlines())
    lines = (
        json.dumps(
            one | {"grounding": None if "Master" in one["task"] else 1.0}
            | {"usage": {"tokens": 8, "latency": 3}}
        )
        for one in known if one.pop("crc")
    )  # fmt: skip
    rows.write_text("\n".join(lines) + "\n")
    code, out, _ = run(capsys, "compare", rows.parent, tmp_path / "expert")
    assert code == 0
    assert (
        f"\nA: random in {rows.parent.name}: tokens 8 per episode. It makes no progr"
        in out
    )
    # What does not fit is indented.
    assert re.search(r"^A: .*\n   \S", out, re.M) and "\nB: expert (" in out
    assert re.search(r"^Mastermind .* - +3 *$", out, re.M)
    assert "Fewer than 6 tasks have: grounding accuracy." in " ".join(out.split())


def test_official_data_is_downloaded_from_anywhere(capsys, tmp_path):
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("json_2.1.1/valid_seen/a/b/game.tw-pddl", "{}")
    handler = functools.partial(Quiet, directory=tmp_path)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/games.zip"
    arguments = ["download", "alfworld", "--url", url, "--to", tmp_path / "to"]
    digest = hashlib.sha256((tmp_path / "games.zip").read_bytes()).hexdigest()
    code, out, err = run(capsys, *arguments, "--sha256", digest)
    assert code == 0, err
    assert f"Set ALFWORLD_DATA={tmp_path / 'to'}" in out
    assert list((tmp_path / "to").rglob("game.tw-pddl"))
    server.shutdown()
    server.server_close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def test_suites_are_listed(capsys):
    assert re.search(r"^quick +50 tasks, at most", run(capsys, "suites")[1], re.M)


LEVELS = ("Obj", "ObjS4", "ObjS6", "Local", "RedBall")


def test_run_ends_with_a_row_per_benchmark_and_difficulty(capsys, tmp_path):
    code, out, _ = run(
        capsys, "run", "--env", "aq/Mastermind-v0", "aq/Mastermind-v0?code_length=5",
        *[f"aq/BabyAI-text-GoTo{level}-v0" for level in LEVELS],
        "--agent", "expert", "--episodes", 2, "--out", tmp_path / "out",
    )  # fmt: skip
    assert code == 0
    # Where all instances come from is the first heading.
    assert re.search(r"^generated +success rate ", out, re.M)
    for arguments in ("", r"\?code_length=5"):
        row = rf"^aq/Mastermind-v0{arguments} +1\.00 \[0\.\d\d, .* 2$"
        assert re.search(row, out, re.M)
    assert re.search(r"^ easy +1\.00 \[0\.\d\d, 1\.00\] .* \d+$", out, re.M)
    row = r"^aq/BabyAI-text-v0 in 5 settings +1\.00 \[0\.\d\d, .* 10$"
    assert re.search(row, out, re.M)
    assert re.search(r"^all +1\.00 .* 14$", out, re.M)


def test_list_says_all_about_one_environment(capsys):
    code, out, _ = run(capsys, "list", "aq/BabyAI-text-v0")
    assert code == 0
    assert "Observation Space" in out
    assert (
        sum(line.strip() in [row.id for row in TABLE] for line in out.split("\n")) > 90
    )
    code, _, err = run(capsys, "list", "aq/Nope-v0")
    assert code == 1
    assert "`aq-gym list` shows all ids" in err


def test_a_player_is_told_what_was_wrong(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("dance\n"))
    out = run(capsys, "play", "aq/ALFWorld-v0", "--seed", 1)[1]
    assert "Nothing happens.\n('dance' is not a command" in out


def test_a_part_of_a_suite_is_played(capsys, tmp_path):
    part = ["--only", "aq/Mastermind-v0", "aq/Wordle-v0", "--episodes", 2, "--limit", 3]
    arguments = ["--suite", "quick", *part, "--max-steps", 4, "--out", tmp_path]
    code, _, err = run(capsys, "run", *arguments)
    assert code == 0
    assert "3 tasks, at most 12 steps" in err
    loaded = load_run(tmp_path)
    suite = loaded.manifest["suite"]
    assert suite["name"].startswith("quick (only=aq/Mastermind-v0,aq/Wordle-v0, ")
    assert [e.cap for e in loaded.episodes] == [4, 4, 4]
    assert sorted({e.env for e in loaded.episodes}) == [
        "aq/Mastermind-v0",
        "aq/Wordle-v0",
    ]


def test_a_command_that_does_not_exist(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["reprot"])
    assert "did you mean 'report'" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_describes_its_command(capsys, name):
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    out = capsys.readouterr().out
    usage, _, after = out.partition("\n\n")
    assert usage.startswith("usage: ")
    assert re.match(r"[A-Z][^\n]{15,}", after)


def test_commands_to_go_on_with_are_quoted(capsys, tmp_path, monkeypatch):
    folder = tmp_path / "my runs"
    arguments = ["--episodes", 1, "--max-steps", 2, "--out", folder]
    asked = ("run", "--env", "aq/Mastermind-v0", *arguments)
    _, out, _ = run(capsys, *asked)
    assert f"next: aq-gym report '{folder}'\n" in out
    assert out.count("\n- aq/Mastermind-v0: ") == 2
    # Of several environments, each has its strongest, loops first, up to the limit.
    games = ("aq/BabyAI-text-v0", "aq/Hangman-v0")
    monkeypatch.setattr("aq_gym.cli.commands.run._MOST_TOLD", 1)
    _, out, _ = run(capsys, "run", "--env", *games, "--out", tmp_path / "two")
    assert "first:\n- aq/BabyAI-text-v0: Loop" in out
    assert "\n- 1 more environment: see the report\n" in out
    # Where no model played, reading many trajectories would take too long.
    monkeypatch.setattr("aq_gym.cli.commands.run._MOST_READ", 0)
    assert "\n\nIt makes no progress in " in run(capsys, *asked)[1]
