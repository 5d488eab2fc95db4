"""Our adventures: winnable for every layout, fair in size, never twice the same."""

import importlib.util

import pytest

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
