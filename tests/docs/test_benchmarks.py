"""The benchmarks run, and their results become tables. No test asserts a time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"


def run(command, warnings="error"):
    script, *arguments = command.split()
    done = subprocess.run(
        [sys.executable, "-W", warnings, BENCHMARKS / script, *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("command", "printed", "times"),
    [
        ("repetition_rate.py --steps 20", "| words |", 5),
        ("long_completions.py --shortest 100", "| Mastermind |", 37),
        (
            "evaluation_speed.py --rounds 1 --processes 1 --episodes 1 "
            "--envs Mastermind BabyAI-text",
            "added by episode at most 40 us",
            1,
        ),
        ("long_runs.py --rounds 1 --episodes 4", "continue at most 2 s", 1),
        ("llm_loop.py --episodes 1 4 --steps 3 --rounds 1", "\n|", 5),
        ("peers.py babyai --rounds 1", "text at most 0.333333 x minigrid", 3),
        ("search_nodes.py --rounds 1", "| BabyAI-text |", 3),
        ("search.py --seeds 1", "| 1 of 1 |", 12),
        ("fuzz.py aq/Mastermind-v0 --texts 5", "5 texts, 0 answered wrongly", 1),
        ("steps.py --rounds 1", "at most 20 us", 18),
        ("experts.py aq/Mystery-v0 --episodes 2", "| 2 of 2 | 100.0% | 19.00 |", 1),
        ("cipher_similarity.py --pairs 9", "two texts: 9 pairs, mean 0.", 1),
        ("intervals.py --repeats 20", "| skewed |", 12),
        ("tool_operation.py --count 2 --sizes 40 --resets 3", "new-project", 1),
        ("progress.py --episodes 1 --only GoToRedBall", "| moves |", 1),
        ("splits.py --resets 3", "target: 0 structures in both: met (0)", 1),
        ("jericho_actions.py --nodes 20 maze", "| maze | ", 2),
        ("jericho_fuzz.py --count 16", "museum {'steps': 2", 1),
    ],
    ids=lambda value: value.split()[0] if isinstance(value, str) else "",
)
def test_it_prints(command, printed, times):
    assert run(command).count(printed) >= times


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        pytest.param(
            command, printed, marks=pytest.mark.needs(f"module:{need}"), id=need
        )
        for need, command, printed in (
            ("pddlgym", "peers.py pddl --rounds 1", "a text step"),
            ("jericho", "jericho_step.py --rounds 1 maze", "at most 1.6 x jericho"),
            ("jinja2", "report_build.py --episodes 30 --steps 3", "30 episodes: "),
            ("jinja2", "server_attacks.py watch --times 2", "| watch | random bytes |"),
            ("textarena", "peers.py mastermind --rounds 1", "aq_gym at most 1 x GEM"),
            ("nltk", "peers.py words --rounds 1", "TextArena, no wrappers"),
            (
                "scienceworld",
                "scienceworld_step.py --rounds 1 --tasks find-plant",
                "package",
            ),
            (
                "scienceworld",
                "scienceworld_expert.py --variations 1 --tasks find-plant",
                "1 of 1 solved",
            ),
        )
    ],
)
def test_it_prints_with_other_packages(command, printed):
    assert printed in run(command, warnings="ignore")


def test_task_ids_are_read_from_a_file(tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("about\npilot\n")
    printed = run(f"experts.py aq/Wordle-v0 --task-ids {words}")
    assert "| 2 of 2 | 100.0% |" in printed


def test_peers_refuses_other_games():
    with pytest.raises(AssertionError, match="chess: choose from mastermind"):
        run("peers.py chess")


def test_a_section_is_replaced(monkeypatch, tmp_path):
    """The other sections of the page stay, and the order is that of the commands."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    import quiet_run

    page = tmp_path / "RESULTS.md"
    page.write_text("# Old\n\n## `b.py`\n\nOld.\n\n## `c.py -n 2`\n\nKept.\n")
    monkeypatch.setattr(quiet_run, "PAGE", page)
    monkeypatch.setattr(quiet_run, "COMMANDS", ("a.py", "b.py", "c.py -n 2"))
    monkeypatch.setattr(quiet_run, "section", lambda command: f"## `{command}`\n\nN.\n")
    monkeypatch.setattr(sys, "argv", ["quiet_run.py", "b.py", "a.py"])
    quiet_run.main()
    written = page.read_text("utf-8").removeprefix(f"{quiet_run.HEAD}\n")
    assert written == "## `a.py`\n\nN.\n\n## `b.py`\n\nN.\n\n## `c.py -n 2`\n\nKept.\n"
