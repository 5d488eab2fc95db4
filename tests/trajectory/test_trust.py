import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import gymnasium as gym
import pytest
from gymnasium.envs.registration import WrapperSpec, load_env_creator

import aq_gym.trajectory
from aq_gym.core import TextEnv
from aq_gym.evaluation import Suite, packaged_suites
from aq_gym.trajectory.jsonl import dumps, with_checksum
from aq_gym.wrappers import RepetitionRate, SubgoalProgress, TrajectoryLogger


@pytest.fixture
def logged(tmp_path, play):
    """Give a function (env, change the spec) -> the path of its one episode."""

    def log(env, change=lambda spec: None):
        env = TrajectoryLogger(env, tmp_path, name="e")
        play(env, n=3)
        env.close()
        path = tmp_path / "e.jsonl"
        header, *steps = path.read_text().splitlines(keepends=True)
        header = json.loads(header)
        del header["crc"]
        change(header["spec"])
        first = with_checksum(dumps(header)).decode()
        path.write_text(f"{first}\n" + "".join(steps))
        return path

    return log


def wrapper(entry_point, **kwargs):
    return {"name": "x", "entry_point": entry_point, "kwargs": kwargs}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"entry_point": "os:system"}, "os:system"),
        ({"entry_point": "aq_gym.wrappers:StepCap"}, "aq_gym.wrappers:StepCap"),
        ({"id": "test/Other-v0"}, "'test/Other-v0'"),
        ({"id": "antigravity:test/Room-v0"}, "antigravity"),
        ({"kwargs": {"engine": ["os:system"]}}, "os:system"),
        ({"kwargs": {"deep": {"env": "antigravity:Room-v0"}}}, "antigravity:Room"),
    ],
)
def test_only_registered_environments(room, logged, change, found):
    path = logged(room, lambda spec: spec.update(change))
    with pytest.raises(ValueError, match=f"{path}.*{found}.*trust=True"):
        aq_gym.trajectory.replay(path)
    assert "antigravity" not in sys.modules
    assert aq_gym.trajectory.replay(path, room).identical


@pytest.mark.parametrize(
    "recorded",
    [
        wrapper("os:system"),
        wrapper("aq_gym.wrappers_of_mine:W"),
        wrapper("aq_gym.trajectory.replay:os", path="x"),
        wrapper("aq_gym.trajectory.replay:replay", path="x", trust=True),
        wrapper("aq_gym.wrappers.step_cap:TimeLimit.x", max_steps=3),
        wrapper("aq_gym.wrappers.no_such_module:W"),
        wrapper("aq_gym.wrappers.subgoal_progress:resolve", argument="x"),
        wrapper("aq_gym.wrappers"),
        wrapper(
            "gymnasium.wrappers.stateful_observation:FrameStackObservation",
            stack_size=10**9,
        ),
        wrapper("aq_gym.wrappers.admissible_actions:AdmissibleActions", n=10**9),
        wrapper(
            "aq_gym.wrappers.trajectory_logger:TrajectoryLogger", directory="written"
        ),
        wrapper("gymnasium.wrappers.rendering:RecordVideo", video_folder="written"),
        wrapper(
            "aq_gym.wrappers.repetition_rate:RepetitionRate",
            similarity="aq_gym.trajectory.replay:os.system",
        ),
        wrapper(
            "aq_gym.wrappers.subgoal_progress:SubgoalProgress",
            subgoals={"a": {"function": "os:system"}},
        ),
    ],
    ids=str,
)
def test_only_known_wrappers_without_functions(room, logged, recorded):
    path = logged(room, lambda spec: spec["additional_wrappers"].append(recorded))
    with pytest.raises(ValueError, match=r"trust=True"):
        aq_gym.trajectory.replay(path)


@pytest.mark.parametrize(
    ("env_id", "kwargs"),
    [
        ("aq/Mastermind-v0", {"code_length": 5, "symbols": "abcde", "explain": False}),
        ("aq/Sudoku-v0", {"box": 2, "instructions": False}),
        ("aq/BabyAI-text-GoToObj-v0", {"size": 2}),
        ("aq/Cipher-v0", {"cipher": "caesar", "split": "test"}),
        ("aq/Jericho-v0", {"game": "maze", "max_score": 7}),
        ("aq/2048-v0", {"goal": 128, "split": "test"}),
        ("aq/Hangman-v0", {"length": 5, "difficulty": "hard", "split": "test"}),
        ("FrozenLake-v1", {"map_name": "8x8", "is_slippery": False}),
    ],
)
def test_plain_arguments_are_trusted(logged, env_id, kwargs):
    path = logged(gym.make(env_id, **kwargs))
    assert aq_gym.trajectory.replay(path).identical


@pytest.mark.parametrize(
    ("env_id", "kwargs"),
    [
        ("aq/BabyAI-text-v0", {"patterns": ["(a+)+b"]}),
        ("aq/Jericho-v0", {"game": "story.z5"}),
        ("aq/Jericho-v0", {"game": "zork1", "games": "here"}),
        ("aq/Jericho-v0", {"game": ["maze"]}),
        ("test/New-v0", {"n": 3}),
        ("test/Room-v0", {"level": "levels/one.txt"}),
        ("test/Room-v0", {"level": ["here"]}),
    ],
)
def test_other_arguments_are_not(
    logged, room, env_id, kwargs, tmp_path, monkeypatch, request
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    gym.register("test/New-v0", "toy_envs:LampsEnv")
    request.addfinalizer(lambda: gym.registry.pop("test/New-v0"))
    entry_point = gym.spec(env_id).entry_point
    change = {"id": env_id, "entry_point": entry_point, "kwargs": kwargs}
    path = logged(room, lambda spec: spec.update(change))
    with pytest.raises(ValueError, match=r"is not trusted.*trust=True"):
        aq_gym.trajectory.replay(path)


def test_known_wrappers_are_made(room, logged):
    env = gym.wrappers.TimeLimit(SubgoalProgress(room, {"key": "Taken: (a|b)?"}), 9)
    path = logged(RepetitionRate(env, similarity="token_set", threshold=0.5))
    assert aq_gym.trajectory.replay(path).identical


def test_trusted_files_may_name_any_code(room, logged):
    env = SubgoalProgress(room, {"out": {"function": "foreign_envs:left"}})
    path = logged(env)
    with pytest.raises(ValueError, match="foreign_envs:left"):
        aq_gym.trajectory.replay(path)
    assert aq_gym.trajectory.replay(path, trust=True).identical


def test_what_the_registry_names_is_trusted(logged):
    goals = {"out": {"function": "foreign_envs:left"}}
    gym.register(
        "test/Progress-v0",
        "foreign_envs:Room",
        kwargs={},
        additional_wrappers=(
            WrapperSpec(
                "SubgoalProgress",
                "aq_gym.wrappers.subgoal_progress:SubgoalProgress",
                {"subgoals": goals, "keys": None},
            ),
        ),
    )
    try:
        path = logged(gym.make("test/Progress-v0"))
        assert aq_gym.trajectory.replay(path).identical
    finally:
        del gym.registry["test/Progress-v0"]


@pytest.mark.parametrize(
    ("env_id", "argument", "value", "plain"),
    [
        ("aq/ALFWorld-v0", "task_type", None, True),
        ("aq/ALFWorld-v0", "game", 3, True),
        ("aq/ALFWorld-v0", "game", "a.json", False),
        ("aq/ALFWorld-v0", "anything_new", 1, False),
        ("aq/GAIA-v0", "tools", "os:system", False),
        ("aq/GAIA-v0", "data_dir", "/tmp", False),
        ("aq/GAIA-v0", "problem", "x", True),
        ("aq/GAIA-v0", "level", 1, True),
        ("aq/GAIA-v0", "files", "none", True),
        ("aq/GAIA-v0", "split", "example", True),
        ("aq/PDDL-v0", "domain", "ferry", True),
        ("aq/PDDL-v0", "problem", 3, True),
        ("aq/PDDL-v0", "domain_file", "(define (domain d))", True),
        ("aq/PDDL-v0", "problem_file", "; a comment\n(", True),
        ("aq/PDDL-v0", "domain_file", "/etc/passwd", False),
        ("aq/PDDL-v0", "explain", True, True),
    ],
)
def test_paths_and_code_are_not_plain(env_id, argument, value, plain):
    creator = load_env_creator(gym.spec(env_id).entry_point)
    assert creator.is_plain_argument(argument, value) is plain


def test_the_arguments_of_the_packaged_suites_are_plain():
    for name in packaged_suites():
        for task in Suite.load(name).tasks:
            creator = load_env_creator(gym.spec(task.id).entry_point)
            for argument, value in task.kwargs.items():
                assert creator.is_plain_argument(argument, value), (name, argument)


class Typed(TextEnv):
    """An environment with annotated arguments."""

    def __init__(
        self,
        size: int = 3,
        mode: Literal["slow", "fast"] = "slow",
        bounds: tuple[int, int] | None = None,
        file: str = "",
        weights: Sequence[float] = (),
        anything: Any = None,
    ) -> None: ...


@pytest.mark.parametrize(
    ("argument", "value", "plain"),
    [
        ("size", 4, True),
        ("size", "os:system", False),
        ("size", True, False),
        ("mode", "fast", True),
        ("mode", "os:system", False),
        ("bounds", [1, 2], True),
        ("bounds", [1, "/etc"], False),
        ("file", "x", False),
        ("weights", [0.5, 1], True),
        ("anything", 3, False),
        ("other", 3, False),
    ],
)
def test_annotated_numbers_and_choices_are_plain(argument, value, plain):
    assert Typed.is_plain_argument(argument, value) is plain


@pytest.mark.slow
def test_the_command_names_its_own_flags(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_room.py").write_text(
        "import gymnasium as gym\n"
        "from aq_gym.envs.mastermind.env import MastermindEnv\n"
        "class Own(MastermindEnv):\n"
        "    def __init__(self, style: str = '', **shared):\n"
        "        self.style = style\n"
        "        super().__init__(**shared)\n"
        "gym.register('own/Room-v0', 'own_room:Own', max_episode_steps=3)\n"
    )
    command = [sys.executable, "-m", "aq_gym"]

    def aq(*arguments):
        done = subprocess.run(
            [*command, *arguments], text=True, capture_output=True, check=False
        )
        return done.returncode, done.stdout, done.stderr

    env = ["--env", "own/Room-v0?style=plain", "--env-module", "own_room"]
    assert aq("run", *env, "--episodes", "1", "--out", "run")[0] == 0
    (file,) = Path("run", "trajectories").iterdir()
    listed = aq("list", "--env-module", "own_room")
    assert listed[0] == 0 and "own/Room-v0" in listed[1]
    export = ["export", "run", "--out", "chat.jsonl"]
    for arguments in (["replay", str(file)], export):
        code, _, err = aq(*arguments)
        assert code == 1 and "--env-module or" in err and "--trust\n" in err
        code, _, err = aq(*arguments, "--env-module", "own_room")
        assert code == 1 and "'plain'" in err and "give --trust\n" in err
        assert "trust=True" not in err
        code, _, err = aq(*arguments, "--env-module", "own_room", "--trust")
        assert code == 0, err
