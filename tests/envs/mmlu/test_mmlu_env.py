"""MMLU's environment: answers, retries, examples, orders of options."""

import json

import gymnasium as gym
import pytest

from aq_gym.core.splits import in_split
from aq_gym.evaluation import Suite, load_run, run

TASK = {"task_id": "dates-hard-7"}  # its right answer is B
OPENING = """\
The question has four options, and one is right. Answer with its letter, in the form \
"Answer: LETTER". Your first answer counts.

Question: Which date is 89 days after 25 May 1974?
A. 24 August 1974
B. 22 August 1974
C. 18 August 1974
D. 20 August 1974"""


def start(options=TASK, **kwargs):
    env = gym.make("aq/MMLU-v0", **kwargs)
    observation, info = env.reset(seed=0, options=options)
    return env, observation, info


def test_the_first_observation_is_the_question():
    _, observation, info = start()
    assert observation == OPENING
    assert info["goal"] == "Choose the right answer to a question about dates."
    assert info["labels"] == {"subject": "dates", "group": "measures"}
    assert info["difficulty"] == "hard"
    assert info["subgoals"] == {"answered": False, "right answer": False}


def test_one_right_answer_solves_it():
    env, *_ = start()
    observation, reward, terminated, _, info = env.step("The answer is B.")
    assert (observation, reward, terminated) == ("Right answer.", 1.0, True)
    assert info["success"]
    assert info["subgoals"] == {"answered": True, "right answer": True}


def test_one_wrong_answer_ends_it_and_earns_nothing():
    env, *_ = start()
    observation, reward, terminated, _, info = env.step("Answer: A")
    assert (observation, reward, terminated) == ("Wrong answer.", 0.0, True)
    assert (info["progress"], info["success"]) == (0.0, False)
    assert info["subgoals"] == {"answered": True, "right answer": False}


def test_retries_count_answers_and_nothing_else():
    env, observation, _ = start(retries=2)
    assert "you can answer again, 2 times at most." in observation
    assert env.step("Answer: A")[0] == "Wrong answer. You can answer 2 times more."
    observation, *_, info = env.step("Answer: E")
    assert not info["action_valid"]
    assert info["answers_left"] == 2
    assert observation == (
        "'Answer: E' is not one of the options. Answer with its letter, in the form "
        '"Answer: LETTER".'
    )
    assert "Answer: D" in env.step("check valid actions")[0]
    assert env.step("Answer: A")[0] == "Wrong answer. You can answer once more."
    observation, reward, terminated, *_ = env.step("22 August 1974")
    assert (observation, reward, terminated) == ("Right answer.", 1.0, True)


def test_the_last_retry_ends_it():
    env, *_ = start(retries=1)
    assert not env.step("Answer: A")[2]
    assert env.step("Answer: C")[:3] == ("Wrong answer.", 0.0, True)


def test_two_options_of_one_text_need_a_letter(tmp_path):
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "anatomy_test.csv").write_text("q,zero,zero,1,2,B\n")
    env, *_ = start(None, data_dir=str(tmp_path), split="test", subject="anatomy")
    observation, *_, info = env.step("zero")
    assert not info["action_valid"]
    assert "is the text of more than one option" in observation
    assert env.step("b")[-1]["success"]


def test_examples_are_of_the_subject_and_not_the_question_itself(official):
    kwargs = {"data_dir": str(official), "shots": 5, "instructions": False}
    _, observation, _ = start(None, subject="virology", split="test", **kwargs)
    parts = observation.split("\n\n")
    assert parts[0] == "Examples about virology, with their answers:"
    assert [part[-9:] for part in parts[1:6]] == [f"Answer: {k}" for k in "ABCDA"]
    assert parts[2].startswith('Question: What, in "virology", is\ndev 1?\nA. one of')
    assert "Answer:" not in parts[6]
    assert len(parts) == 7
    options = {"task_id": "dev-virology-2"}
    _, observation, _ = start(options, split="dev", **kwargs)
    assert observation.count("dev 2?") == 1
    assert observation.count("\nAnswer: ") == 4


def test_generated_examples_are_of_the_training_split():
    env, *_ = start(None, shots=5, split="test", instructions=False, subject="sets")
    for seed in range(20):
        *examples, asked = env.reset(seed=seed)[0].split("\n\n")[1:]
        assert len(examples) == 5
        for example in examples:
            text = example.removeprefix("Question: ").partition("\nA. ")[0]
            assert in_split(text, "train")
            assert not asked.startswith(example.partition("\nA. ")[0])


def test_every_part_of_the_text_fits_in_an_observation(tmp_path):
    for split, count in (("dev", 5), ("test", 1)):
        (tmp_path / split).mkdir()
        line = f"{split[0] * 14_990},1,2,3,4,A\n"
        (tmp_path / split / f"anatomy_{split}.csv").write_text(line * count)
    env, observation, _ = start(
        None, data_dir=str(tmp_path), split="test", subject="anatomy", shots=5
    )
    assert len(observation) > 6 * 14_990
    assert env.observation_space.contains(observation)


def test_options_are_put_in_one_other_order(official):
    kwargs = {"data_dir": str(official), "split": "test", "instructions": False}
    options = {"task_id": "test-virology-0"}
    plain = start(options, **kwargs)[1]
    orders = {start(options, shuffle=seed, **kwargs)[1] for seed in range(12)}
    assert len(orders) > 5
    assert {"".join(sorted(one)) for one in orders} == {"".join(sorted(plain))}
    env, observation, _ = start(options, shuffle=3, **kwargs)
    assert env.reset(seed=9, options=options)[0] == observation
    state = env.unwrapped.get_state()
    assert env.step("one of virology 0")[-1]["success"]
    env.unwrapped.set_state(state)
    assert env.step(env.unwrapped.expert_action())[-1]["success"]


@pytest.mark.parametrize(
    ("kwargs", "match"),
    [
        ({"split": "dev"}, "split='dev' needs data_dir"),
        ({"shots": 6}, "shots=6 must be 0 to 5"),
        ({"retries": -1}, "retries=-1 must be 0 to 100"),
        ({"subject": "datez"}, "did you mean 'dates'"),
        ({"group": "STEM"}, "choose from"),
        ({"data_dir": "", "difficulty": "easy"}, "published questions have none"),
        ({"data_dir": "", "split": "train", "group": "STEM"}, "have no subjects"),
        ({"data_dir": "", "split": "train", "shots": 1}, "so no examples"),
    ],
)
def test_wrong_arguments_are_named(official, kwargs, match):
    if "data_dir" in kwargs:
        kwargs = {**kwargs, "data_dir": str(official)}
    with pytest.raises(ValueError, match=match):
        gym.make("aq/MMLU-v0", **kwargs)


def test_too_few_examples_are_an_error(tmp_path):
    for split in ("dev", "test"):
        (tmp_path / split).mkdir()
        (tmp_path / split / f"anatomy_{split}.csv").write_text("q,1,2,3,4,A\n" * 3)
    kwargs = {"data_dir": str(tmp_path), "split": "test", "subject": "anatomy"}
    gym.make("aq/MMLU-v0", shots=3, **kwargs)
    with pytest.raises(ValueError, match="the split 'dev' has 3 of anatomy"):
        gym.make("aq/MMLU-v0", shots=4, **kwargs)


def test_the_downloaded_files_are_those_of_the_folder(official, monkeypatch):
    monkeypatch.setenv("AQ_GYM_MMLU", str(official))
    _, _, info = start(None, data_dir="downloaded", split="test", group="STEM")
    assert info["labels"]["group"] == "STEM"


def test_a_run_has_scores_by_subject_and_group(tmp_path):
    rows = [
        {"id": "aq/MMLU-v0", "seeds": [0, 1], "kwargs": {"subject": subject}}
        for subject in ("dates", "clock", "sets")
    ]
    suite = Suite.from_json(json.dumps({"name": "s", "tasks": rows}), "s")
    run(suite, tmp_path / "run", "expert")
    loaded = load_run(tmp_path / "run")
    assert {one.labels["subject"] for one in loaded.episodes} == {
        *("dates", "clock", "sets")
    }
    labels = loaded.summary["benchmarks"]["aq/MMLU-v0"]["labels"]
    assert {kind: list(own) for kind, own in labels.items()} == {
        "subject": ["clock", "dates", "sets"],
        "group": ["logic", "measures"],
    }
    measures = labels["group"]["measures"]
    assert measures["counts"]["episodes"] == 4
    assert measures["metrics"]["success rate"]["value"] == 1.0
