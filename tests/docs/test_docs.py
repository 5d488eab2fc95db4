"""Every snippet in docs/ runs as it stands; what asks a model asks a scripted one."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from scripted_server import ScriptedServer, answer
from site_pages import GENERATED

import aq_gym.wrappers
from aq_gym.evaluation import Suite

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[2]
PAGES = sorted(
    page
    for page in (ROOT / "docs").rglob("*.md")
    if page.relative_to(ROOT / "docs").parts[0] not in GENERATED
)
SNIPPET = re.compile(r"^```(python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENDPOINT = re.compile(r"http://localhost:\d+/v1")
_NAMED = re.compile(r"`(?:docs|examples|tools|tests|benchmarks)/[\w./]+`")
FILE = re.compile(r"# (\w+\.py)\n")


@pytest.fixture
def shell(tmp_path):
    """Run something in a folder of its own, where our commands and a model are."""
    server = ScriptedServer(answer("Guess: 1234"))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environ = {**os.environ, "PATH": path, "OPENAI_BASE_URL": server.url}

    def run(command, **more):
        if isinstance(command, str):
            command = ENDPOINT.sub(server.url, command)
        done = subprocess.run(
            command, cwd=tmp_path, env=environ, text=True, check=False, timeout=600,
            capture_output=True, **more,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    yield run
    server.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_runs(page, shell, tmp_path):
    """In the order of the page, for later snippets use what earlier ones leave."""
    for language, code in SNIPPET.findall(page.read_text()):
        named = FILE.match(code)
        if language == "sh":
            for line in code.splitlines():
                assert shell(line, shell=True), line
        elif named:
            (tmp_path / named[1]).write_text(code)
        else:
            assert shell([sys.executable, "-W", "error", "-c", code]), code


def test_the_snippets_for_contributors_run(shell):
    text = (ROOT / "CONTRIBUTING.md").read_text()
    snippets = re.findall(r"^( *)```python\n(.*?)^\1```$", text, re.M | re.S)
    assert snippets
    for _, code in snippets:
        shell([sys.executable, "-W", "error", "-c", textwrap.dedent(code)])


def test_every_wrapper_is_documented():
    page = (ROOT / "docs" / "wrappers.md").read_text()
    for name in aq_gym.wrappers.__all__:
        assert f":: aq_gym.wrappers.{name}\n" in page, name


def test_no_page_names_a_page_that_is_not_there():
    for page in PAGES:
        for name in _NAMED.findall(page.read_text()):
            assert (ROOT / name.strip("`")).exists(), name


def rows(page, suite, agents):
    """The lines of the table of a ladder's suite that are about these agents."""
    _, _, made = page.read_text().partition(f"tools/reference_ladder.py: {suite} -->")
    lines = re.findall(r"^\|.*\|$", made.partition("<!-- end -->")[0], re.MULTILINE)
    return [line for line in lines if line.split("|")[2].strip() in agents]


def cells(line):
    """Everything in a row but the benchmark, which stands in a group's first only."""
    return line.split("|")[2:]


@pytest.mark.parametrize("suite", ["ladder", "ladder-tools", "ladder-questions"])
def test_the_ladder_is_what_its_tool_writes(shell, tmp_path, suite):
    """For the agents that take seconds; a model takes an hour."""
    page = tmp_path / "page.md"
    marks = f"<!-- made by tools/reference_ladder.py: {suite} -->\n<!-- end -->\n"
    page.write_text(f"Before\n{marks}After\n")
    agents = ["random", "expert"]
    tool = [sys.executable, ROOT / "tools" / "reference_ladder.py"]
    out = tmp_path / "runs"
    shell([*tool, suite, "--page", page, "--out", out, "--only", *agents])
    made = rows(page, suite, agents)
    assert page.read_text().startswith("Before\n<!-- made by")
    assert page.read_text().endswith("<!-- end -->\nAfter\n")
    settings = {task.setting for task in Suite.load(suite).tasks}
    assert len(made) == len(agents) * len(settings)
    kept = rows(ROOT / "docs" / "reproducing.md", suite, agents)
    assert list(map(cells, kept)) == list(map(cells, made))
    benchmarks = {line.split("|")[1].strip() for line in made} - {""}
    assert len(benchmarks) == len(settings)
