"""How many secrets agree with what was seen is exact: each secret is tried."""

import gymnasium as gym
import pytest

from aq_gym.envs.hangman.game import words_of_length
from aq_gym.envs.mastermind.expert import count_codes
from aq_gym.envs.mastermind.game import MastermindGame, Rules, score
from aq_gym.envs.mastermind.protocol import all_codes
from aq_gym.envs.wordle.game import lexicon


def seen(env, task_id, actions):
    """The observations of a secret; the first one tells the rules."""
    found = [env.reset(options={"task_id": task_id})[0]]
    for action in actions:
        observation, _, terminated, _, _ = env.step(action)
        found.append(observation)
        if terminated:
            break
    return found


def stories(facts):
    import itertools

    hidden = "1" * facts + "0" * (6 - facts)
    for values in itertools.product("01234567", repeat=facts):
        yield f"story-3-{''.join(values)}{'0' * (6 - facts)}-{hidden}"


CASES = {
    "mastermind": (
        ("aq/Mastermind-v0", {"code_length": 3, "symbols": "01234"}),
        all_codes(Rules(3, "01234", True)),
        "204",
        ["011", "dance", "234", "240", "help", "204"],
    ),
    "mastermind without repeats": (
        ("aq/Mastermind-v0", {"code_length": 3, "symbols": "01234", "repeats": False}),
        all_codes(Rules(3, "01234", False)),
        "204",
        ["012", "210", "340"],
    ),
    "wordle": (
        ("aq/Wordle-v0", {"length": 8}),
        lexicon(8).answers,
        "elephant",
        ["sentence", "zzzzzzzz", "elements"],
    ),
    "wordle of agentquest": (
        ("aq/Wordle-v0", {"protocol": "agentquest"}),
        lexicon(5).answers,
        "agree",
        ["Word: geese", "Word: eerie", "Word: tares"],
    ),
    "hangman": (
        ("aq/Hangman-v0", {"length": 3, "lives": 4}),
        words_of_length(3),
        "cat",
        ["e", "t", "t", "hat", "o", "c"],
    ),
    "mystery": (
        ("aq/Mystery-v0", {"facts": 2, "questions": 9}),
        tuple(stories(2)),
        "story-3-530000-110000",
        None,
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_secrets_left_are_those_that_would_have_been_answered_alike(case):
    (env_id, kwargs), secrets, secret, actions = case
    env = gym.make(env_id, **kwargs).unwrapped
    if actions is None:
        actions = of_mystery(env)
    assert secret in secrets
    counts = []
    for number in range(len(actions) + 1):
        first = seen(env, secret, actions[:number])
        state = env.get_state()
        counts.append(env.secrets_left())
        assert env.get_state() == state
        same = [one for one in secrets if seen(env, one, actions[:number]) == first]
        assert counts[-1] == len(same), actions[:number]
    assert sorted(counts, reverse=True) == counts
    assert 1 <= counts[-1] < counts[0] == len(secrets)


def of_mystery(env):
    """Questions about one fact and about two, a wrong telling, and others."""
    from aq_gym.envs.mystery.actions import write_question, write_telling
    from aq_gym.envs.mystery.game import aspects

    person, place = aspects()[0].values, aspects()[1].values
    wrong = [(0, 5), (1, 2), *((aspect, 0) for aspect in range(2, 6))]
    both = f"{write_question(0, list(person[:5]))[:-1]} at {place[6]}?"
    return [
        write_question(0, list(person[4:7])),
        "dance",
        both,
        write_telling(tuple(wrong)),
        write_telling(tuple(wrong[:1])),
        write_question(1, list(place[3:5])),
        write_telling(tuple([(0, 4), (1, 3), *wrong[2:]])),
    ]


def test_a_short_guess_of_agentquest_counts_too():
    rules = Rules(3, "0123456789", True)
    game = MastermindGame("507")
    for guess in ("5", "57", "123"):
        game.play(guess)
    fitting = [
        code
        for code in all_codes(rules)
        if all(score(code, guess) == own for guess, own in game.history.items())
    ]
    assert count_codes(rules, game.history) == len(fitting) > 1


def test_what_is_not_counted_is_none():
    def left(env_id, **kwargs):
        env = gym.make(env_id, **kwargs).unwrapped
        env.reset(seed=0)
        return env.secrets_left()

    assert left("aq/Mastermind-v0", code_length=6) == 10**6
    assert left("aq/Mastermind-v0", code_length=7) is None
    assert left("aq/Wordle-v0", word="zzzzz") is None
    assert left("aq/Hangman-v0", word="zzzzz") is None
    assert left("aq/Sudoku-v0") is None
