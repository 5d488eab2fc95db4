import json
import random
import shutil

import gymnasium as gym
import pytest

import aq_gym.trajectory
from aq_gym.wrappers import TrajectoryLogger


@pytest.fixture
def logged(room, tmp_path):
    """Give the path of an episode of three steps, begun without a seed."""
    env = TrajectoryLogger(room, tmp_path, name="e")
    env.reset()
    for action in ("x", "take key", "open door"):
        env.step(action)
    return tmp_path / "e.jsonl"


def rewrite(path, change):
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in records:
        # Without checksums, which older files do not have either.
        record.pop("crc", None)
    change(records)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


HEADER_DAMAGE = [
    {"schema": None},
    {"schema": "1"},
    {"schema": True},
    {"schema": -1},
    {"schema": {"$type": "float", "value": "nan"}},
    {"spec": "CartPole-v1"},
    {"spec": [1]},
    {"parent": "e"},
    {"parent": {}},
    {"parent": {"file": "e"}},
    {"parent": {"file": "../e", "step": 1}},
    {"parent": {"file": "e", "step": -1}},
    {"parent": {"file": 3, "step": 1}},
    {"random_state": "PCG64"},
    {"info": None},
    {"kind": ["header"]},
    {"kind": "Header"},
    {"task_id": {"$type": "array"}},
]


@pytest.mark.parametrize("change", HEADER_DAMAGE, ids=str)
def test_damaged_headers_are_named(logged, change):
    rewrite(logged, lambda records: records[0].update(change))
    for function in (aq_gym.trajectory.read, aq_gym.trajectory.replay):
        with pytest.raises(ValueError, match=str(logged)):
            function(logged)


@pytest.mark.parametrize("line", [0, 2, 4])
def test_every_missing_field_is_named(logged, line):
    whole = logged.read_text()
    for name in json.loads(whole.splitlines()[line]).keys() - {"crc"}:
        rewrite(logged, lambda records, name=name: records[line].pop(name))
        with pytest.raises(ValueError, match=f"{logged}.*{name}|header, step or end"):
            aq_gym.trajectory.read(logged)
        logged.write_text(whole)


@pytest.mark.parametrize(
    "change",
    [
        {"spec": {}},
        {"spec": {"id": "test/Room-v0", "additional_wrappers": []}},
        {"spec": {"id": 5, "additional_wrappers": 3}},
        {"random_state": {"bit_generator": "seterr"}},
        {"random_state": {"bit_generator": ["PCG64"]}},
        {"random_state": {"bit_generator": "PCG64"}},
        {"random_state": {}},
        {"parent": {"file": "e", "step": 0}},
        {"seed": 1.5},
        {"seed": -1},
    ],
    ids=str,
)
def test_headers_that_cannot_be_replayed_are_named(logged, change):
    rewrite(logged, lambda records: records[0].update(change))
    aq_gym.trajectory.read(logged)
    with pytest.raises(ValueError, match=str(logged)):
        aq_gym.trajectory.replay(logged)


@pytest.mark.parametrize("action", [5, None, [["x"]], 10**400])
def test_actions_that_the_environment_refuses_are_named(tmp_path, action):
    env = TrajectoryLogger(gym.make("aq/Mastermind-v0"), tmp_path, name="e")
    env.reset(seed=1)
    env.step("Guess: 1234")
    env.close()
    path = tmp_path / "e.jsonl"
    rewrite(path, lambda records: records[1].update(action=action))
    with pytest.raises(ValueError, match=f"{path}: step 1 cannot be replayed") as error:
        aq_gym.trajectory.replay(path)
    assert len(str(error.value)) < 500


def test_files_that_are_each_others_parents(logged):
    other = logged.with_name("o.jsonl")
    shutil.copy(logged, other)
    for path, parent in ((logged, "o"), (other, "e")):
        change = {"parent": {"file": parent, "step": 0}}
        rewrite(path, lambda records, change=change: records[0].update(change))
    with pytest.raises(ValueError, match="names itself as its parent"):
        aq_gym.trajectory.replay(logged)


@pytest.mark.parametrize(
    "change",
    [
        lambda records: records.pop(1),
        lambda records: records.pop(2),
        lambda records: records.insert(2, records.pop(1)),
        lambda records: records.insert(2, records[1]),
        lambda records: records[3].update(t=30),
    ],
)
def test_steps_out_of_order_are_told_and_not_replayed(logged, change):
    rewrite(logged, change)
    read = aq_gym.trajectory.read(logged)
    assert (read.torn, read.in_order, read.complete) == (True, False, False)
    with pytest.raises(ValueError, match="complete: it lacks records, or their order"):
        aq_gym.trajectory.replay(logged)


@pytest.mark.parametrize(
    "text",
    [
        "root:x:0:0\nother:x:1:1\n",
        "one line",
        '"a"\n',
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"kind":"step","t":1,"action":' + "[" * 480 + "]" * 480 + "}\n",
        '{"kind":"header","$type":"opaque","schema":1}',
    ],
    ids=range(7),
)
def test_other_files_are_not_trajectories(tmp_path, text):
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    for function in (aq_gym.trajectory.read, aq_gym.trajectory.replay):
        with pytest.raises(ValueError, match=f"{path} is not a trajectory"):
            function(path)


def test_every_flipped_bit_is_noticed(logged):
    whole = aq_gym.trajectory.read(logged)
    assert whole.complete
    data = logged.read_bytes()
    rng = random.Random(0)
    for place in rng.sample(range(8 * len(data) - 8), 400):
        damaged = bytearray(data)
        damaged[place // 8] ^= 1 << place % 8
        logged.write_bytes(damaged)
        read = aq_gym.trajectory.read(logged)
        assert read.torn
        assert not read.complete


def test_files_without_checksums_are_read(logged):
    whole = aq_gym.trajectory.read(logged)
    rewrite(logged, lambda records: None)
    assert b"crc" not in logged.read_bytes()
    read = aq_gym.trajectory.read(logged)
    assert (read.header, read.steps, read.end) == (whole.header, whole.steps, whole.end)
    assert read.complete


def test_a_record_without_a_checksum_among_others_is_damaged(logged):
    lines = logged.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2][:-19] + b"}\n"
    logged.write_bytes(b"".join(lines))
    read = aq_gym.trajectory.read(logged)
    assert [step["t"] for step in read.steps] == [1, 3]
    assert read.torn


@pytest.mark.parametrize("dtype", ["V2000000000", "<U500000000", "S1000000000"])
def test_items_of_any_size_take_no_memory(logged, dtype):
    bomb = {"$type": "array", "dtype": dtype, "shape": [1], "items": [0]}
    rewrite(logged, lambda records: records[1].update(observation=bomb))
    place = "line 2: 'observation': "
    with pytest.raises(ValueError, match=f"{logged} is .*{place}.*must have its items"):
        aq_gym.trajectory.read(logged)
