"""The page as a file is self-contained, escaped, small and reproducible."""

import base64
import json
import re
import shutil
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_runs import MASTERMIND, play

from aq_gym.cli import main
from aq_gym.report import write_leaderboard, write_report
from aq_gym.report.archive import Archive, dump_record, dumps
from aq_gym.report.figure_style import COLORS
from aq_gym.report.page import style
from aq_gym.support.data import CANARY


@pytest.fixture(scope="module")
def page(runs, tmp_path_factory):
    return write_report(runs, tmp_path_factory.mktemp("page") / "report.html")


def island(text):
    found = re.search(
        r'<script type="application/json" id="aq-data">(.*?)</script>', text
    )
    return json.loads(found[1])


def records(text):
    found = re.findall(r'id="aq-chunk-\d+">(.*?)</script>', text)
    return [
        json.loads(zlib.decompress(base64.b64decode(chunk), 16 + zlib.MAX_WBITS))
        for chunk in found
    ]


def test_nothing_of_the_page_is_loaded_from_elsewhere(page):
    text = page.read_text()
    assert not re.search(
        r"<(script|img|iframe|link|object|embed)[^>]*\b(src|href)=", text
    )
    assert not re.search(r"@import|url\(", style())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert "default-src &#39;none&#39;" in policy
    assert "connect-src &#39;none&#39;" in policy
    assert "unsafe" not in policy


def test_figures_have_the_colours_of_the_page():
    found = re.findall(r"--run-[0-7]: light-dark\((#\w{6}), #\w{6}\)", style())
    assert tuple(found) == COLORS


def test_a_folder_is_not_written_over(runs, tmp_path, capsys):
    folder = tmp_path / "reports"
    folder.mkdir()
    assert main(["report", str(runs[0]), "-o", str(folder)]) == 1
    assert f"{folder}: is a folder" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [folder]


def test_equal_runs_give_equal_pages(runs, page, tmp_path):
    assert write_report(runs, tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_every_episode_is_listed_and_can_be_opened(page):
    text = page.read_text()
    data, chunks = island(text), records(text)
    columns = data["episodes"]
    assert {len(values) for values in columns.values()} == {18}
    assert set(columns["run"]) == set(data["runs"]) == {"random", "expert (privileged)"}
    for number, steps in enumerate(columns["steps"]):
        record = chunks[columns["chunk"][number]][columns["place"][number]]
        assert len(record["steps"]) == steps


def test_hostile_text_stays_text(stubborn, tmp_path):
    page = write_report([stubborn], tmp_path / "r.html", title="</title><script>x")
    text = page.read_text()
    assert "<b onclick" not in text
    assert "&lt;b onclick=alert(1)&gt;" in text
    assert "<title>&lt;/title&gt;" in text
    assert f'<meta name="canary" content="{CANARY}">' in text


@given(st.recursive(st.text() | st.floats(), lambda v: st.lists(v, max_size=3)))
def test_json_can_stand_in_a_script(value):
    text = dumps(value)
    assert "<" not in text
    assert text.isascii()
    json.loads(text)


def test_chunks_come_back_as_they_went_in(tmp_path):
    stored = [{"n": n, "text": str(n) * 40_000} for n in range(30)]
    with Archive() as archive:
        places = [archive.add(dump_record(one)) for one in stored]
        chunks = list(archive.chunks())
        assert archive.size == sum(map(len, chunks))
    assert len(chunks) > 1
    opened = [
        json.loads(zlib.decompress(base64.b64decode(c), 16 + zlib.MAX_WBITS))
        for c in chunks
    ]
    assert [opened[chunk][place] for chunk, place in places] == stored


def test_a_large_report_has_its_trajectories_beside_it(runs, tmp_path):
    expert = shutil.copytree(runs[1], tmp_path / "a,b")
    page = write_report([runs[0], expert], tmp_path / "big.html", largest=1000)
    text = page.read_text()
    # A comma in a name is not one between two folders.
    assert "in the folders “random” and “a,b”<" in text
    assert island(text)["folder"] == "big-trajectories"
    assert records(text) == []
    files = sorted((tmp_path / "big-trajectories").iterdir())
    assert files[0].read_text().startswith('aqChunk(0, "')
    assert "strict-dynamic" in text


def test_a_damaged_trajectory_is_said_in_its_episode(runs, tmp_path):

    run = tmp_path / "damaged"
    shutil.copytree(runs[0], run)
    files = sorted((run / "trajectories").iterdir())
    files[0].write_text("not a trajectory")
    files[1].unlink()
    (first, second, *_), *_ = records(
        write_report([run], tmp_path / "d.html").read_text()
    )
    assert "is not a trajectory" in first["problem"]
    assert "no trajectory file" in second["problem"]


def test_runs_without_a_common_task_say_that_they_are_not_ranked(runs, page, tmp_path):
    other = play(tmp_path / "other", ids=(MASTERMIND,), episodes=1, max_steps=2)
    path = write_report([runs[0], other], tmp_path / "page.html", pictures=0)
    said = "The runs have no finished task in common, so they are not ranked."
    assert said in path.read_text()
    assert said not in page.read_text()
    # The sentences on how they fail are on all that each run played.
    pair = [runs[0], play(tmp_path / "third", ids=(MASTERMIND,))]
    text = write_report(pair, path, pictures=0).read_text()
    assert "Only in Mastermind have the runs tasks in common: " in text


def test_a_run_without_episodes_is_refused(runs, tmp_path):

    empty = tmp_path / "empty"
    shutil.copytree(runs[0], empty)
    (empty / "episodes.jsonl").write_text("")
    with pytest.raises(ValueError, match="no episode is finished"):
        write_report([empty], tmp_path / "e.html")


def test_a_leaderboard_ranks_runs_of_one_suite(runs, stubborn, tmp_path):
    text = write_leaderboard(runs, tmp_path / "l.html").read_text()
    assert text.index(">expert (privileged)<") < text.index(">random<")
    assert "2 runs of the suite" in text
    assert "makes the most progress: a rate" in text.split(">random is the first ")[-2]
    # All differences are from the first, but for its lead over the next.
    assert ">lead<" in text and re.search(r">\+0\.\d+<", text)
    # A run with few of the tasks is last, without a place.
    few = [shutil.copytree(runs[n], tmp_path / f"{n}") for n in (0, 1)]
    rows = (few[1] / "episodes.jsonl").read_text().splitlines(keepends=True)
    used = json.loads(rows[0]) | {"usage": {"tokens": 7}}
    del used["crc"]
    (few[1] / "episodes.jsonl").write_text(f"{json.dumps(used)}\n")
    text = write_leaderboard([few[1], runs[0], few[0]], tmp_path / "l.html").read_text()
    assert text.rindex('as the first">2≈<') < text.index(">expert (privileged)<")
    assert ">tokens per episode<" in text
    for n, run in enumerate(few):
        noted = json.loads((run / "run.json").read_text()) | {
            "agent": "expert",
            "agent_params": {"a long name": n},
        }
        (run / "run.json").write_text(json.dumps(noted))
    same = write_leaderboard(few, tmp_path / "l.html").read_text()
    assert "All runs: expert (privileged), which knows more" in same
    alone = write_leaderboard(runs[1:], tmp_path / "l.html").read_text()
    assert "1 run of the suite" in alone and "Privileged: it knows" in alone
    text = write_leaderboard([*runs, stubborn], tmp_path / "l.html").read_text()
    assert "3 runs of 2 suites" in text and "has only few of these tasks" in text
    other = play(tmp_path / "o", ids=("aq/GSM8K-v0",), episodes=1, max_steps=1)
    with pytest.raises(ValueError, match="no task is finished in runs of both"):
        write_leaderboard([runs[0], other], tmp_path / "l.html")


def test_the_commands_write_what_is_asked_for(runs, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    paths = [str(run) for run in runs]
    assert main(["report", *paths]) == 0
    assert main(["leaderboard", *paths, "-o", "board.html"]) == 0
    printed = re.findall(r"^.*: (file:.*)$", capsys.readouterr().out, re.M)
    assert printed == [
        p.as_uri()
        for p in map(tmp_path.joinpath, ("report.html", "board.html"))
        if p.exists()
    ]
    assert main(["report", *paths, "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("| environment")
    assert main(["report", *paths, "--latex"]) == 0
    assert capsys.readouterr().out.startswith(r"{\footnotesize")
    assert main(["report", str(tmp_path / "none")]) == 1
    assert "aq-gym: " in capsys.readouterr().err


def test_only_figures_need_the_extra(tmp_path, monkeypatch, capsys):
    run = play(tmp_path / "run", ids=(MASTERMIND,), episodes=1, max_steps=2)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("aq_gym.support.extras.find_spec", lambda name: None)
    assert main(["report", str(run)]) == 0
    assert main(["report", str(run), "--figures", "figures"]) == 1
    printed = capsys.readouterr().err
    assert "needs matplotlib: pip install 'aq-gym[report]'" in printed
    assert "Traceback" not in printed


def test_a_report_tells_how_far_it_is(runs, tmp_path):
    told = {}

    def track(things, total, what):
        told[what] = total, 0
        for thing in things:
            told[what] = total, told[what][1] + 1
            yield thing

    write_report(runs, tmp_path / "r.html", track=track, pictures=1)
    # The pictures end when there are enough.
    assert told == {"reading episodes": (18, 18), "drawing pictures": (1, 2)}


def test_a_run_without_a_rank_has_figures_of_its_few_tasks(
    runs, stubborn, tmp_path, capsys
):
    folders = [*map(str, runs), str(stubborn)]
    text = write_report(folders, tmp_path / "r.html", pictures=0).read_text()
    heat = text[text.index("<caption>Progress rate in each environment") :]
    (row,) = re.findall(r"<tr[^>]*>(?:(?!</tr>).)*Stubborn.*?</tr>", heat, re.S)[:1]
    assert re.findall(r'data-value="(0.0|-1)"', row) == ["-1", "0.0", "-1"]
    assert main(["compare", *folders]) == 0
    lines = re.findall(r"^\(3\).*$", capsys.readouterr().out, re.M)
    assert any("0.00 [0.00, 0.71]  0 of 3" in line for line in lines)


def test_a_count_over_several_attempts_says_so(tmp_path):
    command = ["run", "--env", MASTERMIND, "--episodes", "3", "--attempts", "2"]
    folder = tmp_path / "run"
    assert main([*command, "--agent", "random", "--out", str(folder)]) == 0
    other = shutil.copytree(folder, tmp_path / "other")
    text = write_report([folder, other], tmp_path / "r.html", pictures=0).read_text()
    assert "mean of 2 attempts" in text
