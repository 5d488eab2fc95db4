"""A server's start and end, and environments that are slow or broken."""

import json
import signal

import pytest

from aq_gym import trajectory
from aq_gym.cli import main

pytest.importorskip("openenv", reason="needs openenv, as in .ci/integrations")
from websockets.exceptions import ConnectionClosed

from integrations.openenv.served import MASTERMIND, TOYS, eventually, forked
from integrations.openenv.wire import Wire

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((MASTERMIND, "--host", "0.0.0.0"), "can be reached from other machines"),
        ((MASTERMIND, "--host", ""), "can be reached from other machines"),
        ((MASTERMIND, "--host", "no.such.invalid"), "aq-gym: "),
        ((MASTERMIND, "--port", "70000"), "port=70000 must be from 0 to 65535"),
        (("aq/Master-v0",), "there is no environment"),
        ((f"{MASTERMIND}?code_length=0",), "code_length=0"),
        (("CartPole-v1",), "has no progress"),
    ],
)
def test_what_cannot_be_served_is_an_error(arguments, message, capsys):
    assert main(["serve", *arguments]) == 1
    assert message in capsys.readouterr().err


def test_a_port_that_is_taken_is_an_error(server, capsys):
    assert main(["serve", MASTERMIND, "--port", str(server.port)]) == 1
    assert "in use" in capsys.readouterr().err


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_sessions_and_server(end, tmp_path):
    arguments = (MASTERMIND, "--trajectories", str(tmp_path))
    with forked(*arguments, end=end) as server:
        wire = Wire(server)
        wire.reset(seed=0)
    assert not server.rest
    with wire, pytest.raises(ConnectionClosed) as error:
        wire.next()
    assert error.value.rcvd.code == 1012
    (played,) = trajectory.iter_trajectories(tmp_path)
    assert played.end["reason"] == "closed"


def test_a_step_does_not_hold_up_other_sessions(tmp_path):
    step = {"text": f"wait {tmp_path / 'file'}"}
    with forked("toys/Slow-v0", *TOYS) as server, Wire(server) as slow:
        slow.reset(seed=0)
        slow.socket.send(json.dumps({"type": "step", "data": step}))
        eventually((tmp_path / "file.begun").exists)
        with Wire(server) as quick:
            quick.reset(seed=0)
            quick.step("switch 1")
        (tmp_path / "file").touch()
        assert slow.next()["type"] == "observation"


def test_a_step_that_does_not_end_does_not_keep_the_server(tmp_path):
    step = {"text": f"wait {tmp_path / 'never'}"}
    with forked("toys/Slow-v0", *TOYS, code=1, _GRACE=1) as server:
        wire = Wire(server)
        wire.reset()
        wire.socket.send(json.dumps({"type": "step", "data": step}))
        eventually((tmp_path / "never.begun").exists)
    wire.socket.close()


def test_a_broken_engine_is_an_error_of_its_session():
    with forked("toys/Broken-v0", *TOYS) as server, Wire(server) as wire:
        wire.reset(seed=0)
        assert "the engine failed at switch 1" in wire.step("switch 1")["message"]
        assert "send a reset first" in wire.step("switch 1")["message"]
        assert "observation" in wire.reset(seed=0)
    assert "RuntimeError: the engine failed at switch 1" in server.rest
