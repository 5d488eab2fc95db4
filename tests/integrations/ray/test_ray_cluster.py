"""Runs on a Ray cluster of two nodes: one is killed, one sees no folder of the run.

``.ci/integrations`` installs Ray; a cluster takes long to start.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.skipif(
        os.environ.get("AQ_GYM_TEST_FOREIGN") != "1",
        reason="takes minutes: .ci/integrations runs it, with AQ_GYM_TEST_FOREIGN=1",
    ),
    # Warnings of the package are not ours.
    pytest.mark.filterwarnings("ignore"),
]
HERE = Path(__file__).parent
KEY = 'sk-Very/Secret+"key"=12345'


@pytest.fixture(scope="module")
def cluster():
    """A head without processors; the nodes that play are each test's own."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        # Workers have the variables that their nodes were started with.
        patch.setenv("OPENAI_API_KEY", KEY)
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        started = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        yield started
        started.shutdown()


def command(out, agent, episodes, workers, *more):
    return [
        sys.executable, "-m", "aq_gym", "run", "--env", "aq/Mastermind-v0",
        "--agent", agent, "--episodes", str(episodes), "--max-steps", "4",
        "--workers", str(workers), "--quiet", "--out", str(out), *more,
    ]  # fmt: skip


def play(cluster, *arguments):
    environment = {**os.environ, "RAY_ADDRESS": cluster.address}
    return subprocess.Popen(
        [*command(*arguments), "--executor", "ray"], cwd=HERE, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def finish(process):
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors.decode()
    return out + errors


def wait_for_rows(out, process, number):
    """Return the file of the rows when so many episodes have ended."""
    rows = out / "episodes.jsonl"
    while not rows.exists() or rows.read_bytes().count(b"\n") < number:
        assert process.poll() is None, process.stderr.read().decode()
        time.sleep(0.02)
    return rows


def same(first, second):
    """Return whether two runs have the same summary and trajectories, byte for byte."""
    files = [path.relative_to(first) for path in first.glob("trajectories/*")]
    assert len(files) == len(list(second.glob("trajectories/*")))
    return all(
        (first / file).read_bytes() == (second / file).read_bytes()
        for file in [Path("summary.json"), *files]
    )


def undisturbed(out, *arguments):
    subprocess.run(
        command(out, *arguments, "--executor", "inline"),
        cwd=HERE, check=True, capture_output=True,
    )  # fmt: skip
    return out


def test_a_node_that_is_killed_changes_nothing(cluster, tmp_path):
    arguments = ("cluster_agents:Slow", 40, 4)
    whole = undisturbed(tmp_path / "whole", *arguments)
    nodes, out = [cluster.add_node(num_cpus=1) for _ in range(2)], tmp_path / "out"
    process = play(cluster, out, *arguments)
    rows = wait_for_rows(out, process, 8)
    cluster.remove_node(nodes[0], allow_graceful=False)
    assert rows.read_bytes().count(b"\n") < 40
    finish(process)
    cluster.remove_node(nodes[1])
    assert same(whole, out)


@pytest.mark.skipif(not shutil.which("unshare"), reason="needs unshare")
def test_a_node_needs_no_folder_of_the_run(cluster, tmp_path):
    """The only node that plays sees an empty folder there, and cannot write to it."""
    folder = tmp_path / "runs"
    folder.mkdir()
    arguments = (
        "cluster_agents:Looks",
        8,
        2,
        "--agent-arg",
        f"folder={folder / 'out'}",
    )
    whole = undisturbed(tmp_path / "whole", *arguments)
    ray_command = Path(sys.executable).with_name("ray")
    node = subprocess.Popen(
        [
            "unshare", "-rm", "sh", "-c",
            'mount -t tmpfs -o ro tmpfs "$0" && exec "$@"', folder,
            ray_command, "start", "--block", "--num-cpus", "1",
            "--address", cluster.address,
        ],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    finish(play(cluster, folder / "out", *arguments))
    assert node.poll() is None
    node.terminate()
    node.wait()
    assert same(whole, folder / "out")


def test_a_key_is_in_no_log(cluster, tmp_path):
    node = cluster.add_node(num_cpus=1)
    process = play(cluster, tmp_path / "out", "cluster_agents:Leaks", 2, 2)
    texts = list(process.communicate(timeout=300))
    cluster.remove_node(node)
    logs = Path(cluster.head_node.get_session_dir_path())
    files = [*logs.rglob("*"), *tmp_path.rglob("*")]
    texts += [file.read_bytes() for file in files if file.is_file()]
    for told in (b"printed", b"logged", b"warned", b"raised"):
        assert any(told + b" ***" in text for text in texts), told
    for text in texts:
        assert b"Very/Secret" not in text, text[-2000:]


def test_a_head_that_dies_ends_the_run_in_words(cluster, tmp_path):
    """The last test: it kills the head, without which workers go on, and the node."""
    node, out = cluster.add_node(num_cpus=2), tmp_path / "out"
    process = play(cluster, out, "cluster_agents:Slow", 200, 2)
    wait_for_rows(out, process, 8)
    cluster.head_node.kill_gcs_server()
    node.kill_all_processes(check_alive=False, allow_graceful=False)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert b"the cluster is lost: Ray's head at" in errors
    assert b"of 200 episodes; the same command continues the run" in errors
    assert (out / "summary.json").exists()
