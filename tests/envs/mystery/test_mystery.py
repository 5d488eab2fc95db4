"""Mystery with generated stories: texts, the exact judge, the expert."""

import json
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.mystery.actions import (
    Problem,
    lexicon,
    read,
    words_of,
    write_question,
)
from aq_gym.envs.mystery.game import (
    ASPECTS,
    VALUES,
    Known,
    Question,
    Story,
    Telling,
    aspects,
    read_story,
)

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


def found_after(*actions, task_id=TASK, **arguments):
    """The names of the facts found after each action, and the last info."""
    env, _, info = made(task_id, **arguments)
    found = []
    for action in actions:
        info = env.step(action)[4]
        names = [name for name, holds in info["subgoals"].items() if holds]
        found.append(" ".join(name.removeprefix("the ") for name in names))
    return found, info


OTHER_HELPERS = ("dog", "parrot", "horse", "child", "twin", "policeman", "stranger")


def test_a_fact_is_found_when_the_answers_leave_one_value():
    found, info = found_after(
        "Was the helper a nurse or a dog?",
        "Was the helper a dog?",
        "Was the person a gardener?",
        "Was the person a gardener?",
        "Did somebody die?",
    )
    assert found == ["", "helper", *["person helper"] * 3]
    assert info["progress"] == pytest.approx(2 / 7)
    found, _ = found_after(*(f"Was it a {one}?" for one in OTHER_HELPERS))
    assert found == [*[""] * 6, "helper"]


def test_answers_about_two_facts_count():
    both = "Did a {} have a {}?".format
    assert found_after(both("gardener", "key"))[0] == ["person object"]
    found, _ = found_after(
        both("sailor", "rope"), both("sailor", "key"), "Was it a sailor or a gardener?"
    )
    assert found == [""] * 3
    # The two questions that were denied leave no sailor only if these were all objects.
    found, _ = found_after(
        both("sailor", "rope"),
        "Was it a sailor or a gardener?",
        "Was it a rope or a key?",
        both("sailor", "key"),
    )
    assert found == ["", "", "", "person"]


def test_a_telling_counts_by_its_answer():
    """Which of its facts are right is not said, so they are not found."""
    story = "Story: {}, library, key, money, snow, nurse".format
    assert found_after("Story: a gardener in the fog")[0] == [""]
    assert found_after(story("sailor"))[0] == [""]
    one = {"task_id": "story-2-315214-100000", "facts": 1}
    found, info = found_after(
        "Was it a sailor or a gardener?", "Story: a sailor", "Story: a gardener", **one
    )
    assert found == ["", "person", "person story"]
    assert info["success"]


def test_the_questions_of_the_expert_determine_all_facts():
    env, *_ = made()
    for _ in range(18):
        info = env.step(env.unwrapped.expert_action())[4]
    assert info["progress"] == pytest.approx(6 / 7)
    assert not info["subgoals"]["the story"]


def test_the_number_of_questions_is_an_argument():
    env, observation, _ = made(questions=60)
    assert "You have 60 questions; a telling counts as one." in observation
    assert not any(env.step("Was it a dog?")[2] for _ in range(59))
    env, observation, _ = made(questions=1)
    assert "You have 1 question; a telling" in observation
    assert env.unwrapped.expert_action().startswith("Story: ")
    assert env.step("Was it a dog?")[2]


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
    """It plays stories alike if its questions have the same answers."""
    actions = set()
    for task_id in ("story-0-000000-111111", "story-0-033333-111111"):
        env, _, _ = made(task_id)
        for _ in range(3):
            env.step(env.unwrapped.expert_action())
        actions.add(env.unwrapped.expert_action())
    assert len(actions) == 1


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"judge_model": "m"}, "judge_model='m' needs puzzles="),
        ({"verdicts": "v.jsonl"}, "verdicts='v.jsonl' needs puzzles="),
        ({"facts": 0}, "facts=0 must be 1 to 6"),
        ({"facts": 7}, "facts=7 must be 1 to 6"),
        ({"questions": 0}, "questions=0 must be at least 1"),
        ({"questions": 9, "puzzles": "p.json"}, "questions=9 is for generated stories"),
        ({"list_actions": True}, "questions can't be listed"),
    ],
)
def test_a_developers_mistake_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        gym.make("aq/Mystery-v0", **arguments)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Was it a dog?", "Was the helper a dog?"),
        ("Wasn't it a dog?", "Was the helper a dog?"),
        ("Did a parrot or a dog help?", "Was the helper a dog or a parrot?"),
        ("Did somebody DIE?", "did somebody die?"),
        ("Did a doctor use a letter?", "did a doctor use a letter?"),
        ("My story: a parrot in the fog", "Story: the weather was fog and the helper "
         "was a parrot."),
        ("help", "check valid actions"),
        ("I should ask about the dog first.", None),
        ("Why?", None),
        ("Was it a giraffe?", None),
    ],
)  # fmt: skip
def test_questions_that_ask_the_same_have_one_form(text, canonical):
    env = gym.make("aq/Mystery-v0").unwrapped
    assert env.understands(text) is (canonical is not None)
    assert env.canonical_action(text) == (canonical or text)


PERSON, PLACE, OBJECT, MOTIVE, WEATHER, HELPER = range(6)
# A surgeon, a lighthouse, a letter, revenge, fog, a parrot.
STORY = Story(0, (1, 0, 3, 1, 0, 1), (True,) * 6)


def asked(question, story=STORY):
    read_as = read(question)
    assert isinstance(read_as, Question), read_as
    return read_as.answer(story)


def test_the_documented_form_names_every_value():
    assert VALUES ** len(ASPECTS) == 262_144
    for i, aspect in enumerate(aspects()):
        for j, value in enumerate(aspect.values):
            question = write_question(i, [value])
            assert read(question) == Question(((i, 1 << j),)), question


def test_the_documented_form_names_every_category():
    for i, aspect in enumerate(aspects()):
        for category, mask in aspect.categories.items():
            assert read(write_question(i, [category])) == Question(((i, mask),))


def test_every_word_is_read_alone_and_in_the_plural():
    for i, aspect in enumerate(aspects()):
        for form, mask in aspect.forms.items():
            assert read(f"Was it {form}?") == Question(((i, mask),)), form


def test_no_word_has_two_meanings():
    seen = {}
    for aspect in aspects():
        for word in (*aspect.forms, *aspect.cues):
            assert seen.setdefault(word, aspect.name) == aspect.name, word
    folder = Path(__file__).parents[3] / "aq_gym/envs/mystery/data"
    topics = json.loads((folder / "words.json").read_text())["topics"]
    assert not set(topics) & set(seen)


YES = """
Was the person a surgeon?
Is the person a doctor?
Was a doctor involved?
Was it a doctor who did it?
Was the culprit a surgeon or a teacher?
Is the culprit somebody with a degree?
Did the person have a medical job?
Did it happen in a lighthouse?
Did this take place near the sea?
Was it prepared indoors?
Was it somewhere remote?
Is the location close to water?
Was a letter used?
Was the object made of paper?
Did they use paper?
Was it done out of revenge?
Was the motive revenge or money?
Was he driven by vengeance?
Was there fog?
Was it foggy?
Was the weather misty?
Was a parrot involved?
Did a bird help?
Did an animal help?
Was the helper an animal?
Was the accomplice a parrot, a dog or a cat?
Did a doctor use a letter?
Did the surgeon do it for revenge?
Wasn't the person a doctor?
isn't it a bird
The person was a surgeon?
Question: Was the helper a bird?
My next question is: was there fog?
"Was there fog?"
Is the weather important?
Does the place matter?
Was the motive relevant?
So was it a parrot?
"""


@pytest.mark.parametrize("question", YES.strip().splitlines())
def test_ordinary_phrasings_that_are_true(question):
    assert asked(question) == "yes"


NO = """
Was the person a sailor?
Is the person a performer?
Was it the butler?
Was a king involved?
Did it happen in a castle?
Did it happen at a railway station?
Was it outdoors?
Was a knife used?
Was it a musical instrument?
Was it made of metal?
Was it done for money?
Was the sailor's motive revenge?
Was it out of jealousy?
Was it done for financial gain?
Was it raining?
Was it windy?
Did a ghost help?
Was the helper human?
Did a dog or a cat help?
Did a doctor use a violin?
Did the surgeon do it for love?
Was a relative involved?
Was it hot?
Did the place have books?
"""


@pytest.mark.parametrize("question", NO.strip().splitlines())
def test_ordinary_phrasings_that_are_false(question):
    assert asked(question) == "no"


IRRELEVANT = """
Did somebody die?
Was it a murder?
Was anybody hurt?
Was it an accident?
Did it happen at night?
Is it about food?
Was it a dream?
Was the man old?
Did he eat something?
Was something stolen?
"""


@pytest.mark.parametrize("question", IRRELEVANT.strip().splitlines())
def test_what_has_nothing_to_do_with_it_is_irrelevant(question):
    assert asked(question) == "irrelevant"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "It has no words"),
        ("?!", "It has no words"),
        ("Why did the surgeon do it?", "begin with 'why'"),
        ("Who did it?", "begin with 'who'"),
        ("It was a surgeon.", "neither a question nor a story"),
        ("I think it was a surgeon", "neither a question nor a story"),
        ("Was it a surgeon? Was there fog?", "one question at a time"),
        ("Was the person not a surgeon?", "'not' can be misread"),
        ("Was it no surgeon?", "'no' can be misread"),
        ("Was it done without a rope?", "'without' can be misread"),
        ("Is it true that there wasn't fog?", '"wasn\'t" can be misread'),
        ("Was it a giraffe?", "does not know 'giraffe'"),
        ("Was it a tall surgeon?", "does not know 'tall'"),
        ("Was it x, y, z or q?", "does not know 'x', 'y' and 'z'."),
        ("Did somebody kill the surgeon?", "are two questions"),
        ("Was the helper a surgeon?", "'surgeon' is a word for the person"),
        ("Was the person a parrot?", "'parrot' is a word for the helper"),
        ("Was it a surgeon, a teacher?", "Join several words for the person by 'or'"),
        ("Was it a surgeon or foggy?", "ask about one of person and weather"),
        ("Did he do it?", "names none of the facts"),
        ("Was there a helper?", "names none of the facts"),
        ("Is it " + "really " * 100 + "fog?", "500 characters at most"),
        ("Story:", "The story is empty"),
        ("Story: something happened", "names none of the facts"),
        ("Story: it was a surgeon or a sailor", "more than one person"),
        ("Story: it was not a surgeon", "'not' can be misread"),
        ("Story: " + "fog " * 1_001, "4000 characters at most"),
    ],
)
def test_what_cannot_be_judged_is_explained(words, why):
    problem = read(words)
    assert isinstance(problem, Problem)
    assert why in problem.why


@pytest.mark.parametrize(
    "words",
    [
        "Story: A doctor sent a letter from a lighthouse.",
        "story = a doctor sent a letter from a lighthouse",
        "My answer is: A physician, at the lighthouse, with a letter!",
        "**Solution:** The surgeon wrote a letter in the lighthouse",
        "Here is the full story: the lighthouse doctor loses letters",
        "I know.\n\nStory: a doctor wrote a letter\nin a lighthouse.\n\nIt fits fog.",
        "Story: fog, no.\nFinal answer: a doctor, a letter, a lighthouse",
    ],
)
def test_a_telling_is_read_by_its_values(words):
    assert read(words) == Telling(((PERSON, 1), (PLACE, 0), (OBJECT, 3)))


WORDS = [w for aspect in aspects() for w in (*aspect.forms, *aspect.cues)]
WORDS += [*sorted(lexicon().words), "giraffe", "or", "a", "the", ",", "?"]


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.integers(0, 8**6 - 1))
def test_answers_are_those_of_the_facts(words, number):
    """The answer follows from the story's values alone, computed in another way."""
    values = tuple(number // 8**i % 8 for i in range(6))
    question = read(f"Was {' '.join(words)}?")
    if not isinstance(question, Question) or question.certain:
        return
    answer = question.answer(Story(0, values, (True,) * 6))
    if not question.masks:
        assert answer == "irrelevant"
        return
    truths = []
    for aspect, mask in question.masks:
        truths.append(values[aspect] in [i for i in range(VALUES) if mask & 1 << i])
    assert answer == ("yes" if all(truths) else "no")


@pytest.mark.parametrize("seed", range(20))
def test_what_is_possible_is_exact(seed):
    """It has the values of all stories that fit the answers, found by trying them."""
    rng = np.random.default_rng(seed)
    values = (*rng.integers(8, size=2).tolist(), 0, 0, 0, 0)
    story = Story(0, values, (True, True) + (False,) * 4)
    known = Known((255, 255, 1, 1, 1, 1))
    others = [
        story._replace(values=(i, j, 0, 0, 0, 0)) for i in range(8) for j in range(8)
    ]
    for _ in range(25):
        masks = rng.integers(1, 256, size=2).tolist()
        asked = ((PERSON, masks[0]), (PLACE, masks[1]), (OBJECT, 3))
        chosen = rng.integers(1, 8)
        action = Question(tuple(m for i, m in enumerate(asked) if chosen >> i & 1))
        if rng.random() < 0.3:
            action = Telling(tuple(enumerate(rng.integers(8, size=2).tolist())))
        known, others = after(known, action, story, others)
        if known.told:
            break
        for aspect in (PERSON, PLACE):
            left = {one.values[aspect] for one in others}
            assert known.possible[aspect] == sum(1 << value for value in left)
        assert known.possible[2:] == (1,) * 4


def after(known, action, story, others):
    """What is known after an action, and the stories that have the same answer."""
    if isinstance(action, Question):
        answer = action.answer(story)
        same = [one for one in others if action.answer(one) == answer]
        return known.after_answer(action, answer), same
    untold = [one for one in others if (*enumerate(one.values[:2]),) != action.values]
    return known.after_telling(action, story), untold


def test_the_story_is_told_by_all_hidden_facts_and_nothing_wrong():
    story = Story(0, (1, 0, 3, 1, 0, 1), (True, True, False, False, False, False))
    known = Known((255, 255, 8, 2, 1, 2))
    for values, told in (
        (((0, 1), (1, 0)), True),
        (((0, 1), (1, 0), (2, 3)), True),
        (((0, 1),), False),
        (((0, 1), (1, 0), (2, 4)), False),
    ):
        new = known.after_telling(Telling(values), story)
        assert new.told is told
        assert new.possible == ((2, 1, 8, 2, 1, 2) if told else known.possible)


def test_a_task_id_names_a_story():
    story = read_story("story-3-017425-110000")
    assert story == Story(3, (0, 1, 7, 4, 2, 5), (True, True) + (False,) * 4)
    assert story.task_id == "story-3-017425-110000"
    for other in (
        "", "story-8-017425-110000", "story-3-018425-110000", "story-3-017425-000000",
        "story-3-017425-11000", "story-3-017425-110000\n", "Story-3-017425-110000",
    ):  # fmt: skip
        assert read_story(other) is None


def test_the_outcomes_name_no_fact():
    """Retelling an outcome neither finds nor contradicts a fact."""
    for number in range(8):
        env = gym.make("aq/Mystery-v0", instructions=False)
        options = {"task_id": f"story-{number}-000000-111111"}
        mentions = lexicon().scan(words_of(env.reset(options=options)[0]))
        assert not [m for m, _ in mentions if m.kind == "fact" and m.mask], number
