"""Our adventures: winnable for every layout, recorded walks, fitting answers."""

import importlib.util
import json
from pathlib import Path

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401
from aq_gym.envs.jericho.expert import Guide
from aq_gym.envs.jericho.games import ADVENTURES, find_game
from aq_gym.envs.jericho.logic import Dictionary
from aq_gym.envs.jericho.session import Session
from aq_gym.testing.case import Case
from aq_gym.testing.determinism import check_copies, check_state
from aq_gym.testing.episodes import check_expert, check_task_id
from aq_gym.testing.fuzz import check_any_text

LAYOUTS = 25


@pytest.fixture(params=ADVENTURES)
def session(request):
    session = Session(find_game(request.param))
    yield session
    session.close()


def play(session, seed):
    """Play the recorded solution; return its commands and the texts."""
    steps = Guide(session).solution(seed)
    texts = [session.start(seed).text]
    for step in steps:
        assert not session.now.over, f"{step} comes after the end"
        answer = session.do(step.command)
        assert answer.understood, f"{step}: {answer.text}"
        texts.append(answer.text)
    return [step.command for step in steps], texts


@pytest.mark.slow
def test_the_recorded_solution_wins_every_layout(session):
    for seed in range(1, LAYOUTS):
        commands, _ = play(session, seed)
        assert session.now.won, f"layout {seed}"
        assert all(session.now.reached), f"layout {seed} misses a subgoal"
        assert 15 <= len(commands) <= 60


def test_a_thing_answers_to_its_whole_name(session):
    memory, dictionary = session.memory, Dictionary(session.game.story)
    for number in range(session.game.player + 1, memory.count + 1):
        addresses = memory.words(number, 1)
        known = {dictionary.by_address[a].text for a in addresses if a}
        for word in memory.name(number).lower().split() if known else ():
            assert dictionary.cut(word) in known, (
                f"{memory.name(number)!r} lacks {word!r}"
            )


def test_no_subgoal_is_reached_at_the_start(session):
    for seed in range(1, LAYOUTS):
        session.start(seed)
        assert not any(session.now.reached)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ADVENTURES if name != "lighthouse"])
@pytest.mark.parametrize(
    "check",
    [check_state, check_copies, check_task_id, check_expert, check_any_text],
)
def test_contract(name, check):
    check(Case("aq/Jericho-v0", {"game": name}))


@pytest.mark.needs("inform6")
@pytest.mark.parametrize("name", ADVENTURES)
@pytest.mark.slow
def test_the_shipped_story_is_what_its_source_compiles_to(name, root):
    path = root / "tools" / "compile_stories.py"
    spec = importlib.util.spec_from_file_location("compile_stories", path)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    story, symbols = tool.build(tool.STORIES / f"{name}.inf")
    assert (tool.DATA / f"{name}.z5").read_bytes() == story
    assert (tool.DATA / f"{name}.symbols.json").read_text() == symbols


GOLDEN = Path(__file__).parent / "golden"
# Answers that changed when the adventures were given common commands.
CHANGED = {
    ("say", "Nobody answers."): ("You call out. Nobody answers.",),
    ("rap", "There is no door to knock on here."): (
        "What do you want to rap on?",
        "(on the lobster pot)\nYou knock. Nobody answers.",
    ),
}


@pytest.mark.parametrize("name", ADVENTURES)
def test_recorded_walks_replay(name):
    golden = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    texts = golden["texts"]
    env = gym.make("aq/Jericho-v0", game=name, instructions=False).unwrapped
    for walk in golden["walks"]:
        options = {"task_id": walk["task_id"]}
        assert env.reset(options=options)[0] == texts[walk["opening"]]
        for action, text, progress, location, valid, ended in walk["steps"]:
            observation, _, terminated, truncated, info = env.step(action)
            where = f"{walk['task_id']}: {action!r}"
            known = CHANGED.get((action, texts[text]), (texts[text],))
            assert observation in known, where
            assert info["progress"] == pytest.approx(progress, abs=1e-6), where
            assert info["location"] == texts[location], where
            assert info["action_valid"] is bool(valid), where
            assert terminated is bool(ended), where
            assert not truncated, where
    env.close()


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
