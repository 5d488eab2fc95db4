"""The server of ``aq-gym ui`` and ``watch``: runs, their reports, games."""

import http.client
import io
import json
import os
import re
import shutil
import sys
import threading
from urllib.parse import quote

import gymnasium as gym
import pytest
from axe_checks import serious_problems
from report_runs import MASTERMIND, play
from test_report_browser import PATIENCE, browser, wait_until  # noqa: F401

from aq_gym import trajectory
from aq_gym.cli import main
from aq_gym.evaluation import Suite, Task, run
from aq_gym.report.folder import listed_runs
from aq_gym.report.games import Games
from aq_gym.report.live import LiveReport
from aq_gym.report.ui import UiServer
from aq_gym.wrappers import TrajectoryLogger

TOKEN = "a-token-of-a-test"
HOSTILE = "<img src=x onerror=window.hacked=1>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of a finished, a live, a stopped and a damaged run."""
    folder = tmp_path_factory.mktemp("start")
    finished = play(folder / "deep" / "finished", ids=(MASTERMIND,), episodes=2)
    for name in ("live", "stopped", "damaged"):
        shutil.copytree(finished, folder / name)
        (folder / name / "summary.json").unlink()
        rows = (folder / name / "episodes.jsonl").read_text().splitlines(keepends=True)
        (folder / name / "episodes.jsonl").write_text(rows[0])
    (folder / "damaged" / "run.json").write_text("{")
    shutil.copytree(finished, folder / "deep" / HOSTILE)
    for file in (folder / "stopped").rglob("*"):
        os.utime(file, (1e9, 1e9))
    os.utime(folder / "stopped" / "trajectories", (1e9, 1e9))
    return folder


@pytest.fixture
def address(folder):
    with UiServer(folder, TOKEN) as server:
        thread = threading.Thread(
            target=server.serve_forever, args=(0.02,), daemon=True
        )
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def ask(address, path, method="GET", sent=None, **headers):
    connection = http.client.HTTPConnection(address, timeout=600)
    body = sent if sent is None or isinstance(sent, bytes) else json.dumps(sent)
    if body is not None:
        headers = {"Content-Type": "application/json", **headers}
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def test_runs_are_listed_by_their_last_change_and_damaged_ones_are_named(folder):
    runs = listed_runs(folder)
    assert {(run.name, run.state) for run in runs} == {
        ("live", "live"),
        ("deep/finished", "finished"),
        (f"deep/{HOSTILE}", "finished"),
        ("stopped", "stopped"),
        ("damaged", "damaged"),
    }
    assert [run.changed for run in runs] == sorted(r.changed for r in runs)[::-1]
    assert runs[-1].name == "stopped"
    # A run is live if only the file of an episode changes.
    episode = next((folder / "stopped" / "trajectories").glob("*.jsonl"))
    os.utime(episode)
    states = {run.name: run.state for run in listed_runs(folder)}
    os.utime(episode, (1e9, 1e9))
    assert states["stopped"] == "live"
    lost = episode.with_name("lost.jsonl")
    lost.symlink_to("nothing")
    assert len(listed_runs(folder)) == 5
    lost.unlink()
    (live,) = (run for run in runs if run.state == "live")
    assert live.status.startswith("1 of 2 episodes · 1 being played")
    # The folder can be a run itself.
    (itself,) = listed_runs(folder / "live")
    assert itself.name == (folder / "live").as_posix()
    with UiServer(folder / "live", TOKEN) as server:
        assert server.answer(itself.link).kind == "text/html"
    (stopped,) = (run for run in runs if run.state == "stopped")
    assert stopped.status == "1 of 2 episodes"
    assert live.link == "report/live/"
    assert (live.success, live.grounding) == (0.0, 1.0)
    told = {run.envs for run in runs if run.state == "finished"}
    assert (live.envs, told) == (f"{MASTERMIND} so far", {MASTERMIND})
    assert (live.tokens, live.cost) == (0, 0)


def test_a_run_is_listed_with_its_arguments(tmp_path):
    params = {"model": "m", "price": [1, 2], "long": "x" * 1_000, "timeout": 9}
    suite = Suite("one", (Task(MASTERMIND, 0, max_steps=2),))
    run(suite, tmp_path / "run", "test_report_ui:Priced", params)
    (listed,) = listed_runs(tmp_path)
    assert listed.agent == "test_report_ui:Priced m"
    assert listed.arguments == f"long={'x' * 40}, price=[1, 2]"
    assert (listed.cost, listed.repetition) == (0.5, 1.0)
    with UiServer(tmp_path / "run" / "..", TOKEN) as server:
        page = server.answer("").text
    assert f"<title>aq_gym: {tmp_path.name}</title>" in page
    # What tells runs apart comes first, as the end may be cut.
    assert re.search(f"1 of 1 episode · .*{listed.agent} · long=.* · suite one<", page)
    assert '<span class="narrow-only"> · repetition 1.00</span>' in page


class Priced:
    """An agent with arguments, whose first answer has a price."""

    def __init__(self, env, **params):
        self._annotate = env.get_wrapper_attr("annotate")

    def reset(self, observation, info):
        self._annotate(cost=0.5)

    def act(self, observation, info):
        return "Guess: 0123"


def test_reports_are_of_the_runs_of_the_folder_alone(address):
    answer, text = ask(address, f"/{TOKEN}/report/live,deep%2Ffinished/")
    assert answer.status == 200
    assert "aq-data" in text
    assert len(ask(address, f"/{TOKEN}/report/live/stamp")[1]) == len("\n") + 16
    beside = "live%2F..%2Fdeep%2Ffinished"
    for name in ("..", "%2Fetc", "deep", "", beside):
        assert ask(address, f"/{TOKEN}/report/{name}/")[0].status == 404
    assert ask(address, f"/{TOKEN[1:]}/")[0].status == 401
    text = ask(address, f"/{TOKEN}/report/damaged/")[1]
    assert "a run cannot be read" in text
    assert "follows the run" not in text


def test_a_log_is_listed_and_opened_and_read_again(tmp_path):
    env = TrajectoryLogger(gym.make(MASTERMIND), tmp_path / "runs" / "mine")
    for seed in (1, 2):
        env.reset(seed=seed)
        env.step("Guess: 0123")
    other = tmp_path / "runs" / "other"
    other.mkdir()
    (other / "one.eval").write_text("no log")
    with UiServer(tmp_path / "runs", TOKEN) as server:
        runs = listed_runs(tmp_path / "runs")
        assert {(run.name, run.state) for run in runs} == {
            ("mine", "log"),
            ("other", "log"),
        }
        page = server.answer("report/mine/").text
        assert "2 of 2 episodes" in page
        assert "has no end" in page
        assert "finished&#34;: true" not in page
        assert "is not a log of Inspect" in server.answer("report/other/").text
        stamp = server.answer("report/mine/stamp").text
        env.reset(seed=3)
        live = server._report((tmp_path / "runs" / "mine",))
        live.result()._rebuild_from = 0
        assert server.answer("report/mine/stamp").text != stamp
        assert "3 of 3 episodes" in server.answer("report/mine/").text
        # A person who types the address may leave out the last slash.
        assert server.answer("report/mine") == server.answer("report/mine/")
    env.close()
    with UiServer(tmp_path, TOKEN, opened=[tmp_path / "runs" / "mine"]) as server:
        assert "3 of 3 episodes" in server.answer(server.first).text


def test_a_report_that_takes_long_says_so_and_comes(folder, monkeypatch):
    read = threading.Event()
    slow = "aq_gym.report.ui.LiveReport"
    monkeypatch.setattr(slow, lambda *one: read.wait(PATIENCE) and LiveReport(*one))
    monkeypatch.setattr("aq_gym.report.ui._PATIENCE", 0)
    with UiServer(folder, TOKEN) as server:
        text = server.answer("report/live/").text
        assert "live: the episodes are being read; the page follows the run." in text
        assert server.answer("report/live/stamp").text == ""
        assert "Begin a game" in server.answer("").text
        read.set()
        monkeypatch.setattr("aq_gym.report.ui._PATIENCE", None)
        assert "aq-data" in server.answer("report/live/").text


def test_what_cannot_be_read_hides_nothing_else(folder, tmp_path):
    shutil.copytree(folder / "stopped", tmp_path / "run")
    for name in ("folder", "link", "pipe", "damaged", "loop"):
        (tmp_path / "odd" / name).mkdir(parents=True)
    (tmp_path / "odd" / "folder" / "a.jsonl").mkdir()
    (tmp_path / "odd" / "link" / "a.jsonl").symlink_to("nothing")
    os.mkfifo(tmp_path / "odd" / "pipe" / "a.jsonl")
    (tmp_path / "odd" / "damaged" / "a.jsonl.gz").write_bytes(b"no gzip")
    (tmp_path / "odd" / "loop" / "a").symlink_to("a")
    assert [run.name for run in listed_runs(tmp_path)] == ["run"]


def test_a_game_that_cannot_begin_leaves_no_run(tmp_path):
    games = Games(tmp_path)
    # Only the reset looks for a story.
    with pytest.raises(ValueError, match="longest=0"):
        games.begin("aq/Jericho-v0", 1, "longest=0")
    for mode in ("human", "ansi"):
        with pytest.raises(ValueError, match="render_mode"):
            games.begin(MASTERMIND, 1, f"render_mode={mode}")
    assert list(tmp_path.iterdir()) == []


def test_a_game_takes_plain_arguments(address):
    def begin(arguments):
        sent = {"env": MASTERMIND, "seed": 1, "arguments": arguments}
        return json.loads(ask(address, f"/{TOKEN}/game", "POST", sent)[1])

    game = begin("code_length=3&max_episode_steps=1")
    assert game["subgoals"] == "0 of 3 subgoals"
    path = f"/{TOKEN}/game/{game['game']}"
    over = json.loads(ask(address, path, "POST", {"action": "none"})[1])
    assert len(over["answer"]) == 3
    assert ask(address, f"/{TOKEN}/{over['report']}")[0].status == 200
    problem = begin("x=1")["problem"]
    assert "has no argument x: it has code_length" in problem
    assert "code_length=" in begin("code_length=0")["problem"]
    assert "not of the form" in begin("code_length")["problem"]
    sent = {"env": "aq/Jericho-v0", "arguments": "data_dir=/etc"}
    answer = json.loads(ask(address, f"/{TOKEN}/game", "POST", sent)[1])
    assert "aq-gym play alone" in answer["problem"]
    known = ask(address, f"/{TOKEN}/arguments/{quote(MASTERMIND, safe='')}")[1]
    assert known.startswith("code_length=4\nsymbols=")
    assert ask(address, f"/{TOKEN}/arguments/os:system")[0].status == 404
    assert '<a href="./">All runs' in ask(address, f"/{TOKEN}/none")[1]
    assert '<a href="../../">All runs' in ask(address, f"/{TOKEN}/report/none/")[1]


def test_a_game_is_begun_by_the_own_page_alone(address):
    path, sent = f"/{TOKEN}/game", {"env": MASTERMIND, "seed": 1}
    own = {"Origin": f"http://{address}"}
    answer, text = ask(address, path, "POST", sent, **own)
    game = json.loads(text)
    assert answer.status == 200
    assert game["subgoals"] == "0 of 4 subgoals"
    assert game["picture"].startswith("<svg ")
    foreign = {"Origin": "http://evil.example"}
    assert ask(address, path, "POST", sent, **foreign)[0].status == 403
    assert ask(address, path, "POST", {"env": "os:system"}, **own)[0].status == 404
    assert ask(address, f"{path}/x", "POST", {"action": "y"}, **own)[0].status == 404
    assert ask(address, f"/{TOKEN[1:]}/game", "POST", sent, **own)[0].status == 401
    answer, page = ask(address, f"{path}/{game['game']}")
    assert "img-src data:" in answer.headers["Content-Security-Policy"]
    assert f"{MASTERMIND}, seed 1" in page


@pytest.mark.parametrize(
    "sent", [b"[" * 100_000, b'{"env": "\\ud800"}', b"\xff", b"[]"]
)
def test_what_is_not_a_request_is_not_found(address, sent):
    kind = {"Content-Type": "application/json"}
    assert ask(address, f"/{TOKEN}/game", "POST", sent, **kind)[0].status == 404


def test_games_are_kept_and_too_many_end_the_oldest(tmp_path, monkeypatch):
    monkeypatch.setattr("aq_gym.report.games._MOST_GAMES", 2)
    games = Games(tmp_path)
    first, *_, last = (games.begin(MASTERMIND, n)["game"] for n in range(3))
    assert first not in games
    shown = games.act(last, "Guess: 1234")
    assert [step["action"] for step in shown["steps"]] == ["Guess: 1234"]
    assert games.act(first, "Guess: 1234") is None
    assert games.open()[-1]["game"] == last
    # A game that has not ended is no run, and one without a step leaves no folder.
    assert listed_runs(tmp_path) == []
    games.close()
    assert len(list(tmp_path.iterdir())) == 1
    played = [trajectory.read(file) for file in tmp_path.glob("*/*/*.jsonl")]
    assert {one.header["agent"]["name"] for one in played} == {"human"}
    actions = [step["action"] for one in played for step in one.steps]
    assert actions == ["Guess: 1234"]


@pytest.mark.slow
def test_a_game_that_ends_is_a_run_of_one_episode(tmp_path):
    games = Games(tmp_path / "games")
    game = games.begin(MASTERMIND, 1)["game"]
    env = games._games[game]._env
    expert = env.get_wrapper_attr("expert_action")
    while not games.act(game, expert())["over"]:
        pass
    assert games.shown(game)["success"] and not games.open()
    (run,) = listed_runs(tmp_path)
    games.close()
    assert (run.state, run.agent, run.progress) == (
        "finished",
        "human (privileged)",
        1.0,
    )
    live = LiveReport([tmp_path / run.name])
    assert live.pictures("0", Task(MASTERMIND, 1).name)
    assert live.pictures("9" * 5_000, Task(MASTERMIND, 1).name) is None


@pytest.mark.parametrize("name", ["deep/finished", "missing"])
def test_a_run_is_watched_wherever_it_is(folder, tmp_path, name):
    watched = folder / name
    with UiServer(tmp_path, TOKEN, opened=[watched, folder / "live"]) as server:
        assert server.first.endswith("live/")
        page = server.answer(server.first).text
        assert ("1 of 2 runs not begun" in page) == (name == "missing")
        start = server.answer("").text
        assert str(folder / "live") in start
        assert server.answer(f"{server.first}pictures/0/none").status == 404
    with UiServer(folder, TOKEN, opened=[watched]) as server:
        assert server.first == f"report/{name.replace('/', '%2F')}/"
        assert server.answer(f"{server.first}stamp").kind == "text/plain"


def test_what_is_no_run_is_not_watched(folder, tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("no run")
    assert main(["watch", str(tmp_path)]) == 1
    assert "aq-gym: " in capsys.readouterr().err
    live = str(folder / "live")
    assert main(["watch", live, live]) == 1
    assert "more than once" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["ui", "watch"])
def test_a_command_prints_the_address(folder, tmp_path, monkeypatch, capsys, command):
    asked = []

    def serve_forever(server):
        asked.append(server.access)
        raise KeyboardInterrupt

    monkeypatch.setattr(UiServer, "serve_forever", serve_forever)
    first = "report/live/" if command == "watch" else ""
    place = str(folder / "live" if command == "watch" else folder)
    assert main([command, place]) == 0
    found = re.match(
        r"http://127\.0\.0\.1:\d+/([^/]{43})/(\S*) ", capsys.readouterr().out
    )
    assert found[2] == first
    assert asked[0].is_token(found[1])
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    assert main([command, place, "--token-file", str(tmp_path / "token")]) == 0
    assert f"/TOKEN/{first} " in capsys.readouterr().out
    assert asked[1].is_token(TOKEN)
    assert main(["watch", str(tmp_path / "none")]) == 0
    assert f"waiting for {tmp_path / 'none'}" in capsys.readouterr().err


def test_a_pipe_has_the_address_at_once(folder, monkeypatch):
    pipe, shown = io.TextIOWrapper(io.BytesIO()), []
    monkeypatch.setattr(sys, "stdout", pipe)
    monkeypatch.setattr(
        UiServer, "serve_forever", lambda _: shown.append(pipe.buffer.getvalue())
    )
    assert main(["ui", str(folder)]) == 0
    assert shown[0].startswith(b"http://")


def test_ui_needs_a_folder(tmp_path, capsys):
    assert main(["ui", str(tmp_path / "none")]) == 1
    assert "is not a folder" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.needs("chromium", "module:playwright")
def test_runs_are_compared_and_a_game_is_played_by_keyboard(
    browser,  # noqa: F811
    address,
    folder,
):
    context = browser.new_context(viewport={"width": 400, "height": 800})
    context.set_default_timeout(PATIENCE)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"http://{address}/{TOKEN}/")
    assert serious_problems(page, "light", alone=False) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert page.locator("#compare-runs").is_disabled()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    # The rows of the table are one stop of the tab key.
    assert page.locator("#runs-table tbody [tabindex='0']").count() == 1
    # The arrow keys and j find the list from anywhere; Enter compares what is ticked.
    for key in ("ArrowDown", "Space", "j", "ArrowLeft", "Space", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.locator("#stuck").wait_for()
    assert page.locator("#filter-of option").count() == 3
    page.go_back()
    page.locator("select[name=env]").select_option(MASTERMIND)
    page.locator("input[name=seed]").fill("1")
    page.keyboard.press("Enter")
    page.locator("#game-picture img").wait_for()
    wait_until(page, "document.activeElement.name === 'action'")
    wait_until(page, "document.querySelector('img').naturalWidth > 100")
    for action in ("Guess: 1234", HOSTILE):
        page.keyboard.type(action)
        page.keyboard.press("Enter")
        page.locator("#game-steps", has_text=action).wait_for()
    assert "Step 2 of 60" in page.locator("#game-state").inner_text()
    assert "Let us play Mastermind" in page.locator("#game-rules pre").inner_text()
    assert "✕ invalid" in page.locator("#game-steps").inner_text()
    assert serious_problems(page, "light", alone=False) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    page.keyboard.type("4579")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play seed 2").click()
    page.locator("#game-state", has_text="Step 0 of 60").wait_for()
    page.get_by_role("link", name="All runs and games").click()
    # Before the script has run, the browser would send the form itself.
    page.wait_for_url(f"**/{TOKEN}/")
    page.get_by_role("button", name="run", exact=True).click()
    names = page.locator("#runs-table tbody th a").all_inner_texts()
    assert names == sorted(names)
    # The list updates itself, and keeps the ticked boxes and the focus.
    page.get_by_role("button", name="progress").click()
    page.get_by_role("button", name="progress").click()
    box = page.get_by_role("checkbox").first
    box.check()
    page.evaluate("window.same = true")
    play(folder / "new", ids=(MASTERMIND,), episodes=1)
    page.locator("th a", has_text="new").wait_for()
    assert page.evaluate("window.same")
    assert page.locator("#compare :checked").count() == 1
    assert page.evaluate("document.activeElement.checked")
    ascending = page.locator("th[aria-sort=ascending]").inner_text()
    assert ascending.startswith("progress")
    cells = "all => all.map(e => Number(e.dataset.value))"
    shown = page.locator("#runs-table tbody td:nth-child(5)").evaluate_all(cells)
    # A run without an episode is last.
    assert shown == sorted(shown, key=lambda value: (value < 0, value))
    assert page.locator("#compare-runs").is_enabled()
    assert page.get_by_label("Only runs with").is_hidden()
    # The reader who comes back finds the order; many runs can be filtered.
    page.reload()
    page.locator("th[aria-sort=ascending]", has_text="progress").wait_for()
    # What has no value is last in both directions; the keys move from a heading, too.
    for _ in range(2):
        page.locator("#runs-table thead button", has_text="progress").click()
        cells = page.locator("#runs-table tbody td:nth-child(5)").all_inner_texts()
        assert cells[-1] == "\u2013" != cells[0]
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.matches('tbody *')")
    page.locator("#runs-table tbody").evaluate(
        "body => { while (!body.rows[11]) body.append(body.rows[0].cloneNode(1)); "
        "body.dispatchEvent(new Event('change', {bubbles: true})) }"
    )
    page.get_by_label("Only runs with").fill("FINISHED new")
    assert page.locator("#runs-table tbody tr:visible").count() == 1
    assert page.evaluate("window.hacked === undefined")
    context.close()
    assert wrong == []
