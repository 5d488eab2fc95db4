"""A benchmark of another package, made of the files that the documentation lists."""

import json
import os
import re
import subprocess
import sys

import pytest

ID = "higherlower/HigherLower-v0"
METADATA = "Metadata-Version: 2.1\nName: aq-higher-lower\nVersion: 0.1\n"
ENTRY_POINT = "[aq_gym.benchmarks]\nhigher_lower = aq_higher_lower\n"


@pytest.fixture(scope="module")
def installed(root, tmp_path_factory):
    """The environment variables of a process in which the package is installed."""
    site = tmp_path_factory.mktemp("site")
    info = site / "aq_higher_lower-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA)
    (info / "entry_points.txt").write_text(ENTRY_POINT)
    (site / "aq_higher_lower").symlink_to(
        root / "examples" / "own_package" / "aq_higher_lower"
    )
    path = os.pathsep.join((str(site), str(root), str(root / "tools")))
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture
def cli(installed, tmp_path):
    """Run a command of the command line; return its output."""

    def cli(*arguments, program=("-m", "aq_gym")):
        done = subprocess.run(
            [sys.executable, *program, *map(str, arguments)],
            cwd=tmp_path,
            env=installed,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return cli


@pytest.mark.slow
def test_the_command_line_finds_it(cli, tmp_path):
    assert ID in cli("list")
    assert "each answer is higher or lower" in cli("list", ID)
    out = tmp_path / "run"
    cli("run", "--env", ID, "--agent", "expert", "--episodes", 2, "--out", out)
    summary = json.loads((out / "summary.json").read_text())
    assert summary["overall"]["metrics"]["success rate"]["value"] == 1.0
    assert summary["subskills"]["planning"] == 1.0
    file = next((out / "trajectories").iterdir())
    assert "identical" in cli("replay", file)
    demos = tmp_path / "demos.jsonl"
    cli("demonstrations", "--env", ID, "--episodes", 2, "--out", demos)
    assert demos.stat().st_size > 100


TABLES = """
import aq_higher_lower
from aq_gym import registration
registration.TABLE = registration.rows()
import environment_pages, full_suite, readme
from aq_gym.testing import check_contract, expectations_of
from aq_gym.testing.shown import check_prompt
from aq_gym.testing import Case
row = aq_higher_lower.ROW
assert row.id in readme.environments()
assert {"id": row.id, "kwargs": {"split": "test"}, "seeds": list(range(10))} in list(
    full_suite._full()
)
assert "Higher or lower" in environment_pages.environments()
assert "Arguments" in environment_pages.environment(row)
assert expectations_of(row.id) == row.expectations
check_prompt(Case(row.id))
"""


@pytest.mark.slow
def test_tables_suite_and_pages_follow_its_row(cli):
    cli(program=("-c", TABLES))


@pytest.mark.slow
def test_its_own_tests_pass(cli, root):
    tests = root / "examples" / "own_package" / "tests"
    options = ("-q", "-p", "no:cacheprovider", "-k", "state or expert or understands")
    cli(*options, tests, program=("-m", "pytest"))


def test_an_id_of_another_package_cannot_take_the_name_of_ours():
    from aq_gym.registration import Row, register

    with pytest.raises(ValueError, match="namespace aq/"):
        register(Row("aq/Mine-v0", "mine:Env", 5))


def test_nothing_else_lists_benchmarks(root):
    """No other module of the package or the tools has more than three ids."""
    ids = re.compile(r"[\"\'](aq/[A-Za-z0-9]+-v0)[\"\']")
    for folder in ("tools", "aq_gym", "wrappers"):
        for path in (root / folder).rglob("*.py"):
            found = set(ids.findall(path.read_text("utf-8")))
            assert len(found) < 4 or path.name == "registration.py", (path, found)
