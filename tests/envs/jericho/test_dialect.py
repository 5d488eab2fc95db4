"""The adventures share one way of talking: what one understands, all understand."""

import re

import pytest

from aq_gym.envs.jericho.games import ADVENTURES

STORIES = "aq_gym/envs/jericho/stories"
_VERB = re.compile(r"^Verb\s+([^*=;]+)", re.M)
# The bits of a dictionary's word that say it is a verb.
_IS_VERB = 1


@pytest.fixture(scope="module")
def phrases(root):
    """The verbs of the headers that every story includes."""
    files = sorted((root / STORIES).glob("phrases*.h"))
    heads = [head for file in files for head in _VERB.findall(file.read_text("utf-8"))]
    words = {word for head in heads for word in re.findall(r"'([^']+)'", head)}
    return sorted(word.removesuffix("//") for word in words)


@pytest.mark.parametrize("name", ADVENTURES)
def test_a_story_includes_the_dialect(root, name):
    source = (root / STORIES / f"{name}.inf").read_text("utf-8")
    for header in ("aq.h", "answers.h", "manners.h", "phrases.h"):
        assert f'Include "{header}";' in source


@pytest.mark.parametrize("name", ADVENTURES)
def test_a_story_knows_every_word(sessions, phrases, name):
    assert len(phrases) > 100
    dictionary = sessions[name].dictionary
    for word in phrases:
        known = dictionary.words.get(dictionary.cut(word))
        assert known is not None, word
        assert known.data[0] & _IS_VERB, word


SENTENCES = (
    "talk", "hello", "hi there", "greet everyone", "good morning", "thanks", "nod",
    "call", "shout", "whistle", "say hello", "answer", "ask about help",
    "rest", "sit down", "stand up", "get up", "dance", "laugh",
    "look around", "search", "find help", "where is it", "exits",
    "north", "upstairs", "go back", "stand", "dig", "wait for dawn", "buy anything",
)  # fmt: skip
OF_A_THING = (
    "talk to {}", "greet {}", "ask {}", "ask {} about help", "call {}", "wake {}",
    "kiss {}", "wave to {}", "knock on {}", "tap {}", "shake {}", "lift {}",
    "use {}", "use me on {}", "approach {}", "follow {}", "find {}", "count {}",
    "peer into {}", "lean on {}", "poke {}", "lock {}", "unlock {}", "pry {} open",
    "eat {}", "go to {}", "climb down {}", "pull {} down", "operate {}", "start {}",
)  # fmt: skip


@pytest.mark.parametrize("name", ADVENTURES)
def test_a_story_understands_a_sentence(play, name):
    for line in SENTENCES:
        assert play(name, line)


@pytest.mark.parametrize(
    ("game", "way", "noun"),
    [
        ("bathyscaphe", "n", "hatch"),
        ("clockwork", "w", "drawer"),
        ("ferry", "look", "ferryman"),
        ("keepsakes", "e", "basket"),
        ("lighthouse", "n; w", "teapot"),
        ("maze", "s; s", "urn"),
        ("mine", "w", "locker"),
        ("museum", "look", "porter"),
    ],
)
def test_a_story_understands_what_is_said_of_a_thing(play, game, way, noun):
    for line in OF_A_THING:
        assert play(game, f"{way}; {line.format(noun)}")


@pytest.mark.parametrize(
    ("game", "line", "answer"),
    [
        ("maze", "rest", "Not until you have been"),
        ("museum", "rest", "There is no time to rest"),
        ("mine", "hello", "~Captain!~"),
        ("clockwork", "nod", "still noon"),
        ("ferry", "nod", "longing for"),
        ("ferry", "call ferryman", "longing for"),
        ("lighthouse", "call departing boat", "They can't hear you"),
        ("lighthouse", "approach shed", "Boat Shed"),
        ("keepsakes", "approach parlour", "Parlour"),
        ("keepsakes", "approach tall clock", "painted moon"),
        ("museum", "tap porter", "Tuesday"),
        ("mine", "n; tap water", "Cold"),
        ("keepsakes", "use letter on clock", "keepsakes in the trunk"),
        ("keepsakes", "w; lift lid", "You open the biscuit tin"),
        ("clockwork", "shake fountain", "You achieve nothing"),
    ],
)
def test_a_word_means_the_same_everywhere(play, game, line, answer):
    assert answer.replace("~", '"') in play(game, line)
