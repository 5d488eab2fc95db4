"""``aq-gym publish``: packages for the Environments Hub and for Spaces of OpenEnv."""

import ast
import tomllib

import gymnasium as gym
import pytest

from aq_gym.cli import main
from aq_gym.evaluation import Suite
from aq_gym.integrations.publish import write_package

GAMES = ["aq/Mastermind-v0?code_length=3", "aq/PDDL-v0?domain=gripper"]


def test_a_package_for_the_hub(tmp_path, capsys):
    folder = tmp_path / "my-games"
    command = ["publish", str(folder), "--for", "hub", "--episodes", "3", "--env"]
    assert main([*command, *GAMES]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert sorted(printed) == sorted(str(p) for p in folder.rglob("*") if p.is_file())
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    assert project["name"] == "my-games"
    assert "version" in project
    assert project["dependencies"][0].startswith("aq-gym[verifiers]>=")
    suite = Suite.load(folder / "my_games" / "suite.json")
    assert [task.setting for task in suite.tasks] == [GAMES[0]] * 3 + [GAMES[1]] * 3
    module = ast.parse((folder / "my_games" / "__init__.py").read_text())
    names = {one.name for one in module.body if isinstance(one, ast.FunctionDef)}
    assert names == {"load_environment"}
    assert f"| `{GAMES[1]}` | 3 |" in (folder / "README.md").read_text()


def test_a_suite_for_the_hub(tmp_path):
    write_package(tmp_path / "tasks", "hub", suite="quick")
    written = Suite.load(tmp_path / "tasks" / "tasks" / "suite.json")
    assert written.hash == Suite.load("quick").hash


def test_a_space(tmp_path):
    folder = tmp_path / "space"
    write_package(folder, "space", GAMES, name="my-space")
    assert f"make_space({GAMES!r})" in (folder / "server" / "app.py").read_text()
    ast.parse((folder / "server" / "app.py").read_text())
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"server": "server.app:main"}
    assert "name: my-space\n" in (folder / "openenv.yaml").read_text()
    assert "base_path: /web" in (folder / "README.md").read_text()
    assert '"-m", "server.app"' in (folder / "Dockerfile").read_text()


@pytest.mark.parametrize(
    ("kind", "arguments", "said"),
    [
        ("hub", {"settings": []}, "give environments or"),
        ("hub", {"settings": GAMES, "suite": "quick"}, "give environments or"),
        ("space", {"suite": "quick"}, "give environments or"),
        ("hub", {"settings": ["aq/Nothing-v0"]}, "Nothing"),
        ("hub", {"settings": GAMES, "name": "Two Words"}, "name='Two Words'"),
        ("hub", {"settings": GAMES, "name": 'a"b'}, "lower-case"),
        ("hub", {"settings": GAMES, "name": "aq-gym"}, "name of another module"),
        ("hub", {"settings": GAMES, "name": "json"}, "name of another module"),
        ("hub", {"settings": GAMES, "name": "a" * 101}, "at most 100"),
        ("hub", {"settings": GAMES, "episodes": 0}, "episodes=0 must be at least 1"),
        ("space", {"settings": ["aq/Jericho-v0?games=/home/me"]}, "be published"),
        ("wheel", {"settings": GAMES}, "kind='wheel'"),
    ],
)
def test_wrong_arguments_write_nothing(tmp_path, kind, arguments, said):
    with pytest.raises((ValueError, gym.error.NameNotFound), match=said):
        write_package(tmp_path / "new", kind, **arguments)
    assert not list(tmp_path.iterdir())


def test_files_are_not_overwritten(tmp_path):
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(FileExistsError, match="has files"):
        write_package(tmp_path, "hub", GAMES, name="mine")
    assert (tmp_path / "README.md").read_text() == "mine"
