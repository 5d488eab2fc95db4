"""PackResult trajectories: read as before to the byte, and never lost."""

import errno
import json
import os
import shutil
import zlib
from pathlib import Path

import pytest
from backports import zstd

from aq_gym import trajectory
from aq_gym.cli.main import main
from aq_gym.evaluation import Suite, Task, compact, load_run, run, uncompact
from aq_gym.report import write_report
from aq_gym.trajectory import packing, shards
from aq_gym.trajectory.packing import pack, unpack
from aq_gym.trajectory.reader import find

SUITE = Suite(
    "small",
    tuple(
        Task(f"aq/{name}-v0", seed, max_steps=4)
        for name in ("Mastermind", "Hangman")
        for seed in range(4)
    ),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    run(SUITE, folder)
    return folder


@pytest.fixture
def loose(played, tmp_path):
    return Path(shutil.copytree(played, tmp_path / "loose"))


@pytest.fixture
def packed(played, tmp_path):
    folder = Path(shutil.copytree(played, tmp_path / "packed"))
    assert compact(folder).files == 8
    return folder


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def small_folder(folder, count=3):
    folder.mkdir()
    for number in range(count):
        text = f'{{"kind":"header","n":{number}}}\n' * (number + 1)
        (folder / f"e{number}.jsonl").write_text(text)
    (folder / "z.jsonl.gz").write_bytes(b"any bytes")
    return files_of(folder)


def test_the_bytes_are_equal(played, packed):
    before = files_of(played / "trajectories")
    folder = packed / "trajectories"
    assert sorted(path.name for path in folder.iterdir()) == [
        "shard-00000.zst",
        "shards.json",
    ]
    assert {name: shards.read(folder / name) for name in before} == before
    shard = folder / "shard-00000.zst"
    assert shard.stat().st_size < sum(map(len, before.values())) / 5
    assert uncompact(packed) == 8
    assert files_of(folder) == before


def test_everything_reads_them_as_before(loose, packed, tmp_path, capsys):
    one, other = (
        [
            (episode.name, episode.header, episode.steps, episode.end, episode.torn)
            for episode in trajectory.iter_trajectories(folder / "trajectories")
        ]
        for folder in (loose, packed)
    )
    assert one == other
    assert len(one) == 8
    for folder in (loose, packed):
        assert (
            main(
                [
                    "export",
                    str(folder),
                    "--to",
                    "chat",
                    "--split",
                    "train",
                    "--out",
                    f"{folder}.x",
                ]
            )
            == 0
        )
    assert Path(f"{loose}.x").read_bytes() == Path(f"{packed}.x").read_bytes()
    assert main(["compare", str(loose), str(packed)]) == 0
    for name in (episode[0] for episode in one):
        assert trajectory.replay(find(packed / "trajectories", name)).identical
    capsys.readouterr()
    path = packed / "trajectories" / f"{one[0][0]}.jsonl"
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out == "identical over 4 steps\n"


def test_the_report_is_equal(loose, tmp_path):
    pages = []
    for _ in range(2):
        write_report([loose], tmp_path / "report.html")
        pages.append((tmp_path / "report.html").read_bytes())
        compact(loose)
    assert pages[0] == pages[1]


def test_a_packed_run_is_continued(loose, packed):
    before = files_of(packed / "trajectories")
    assert (
        run(SUITE, packed)
        == run(SUITE, loose)
        == load_run(packed).episodes[4:] + (load_run(packed).episodes[:4])
    )
    assert files_of(packed / "trajectories") == before
    grown = Suite("small", (*SUITE.tasks, Task("aq/Wordle-v0", 0, max_steps=2)))
    run(grown, packed, compact=True)
    folder = packed / "trajectories"
    assert len(list(folder.iterdir())) == 3
    assert len(list(trajectory.iter_trajectories(folder))) == 9


def test_errors_of_a_packed_run_are_retried(tmp_path, monkeypatch):
    # The agent fails as long as the file is there.
    trouble = tmp_path / "trouble"
    trouble.touch()
    params = {"file": str(trouble)}
    agent = "evaluation.test_compact:FailsWithFile"
    first = run(SUITE, tmp_path / "run", agent, params, compact=True)
    assert all(episode.error for episode in first)
    folder = tmp_path / "run" / "trajectories"
    packed = {name: shards.read(folder / name) for name in shards.load(folder).files}
    trouble.unlink()
    again = run(SUITE, tmp_path / "run", agent, params, retry_errors=True)
    assert not any(episode.error for episode in again)
    aside = files_of(tmp_path / "run" / "interrupted")
    assert {name.removeprefix("001-"): data for name, data in aside.items()} == packed
    assert not shards.load(folder).files
    assert len(list(trajectory.iter_trajectories(folder))) == 8


class FailsWithFile:
    """An agent that fails while a file exists, after a first action."""

    def __init__(self, env, file):
        self.file = Path(file)
        self.acted = False

    def reset(self, observation, info):
        self.acted = False

    def act(self, observation, info):
        if self.acted and self.file.exists():
            raise OSError("trouble")
        self.acted = True
        return "check valid actions"


def test_only_finished_runs(played, tmp_path):
    folder = Path(shutil.copytree(played, tmp_path / "run"))
    rows = (folder / "episodes.jsonl").read_text().splitlines(keepends=True)
    (folder / "episodes.jsonl").write_text("".join(rows[:-1]))
    with pytest.raises(ValueError, match="is not finished: it has 7 of 8 episodes"):
        compact(folder)
    assert len(list((folder / "trajectories").iterdir())) == 8


def test_the_commands(loose, capsys):
    assert main(["compact", str(loose)]) == 0
    assert ": 8 files, " in capsys.readouterr().out
    assert main(["compact", str(loose)]) == 0
    assert ": 0 files, " in capsys.readouterr().out
    assert main(["compact", "--undo", str(loose)]) == 0
    assert capsys.readouterr().out == f"{loose}: 8 files\n"
    # Nothing is played, but the run is finished.
    run(SUITE, loose, compact=True)
    assert not list((loose / "trajectories").glob("*.jsonl"))


def test_names_of_packed_files_are_taken(tmp_path):
    import gymnasium as gym

    from aq_gym.wrappers import TrajectoryLogger

    for number in range(2):
        env = TrajectoryLogger(gym.make("aq/Mastermind-v0"), tmp_path / "log")
        env.reset(seed=number)
        assert env.trajectory_name == f"episode-{number:05d}"
        env.close()
        pack(tmp_path / "log")
    assert len(shards.load(tmp_path / "log").files) == 2


CALLS = ("write", "fsync", "replace", "unlink", "open")


def die_in(folder, action, moment):
    """Run an action in a child that dies at one of its system calls."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    count = 0

    def patched(original):
        def call(*args, **kwargs):
            nonlocal count
            count += 1
            if count == moment:
                os._exit(9)
            return original(*args, **kwargs)

        return call

    try:
        for name in CALLS:
            setattr(os, name, patched(getattr(os, name)))
        packing.Path.replace = patched(Path.replace)
        packing.Path.unlink = patched(Path.unlink)
        packing.Path.open = patched(Path.open)
        action(folder)
        os._exit(0)
    except BaseException:  # noqa: BLE001 (of a child)
        os._exit(1)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("action", [pack, unpack])
def test_a_kill_at_any_moment_loses_nothing(tmp_path, action):
    for moment in range(1, 100):
        folder = tmp_path / str(moment)
        before = small_folder(folder)
        if action is unpack:
            pack(folder)
        code = die_in(folder, action, moment)
        for name, data in before.items():
            path = folder / name
            assert (path.read_bytes() if path.exists() else shards.read(path)) == data
        # What is left is recognised.
        pack(folder)
        assert {name: shards.read(folder / name) for name in before} == before
        left = {name for name in os.listdir(folder) if not shards.is_shard(name)}
        assert left == {"shards.json"}
        if code == 0:
            break
        assert code == 9
    assert moment > 10


def test_a_failing_disk_changes_nothing(tmp_path, monkeypatch):
    before = small_folder(tmp_path / "run")

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        pack(tmp_path / "run")
    assert files_of(tmp_path / "run") == before


def test_a_wrong_shard_is_noticed_before_the_files_go(tmp_path, monkeypatch):
    before = small_folder(tmp_path / "run")
    compress = zstd.compress
    monkeypatch.setattr(zstd, "compress", lambda data, **_: compress(data[::-1]))
    with pytest.raises((OSError, ValueError), match=r"packed wrongly|checksum"):
        pack(tmp_path / "run")
    assert files_of(tmp_path / "run") == before


def test_a_newer_file_takes_precedence(tmp_path):
    small_folder(tmp_path / "run")
    pack(tmp_path / "run")
    path = tmp_path / "run" / "e1.jsonl"
    path.write_text('{"kind":"header","n":"newer"}\n')
    packing.recover(tmp_path / "run")
    assert "newer" in path.read_text()
    pack(tmp_path / "run")
    assert b"newer" in shards.read(path)
    assert not path.exists()


def damaged_shard(folder):
    shard = folder / "shard-00000.zst"
    data = bytearray(shard.read_bytes())
    data[len(data) // 2] ^= 255
    shard.write_bytes(data)
    os.utime(shard, ns=(0, 0))


def test_a_damaged_shard_is_noticed_and_set_aside(packed):
    folder = packed / "trajectories"
    damaged_shard(folder)
    with pytest.raises(ValueError, match=r"shard-00000.zst is damaged"):
        list(trajectory.iter_trajectories(folder))
    with pytest.raises(ValueError, match=r"shard-00000.zst is damaged"):
        uncompact(packed)
    # The rows are lost as well, so the episodes are played again.
    (packed / "episodes.jsonl").unlink()
    run(SUITE, packed)
    assert len(list(folder.glob("*.jsonl"))) == 8
    assert len(list((packed / "interrupted").glob("*.zst"))) == 8


def test_a_missing_shard(packed):
    (packed / "trajectories" / "shard-00000.zst").unlink()
    with pytest.raises(ValueError, match=r"shard-00000.zst is missing"):
        list(trajectory.iter_trajectories(packed / "trajectories"))


def index_with(folder, **changes):
    path = folder / "shards.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_bombs_are_refused(tmp_path):
    folder = tmp_path / "run"
    small_folder(folder, 1)
    pack(folder)
    bomb = zstd.compress(bytes(1 << 26))
    assert len(bomb) < 1 << 14
    (folder / "shard-00000.zst").write_bytes(bomb)
    files = {"e0.jsonl": [0, 0, 10, zlib.crc32(bytes(10))]}
    index_with(folder, frames=[[0, 0, len(bomb), 10]], files=files)
    with pytest.raises(ValueError, match="does not unpack to 10 bytes"):
        shards.read(folder / "e0.jsonl")
    index_with(folder, frames=[[0, 0, len(bomb), 1 << 29]])
    with pytest.raises(ValueError, match="out of bounds"):
        shards.read(folder / "e0.jsonl")


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": 2},
        {"schema": None},
        {"shards": ["../shard-00000.zst"]},
        {"shards": 4},
        {"shards": []},
        {"frames": [[0, 0, -1, 5]]},
        {"frames": [[0, 0]]},
        {"frames": []},
        {"files": {"../e0.jsonl": [0, 0, 1, 1]}},
        {"files": {"e0.txt": [0, 0, 1, 1]}},
        {"files": {"e0.jsonl": [7, 0, 1, 1]}},
        {"files": {"e0.jsonl": [0, 10**9, 1, 1]}},
        {"files": {"e0.jsonl": [0, 0, True, 1]}},
        {"files": []},
    ],
)
def test_damaged_indexes(tmp_path, changes):
    small_folder(tmp_path / "run")
    pack(tmp_path / "run")
    index_with(tmp_path / "run", **changes)
    for action in (pack, unpack, packing.recover):
        with pytest.raises(ValueError, match=r"shards.json is damaged"):
            action(tmp_path / "run")
    with pytest.raises(ValueError, match=r"shards.json is damaged"):
        trajectory.read(tmp_path / "run" / "e0.jsonl")
    assert (tmp_path / "run" / "shard-00000.zst").exists()
