"""Judges, and what they are asked with."""

import pytest
from rating_judges import criterion, honest, record
from scripted_server import raw

from aq_gym.models import EndpointStatusError
from aq_gym.ratings import Judge, Settings, assess
from aq_gym.ratings.criteria import criteria_of
from aq_gym.ratings.judge import family

FACTS = criteria_of([criterion("facts")])
TWICE = Settings(repeats=2, disturbances=())


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
