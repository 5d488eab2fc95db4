"""Hostile files, for every benchmark that reads a user's files."""

import ast
import json
import os
import re
from pathlib import Path

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401  registers the ids
from aq_gym.papers.agentboard import annotated

GRAPHS = {"PaperNet": {}, "AuthorNet": {}}
SECRET = "the-secret-of-another-file"


def started(env_id, **kwargs):
    env = gym.make(env_id, **kwargs)
    env.reset(seed=0)


def tool_query(folder):
    started("aq/ToolQuery-v0", world="academia", protocol="agentboard", data_dir=folder)


def tool_operation(world):
    def start(folder):
        kwargs = {"world": world, "protocol": "agentboard", "data_dir": folder}
        started("aq/ToolOperation-v0", **kwargs)

    return start


def planning(folder):
    started("aq/PDDL-v0", domain="agentboard:gripper", data_dir=folder)


def web_shop(folder):
    started("aq/WebShop-v0", data_dir=folder)


def agentboard_shop(folder):
    started("aq/WebShop-v0", data_dir=folder, goals="agentboard")


def household(folder):
    started("aq/ALFWorld-v0", split="valid_seen")


PRODUCT = {"asin": "B000000001", "name": "oak spoon", "pricing": "$4.99"}
SHOP = {
    "items_shuffle_1000.json": json.dumps([PRODUCT]),
    "items_ins_v2_1000.json": "{}",
    "items_human_ins_1000.json": "{}",
}
# For each reader: the hostile file, the files that are read before it, and a function
# that starts an environment with the folder.
FOLDERS = {
    "gsm8k": (
        "test.jsonl",
        {},
        lambda f: started("aq/GSM8K-v0", data_dir=f, split="test"),
    ),
    "mmlu csv": (
        "test/anatomy_test.csv",
        {},
        lambda f: started("aq/MMLU-v0", data_dir=f, split="test", subject="anatomy"),
    ),
    "mmlu parquet": (
        "anatomy/test-0.parquet",
        {},
        lambda f: started("aq/MMLU-v0", data_dir=f, split="test", subject="anatomy"),
    ),
    "gaia": (
        "2023/validation/metadata.jsonl",
        {},
        lambda f: started("aq/GAIA-v0", data_dir=f, split="validation"),
    ),
    "agentboard": (
        "data/scienceworld/test.jsonl",
        {},
        lambda f: annotated("scienceworld", f),
    ),
    "toolquery graphs": ("academia/graphs.json", {}, tool_query),
    "toolquery questions": (
        "test.jsonl",
        {"academia/graphs.json": json.dumps(GRAPHS)},
        tool_query,
    ),
    "todo tasks": ("todo.jsonl", {"projects.json": "{}"}, tool_operation("todo")),
    "todo list": ("projects.json", {"todo.jsonl": "{}"}, tool_operation("todo")),
    "workbook": ("book.xlsx", {"sheet.jsonl": "{}"}, tool_operation("sheet")),
    "webshop products": ("items_shuffle_1000.json", SHOP, web_shop),
    "webshop attributes": ("items_ins_v2_1000.json", SHOP, web_shop),
    "webshop goals": ("items_human_ins_1000.json", SHOP, web_shop),
    "agentboard's goals": ("test.jsonl", SHOP, agentboard_shop),
    "pddl domain": ("gripper.pddl", {"gripper/p.pddl": "()"}, planning),
    "pddl problem": (
        "gripper/p.pddl",
        {"gripper.pddl": "(define (domain d) (:predicates (p)))"},
        planning,
    ),
    "alfworld": (
        "valid_seen/look_at_obj_in_light-A-None-B-1/trial/game.tw-pddl",
        {},
        household,
    ),
}
OUTSIDE = json.dumps(SECRET)
ATTACKS = {
    "a link to another file": lambda path, outside: path.symlink_to(outside),
    "a relative link": lambda path, outside: path.symlink_to(
        os.path.relpath(outside, path.parent)
    ),
    "a link to a device without an end": lambda path, _: path.symlink_to("/dev/zero"),
    "a pipe without a writer": lambda path, _: os.mkfifo(path),
    "a folder": lambda path, _: path.mkdir(),
    "nothing": lambda path, _: path.touch(),
    "a pickle that would run": lambda path, _: path.write_bytes(
        b"cposix\nsystem\n(S'touch ran'\ntR."
    ),
    "not UTF-8": lambda path, _: path.write_bytes(b"\xff\xfe\xff" * 99),
    "deep JSON": lambda path, _: path.write_text("[" * 100_000),
    "deep objects": lambda path, _: path.write_text('{"a":' * 100_000),
    "long numbers": lambda path, _: path.write_text("9" * 5_000),
    "another value": lambda path, _: path.write_text("[null]"),
}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("reader", FOLDERS)
def test_a_folder_that_attacks_is_refused(reader, attack, tmp_path, monkeypatch):
    """A documented error names the file and shows nothing of other files."""
    name, others, start = FOLDERS[reader]
    folder = tmp_path / "data"
    outside = tmp_path / "outside"
    outside.write_text(OUTSIDE)
    for other, text in others.items():
        (folder / other).parent.mkdir(parents=True, exist_ok=True)
        (folder / other).write_text(text)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    ATTACKS[attack](path, outside)
    monkeypatch.setenv("ALFWORLD_DATA", str(folder))
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ValueError, FileNotFoundError)) as error:
        start(str(folder))
    said = str(error.value)
    assert SECRET not in said
    assert path.stem in said or str(folder) in said or attack == "nothing"
    assert len(said) < 2_000
    if "link to another" in attack or "relative" in attack:
        assert "link that leads out of" in said
    assert sorted(os.listdir(tmp_path)) == ["data", "outside"]


# Only modules that match are parsed, which saves time.
_SUSPECT = re.compile(
    r"(?<![.\w])(eval|exec|compile|__import__)\(|pickle|marshal|shelve|dill|joblib|yaml"
)


def modules_of_readers(root):
    for top in ("envs", "support", "answers", "tools"):
        yield from (root / "aq_gym" / top).rglob("*.py")


def test_no_reader_evaluates_or_unpickles(root):
    """There is no such call or import; numpy loads pickles only on request."""
    forbidden = {"eval", "exec", "compile", "__import__"}
    modules = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "yaml"}
    for path in modules_of_readers(root):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if _SUSPECT.search(text) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in forbidden, f"{path}:{node.lineno}"
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                assert ast.unparse(node.value) == "False", f"{path}:{node.lineno}"
            named = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            roots = {name.partition(".")[0] for name in named}
            assert not roots & modules, f"{path}:{node.lineno}"


SINGLE = {
    "puzzles": lambda path: started(
        "aq/Mystery-v0", puzzles=str(path), judge_model="m"
    ),
    "domain_file": lambda path: started(
        "aq/PDDL-v0", domain_file=str(path), problem_file=str(path)
    ),
    "alfworld game": lambda path: started("aq/ALFWorld-v0", game=str(path)),
    "story": lambda path: started("aq/Jericho-v0", game=str(path)),
}


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "attack", ["a link to a device without an end", "a pipe without a writer",
               "a folder", "a pickle that would run", "deep JSON"],
)  # fmt: skip
@pytest.mark.parametrize("reader", SINGLE)
def test_a_file_that_attacks_is_refused(reader, attack, tmp_path):
    path = Path(tmp_path, "a.json")
    ATTACKS[attack](path, None)
    with pytest.raises((ValueError, FileNotFoundError)) as error:
        SINGLE[reader](path)
    assert len(str(error.value)) < 2_000
