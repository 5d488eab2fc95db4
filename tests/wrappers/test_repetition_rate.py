import json

import foreign_envs
import gymnasium as gym
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel
from rapidfuzz.fuzz import token_set_ratio

from aq_gym.wrappers import ActionHistory, RepetitionRate, SubgoalProgress
from aq_gym.wrappers.repetition_rate import as_text

SIMILARITY = {
    "exact": lambda a, b: float(a == b),
    "levenshtein": lambda a, b: Indel.normalized_similarity(a, b),
    "token_set": lambda a, b: 1.0 if a == b else token_set_ratio(a, b) / 100,
}
# Few letters and words, so that many pairs are alike; and any text at all.
ACTIONS = st.one_of(
    st.text("ab ", max_size=6),
    st.sampled_from(["go north", "go  north", "go south", "take key", "key take"]),
    st.text(st.characters(exclude_categories=()), max_size=8),
)


def brute_force(actions, threshold, similarity, compare_to):
    """Return whether each action is repeated, by the paper's definition."""
    unique, earlier, repeated = [], [], []
    for action in actions:
        others = unique if compare_to == "unique" else earlier
        repeated.append(any(similarity(action, a) >= threshold for a in others))
        if not repeated[-1]:
            unique.append(action)
        earlier.append(action)
    return repeated


@settings(max_examples=150)
@given(
    actions=st.lists(ACTIONS, max_size=14),
    threshold=st.one_of(
        st.sampled_from([0.5, 0.6, 2 / 3, 0.75, 0.8, 1.0]),
        st.floats(0.01, 1.0),
    ),
    similarity=st.sampled_from(sorted(SIMILARITY)),
    compare_to=st.sampled_from(["unique", "all"]),
)
@example(["\ud800", "\0", "x" * 10_000, "", " ", "😀"] * 2, 1.0, "levenshtein", "all")
@example(["aaaaaaaaaa", "aaaaaaabbb"], 0.7, "levenshtein", "unique")
@example(["a b c", "b c d", "c d e", "d e f"], 0.6, "levenshtein", "unique")
@example(["a b c", "b c d", "c d e", "d e f"], 0.6, "levenshtein", "all")
def test_history_equals_the_definition(actions, threshold, similarity, compare_to):
    history = ActionHistory(threshold, similarity, compare_to)
    repeated = [history.add(action) for action in actions]
    assert repeated == brute_force(
        actions, threshold, SIMILARITY[similarity], compare_to
    )
    assert history.steps == len(actions)
    assert history.repetitions == sum(repeated)


@settings(max_examples=100)
@given(
    actions=st.lists(ACTIONS, max_size=14),
    similarity=st.sampled_from(["levenshtein", "token_set"]),
    compare_to=st.sampled_from(["unique", "all"]),
    window=st.integers(1, 6),
)
def test_a_window_compares_with_the_latest(actions, similarity, compare_to, window):
    history = ActionHistory(0.6, similarity, compare_to, window=window)
    compared, seen = [], set()
    for action in actions:
        latest = compared[-window:]
        alike = any(SIMILARITY[similarity](action, one) >= 0.6 for one in latest)
        repeated = action in seen or alike
        assert history.add(action) is repeated
        if action not in seen and (compare_to == "all" or not repeated):
            compared.append(action)
        seen.add(action)
        assert history.cut is (len(compared) > window)


@pytest.mark.parametrize("similarity", ["levenshtein", "token_set", "exact"])
def test_at_a_threshold_of_zero_all_but_the_first_are_repeats(similarity):
    history = ActionHistory(0.0, similarity)
    assert [history.add(text) for text in "abcdb"] == [False, True, True, True, True]
    assert history.rate() == 1.0


def test_of_long_texts_only_the_beginning_is_read():
    start = "x" * 2_000
    history = ActionHistory(0.999)
    assert [history.add(start + end) for end in ("", "y" * 9_999, "z")] == [0, 1, 1]
    assert not history.add("y" * 9 + start)
    exact = ActionHistory(1.0)
    assert [exact.add(start + end) for end in ("", "y", "z")] == [0, 0, 0]


def test_similarity_by_name_of_a_function():
    history = ActionHistory(0.5, "foreign_envs:first_letter")
    assert [history.add(t) for t in ("ab", "ac", "b", "")] == [0, 1, 0, 0]


def test_the_rate_counts_the_steps_that_could_repeat(room):
    env = RepetitionRate(room)
    assert env.reset(seed=1)[1]["repetition_rate"] == 0.0
    rates = [env.step(a)[-1]["repetition_rate"] for a in ("look", "look", "wait")]
    assert rates == [0.0, 1.0, 0.5]
    env.reset()
    assert env.step("look")[-1]["repetitions"] == 0


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"threshold": -0.1}, ValueError, "threshold=-0.1"),
        ({"threshold": 1.1}, ValueError, "threshold=1.1"),
        ({"threshold": float("nan")}, ValueError, "threshold=nan"),
        ({"threshold": "0.8"}, TypeError, "threshold='0.8' must be a number"),
        ({"threshold": True}, TypeError, "threshold=True"),
        ({"keys": "repetitions"}, TypeError, "keys='repetitions' must be a mapping"),
        ({"compare_to": "last"}, ValueError, "compare_to='last'"),
        ({"similarity": "cosine"}, ValueError, "similarity='cosine'"),
        ({"similarity": "no_such_module:f"}, ValueError, "no_such_module:f"),
        ({"similarity": "math:no_such_name"}, ValueError, "math:no_such_name"),
        ({"similarity": "math:pi"}, TypeError, "math:pi"),
        ({"similarity": 3}, TypeError, "similarity"),
        ({"raw": 1}, TypeError, "raw=1 must be a bool"),
        ({"window": 0}, ValueError, "window=0"),
        ({"window": "9"}, TypeError, "window='9' must be an int"),
        ({"keys": {"rate": "x"}}, ValueError, "rate"),
        ({"keys": {"repetitions": "repetition_rate"}}, ValueError, "same name"),
    ],
)
def test_mistakes_are_named(room, arguments, error, message):
    with pytest.raises(error, match=message):
        RepetitionRate(room, **arguments)


def test_a_window_is_in_info_and_in_the_spec(room, play):
    env = RepetitionRate(room, threshold=0.9, window=2)
    assert {type(result[-1]["repetition_cut"]) for result in play(env)} == {bool}
    assert env.spec.additional_wrappers[-1].kwargs["window"] == 2
    env = RepetitionRate(room, threshold=0.9)
    assert not any("repetition_cut" in result[-1] for result in play(env))
    assert "window" not in env.spec.additional_wrappers[-1].kwargs


def test_info_on_foreign_envs(foreign, play):
    env = RepetitionRate(foreign, threshold=0.9)
    for result in play(env):
        info = result[-1]
        assert type(info["repetitions"]) is int
        assert type(info["repetition_rate"]) is float
        assert type(info["action_repeated"]) is bool
    first = play(env)[0][1]
    assert (first["repetitions"], first["repetition_rate"]) == (0, 0.0)
    assert first["action_repeated"] is False


def repeated(env, actions):
    env.reset(seed=1)
    return [env.step(action)[-1]["action_repeated"] for action in actions]


GUESSES = ["Guess: 1234", "guess: 1234", "1 2 3 4", "help", "Check valid actions.", "x"]


def test_actions_are_compared_in_their_canonical_form():
    env = gym.make("aq/Mastermind-v0", code="0000")
    wrapped = RepetitionRate(SubgoalProgress(env, {"never": "$^"}))
    assert repeated(wrapped, GUESSES) == [0, 1, 1, 0, 1, 0]
    assert repeated(RepetitionRate(env, raw=True), GUESSES) == [0, 0, 0, 0, 0, 0]


def test_similarity_is_that_of_what_is_said():
    env = RepetitionRate(gym.make("aq/Mastermind-v0", code="0000"), threshold=0.7)
    guesses = ["Guess: 1234", "5678", "1 2 3 4", "guess: 5679", "Guess 99", "guess: 99"]
    # Texts that are no guesses are compared as they are.
    assert repeated(env, guesses) == [0, 0, 1, 1, 0, 1]
    raw = RepetitionRate(env.env, threshold=0.6, raw=True)
    assert repeated(raw, ["Guess: 1234", "Guess: 5678"]) == [0, 1]


def test_equal_values_of_different_actions_are_only_similar():
    exact, alike = ActionHistory(1.0), ActionHistory(0.99)
    for history, repeats in ((exact, False), (alike, True)):
        assert not history.add("Question: who?", "who?")
        assert history.add("Story: who?", "who?") is repeats
        assert history.add("Story: who?", "who?")


def test_a_foreign_said_is_not_called(foreign):
    # An environment without canonical actions has another method of this name.
    foreign.unwrapped.said = None
    env = RepetitionRate(foreign, threshold=0.5)
    env.reset(seed=0)
    env.step(foreign.action_space.sample())
    assert env._said is None


def test_copies_use_their_own_environment(duplicate):
    env = RepetitionRate(gym.make("aq/Mastermind-v0", code="0000"))
    env.reset()
    env.step("1234")
    copied = duplicate(env)
    assert copied.step("1 2 3 4")[-1]["action_repeated"]
    assert copied._canonical.__self__ is copied.unwrapped


def test_new_info_and_renamed_keys():
    same = {"a": 1}

    class Same(gym.Env):
        def reset(self, *, seed=None, options=None):
            return 0, same

        def step(self, action):
            return 0, 0.0, False, False, same

    env = RepetitionRate(Same(), keys={"repetition_rate": "rr"})
    assert env.reset()[1] is not same
    assert set(env.step(1)[-1]) == {"a", "repetitions", "rr", "action_repeated"}
    assert same == {"a": 1}


def test_a_callable_gives_a_spec_that_only_json_refuses(room):
    env = RepetitionRate(room, similarity=foreign_envs.first_letter, threshold=0.5)
    made = gym.make(env.spec)
    made.reset()
    made.step("look")
    assert made.step("listen")[-1]["action_repeated"]
    with pytest.raises(TypeError):
        env.spec.to_json()


def test_action_text():
    assert as_text("say 'é\ud800'") == "say 'é\ud800'"
    assert as_text(1) == as_text(np.int64(1)) == "1"
    assert as_text((1, 2)) == as_text(np.array([1, 2])) == "[1, 2]"
    assert as_text({"b": 1, "a": {2, 1}}) == '{"a": [1, 2], "b": 1}'
    assert as_text({"a": {1, 2}, "b": 1}) == '{"a": [1, 2], "b": 1}'
    assert as_text({1: None}) == '{"1": null}'
    assert json.loads(as_text(np.float32(0.5))) == 0.5
    assert as_text({10, 9, "b", "a"}) == '["a", "b", 10, 9]'
    with pytest.raises(TypeError, match="cannot compare an action with a object"):
        as_text(object())
