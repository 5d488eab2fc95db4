"""Downloads are resumed, checked and unpacked into their folder; files are replaced."""

import contextlib
import gzip
import hashlib
import http.server
import io
import random
import stat
import tarfile
import threading
import zipfile
from pathlib import Path

import pytest

from aq_gym.envs.alfworld.sources import DOWNLOAD
from aq_gym.support import data
from aq_gym.support.data import CANARY, DownloadError, download
from aq_gym.support.json_files import read_object, write_json

GAME = "json_2.1.1/train/a/b/game.tw-pddl"
NOISE = bytes(range(256)) * 4000
ROOT = Path(__file__).parents[2]
PROGRAMS = {".py", ".pyc", ".typed", ".js", ".css", ".c", ".h", ".wasm"}
# The ends of the paths of files without the canary.
UNMARKED = (
    "aq_gym/report/templates/*",  # the page has it, in its head
    *("aq_gym/report/static/vendor/*", "LICENSE*"),  # of others
    *("*.sha256", "aq_gym/papers/published.json"),  # what others published
    "*.z5",  # compiled; the source has it
    "aq_gym/envs/gaia/data/*-*",  # what an agent reads; the question has it
)


class Server(http.server.BaseHTTPRequestHandler):
    """Serves one file, or ranges of it; it can end too early or ignore ranges."""

    def do_GET(self):
        server = self.server
        body = server.body
        start = 0
        asked = self.headers.get("Range")
        server.asked.append(asked)
        if self.path != "/games.zip":
            self.send_error(404)
            return
        if asked and server.ranges:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            if start >= len(body):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(body)}")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(206)
        else:
            self.send_response(200)
        rest = body[start:]
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        self.wfile.write(rest[: server.most] if server.most else rest)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.asked, server.ranges, server.most = [], True, 0
    server.body = archive()
    server.url = f"http://127.0.0.1:{server.server_port}/games.zip"
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.01}
    )
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def archive(members=((GAME, NOISE),)):
    """An uncompressed zip archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as opened:
        for name, contents in members:
            opened.writestr(name, contents)
    return file.getvalue()


def sha(body):
    return hashlib.sha256(body).hexdigest()


@pytest.fixture
def get(server, tmp_path):
    def get(**kwargs):
        kwargs.setdefault("sha256", sha(server.body))
        return download(DOWNLOAD, url=server.url, to=tmp_path / "data", **kwargs)

    return get


def files(tmp_path):
    return sorted(
        path.relative_to(tmp_path / "data").as_posix()
        for path in (tmp_path / "data").rglob("*")
        if path.is_file()
    )


def test_it_is_unpacked_and_nothing_else_is_left(get, tmp_path):
    told = []
    folder = get(progress=lambda have, total: told.append((have, total)))
    assert (folder / GAME).read_bytes() == NOISE
    assert files(tmp_path) == [GAME]
    assert told[-1][0] == told[-1][1] > len(NOISE)


def test_an_interrupted_download_is_resumed(server, get, tmp_path):
    server.most = 300_000
    with pytest.raises(DownloadError, match="ended after 300000 of"):
        get()
    assert files(tmp_path) == [".alfworld.zip.part"]
    server.most = 0
    folder = get()
    assert server.asked == [None, "bytes=300000-"]
    assert (folder / GAME).read_bytes() == NOISE


def test_a_server_without_ranges_starts_again(server, get):
    server.most = 300_000
    with pytest.raises(DownloadError, match="ended after"):
        get()
    server.most, server.ranges = 0, False
    assert (get() / GAME).read_bytes() == NOISE


@pytest.mark.parametrize("more", [b"", b"of something longer"])
def test_a_complete_part_is_used_and_another_one_is_thrown_away(
    server, get, tmp_path, more
):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / ".alfworld.zip.part").write_bytes(server.body + more)
    assert (get() / GAME).read_bytes() == NOISE


def test_a_wrong_byte_is_found_and_not_resumed(server, get, tmp_path):
    right = sha(server.body)
    place = len(server.body) // 2
    server.body = server.body[:place] + b"\xff\xff" + server.body[place + 2 :]
    with pytest.raises(DownloadError, match=f"instead of {right}"):
        get(sha256=right)
    assert files(tmp_path) == []
    with pytest.raises(DownloadError, match="damaged"):
        get()
    assert files(tmp_path) == []


def test_a_wrong_size_is_found(server, get):
    with pytest.raises(DownloadError, match=f"{len(server.body)} bytes instead of 7"):
        get(size=7)


@pytest.mark.parametrize("name", ["../evil", "/evil", "json_2.1.1/../../evil"])
def test_no_path_leads_out(server, get, tmp_path, name):
    server.body = archive([(GAME, b"1"), (name, b"evil")])
    get()
    assert files(tmp_path) == [GAME]
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize("names", [("a", "a/b"), ("a/b", "a")])
def test_a_file_that_is_also_a_folder_is_an_error(server, get, tmp_path, names):
    server.body = archive([(GAME, b"1"), *((name, b"2") for name in names)])
    with pytest.raises(DownloadError, match="cannot be unpacked"):
        get()
    assert files(tmp_path) == []


def test_no_encrypted_members(server, get, tmp_path):
    body = bytearray(archive([(GAME, b"1")]))
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        body[body.index(signature) + offset] |= 1
    server.body = bytes(body)
    with pytest.raises(DownloadError, match="encrypted"):
        get()
    assert files(tmp_path) == []


def test_any_damage_is_a_download_error(server, tmp_path):
    whole = archive([(GAME, b"1" * 50), ("b/c", b"2" * 50)])
    rng = random.Random(0)
    for number in range(100):
        body = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            body[rng.randrange(len(body))] ^= 1 << rng.randrange(8)
        server.body = bytes(body)
        to = tmp_path / "data" / str(number)
        with contextlib.suppress(DownloadError):
            download(DOWNLOAD, url=server.url, to=to, sha256=sha(server.body))
        assert not [path for path in to.rglob("*") if path.name.startswith(".")]


def test_no_links(server, get, tmp_path):
    link = zipfile.ZipInfo("json_2.1.1/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    server.body = archive([(GAME, b"1"), (link, "/etc")])
    get()
    assert not (tmp_path / "data" / "json_2.1.1" / "link").is_symlink()


def test_it_has_to_be_the_right_kind_of_archive(server, get):
    server.body = archive([("readme.txt", b"hello")])
    with pytest.raises(DownloadError, match="no file like json_2"):
        get()
    server.body = b"<html>not found</html>"
    with pytest.raises(DownloadError, match="damaged: "):
        get()


def tar(*members):
    """A tar archive; a member whose contents are None is a link."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as opened:
        for name, contents in members:
            info = tarfile.TarInfo(name)
            if contents is None:
                info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            elif name.endswith("/"):
                info.type = tarfile.DIRTYPE
            info.size = len(contents or b"")
            opened.addfile(info, io.BytesIO(contents or b""))
    return file.getvalue()


def test_a_tar_archive_is_unpacked(server, get, tmp_path):
    server.body = tar(("json_2.1.1/", b""), (GAME, NOISE))
    get()
    assert files(tmp_path) == [GAME]
    assert (tmp_path / "data" / GAME).read_bytes() == NOISE


@pytest.mark.parametrize("member", [("../out", b""), ("link", None)])
def test_no_member_of_a_tar_archive_leads_out(server, get, tmp_path, member):
    server.body = tar((GAME, b"1"), member)
    with pytest.raises(DownloadError, match="damaged: "):
        get()
    assert files(tmp_path) == []


def test_a_damaged_tar_archive_is_an_error(server, get):
    server.body = tar((GAME, NOISE))[:700]
    with pytest.raises(DownloadError, match="damaged"):
        get()


def test_without_a_known_hash_the_known_files_are_checked(server, get, monkeypatch):
    with pytest.raises(DownloadError, match=r"cannot be checked.*pass sha256="):
        get(sha256="")
    known = {GAME: sha(NOISE)}
    monkeypatch.setattr(data, "_known", lambda row: known)
    assert (get(sha256="") / GAME).read_bytes() == NOISE
    known[GAME] = sha(b"other")
    with pytest.raises(DownloadError, match=f"SHA-256 of {GAME}"):
        get(sha256="")


def test_a_missing_file_is_an_error(server, tmp_path):
    with pytest.raises(DownloadError, match="404"):
        download(DOWNLOAD, url=server.url + "x", to=tmp_path)
    with pytest.raises(ValueError, match="https://"):
        download(DOWNLOAD, url="file:///etc/passwd", to=tmp_path)


def test_an_unreachable_server_is_an_error(tmp_path):
    with pytest.raises(DownloadError, match="cannot be downloaded"):
        download(DOWNLOAD, url="http://127.0.0.1:9/x.zip", to=tmp_path)


def test_folders(monkeypatch, tmp_path):
    monkeypatch.setenv("AQ_GYM_CACHE", str(tmp_path))
    monkeypatch.delenv("ALFWORLD_DATA", raising=False)
    assert data.data_folder(DOWNLOAD) == tmp_path / "alfworld"
    assert not (tmp_path / "alfworld").exists()
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path / "other"))
    assert data.data_folder(DOWNLOAD) == tmp_path / "other"
    assert data.packaged("aq_gym.envs.alfworld", "data/facts.json").startswith(b"{")


def test_each_data_file_and_page_has_the_canary():
    pages = [p for top in ("", "benchmarks", "docs") for p in (ROOT / top).glob("*.md")]
    pages += (ROOT / "docs/notebooks").glob("*.ipynb")
    stories = (ROOT / "aq_gym/envs/jericho/stories").iterdir()
    files = [p for p in (ROOT / "aq_gym").rglob("*") if p.suffix not in PROGRAMS]
    files = [p for p in files if p.is_file() and not any(map(p.match, UNMARKED))]
    assert len(files) > 100
    for path in (*pages, *files, *stories):
        content = path.read_bytes()
        text = gzip.decompress(content) if path.suffix == ".gz" else content
        assert CANARY.encode() in text, path


def test_the_canary_is_no_data():
    for name in ("data/outcomes.json", "data/facts.json"):
        read = data.packaged_json("aq_gym.envs.mystery", name)
        assert read
        assert CANARY not in str(read)
    text = data.packaged_text("aq_gym.envs.hangman", "data/3.txt.gz")
    assert all(len(line) == 3 for line in text.splitlines())


def test_a_file_is_replaced(tmp_path):
    path = tmp_path / "summary.json"
    for value in ({"a": [1.5, {}]}, {"b": {"c": []}}):
        write_json(path, value)
        assert read_object(path) == value
        assert [file.name for file in tmp_path.iterdir()] == ["summary.json"]
