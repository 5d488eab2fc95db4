"""The exact judge of generated stories."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.mystery import text
from aq_gym.envs.mystery.actions import Problem, read
from aq_gym.envs.mystery.lexicon import lexicon, words_of
from aq_gym.envs.mystery.logic.facts import ASPECTS, VALUES, Story, aspects, read_story
from aq_gym.envs.mystery.logic.questions import Known, Question, Telling

PERSON, PLACE, OBJECT, MOTIVE, WEATHER, HELPER = range(6)
# A surgeon, a lighthouse, a letter, revenge, fog, a parrot.
STORY = Story(0, (1, 0, 3, 1, 0, 1), (True,) * 6)


def asked(question, story=STORY):
    read_as = read(question)
    assert isinstance(read_as, Question), read_as
    return read_as.answer(story)


def test_the_documented_form_names_every_value():
    for i, aspect in enumerate(aspects()):
        for j, value in enumerate(aspect.values):
            question = text.question(i, [value])
            assert read(question) == Question(((i, 1 << j),)), question


def test_the_documented_form_names_every_category():
    for i, aspect in enumerate(aspects()):
        for category, mask in aspect.categories.items():
            assert read(text.question(i, [category])) == Question(((i, mask),))


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


@given(st.text(st.characters(codec=None), max_size=80))
def test_any_text_is_read_or_explained(words):
    action = read(words)
    assert not isinstance(action, Problem) or action.why


WORDS = [w for aspect in aspects() for w in (*aspect.forms, *aspect.cues)]
WORDS += [*sorted(lexicon().words), "giraffe", "or", "a", "the", ",", "?"]


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.integers(0, 8**6 - 1))
def test_answers_are_those_of_the_facts(words, number):
    """The answer follows from the story's values alone, by another way."""
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


def test_words_are_lower_case_without_a_possessive():
    assert words_of("The King\u2019s dog's, ISN'T it?") == [
        "the", "king", "dog", "isn't", "it"
    ]  # fmt: skip


def test_answers_leave_what_is_possible():
    known = Known((255,) * 6, (False,) * 6)
    known = known.after_answer(Question(((PERSON, 0b0110),)), "yes")
    assert known.possible[PERSON] == 0b0110
    known = known.after_answer(Question(((PERSON, 0b0100),)), "no")
    assert known.possible[PERSON] == 0b0010
    assert not any(known.found)
    known = known.after_answer(Question(((PERSON, 0b0010),)), "yes")
    assert known.found == (True, False, False, False, False, False)


def test_a_no_about_two_facts_leaves_everything_possible():
    known = Known((255,) * 6, (False,) * 6)
    both = Question(((PERSON, 1), (PLACE, 1)))
    assert known.after_answer(both, "no") == known._replace(asked=1)
    assert known.after_answer(both, "yes").found[:2] == (True, True)


def test_the_story_is_told_by_all_hidden_facts_and_nothing_wrong():
    story = Story(0, (1, 0, 3, 1, 0, 1), (True, True, False, False, False, False))
    known = Known((255,) * 6, (False,) * 6)
    assert known.after_telling(Telling(((0, 1), (1, 0))), story).told
    assert known.after_telling(Telling(((0, 1), (1, 0), (2, 3))), story).told
    partly = known.after_telling(Telling(((0, 1),)), story)
    assert not partly.told
    assert partly.found == (True, False, False, False, False, False)
    wrong = known.after_telling(Telling(((0, 1), (1, 0), (2, 4))), story)
    assert not wrong.told
    assert wrong.found == (True, True, False, False, False, False)


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
    """So that retelling one neither finds nor contradicts a fact."""
    for number in range(8):
        story = Story(number, (0,) * 6, (True,) * 6)
        mentions = lexicon().scan(words_of(text.opening(story)))
        assert not [m for m, _ in mentions if m.kind == "fact" and m.mask], number


def test_there_are_as_many_stories_as_the_docs_say():
    assert VALUES ** len(ASPECTS) == 262_144
    assert all(len(aspect.values) == VALUES for aspect in aspects())
