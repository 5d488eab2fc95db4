"""Which room and which module may import which."""

import ast
import functools
import re
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
ENVS = ROOT / "aq_gym" / "envs"
WRAPPERS_MAY = {"numpy", "gymnasium", "rapidfuzz"}
FOUNDATION = ("core", "support")
# The rooms of aq_gym that a room may import, besides itself. Other rooms may import all
# but the benchmarks and the command line.
MAY_IMPORT = {
    "core": ("answers", "support"),
    "support": (),
    "selection": FOUNDATION,
    "trajectory": ("support",),
    "server": ("support",),
    "zmachine": (),
    "wrappers": ("support", "trajectory"),
    "adapters": (*FOUNDATION, "tools", "trajectory", "zmachine"),
    "models": FOUNDATION,
    "answers": (),
    "tools": (*FOUNDATION, "answers"),
    "envs": (*FOUNDATION, "answers", "models", "papers", "tools", "zmachine"),
    "agents": (*FOUNDATION, "models", "tools", "trajectory", "wrappers"),
    "testing": (*FOUNDATION, "agents", "registration", "trajectory", "wrappers"),
    "ratings": (*FOUNDATION, "evaluation", "models", "trajectory"),
    "evaluation": (
        *FOUNDATION,
        "_version",
        "agents",
        "models",
        "papers",
        "registration",
        "trajectory",
        "wrappers",
    ),
}
MODULES = sorted(
    path
    for top in (ROOT / "aq_gym", ROOT / "wrappers")
    for path in top.rglob("*.py")
    if "aq_gym/wrappers" not in path.as_posix()
)
BENCHMARKS = sorted(path.parent.name for path in ENVS.glob("*/env.py"))
# The modules of a benchmark that have no words, and those that do not import the env.
RULES = {"logic", "game", "world", "rules"}
BELOW_ENV = {"agentboard", "agentquest", "expert", "picture", "protocol", "text"}


class Source(NamedTuple):
    """The imports of a file, those that are not only for types, and other names."""

    imported: frozenset[str]
    imported_to_run: frozenset[str]
    calls: frozenset[str]
    attributes: frozenset[str]


@functools.cache
def source(path):
    """Read a file once; its tree, which is large, is not kept."""
    tree = ast.parse(path.read_text())
    guards = [node for node in tree.body if isinstance(node, ast.If)]
    hidden = {id(node) for guard in guards for node in ast.walk(guard)}
    imports, to_run, calls, attributes = set(), set(), set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias.name for alias in node.names}
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path} has a relative import"
                names = {node.module, *(f"{node.module}.{name}" for name in names)}
            imports |= names
            if id(node) not in hidden:
                to_run |= names
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls.add(node.func.id)
        elif isinstance(node, ast.Attribute):
            attributes.add(node.attr)
    return Source(*map(frozenset, (imports, to_run, calls, attributes)))


def in_folder(*parts):
    folder = ROOT.joinpath(*parts)
    return [path for path in MODULES if folder in path.parents]


def room(path):
    """The first part of a module's name below aq_gym."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[0] if parts[0] == "wrappers" else parts[1]


def rooms_imported(path):
    """The rooms of aq_gym, or names of its ``__init__``, that a file imports."""
    for name in source(path).imported:
        if name.startswith("aq_gym."):
            yield name.split(".")[1]


@pytest.mark.parametrize("own", MAY_IMPORT)
def test_a_room_imports_the_rooms_below_it(own):
    allowed = {own, *MAY_IMPORT[own]}
    modules = [path for path in MODULES if room(path) == own]
    assert modules
    for path in modules:
        assert set(rooms_imported(path)) <= allowed, path


@pytest.mark.parametrize("name", ["agentboard.py", "agentquest.py"])
def test_what_reads_a_papers_checkout_is_below_the_benchmarks(name):
    """The other modules of papers are above the evaluation and the report."""
    path = ROOT / "aq_gym" / "papers" / name
    assert set(rooms_imported(path)) <= {*FOUNDATION, "papers"}


@pytest.mark.parametrize("own", ["envs", "cli"])
def test_nobody_imports_the_benchmarks_or_the_command_line(own):
    modules = [path for path in MODULES if room(path) not in (own, "__main__")]
    assert not [path for path in modules if own in set(rooms_imported(path))]


@pytest.mark.parametrize("path", in_folder("wrappers"), ids=lambda path: path.name)
def test_wrappers_know_nobody(path):
    for name in source(path).imported:
        top = name.partition(".")[0]
        known = top in sys.stdlib_module_names or top in WRAPPERS_MAY
        assert known or top == "aq_gym", name
    assert "unwrapped" not in source(path).attributes


def test_nobody_imports_the_top_level_folder():
    for path in MODULES:
        tops = {name.partition(".")[0] for name in source(path).imported}
        assert "wrappers" not in tops


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_benchmarks_do_not_import_each_other(benchmark):
    own = f"aq_gym.envs.{benchmark}"
    for path in in_folder("aq_gym", "envs", benchmark):
        for name in source(path).imported:
            inside = name == own or name.startswith(f"{own}.")
            assert inside or not name.startswith("aq_gym.envs."), path


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_benchmark_layers(benchmark):
    """Rules import no words and no Gymnasium; modules below an env do not import it."""
    own = f"aq_gym.envs.{benchmark}"
    above_rules = {f"{own}.{name}" for name in BELOW_ENV}
    for path in in_folder("aq_gym", "envs", benchmark):
        part = path.relative_to(ENVS / benchmark).with_suffix("").parts[0]
        names = source(path).imported
        if part in RULES | BELOW_ENV:
            assert f"{own}.env" not in names, path
        if part in RULES:
            assert not names & above_rules, path
            assert not any(name.partition(".")[0] == "gymnasium" for name in names)


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_an_env_does_not_ask_its_protocol(benchmark):
    """Its dict ``PROTOCOLS`` chooses one, whose methods it calls."""
    asks = re.compile(
        r"\b(?:if|elif|while|assert|match)\b[^:\n#(]*\bprotocol\b(?! *\.)"
    )
    assert not asks.findall((ENVS / benchmark / "env.py").read_text())
    for path in in_folder("aq_gym", "envs", benchmark):
        assert path.stem == "env" or "PROTOCOLS" not in path.read_text(), path


def test_no_modules_import_each_other():
    """Imports inside functions count too."""
    names = {module_name(path): path for path in MODULES if path.stem != "__init__"}
    known = {
        name: {other for other in source(path).imported_to_run if other in names}
        for name, path in names.items()
    }
    TopologicalSorter(known).prepare()


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "aq_gym" else ("aq_gym", *parts))


def test_one_function_wraps_environments_for_an_evaluation():
    """Only the checks of the contract, which are below the evaluation, do it too."""
    for path in MODULES:
        if room(path) in ("wrappers", "testing") or path.name == "task.py":
            continue
        wrapping = {"ExtractAction", "RepetitionRate", "TrajectoryLogger"}
        assert not source(path).calls & wrapping, path


def test_an_empty_variable_of_the_environment_is_unset():
    """``get(name) or "default"``: the default of ``get`` would leave it empty."""
    kept = re.compile(r'environ\.(get\([^()]+, (?!""\))|setdefault)|\bin os\.environ')
    assert [path for path in MODULES if kept.search(path.read_text("utf-8"))] == []
