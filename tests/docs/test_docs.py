"""Every snippet of the README and the pages runs; a scripted model answers."""

import configparser
import importlib.util
import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from environment_pages import worlds
from pictures import ladder, shown_report, strip
from scripted_server import ScriptedServer, answer
from site_pages import GENERATED

import aq_gym.wrappers
from aq_gym.evaluation.ladder import ladder_rows
from aq_gym.registration import TABLE
from aq_gym.report.ranking import plain

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


@pytest.mark.slow
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


@pytest.mark.slow
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


README = (ROOT / "README.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "shown"),
    re.findall(
        r"^```python\n(.*?)^```\n(?:\n[^`]*?prints:\n\n```text\n(.*?)^```$)?",
        README,
        re.M | re.S,
    ),
)
def test_python_runs_and_prints_what_is_shown(code, shown, shell):
    assert shell([sys.executable, "-W", "error", "-c", code]).endswith(shown or "\n")


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("sh"))
def test_shell_runs(block, shell):
    """In the order of the block, since later lines use what earlier ones leave."""
    for line in block.splitlines():
        assert shell(line, shell=True), line


def test_the_links_of_the_readme_lead_to_files():
    targets = re.findall(r"\]\(([^)]+)\)", README)
    targets += re.findall(r'\bsrc(?:set)?="([^"]+)"', README)
    assert len(targets) > 20
    for target in targets:
        assert (ROOT / target.partition("#")[0]).is_file(), target


def test_the_pictures_of_the_readme_show_their_data():
    """Run tools/pictures.py where this fails."""
    picture = (ROOT / "docs" / "pictures" / "ladder.svg").read_text()
    rates = [
        [plain(row.env), row.rung, *row.estimates["progress rate"]]
        for row in ladder_rows()
    ]
    shown = [one for one in rates if [r[1] for r in rates].count(one[1]) > 9]
    assert json.dumps(shown) in picture and "prefers-color-scheme" in picture
    assert picture == ladder()
    # Each rate has a bar and its ground, but those of the agent that does nothing.
    assert picture.count(' height="14"') == 2 * (len(shown) - 19)
    assert (ROOT / "docs" / "pictures" / "strip.svg").read_text() == strip()
    for file, picture in worlds().items():
        assert (ROOT / "docs/pictures/worlds" / file).read_text() == picture


def test_the_report_that_the_readme_shows_says_what_the_readme_says(tmp_path):
    """Run tools/pictures.py where this fails."""
    page = re.sub(r"(<[^>]+>|\s)+", " ", shown_report(tmp_path).read_text())
    for said in (" random 0.60 ", " 1 of 20 ", "Loops in 16 "):
        assert said in page


def test_every_extra_is_named_where_it_is_needed():
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    page = (ROOT / "docs" / "start.md").read_text()
    assert [
        one for one in setup["options.extras_require"] if f"`{one}`" not in page
    ] == []
    needed = [row for row in TABLE if row.extra]
    assert needed
    assert all(f"`{row.extra}`" in row.instances for row in needed)


@pytest.fixture(scope="module")
def readme_tool():
    path = ROOT / "tools" / "readme.py"
    spec = importlib.util.spec_from_file_location("readme_tool", path)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


@pytest.mark.parametrize("page", ["README.md", "docs/evaluation.md"])
def test_the_tables_are_those_of_the_code(page, readme_tool):
    """Run tools/readme.py where this fails."""
    tool = readme_tool
    parts = {"environments": tool.environments(), "suites": tool.suites()}
    text = (ROOT / page).read_text()
    assert tool.written(text, parts) == text
    assert any(part in text for part in parts.values())


def test_an_environments_readme_shows_a_step_of_its_example(readme_tool):
    """Run tools/readme.py where this fails."""
    for page, shown in readme_tool.readmes().items():
        assert (
            f"<!-- example -->\n{shown}<!-- /example -->\n" in (ROOT / page).read_text()
        ), page
