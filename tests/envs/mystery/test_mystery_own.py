"""Puzzles of the user's, judged by a scripted endpoint."""

import copy
import json
import pickle

import gymnasium as gym
import pytest
from envs.mystery.own_puzzles import PUZZLE, SECRET, made
from scripted_server import answer, raw


def test_the_first_observation_is_pinned(puzzles, judge):
    judge(answer("yes"))
    observation, info = made(puzzles).reset(seed=0)
    assert observation == FIRST
    assert info["judge"] == ""
    assert info["difficulty"] == ""
    assert info["subgoals"] == {"key 1": False, "key 2": False, "the story": False}
    assert made(puzzles, instructions=False).reset()[0] == PUZZLE["story"]


FIRST = """\
Solve a mystery. You are told how a story ended, and you find out what happened by \
asking questions that can be answered with yes or no, one at a time. I answer 'Yes.', \
'No.' or 'Irrelevant.'. When you know what happened, tell the story.
The story has 2 key facts; it is told when your questions and your telling cover them \
all.
Ask a question that can be answered with yes or no, as: Was it an accident?
Tell the story in the form: Story: <what happened>
A man pushes his car to a hotel and loses his fortune."""


def test_an_episode_is_judged(puzzles, judge):
    server = judge(
        answer("irrelevant"),
        answer("No."), 
        answer("Yes"), answer("yes"), answer("no"),
        answer("YES"),
    )  # fmt: skip
    env = made(puzzles)
    env.reset(seed=0)
    assert env.step("Was it raining?")[0] == "Irrelevant."
    assert env.step("Did he die?")[0] == "No."
    observation, reward, _, _, info = env.step("Is it a game?")
    assert (observation, reward) == ("Yes.", pytest.approx(1 / 3))
    assert info["subgoals"] == {"key 1": True, "key 2": False, "the story": False}
    observation, _, terminated, _, info = env.step("Story: He moves a token.")
    assert observation == "That is the whole story!"
    assert terminated
    assert info["success"]
    assert info["progress"] == 1.0
    sent = json.loads(server.requests[-1]["messages"][1]["content"])
    assert sent == {
        "told": PUZZLE["story"],
        "truth": PUZZLE["answer"],
        "fact": "The car is a token.",
        "player": "He moves a token.",
    }
    assert len(server.requests) == 6


def test_a_telling_that_lacks_a_key_ends_nothing(puzzles, judge):
    judge(answer("yes"), answer("no"))
    env = made(puzzles)
    env.reset()
    observation, _, terminated, _, info = env.step("Story: He plays.")
    assert observation == "That is not the whole story yet. Keep asking."
    assert not terminated
    assert info["subgoals"]["key 1"]
    assert not info["subgoals"]["the story"]


def test_an_endpoint_that_fails_is_an_error_and_no_score(puzzles, judge):
    judge(raw(400, f'{{"error": "no {SECRET}"}}'))
    env = made(puzzles)
    env.reset()
    _, _, _, truncated, info = env.step("Did he die?")
    assert truncated
    assert "the judge failed" in info["error"]
    assert SECRET not in info["error"]


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("yes", "yes"), (" **No**.", "no"), ("Irrelevant!", "irrelevant"),
        ("<think>yes or no?</think>\nno", "no"), ("The answer is: no.", "no"),
        ('{"verdict": "yes"}', "yes"), ("Yes, but not in the way ...", "yes"),
    ],
)  # fmt: skip
def test_a_verdict_is_read_as_models_write_it(puzzles, judge, said, verdict):
    judge(answer(said), answer("no"))
    env = made(puzzles)
    env.reset()
    assert env.step("Did he die?")[0] == f"{verdict.capitalize()}."


def test_an_answer_without_a_verdict_is_asked_for_again(puzzles, judge):
    server = judge(answer("It may be yes or no."), answer(""), answer("no"))
    env = made(puzzles)
    env.reset()
    info = env.step("Did he die?")[4]
    assert "none of yes, no, irrelevant" in info["error"]
    reminder = server.requests[1]["messages"][1]["content"]
    assert reminder.endswith("nothing else: yes, no, irrelevant")
    assert len(server.requests) == 2
    env.reset()
    assert env.step("Did he die?")[0] == "No."


def test_copies_continue_on_their_own(puzzles, judge):
    judge(answer("yes"), answer("yes"), answer("no"), answer("no"))
    env = made(puzzles)
    env.reset(seed=0)
    env.step("Is it a game?")
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.unwrapped.get_state() == env.unwrapped.get_state()
        assert twin.step("Did he die?")[0] == "No."
    assert env.unwrapped.subgoals()["key 1"]


def test_hostile_texts_are_answered(puzzles, judge):
    judge(answer("no"))
    env = made(puzzles)
    env.reset()
    for text in ("\ud800?", "Is it \x00?", "x" * 10_000, "Story: \ud800 z"):
        observation, *_, info = env.step(text)
        assert "error" not in info
        observation.encode()


def test_the_expert_tells_the_answer_and_the_keys(puzzles, judge):
    judge(answer("yes"))
    env = made(puzzles).unwrapped
    env.reset()
    for text in (PUZZLE["answer"], *PUZZLE["keys"]):
        assert text in env.expert_action()
    assert env.step(env.expert_action())[4]["success"]


def test_a_failing_judge_gives_up_no_key(puzzles, judge):
    """A key that was found before the endpoint failed is still found."""
    judge(answer("yes"), answer("yes"), answer("no"), answer("hm"))
    env = made(puzzles)
    env.reset()
    env.step("Is it a game?")
    info = env.step("Is it a token?")[4]
    assert info["error"]
    assert info["subgoals"]["key 1"]


def test_splits_are_disjoint(tmp_path, judge):
    judge(answer("no"))
    path = tmp_path / "many.json"
    path.write_text(json.dumps([{**PUZZLE, "story": f"Case {i}."} for i in range(40)]))
    ids = {}
    for split in ("all", "train", "test"):
        env = made(path, split=split)
        ids[split] = {env.reset(seed=s)[1]["task_id"] for s in range(300)}
    assert not ids["train"] & ids["test"]
    assert ids["train"] | ids["test"] == ids["all"]
    assert len(ids["all"]) == 40


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"judge_model": "m"}, "judge_model='m' needs puzzles="),
        ({"verdicts": "v.jsonl"}, "verdicts='v.jsonl' needs puzzles="),
        ({"facts": 0}, "facts=0 must be 1 to 6"),
        ({"facts": 7}, "facts=7 must be 1 to 6"),
        ({"list_actions": True}, "questions can't be listed"),
        ({"split": "dev"}, "split='dev'"),
    ],
)
def test_a_developers_mistake_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        gym.make("aq/Mystery-v0", **arguments)


def test_puzzles_need_a_model(puzzles):
    with pytest.raises(ValueError, match="give judge_model="):
        gym.make("aq/Mystery-v0", puzzles=str(puzzles))
