"""The adventures' answers to a newcomer, and the commands that all of them share."""

import json
from pathlib import Path

import pytest

from aq_gym.envs.jericho.expert import Guide
from aq_gym.envs.jericho.games import ADVENTURES

# What is typed, the lines separated by "; ", and a part of the last answer.
ANSWERS = json.loads((Path(__file__).parent / "answers.json").read_text())


@pytest.mark.parametrize("game", ADVENTURES)
def test_the_answer_fits(play, game):
    for line, answer in ANSWERS["answers"][game]:
        assert answer in play(game, line), line


@pytest.mark.parametrize("game", ADVENTURES)
def test_what_a_room_names_can_be_examined(play, game):
    for way, nouns in ANSWERS["named"][game]:
        for noun in nouns.split():
            said = play(game, f"{way}; examine {noun}")
            assert "nothing special" not in said, f"{way}; {noun}"
            assert "Which do you mean" not in said, f"{way}; {noun}"


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


def test_no_reply_tells_the_combination(sessions):
    session = sessions["museum"]
    for seed in (1, 2, 3):
        steps = Guide(session).solution(seed)
        code = next(s.command for s in steps if s.command.startswith("set dial"))
        session.start(seed)
        for line in ("north", "east"):
            session.do(line)
        texts = [session.do(f"examine {thing}").text for thing in ("desk", "lock")]
        session.do("east")
        for thing in ("safe", "dial", "door"):
            texts += [
                session.do(f"{v} {thing}").text for v in ("x", "open", "listen to")
            ]
        assert not any(code.split()[-1] in text for text in texts)
