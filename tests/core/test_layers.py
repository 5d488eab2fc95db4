"""Who may import whom. DESIGN: logic <- text <- env, and wrappers know nobody."""

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
# The rooms of aq_gym that a room may import, besides itself. A room that is not here
# may import any but the benchmarks and the command line.
MAY_IMPORT = {
    "selection": FOUNDATION,
    "trajectory": ("support",),
    "zmachine": (),
    "wrappers": ("trajectory",),
    "adapters": (*FOUNDATION, "tools", "trajectory", "zmachine"),
    "models": FOUNDATION,
    "answers": (),
    "tools": FOUNDATION,
    "envs": (*FOUNDATION, "answers", "models", "papers", "tools", "zmachine"),
    "agents": (*FOUNDATION, "models", "tools", "trajectory", "wrappers"),
    "testing": (*FOUNDATION, "registration", "trajectory", "vector", "wrappers"),
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
EVERY_FOLDER_HAS = (
    "__init__.py",
    "README.md",
    "env.py",
    "expert.py",
    "prompt.json",
)
BENCHMARKS = sorted(path.parent.name for path in ENVS.glob("*/__init__.py"))


class Source(NamedTuple):
    """What a file imports, wherever in it and not for types alone, and other names."""

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


def importers(of, exempt):
    """The modules outside of the room ``exempt`` that import the room ``of``."""
    modules = [path for path in MODULES if room(path) != exempt]
    return [path for path in modules if of in set(rooms_imported(path))]


@pytest.mark.parametrize("own", MAY_IMPORT)
def test_a_room_imports_the_rooms_below_it(own):
    allowed = {own, *MAY_IMPORT[own]}
    modules = [path for path in MODULES if room(path) == own]
    assert modules
    for path in modules:
        assert set(rooms_imported(path)) <= allowed, path


def test_benchmarks_are_known_by_id():
    assert not importers(of="envs", exempt="envs")


def test_the_command_line_is_imported_by_nobody():
    assert not importers(of="cli", exempt="cli")


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
    """Rules know no words and no gymnasium; words know no glue."""
    own = f"aq_gym.envs.{benchmark}"
    below_env = {f"{own}.env"}
    below_text = below_env | {f"{own}.text", f"{own}.expert"}
    for path in in_folder("aq_gym", "envs", benchmark):
        parts = path.relative_to(ENVS / benchmark).parts
        names = source(path).imported
        if parts[0] in ("logic.py", "logic"):
            assert not names & below_text, path
            assert not any(name.partition(".")[0] == "gymnasium" for name in names)
        if parts[0] in ("text.py", "expert.py"):
            assert not names & below_env, path


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_every_folder_is_alike(benchmark):
    folder = ENVS / benchmark
    for part in EVERY_FOLDER_HAS:
        assert (folder / part).exists(), part


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_a_protocol_is_chosen_in_one_place(benchmark):
    """An env calls its protocol's methods, and never asks which one it is."""
    tree = ast.parse((ENVS / benchmark / "env.py").read_text())
    compared = [
        ast.unparse(node) for node in ast.walk(tree)
        if isinstance(node, ast.Compare) and "protocol" in ast.unparse(node)
    ]  # fmt: skip
    assert not compared


@pytest.mark.parametrize("name", FOUNDATION)
def test_the_foundation_knows_nothing_above_it(name):
    for path in in_folder("aq_gym", name):
        assert set(rooms_imported(path)) <= {name, *FOUNDATION[1:]}


def test_no_modules_import_each_other():
    """Not even inside of a function, which would hide it."""
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
    """Only the contract's tests, which are below the evaluation, do it themselves."""
    for path in MODULES:
        if room(path) in ("wrappers", "testing") or path.name == "stack.py":
            continue
        wrapping = {"ExtractAction", "RepetitionRate", "TrajectoryLogger"}
        assert not source(path).calls & wrapping, path


def test_the_root_stays_small():
    """What a benchmark's author needs is in core, what serves files in support."""
    assert len(list((ROOT / "aq_gym").glob("*.py"))) <= 8


def test_an_empty_variable_of_the_environment_is_unset():
    """``get(name) or "default"``: the default of ``get`` would leave it empty."""
    kept = re.compile(r'environ\.(get\([^()]+, (?!""\))|setdefault)|\bin os\.environ')
    assert [path for path in MODULES if kept.search(path.read_text("utf-8"))] == []
