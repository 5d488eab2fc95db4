"""Whole assessments, with scripted judges, and what a judge is asked with."""

import json
from collections import Counter

import pytest
from rating_judges import (
    CRITERIA,
    KEPT,
    POLICIES,
    asked,
    criterion,
    honest,
    record,
)
from scripted_server import raw

from aq_gym.evaluation import LimitReachedError, Suite, Task, run
from aq_gym.models import EndpointStatusError
from aq_gym.ratings import Judge, Settings, assess, plan
from aq_gym.ratings.criteria import criteria_of
from aq_gym.ratings.judge import family
from aq_gym.trajectory import jsonl

QUALITIES = [0, 1, 2, 3, 4] * 3
FACTS = criteria_of([criterion("facts")])
SMALL = Settings(repeats=2, disturbances=("sentences:0.25",))
TWICE = Settings(repeats=2, disturbances=())


@pytest.mark.parametrize("asking", ["all", pytest.param("one", marks=pytest.mark.slow)])
def test_exactly_the_planted_criteria_are_dropped(tmp_path, judge, asking):
    server = judge(POLICIES)
    record(tmp_path, QUALITIES)
    settings = Settings(repeats=4, retries=0, asking=asking)
    results = assess(
        tmp_path, [Judge("m", server.url)], settings, criteria=criteria_of(CRITERIA)
    )
    assert results["kept"] == KEPT
    reason = {one["name"]: "; ".join(one["reasons"]) for one in results["criteria"]}
    assert reason["noise"].startswith("not repeatable")
    assert reason["lenient"].startswith("nearly constant")
    assert reason["first listed"].startswith("not repeatable")
    assert reason["reversed"].startswith("reversed")
    assert reason["by color"].startswith("tells nothing")
    assert "are missing" in reason["refusing"]
    assert json.loads((tmp_path / "ratings.json").read_text())["kept"] == KEPT


def test_a_run_of_ours_is_rated(tmp_path, judge):
    def guesses(text):
        ((_, values),) = asked(text)
        steps = text.count(", the agent:")
        return values[min(steps, len(values)) - 1][0]

    task = {"code_length": 1, "symbols": "123"}
    tasks = tuple(Task("aq/Mastermind-v0", n, task, max_steps=2) for n in range(8))
    run(Suite("s", tasks), tmp_path, "random")
    before = (tmp_path / "episodes.jsonl").read_bytes()
    server = judge(guesses)
    results = assess(tmp_path, [Judge("m", server.url)], SMALL, criteria=FACTS)
    (found,) = results["criteria"]
    assert set(found["tau"]) == {"success", "progress rate", "repetition rate"}
    shown = [v for g in found["distribution"].values() for v in g]
    assert sum(len(one["episodes"]) for one in shown) == 8
    assert (tmp_path / "episodes.jsonl").read_bytes() == before


def test_invalid_answers_are_asked_again_and_never_guessed(tmp_path, judge):
    said = Counter()

    def invalid_at_first(values, text):
        said[text.partition("Criterion:")[0]] += 1
        codes = [code for code, _ in values]
        invalid = {1: "", 2: f"{codes[0]} or {codes[1]}"}
        return invalid.get(said[text.partition("Criterion:")[0]], honest(values, text))

    record(tmp_path / "a", [1, 4])
    once = Settings(repeats=1, disturbances=())
    server = judge({"facts": invalid_at_first})
    found = assess(tmp_path / "a", [Judge("m", server.url)], once, criteria=FACTS)
    assert [one["values"]["facts"] for one in found["ratings"]] == ["few", "all"]
    assert len(server.requests) == 6

    record(tmp_path / "b", [1, 4])
    for text in ("all", "5", "no idea", "<think>{}"):
        server = judge(
            {"facts": lambda values, _, text=text: text.format(values[0][0])}
        )
        judged = [Judge(f"m {text}", server.url)]
        found = assess(tmp_path / "b", judged, once, criteria=FACTS)
        assert [one["values"]["facts"] for one in found["ratings"]] == [None, None]
        assert len(server.requests) == 6
        assert found["criteria"][0]["missing"] == 2


def test_reasoning_before_the_answer_is_left_out(tmp_path, judge):
    def thinking(values, text):
        return f"<think>{values[0][0]}? {values[1][0]}?</think>{honest(values, text)}"

    record(tmp_path, [3])
    once = Settings(repeats=1, disturbances=())
    server = judge({"facts": thinking})
    found = assess(tmp_path, [Judge("m", server.url)], once, criteria=FACTS)
    assert found["ratings"][0]["values"] == {"facts": "many"}


def test_the_journal_has_every_request(tmp_path, judge):
    record(tmp_path, [1, 3])
    server = judge({"facts": honest})
    assess(tmp_path, [Judge("m", server.url)], SMALL, criteria=FACTS)
    records = jsonl.read(tmp_path / "ratings" / "journal.jsonl").records
    texts = {one["id"]: one["text"] for one in records if one["kind"] == "text"}
    answers = [one for one in records if one["kind"] == "answer"]
    sent = ["\n\n".join(texts[part] for part in one["parts"]) for one in answers]
    assert sorted(sent) == sorted(server.prompts)
    assert all(one["usage"]["calls"] == 1 for one in answers)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"key": None}, "lacks a field"),
        ({"usage": 5}, "lacks a field"),
        ({"crc": "00000000"}, "has a wrong checksum"),
    ],
    ids=str,
)
def test_a_damaged_answer_in_the_journal_is_asked_again(tmp_path, judge, change, said):
    record(tmp_path, [1])
    server = judge({"facts": honest})
    judges = [Judge("m", server.url)]
    assess(tmp_path, judges, SMALL, criteria=FACTS)
    file = tmp_path / "ratings" / "journal.jsonl"
    *lines, last = file.read_bytes().splitlines()
    answer = {name: v for name, v in json.loads(last).items() if name != "crc"}
    answer.update(change)
    line = json.dumps({name: v for name, v in answer.items() if v is not None}).encode()
    changed = line if "crc" in change else jsonl.with_checksum(line)
    file.write_bytes(b"\n".join([*lines, changed, b""]))
    asked = len(server.prompts)
    with pytest.warns(UserWarning, match=f"line {len(lines) + 1} {said}"):
        assess(tmp_path, judges, SMALL, criteria=FACTS)
    assert server.prompts[asked:] == server.prompts[asked - 1 : asked]


def test_a_plan_is_what_is_sent(tmp_path, judge):
    record(tmp_path, [0, 2, 4])
    server = judge({"facts": honest})
    priced = [Judge("m", server.url, price=(1.0, 10.0), max_tokens=100)]
    planned = plan(tmp_path, priced, SMALL, criteria=FACTS)
    assert not server.requests
    assert not (tmp_path / "ratings").exists()
    assert planned["calls"] == 9
    assert planned["tokens_written"] == 900
    assert planned["cost"] == pytest.approx((planned["tokens_read"] + 9_000) / 1e6)

    # 100 tokens read and 7 written by each call: 0.00017; stopped at the third.
    with pytest.raises(LimitReachedError, match="has reached the limit"):
        assess(tmp_path, priced, SMALL, criteria=FACTS, max_cost=0.0005)
    assert len(server.requests) == 3
    assert not (tmp_path / "ratings.json").exists()
    assert plan(tmp_path, priced, SMALL, criteria=FACTS)["calls"] == 6
    assess(tmp_path, priced, SMALL, criteria=FACTS)
    assert len(server.requests) == 9


def test_workers_change_nothing(tmp_path, judge):
    record(tmp_path, [0, 1, 2, 3, 4])
    server = judge({"facts": honest})
    judges = [Judge("m", server.url)]
    one = assess(tmp_path, judges, SMALL, criteria=FACTS)
    (tmp_path / "ratings" / "journal.jsonl").unlink()
    four = assess(tmp_path, judges, SMALL, criteria=FACTS, workers=4)
    assert four["ratings"] == one["ratings"]


def test_a_refused_request_is_missing(tmp_path, judge):
    record(tmp_path, [0, 4])
    filtered = raw(400, '{"error": "content filter"}')

    def refusing(text):
        return honest(*_only(text)) if "A fact" in text else filtered

    server = judge(refusing)
    found = assess(tmp_path, [Judge("m", server.url)], SMALL, criteria=FACTS)
    values = [one["values"]["facts"] for one in found["ratings"]]
    assert values == [None, None, None, "all", "all", "many"]
    (note,) = found["notes"]
    assert note.startswith("9 requests were refused")
    assert "content filter" in note


def test_an_episode_that_is_too_long_is_shortened(tmp_path, judge):
    record(tmp_path, [2])
    lengths = []

    def short(text):
        lengths.append(len(text))
        if len(text) > 900:
            return raw(400, '{"error": "maximum context length exceeded"}')
        return _only(text)[0][2][0]

    server = judge(short)
    once = Settings(repeats=1, disturbances=())
    found = assess(tmp_path, [Judge("m", server.url)], once, criteria=FACTS)
    assert found["ratings"][0]["values"] == {"facts": "some"}
    assert lengths == sorted(lengths, reverse=True)
    assert len(lengths) > 1
    server.requests.clear()
    assess(tmp_path, [Judge("m", server.url)], once, criteria=FACTS)
    assert not server.requests


def _only(text):
    ((_, values),) = asked(text)
    return values, text


def test_judges_and_people_are_compared(tmp_path, judge):
    record(tmp_path, [0, 1, 2, 3, 4])
    labels = tmp_path / "labels.csv"
    grades = ("none", "few", "some", "many", "many")
    rows = [f"e{n:02d},facts,{value}" for n, value in enumerate(grades)]
    labels.write_text("\n".join(["task,criterion,value", *rows]))
    servers = judge({"facts": honest}), judge({"facts": POLICIES["harsh"]})
    names = "player-large", "other"
    judges = [Judge(n, s.url) for n, s in zip(names, servers, strict=True)]
    settings = Settings(repeats=2, disturbances=("sentences:0.25",))
    found = assess(tmp_path, judges, settings, criteria=FACTS, labels=labels)
    agreement = found["criteria"][0]["agreement"]
    assert agreement["within_judges"] == 1.0
    assert 0.5 < agreement["between_judges"] < 1.0
    assert agreement["labels"] == 5
    assert 0.5 < agreement["people_kappa"] < 1.0
    assert [note.split(",")[0] for note in found["notes"]] == [
        "player-large rates player-1"
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("task,value\n", "column 'criterion'"),
        ("task,criterion,value\nx,facts,all\n", "line 2: task='x'"),
        ("task,criterion,value\ne00,x,all\n", "criterion='x'"),
        ("task,criterion,value\ne00,facts,best\n", "value='best'"),
    ],
)
def test_labels_of_something_else_are_refused(tmp_path, judge, text, said):
    record(tmp_path, [1])
    (tmp_path / "labels.csv").write_text(text)
    with pytest.raises(ValueError, match=said):
        assess(
            tmp_path, [Judge("m", judge({}).url)], SMALL, criteria=FACTS,
            labels=tmp_path / "labels.csv",
        )  # fmt: skip


def test_misuse_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="neither a run nor a folder"):
        assess(tmp_path / "none", [Judge("m", "http://localhost:1")])
    with pytest.raises(ValueError, match="no complete episode"):
        assess(tmp_path, [Judge("m", "http://localhost:1")])
    record(tmp_path, [1])
    for judges in ([], [Judge("m", "http://a"), Judge("m", "http://b")]):
        with pytest.raises(ValueError, match="differ in more than the endpoint"):
            assess(tmp_path, judges)
    for wrong in (
        {"repeats": 0}, {"disturbances": ("twirled",)},
        {"disturbances": ("words:2",)}, {"disturbances": ("shuffled:0.5",)},
        {"disturbances": ("steps", "steps")}, {"asking": "few"},
    ):  # fmt: skip
        with pytest.raises(ValueError, match=next(iter(wrong)).rstrip("s")):
            Settings(**wrong)


def test_a_cut_off_or_damaged_episode_is_left_out_and_counted(tmp_path, judge):
    record(tmp_path, [1, 2, 4])
    judges = [Judge("m", judge({"facts": honest}).url)]
    file = tmp_path / "e01.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    damaged = [lines[n][:20] + b"~" + lines[n][21:] for n in (0, 2)]
    for parts in (
        lines[:3], [*lines[:3], lines[3][:9]], [lines[0][:9]],
        [damaged[0], *lines[1:]], [*lines[:2], damaged[1], *lines[3:]],
    ):  # fmt: skip
        file.write_bytes(b"".join(parts))
        found = assess(tmp_path, judges, SMALL, criteria=FACTS)
        assert {one["episode"] for one in found["ratings"]} == {"e00", "e02"}
        (note,) = [one for one in found["notes"] if "left out" in one]
        assert note.startswith("episodes left out: 1 (e01), because")


def test_ids_that_python_does_not_print_are_rated(tmp_path):
    record(tmp_path, [1])
    (file,) = tmp_path.iterdir()
    first, *lines = file.read_bytes().splitlines()
    header = {name: v for name, v in json.loads(first).items() if name != "crc"}
    header["task_id"] = {"$type": "int", "hex": "0x" + "f" * 5_000}
    header["agent"]["params"] = {"model": header["task_id"]}
    first = jsonl.with_checksum(jsonl.dumps(header))
    file.write_bytes(b"\n".join([first, *lines, b""]))
    assert plan(tmp_path, [Judge("m")], SMALL, criteria=FACTS)["calls"]


@pytest.mark.parametrize(
    ("model", "expected"),
    [("openai/gpt-4o", "gpt"), ("o3-mini", "gpt"), ("chatgpt-4o-latest", "gpt"),
     ("claude-x", "claude"), ("Qwen/Qwen9-7B", "qwen"), ("7b", ""), ("", ""),
     ("meta-llama/Meta-Llama-3.1-8B", "llama"), ("us.meta.llama3-3-70b", "llama"),
     ("us.anthropic.claude-3", "claude"), ("anthropic.claude-3-5", "claude"),
     ("ft:gpt-4o:us::id", "gpt"), ("ft:o3-mini", "gpt"), ("CodeLlama-7b", "llama"),
     ("us.writer.palmyra-x5", "palmyra"), ("us.ai21.jamba-1", "jamba"),
     ("mistralai/Mixtral-8x7B", "mistral"), ("phi-3.5-mini", "phi")],
)  # fmt: skip
def test_families_are_read_from_names(model, expected):
    assert family(model) == expected


def test_each_repetition_has_a_seed(tmp_path, judge):
    record(tmp_path, [1])
    server = judge({"facts": honest})
    judges = [Judge("m", server.url, seed=7, temperature=0.0, request={"top_p": 0.5})]
    results = assess(tmp_path, judges, TWICE, criteria=FACTS)
    assert [one["seed"] for one in server.requests] == [7, 8]
    assert {(one["temperature"], one["top_p"]) for one in server.requests} == {(0, 0.5)}
    (note,) = results["notes"]
    assert note.startswith("with temperature 0 the repetitions show")


def test_another_setting_is_another_judge(tmp_path, judge):
    record(tmp_path, [1])
    server = judge({"facts": honest})
    for options in ({}, {"temperature": 0.5}, {"temperature": 0.5, "timeout": 9.0}):
        assess(tmp_path, [Judge("m", server.url, **options)], TWICE, criteria=FACTS)
    assert len(server.requests) == 4


@pytest.mark.parametrize("status", [429, 500, 404])
def test_a_failure_that_passes_is_no_refusal(tmp_path, judge, status):
    record(tmp_path, [1])
    server = judge(lambda text: raw(status, "{}"))
    with pytest.raises(EndpointStatusError, match=str(status)):
        assess(tmp_path, [Judge("m", server.url, max_retries=0)], TWICE, criteria=FACTS)
    server.policy = {"facts": honest}
    results = assess(tmp_path, [Judge("m", server.url)], TWICE, criteria=FACTS)
    assert results["criteria"][0]["missing"] == 0


@pytest.mark.parametrize(
    ("wrong", "error"),
    [({"model": 3}, TypeError), ({"model": "m", "api": "x"}, ValueError),
     ({"model": "m", "context": 10}, ValueError),
     ({"model": "m", "price": (-1.0, 0.0)}, ValueError)],
)  # fmt: skip
def test_misuse_names_the_argument(wrong, error):
    with pytest.raises(error, match=next(reversed(wrong))):
        Judge(**wrong)
