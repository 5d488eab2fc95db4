"""The commands that install the packages of an optional feature."""

import importlib
import re
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest
from gymnasium.error import DependencyNotInstalled

from aq_gym.registration import TABLE, Row
from aq_gym.support.extras import pip_command
from aq_gym.support.process import search_path

ROOT = Path(__file__).parents[2]
SOURCES = {
    path: path.read_text(encoding="utf-8")
    for folder in ("aq_gym", "wrappers", "examples")
    for path in sorted((ROOT / folder).rglob("*.py"))
}


def test_the_command_works_from_an_index_and_in_a_checkout():
    assert pip_command("report") == (
        "pip install 'aq-gym[report]' (in a checkout: pip install '.[report]')"
    )
    assert pip_command() == "pip install 'aq-gym' (in a checkout: pip install '.')"


def test_no_file_beside_a_program_hides_the_standard_library(tmp_path, monkeypatch):
    (tmp_path / "types.py").write_text("raise RuntimeError")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", search_path())
    subprocess.run([sys.executable, "-P", "-c", "import json, sys"], check=True)


def test_every_named_extra_exists():
    config = ConfigParser()
    config.read(ROOT / "setup.cfg")
    known = set(config["options.extras_require"])
    named = {
        extra
        for source in SOURCES.values()
        for extra in re.findall(
            r"(?:pip_command\(|\b(?:load|require)\([^()]*, )[\"'](\w+)[\"']\)", source
        )
    }
    assert {"mcp", "minari", "pictures", "report"} <= named
    assert named | {row.extra for row in TABLE} - {""} <= known


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("inspect_tasks", "inspect_ai", "inspect"),
        ("verifiers_tasks", "verifiers", "verifiers"),
    ],
)
def test_an_adapter_names_the_extra_that_it_misses(module, package, extra, monkeypatch):
    name = f"aq_gym.integrations.{module}"
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(DependencyNotInstalled) as raised:
        importlib.import_module(name)
    assert str(raised.value).startswith(f"{name} needs {package.replace('_', '-')}: ")
    assert str(raised.value).endswith(pip_command(extra))


@pytest.mark.parametrize("extra", ["", "alfworld"])
def test_a_row_names_what_it_misses_and_how_to_install_it(extra):
    row = Row("x/X-v0", "x:X", 1, extra=extra, requires=("json", "surely_missing"))
    assert row.missing() == "surely_missing"
    assert row.hint() == f"needs surely_missing: {pip_command(extra)}"
