"""Only one short line of harmless text reaches the engine."""

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st
from zmachine.compiled import path_of

import aq_gym  # noqa: F401
from aq_gym.envs.jericho import session_manager
from aq_gym.envs.jericho.actions import (
    LONGEST_LINE,
    is_in_grammar,
    read_command,
    read_key,
    read_line,
)
from aq_gym.envs.jericho.env import JerichoEnv
from aq_gym.envs.jericho.games import find_game
from aq_gym.envs.jericho.logic import Dictionary, read_dictionary
from aq_gym.envs.jericho.session_manager import Cache

WORDS = read_dictionary(find_game("lighthouse").story)
SAFE = set(map(chr, range(32, 127))) - {"\\"}


@given(st.text(st.characters(codec=None)))
def test_any_text_becomes_at_most_one_safe_key(text):
    key = read_key(text)
    assert len(key) <= 1
    assert set(key) <= SAFE


@pytest.mark.parametrize(
    "text",
    [
        "save", "SAVE.", "'restore'", "restart", "quit", "q", "undo", "oops save",
        "script", "unscript", "recording on", "look. save", "look then quit",
        "bob, save", "take lamp and save", "look; restart", "#record", "$ve",
        "look. #comm", "transcript off", "x me. q", "purloin lamp", '"save"',
        "brief", "look. verbose", "notify on",
    ],
)  # fmt: skip
def test_commands_about_the_session_are_refused(text):
    line, problem = read_line(text, WORDS)
    assert not line
    assert "can't be used" in problem


def verbs(version, inform=True):
    """Return the words of ``verbs.inf``, which uses some session commands itself."""
    story = path_of("verbs", version).read_bytes()
    return Dictionary(story if inform else story[:0x3C] + b"0" + story[0x3D:])


@pytest.mark.parametrize("text", ["recordXYZ", "transcriber", "restorexx"])
def test_a_word_is_matched_as_the_dictionary_cuts_it(text):
    status = Dictionary(path_of("status", 3).read_bytes())
    assert read_line(text, status).problem


@pytest.mark.parametrize("version", [3, 5])
@pytest.mark.parametrize("text", ["record", "record it", "look. record", "save child"])
def test_a_word_that_a_story_uses_itself_is_its_own(version, text):
    assert read_line(text, verbs(version)).text == text


@pytest.mark.parametrize("version", [3, 5])
@pytest.mark.parametrize(
    "text", ["save", "quit", "quit it", "restart", "brief on", "gonear it", "undo it"]
)
def test_other_words_of_that_story_are_the_session_s(version, text):
    assert "can't be used" in read_line(text, verbs(version)).problem


def test_only_inform_s_stories_have_commands_about_recordings():
    infocom = verbs(3, inform=False)
    assert read_line("record", infocom).text == "record"
    for text in ("replay", "short", "save child", "#record", "quit"):
        assert read_line(text, infocom).problem


@pytest.mark.parametrize(
    "text",
    ["look at the save point", "take quilt", "say quit", "examine oops", "show $500"],
)
def test_only_the_first_word_of_a_sentence_is_a_command(text):
    assert read_line(text, WORDS).text == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  Take   LAMP. ", "take lamp"),
        ("look\nquit", "look"),
        ("Take the lamp, please!?", "take the lamp, please"),
        ("'Look!'", "look"),
        ("open \u201cbox\u201d", 'open "box'),
        ("go\x00north", "go north"),
        ("a\\b", "a b"),
    ],
)
def test_what_does_not_matter_is_folded(text, line):
    assert read_line(text, WORDS).text == line


@pytest.mark.parametrize("text", ["", " ", "...", "\n", "???"])
def test_a_line_needs_a_word(text):
    assert "no words" in read_line(text, WORDS).problem


def test_a_long_line_is_explained():
    assert "101 characters" in read_line("x" * 101, WORDS).problem
    assert read_line("x" * 100, WORDS).text


@pytest.mark.parametrize(
    "text",
    [
        "**open door**", "*Open door.*", "**open door**.", "`open door`", "[open door]",
        "> open door", ">open door", "- open door", "# open door", "* open door",
        "*open door", "- **open door**", "(open door)", "<open door>", "_open door_",
    ],
)  # fmt: skip
def test_markup_around_a_command_is_not_part_of_it(text):
    assert read_command(text, WORDS).text == "open door"
    line = read_command(text, WORDS)
    assert is_in_grammar(text, line, WORDS) is (text[0] not in "->#")


@pytest.mark.parametrize("text", ["* what a lovely qwertz", "*hm, zzqxzz"])
def test_a_line_of_other_words_after_a_star_is_a_comment(text):
    line = read_command(text, WORDS)
    assert line.text == text
    assert not is_in_grammar(text, line, WORDS)


@pytest.mark.parametrize("text", ["**save**", "* save", "> restore", "- #record"])
def test_markup_does_not_hide_a_command_about_the_session(text):
    assert "can't be used" in read_command(text, WORDS).problem


@given(st.text(st.characters(codec=None)))
def test_any_text_becomes_a_safe_command_or_a_problem(text):
    line, problem = read_command(text, WORDS)
    assert bool(line) != bool(problem)
    assert set(line) <= SAFE
    assert len(line) <= LONGEST_LINE


@pytest.mark.parametrize("text", ["**look**", "* look", "- look", "`look`"])
def test_a_marked_command_is_carried_out(text):
    env = gym.make("aq/Jericho-v0", instructions=False)
    env.reset(seed=3)
    plain = env.step("look")[0]
    assert env.step(text)[0] == plain


@pytest.fixture(scope="module")
def env():
    env = JerichoEnv(game="lighthouse")
    yield env
    env.close()


@pytest.mark.parametrize(
    "text",
    [
        "take lamp", "Take the oil.", "north", "n", "unlock door with brass key",
        "north. take all", "put telegram in pot", "LOOK", "turn 7", "return",
        "the brass key",
    ],
)  # fmt: skip
def test_a_command_of_known_words_is_understood(env, text):
    assert env.understands(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "...", "I think I should go north", "Let me take the lamp", "save",
        "frobnicate", "**north**: to reach the yard", "take lamp because it helps",
    ],
)  # fmt: skip
def test_unknown_words_and_session_commands_are_not(env, text):
    assert not env.understands(text)


@pytest.fixture
def forgetful(monkeypatch):
    """Empty the cache that other tests may have filled."""
    monkeypatch.setattr(session_manager, "_ADMISSIBLE", Cache())


def test_actions_are_found_one_by_one_while_others_are_played(forgetful):
    env = JerichoEnv("museum")
    env.reset(seed=3)
    start = env.get_state()
    lazily, found = env.iter_admissible_actions(), []
    for action in lazily:
        found.append(action)
        env.set_state(start)
        env.step(action)
        there = env.get_state()
        assert there != start
        # Another search, which is not finished.
        next(env.iter_admissible_actions())
        assert env.get_state() == there
    env.set_state(start)
    assert len(found) > 2
    # From now on the list is cached, in the same order.
    assert list(env.iter_admissible_actions()) == found
    assert env.admissible_actions() == tuple(sorted(found))
    session_manager._ADMISSIBLE = Cache()
    assert env.admissible_actions() == tuple(sorted(found))
    assert list(env.iter_admissible_actions()) == found


def test_an_ended_story_has_look_alone(forgetful):
    env = JerichoEnv("maze")
    env.reset(seed=0)
    while not env.step(env.expert_action())[2]:
        pass
    assert list(env.iter_admissible_actions()) == [*env.admissible_actions()]
