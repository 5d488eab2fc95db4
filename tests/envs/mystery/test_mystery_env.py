from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

import aq_gym  # noqa: F401
from aq_gym.envs.mystery.logic.facts import aspects, load

ROOT = Path(__file__).parents[3]
# A gardener at a library with a key, for money, in snow, with a nurse.
TASK = "story-2-315214-111111"


def made(task_id=TASK, **arguments):
    env = gym.make("aq/Mystery-v0", **arguments)
    observation, info = env.reset(options={"task_id": task_id})
    return env, observation, info


def test_the_first_observation_is_pinned():
    _, observation, info = made()
    assert observation == FIRST
    assert info["goal"] == (
        "Find out by yes/no questions what happened, and tell the story."
    )
    assert info["difficulty"] == "hard"
    assert info["judge"] == ""
    _, bare, _ = made(instructions=False)
    assert bare == FIRST.splitlines()[-1]


FIRST = """\
Solve a mystery. You are told how a story ended, and you find out what happened by \
asking questions that can be answered with yes or no, one at a time. I answer 'Yes.', \
'No.' or 'Irrelevant.'. When you know what happened, tell the story.
You need to find these 6 facts:
  the person: who was behind it
  the place: where it was prepared
  the object: what was used
  the motive: why it was done
  the weather: what the weather or nature was like
  the helper: who or what helped
You have 20 questions; a telling counts as one.
Ask in the form: Was the person a sailor or a teacher?
Tell the story in the form: Story: <what happened, with all its facts>
'check valid actions' lists what each fact can be.
For a whole week a folded swan lay on the mayor's breakfast tray each morning, \
although nobody had come in."""


def test_known_facts_are_told():
    _, observation, info = made("story-2-315214-000100", facts=1)
    assert "You need to find this fact:\n  the motive: why it was done" in observation
    assert observation.endswith(
        "This much is known: the person was a gardener, the place was a library, the "
        "object was a key, the weather was snow and the helper was a nurse."
    )
    assert info["difficulty"] == "easy"
    assert info["subgoals"] == {"the motive": False, "the story": False}


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        ("Was the person a gardener?", "Yes."),
        ("Was the person a sailor or a teacher?", "No."),
        ("Did somebody die?", "Irrelevant."),
        (
            "Was it a giraffe?",
            "The judge does not know 'giraffe'. Ask as: Was the person a sailor or a "
            "teacher? Or tell it as: Story: <what happened>",
        ),
        (
            "Story: a gardener used a key",
            "Your story leaves out the place, the motive, the weather and the helper.",
        ),
        (
            "Story: sailor, library, key, money, snow, nurse",
            "Not everything in your story is true.",
        ),
        (
            "Story: gardener, library, key, money, snow, nurse",
            "That is the whole story!",
        ),
    ],
)
def test_answers_are_pinned(action, answer):
    assert made()[0].step(action)[0] == answer


def test_help_lists_all_values():
    observation, _, _, _, info = made()[0].step("check valid actions")
    assert info["action_valid"]
    assert "the helper: a dog, a parrot, a horse, a child, a nurse" in observation
    assert "also an animal, a human being" in observation


def test_a_fact_is_found_by_naming_it_alone_or_telling_it():
    env, _, _ = made()
    names = ["person", "place", "object", "motive", "weather", "helper"]
    found = {}
    for action in (
        "Was the helper a nurse or a dog?",
        "Was the helper a nurse?",
        "Was the helper a dog?",
        "Story: a gardener in the fog",
    ):
        info = env.step(action)[4]
        found[action] = [name for name in names if info["subgoals"][f"the {name}"]]
    assert list(found.values()) == [[], ["helper"], ["helper"], ["person", "helper"]]
    assert info["progress"] == pytest.approx(2 / 7)


def test_a_story_that_is_told_ends_the_episode():
    env, _, _ = made()
    story = "Story: gardener, library, key, money, snow, nurse"
    _, reward, terminated, _, info = env.step(story)
    assert terminated
    assert reward == 1.0
    assert all(info["subgoals"].values())


def test_the_truth_is_never_shown():
    env, _, _ = made()
    (truth,) = env.unwrapped.secrets()
    assert truth == (
        "Behind it was a gardener, because of money. It was prepared at a library, "
        "with a key, during snow, and a nurse helped."
    )


@pytest.mark.parametrize("facts", [1, 3, 6])
def test_the_expert_asks_three_questions_for_each_fact(facts):
    env = gym.make("aq/Mystery-v0", facts=facts)
    for seed in range(20):
        env.reset(seed=seed)
        steps, over = 0, False
        while not over:
            action = env.unwrapped.expert_action()
            _, _, over, truncated, info = env.step(action)
            assert info["action_valid"], action
            assert not truncated
            steps += 1
        assert info["success"]
        assert steps == 3 * facts + 1


def test_the_expert_looks_at_answers_alone():
    """Stories that answer its questions alike are played alike."""
    actions = set()
    for task_id in ("story-0-000000-111111", "story-0-033333-111111"):
        env, _, _ = made(task_id)
        for _ in range(3):
            env.step(env.unwrapped.expert_action())
        actions.add(env.unwrapped.expert_action())
    assert len(actions) == 1


def test_a_sample_is_no_cheat():
    """A generator with the episode's seed must not draw the story again."""
    env = gym.make("aq/Mystery-v0")
    for seed in range(200):
        env.reset(seed=seed)
        action = env.unwrapped.sample_action(np.random.default_rng(seed))
        assert not env.step(action)[4]["success"]


def test_a_story_keeps_its_split_whatever_is_hidden():
    train, test = (
        gym.make("aq/Mystery-v0", facts=1, split=s) for s in ("train", "test")
    )
    story = train.reset(seed=0)[1]["task_id"][:-6]
    for hidden in ("100000", "000001"):
        train.reset(options={"task_id": story + hidden})
        with pytest.raises(ValueError, match="is not in split='test'"):
            test.reset(options={"task_id": story + hidden})


@pytest.mark.parametrize("task_id", ["story-2-315214-111110", "x", 5])
def test_a_task_of_another_env_is_refused(task_id):
    with pytest.raises(ValueError, match="with 6 hidden facts"):
        made(task_id)


def test_stories_are_drawn_evenly():
    env = gym.make("aq/Mystery-v0", facts=3)
    ids = [env.reset(seed=seed)[1]["task_id"] for seed in range(400)]
    for place in range(6):
        assert {task_id[8 + place] for task_id in ids} == set("01234567")
        assert {task_id[15 + place] for task_id in ids} == set("01")
    assert {task_id[6] for task_id in ids} == set("01234567")


def test_what_is_an_action_is_understood_without_an_episode():
    env = gym.make("aq/Mystery-v0").unwrapped
    for action in ("Was it a dog?", "Story: a dog", "help", "Did somebody die?"):
        assert env.understands(action)
    for text in ("I should ask about the dog first.", "", "Why?", "Was it a giraffe?"):
        assert not env.understands(text)


def test_words_of_other_things_fit_no_value():
    record = load("facts.json")
    for aspect in aspects():
        others = record[aspect.name]["others"]
        assert {aspect.forms[word] for word in others} <= {0}


def test_questions_and_tellings_are_limited():
    env = gym.make("aq/Mystery-v0", facts=1)
    env.reset(options={"task_id": "story-4-654220-000010"})
    for _ in range(3):
        env.step("Was the person purple?")  # not understood, and not counted
        answer, *_, info = env.step("Did somebody die?")
        assert info["action_valid"] and answer == "Irrelevant."
    answer, *_, info = env.step("Story: it was fog.")
    assert answer.endswith("One question is left: tell the story.")
    assert env.unwrapped.expert_action().startswith("Story: ")
    answer, _, terminated, _, info = env.step("Was it a dog?")
    assert answer.endswith("The game is over.") and terminated and not info["success"]


def test_asking_for_each_value_in_turn_rarely_solves_a_story():
    solved = 0
    env = gym.make("aq/Mystery-v0")
    for seed in range(60):
        env.reset(seed=seed)
        found, answer = [], ""
        for aspect in aspects():
            for value in aspect.values[:-1]:
                if answer.endswith("One question is left: tell the story."):
                    break
                answer = env.step(f"Was the {aspect.name} {value}?")[0]
                if answer.startswith("Yes."):
                    found.append(value)
                    break
            else:
                found.append(aspect.values[-1])
        solved += env.step("Story: " + ", ".join(found))[4]["success"]
    assert solved < 0.2 * 60
