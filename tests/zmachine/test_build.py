"""The committed module is what the sources compile to, and needs nothing of a host."""

import importlib.util
import json
import subprocess
from pathlib import Path

import pytest

from aq_gym.zmachine.sandbox import compiled_module
from zmachine.compiled import path_of, play


@pytest.fixture(scope="session")
def builder(root):
    """The build script, as a module."""
    path = root / "tools" / "build_zmachine.py"
    spec = importlib.util.spec_from_file_location("build_zmachine", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.needs("module:ziglang")
def test_the_module_is_the_sources(builder, tmp_path):
    target = tmp_path / "zmachine.wasm"
    builder.build(target)
    assert target.read_bytes() == builder.MODULE.read_bytes()


def test_the_module_imports_nothing():
    _, module = compiled_module()
    assert module.imports == []
    exports = {export.name: export.type for export in module.exports}
    calls = {"exchange_address", "load", "start", "step", "check"}
    assert set(exports) == calls | {"memory"}
    limits = exports["memory"].limits
    assert limits.min == limits.max
    assert limits.min * 0x10000 < 1024 * 1024


@pytest.mark.needs("node")
def test_a_host_in_javascript_plays_alike(builder):
    host = Path(__file__).with_name("host.mjs")
    lines = ["Lamp, CAT", "s", "f", "u", "k", "\x81", "Ä"]
    command = ["node", host, builder.MODULE, path_of("reader", 5), *lines]
    done = subprocess.run(command, capture_output=True, check=True, timeout=600)
    interpreter, opening = play("reader", 5, seed=7)
    answers = [opening, *(interpreter.step(line) for line in lines)]
    ours = [[answer.text, answer.status] for answer in answers]
    assert json.loads(done.stdout) == ours
