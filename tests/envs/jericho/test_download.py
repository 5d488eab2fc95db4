"""The known titles, downloaded and found again."""

import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from aq_gym.envs.jericho.games import DOWNLOAD, find_game, known_titles
from aq_gym.support.data import download, packaged


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture
def served(games, tmp_path):
    folder = "z-machine-games-master/jericho-game-suite"
    with zipfile.ZipFile(tmp_path / "master.zip", "w") as archive:
        for path in games.glob("*.z5"):
            archive.write(path, f"{folder}/{path.name}")
    handler = partial(Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/master.zip"
        server.shutdown()


def test_a_downloaded_title_is_found(served, tmp_path, monkeypatch):
    monkeypatch.setenv("AQ_GYM_DATA", str(tmp_path / "data"))
    download(DOWNLOAD, url=served)
    assert find_game("zork1").goal == known_titles()["zork1"]["goal"]


def test_the_known_hashes_are_of_known_titles():
    lines = packaged(*DOWNLOAD.known).decode().splitlines()
    names = {line.rpartition("/")[2] for line in lines}
    assert names <= {notes["file"] for notes in known_titles().values()}
