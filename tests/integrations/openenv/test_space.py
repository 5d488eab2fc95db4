"""The application of a Space: several ids, arguments at a reset, a page."""

import json
import os
import subprocess
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

pytest.importorskip("openenv", reason="needs openenv, as in .ci/integrations")
from aq_gym.integrations.openenv import TextAction, TextEnvClient
from aq_gym.integrations.publish import write_package

pytestmark = pytest.mark.filterwarnings("ignore")
SETTINGS = ["aq/Mastermind-v0", "aq/PDDL-v0?domain=gripper"]


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """The published application, in a process of its own."""
    folder = tmp_path_factory.mktemp("space") / "space"
    write_package(folder, "space", SETTINGS)
    command = [sys.executable, "-m", "server.app"]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    environment = os.environ | {"PORT": "0"}
    with subprocess.Popen(command, cwd=folder, env=environment, **quiet) as process:
        port = process.stdout.readline().rpartition(":")[2].strip()
        yield f"http://127.0.0.1:{port}"
        process.terminate()


def post(url, data):
    headers = {"content-type": "application/json"}
    with urlopen(Request(url, json.dumps(data).encode(), headers)) as answer:
        return json.load(answer)


def test_a_session_chooses_its_environments(url):
    with TextEnvClient(base_url=url).sync() as env:
        assert "Mastermind" in env.reset(seed=0).observation.text
        result = env.reset(seed=0, env="aq/PDDL-v0")
        assert "gripper" in result.observation.text
        assert set(result.metadata) == {"goal"}
        again = env.reset(seed=0, env=SETTINGS[1])
        assert again.observation.text == result.observation.text
        assert env.state().env_id == "aq/PDDL-v0"
        assert env.step(TextAction(text="look around")).reward == 0.0
        assert "Mastermind" in env.reset().observation.text


def test_the_page(url):
    with urlopen(f"{url}/web/") as answer:
        assert b"<html" in answer.read()
    shown = post(f"{url}/web/reset", {"env": "aq/PDDL-v0", "seed": 1})
    assert "gripper" in shown["observation"]["text"]
    done = post(f"{url}/web/step", {"action": {"text": "look around"}})
    assert done["done"] is False


def status(url, data=None, **headers):
    try:
        with urlopen(Request(url, data, headers)) as answer:
            return answer.status
    except HTTPError as error:
        return error.code


def test_nobody_uploads_a_file(url):
    form = {"Content-Type": "multipart/form-data; boundary=b"}
    kind = b'Content-Disposition: form-data; name="files"; filename="x"'
    file = b"--b\r\n" + kind + b"\r\n\r\n\r\n--b--"
    assert status(f"{url}/web/gradio_api/upload", file, **form) == 405
