"""Every snippet of the README runs as it stands."""

import ast
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from scripted_server import ScriptedServer, answer

from aq_gym.cli import main
from aq_gym.envs.cipher.game import grammar
from aq_gym.envs.gsm8k.templates import templates
from aq_gym.envs.hangman.game import LENGTHS as HANGMAN
from aq_gym.envs.hangman.game import words_of_length
from aq_gym.envs.mmlu.generated import FAMILIES
from aq_gym.envs.tooloperation.logic.worlds import WORLDS as OPERATIONS
from aq_gym.envs.toolquery.logic.worlds import WORLDS as QUERIES
from aq_gym.envs.wordle.game import LENGTHS as WORDLE
from aq_gym.envs.wordle.game import lexicon
from aq_gym.registration import TABLE

ROOT = Path(__file__).parents[2]

README = (ROOT / "README.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("code", blocks("python"))
def test_python_runs(code, tmp_path):
    server = ScriptedServer(answer("Guess: 0764"))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "OPENAI_BASE_URL": server.url},
    )  # fmt: skip
    server.close()
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("sh"))
def test_shell_runs(block, tmp_path):
    """In the order of the block, since later lines use what earlier ones leave."""
    here = os.path.dirname(sys.executable)
    environ = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}"}
    for line in block.splitlines():
        done = subprocess.run(
            line, shell=True, cwd=tmp_path, env=environ,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout


def test_the_two_commands_come_first():
    install, test = blocks("bash")
    assert install.strip().endswith("&& aq-gym demo")
    assert "&& pytest" in test


@pytest.mark.parametrize(
    ("page", "heading", "lines", "count"),
    [
        ("README.md", "in ten lines", 10, 3),
        ("docs/new_benchmark.md", "In fifty", 50, 1),
    ],
)
def test_the_headings_do_not_promise_too_much(page, heading, lines, count):
    sections = (ROOT / page).read_text().split("\n## ")[1:]
    promised = [one for one in sections if heading in one.partition("\n")[0]]
    assert len(promised) == count
    for section in promised:
        code = re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]
        written = [line for line in code.splitlines() if line.strip()]
        assert len(written) <= lines, section.partition("\n")[0]
        ast.parse(code)


def test_the_table_counts_what_there_is():
    hangman = sum(len(words_of_length(length)) for length in HANGMAN)
    wordle = sum(len(lexicon(length).answers) for length in WORDLE)
    for text in (
        f"{sum(not row.family for row in TABLE)} environments",
        f"all {sum(row.family for row in TABLE)} levels",
        f"| {hangman:,} words of",
        f"| {wordle:,} words of",
        f"{grammar().count / 10**9:.1f} * 10^9 sentences",
        f"{sum(len(world.templates) for world in QUERIES.values())} kinds of questions",
        f"{sum(len(world.templates) for world in OPERATIONS.values())} kinds of tasks",
        f"| {len(templates())} original templates",
        f"questions of {len(FAMILIES)} families",
    ):
        assert text in README, text


def test_the_links_of_the_readme_lead_to_files():
    targets = re.findall(r"\]\(([^)]+)\)", README)
    targets += re.findall(r'\bsrc(?:set)?="([^"]+)"', README)
    assert len(targets) > 20
    for target in targets:
        assert (ROOT / target.partition("#")[0]).is_file(), target


@pytest.mark.parametrize("page", ["README.md", "docs/evaluation.md"])
def test_the_tables_are_those_of_the_code(page):
    """Run tools/readme.py where this fails."""
    path = ROOT / "tools" / "readme.py"
    spec = importlib.util.spec_from_file_location("readme_tool", path)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    parts = {"environments": tool.environments(), "suites": tool.suites()}
    text = (ROOT / page).read_text()
    assert tool.written(text, parts) == text
    assert any(part in text for part in parts.values())


@pytest.mark.slow
def test_every_part_of_the_table_is_what_demo_prints(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["demo", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    page = (ROOT / "docs" / "start.md").read_text()
    shown = re.search(r"<!-- demo -->\n```text\n(.*?)\n```", page, re.DOTALL)[1]
    assert set(shown.splitlines()) <= set(printed.splitlines())
