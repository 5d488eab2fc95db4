"""Environments with tools: calls, several at once, variants of tools, faults."""

import gymnasium as gym
import pytest
from shelf_env import ShelfEnv

from aq_gym.testing import CHECKS, Case
from aq_gym.wrappers import ExtractAction

EVERYTHING = {"parallel_calls": True, "distractors": 5, "rename": True, "faults": 0.5}


@pytest.fixture(scope="module", autouse=True)
def shelf_id():
    gym.register("shelf/Shelf-v0", "shelf_env:ShelfEnv", max_episode_steps=20)
    yield
    del gym.registry["shelf/Shelf-v0"]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract(check):
    check(Case("shelf_env:shelf/Shelf-v0", EVERYTHING))


def started(**kwargs):
    env = ShelfEnv(**kwargs)
    env.reset(seed=0, options={"task_id": "0"})
    return env


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("place_boks(title='Alpha')", "There is no tool 'place_boks'. Similar tools"),
        ("place_book()", "the argument title is missing"),
        ("place_book(title=3)", "title must be string, not 3"),
        ("place_book(title='Alpha', side='up')", "side must be 'left' or 'right'"),
        ("place_book(title='Alpha', top=1)", "there is no argument 'top'"),
        ("place_book('Alpha', title='Beta')", "two values for title"),
        ("place_book('Alpha', 'left', 'x')", "takes at most 2 arguments"),
        ("place_book(title='Zeta')", "There is no book 'Zeta'."),
        ("find_book(title=Alpha, side=left)", "put text in quotes"),
        ('{"name": "find_book"', "not valid JSON"),
        ("go north", "That is not a call of a tool. Write a call such as find_book("),
    ],
)
def test_a_wrong_call_is_explained_and_changes_nothing(text, expected):
    env = started(faults=0.5)
    before = env.get_state()
    observation, _, *_, info = env.step(text)
    assert expected in observation and info["feedback"] == observation
    assert not info["action_valid"] and env.get_state() == before


def test_the_first_of_several_calls_is_carried_out():
    observation, *_, info = started().step("place_book('Alpha')\nplace_book('Beta')")
    assert observation == (
        "Alpha is on the left.\nOnly the first of 2 calls was carried out."
    )
    assert info["subgoals"]["book 0"] and not info["subgoals"]["book 1"]


def test_parallel_calls_are_carried_out_in_order():
    env = started(parallel_calls=True)
    text = "".join(f"place_book('{title}')\n" for title in ("Alpha", "Zeta", "Beta"))
    text += "finish()\nfinish()"
    observation, _, terminated, _, info = env.step(text)
    assert observation.split("\n")[:3] == [
        "[1] Alpha is on the left.",
        "[2, invalid] There is no book 'Zeta'.",
        "[3] Beta is on the left.",
    ]
    assert terminated and info["success"]
    # The call after the end is not one of the step's.
    assert (info["calls"], info["valid_calls"]) == (4, 3)


def test_renamed_tools_are_called_by_their_new_names():
    env = started(rename=True, distractors=4)
    names = [one.name for one in env.tools]
    assert len(names) == 7 and "find_book" not in names
    call = env.write_call("place_book", title="Alpha")
    assert call.partition("(")[0] in names and "title=" not in call
    assert env.step(call)[4]["action_valid"]
    assert not env.step("place_book(title='Beta')")[4]["action_valid"]


def test_faults_are_a_share_of_the_valid_calls():
    env = started(faults=0.5)
    answers = [env.step("find_book('Al')")[0] for _ in range(200)]
    failed = sum("temporarily unavailable" in answer for answer in answers)
    assert 70 <= failed <= 130
    again = started(faults=0.5)
    assert answers == [again.step("find_book('Al')")[0] for _ in range(200)]


@pytest.mark.parametrize(
    ("argument", "value", "error"),
    [
        ("distractors", 17, ValueError),
        ("distractors", -1, ValueError),
        ("distractors", True, TypeError),
        ("faults", 1.0, ValueError),
        ("rename", "yes", TypeError),
        ("parallel_calls", 1, TypeError),
    ],
)
def test_arguments_are_checked(argument, value, error):
    with pytest.raises(error, match=argument):
        ShelfEnv(**{argument: value})


PLACE = (
    '<tool_call>\n{{"name": "place_book", "arguments": {{"title": "{}"}}}}'
    "\n</tool_call>"
)


@pytest.mark.parametrize(
    "completion",
    [
        "<think>Two.</think>Both:\n"
        + PLACE.format("Alpha")
        + "\n"
        + PLACE.format("Beta"),
        PLACE.format("Alpha") + PLACE.format("Beta").removesuffix("\n</tool_call>"),
        "Both:\nplace_book('Alpha')\nplace_book('Beta')\n",
        'Both:\n{"name": "place_book", "arguments": {"title": "Alpha"}}\n'
        '{"name": "place_book", "arguments": {"title": "Beta"}}',
        PLACE.format("Alpha") + PLACE.format("Zeta") + PLACE.format("Beta"),
        PLACE.format("Alpha") + PLACE.format("Beta") + PLACE.format(1),
    ],
)
def test_every_call_of_a_completion_is_carried_out(completion):
    env = ExtractAction(started(parallel_calls=True))
    env.reset(seed=0, options={"task_id": "0"})
    assert env.step(completion)[4]["valid_calls"] == 2
    env = ExtractAction(started())
    env.reset(seed=0, options={"task_id": "0"})
    observation = env.step(completion)[0]
    assert observation.startswith("Alpha is on the left.\nOnly the first of ")


BROKEN = (
    f"<tool_call>place it</tool_call>\n{PLACE.format('Beta')}",
    f"<tool_call>{{</tool_call>\n{PLACE.format('Beta')}",
    f"{PLACE.format('Beta')}\n<tool_call>{{</tool_call>",
    "Action: place_book with Action Input: Alpha\n"
    'Action: place_book with Action Input: {"title": "Beta"}',
    "place_book('Beta')\nplace_book(Alpha, left)",
    '{"name": "place_book", "arguments": "{"}\n'
    '{"name": "place_book", "arguments": {"title": "Beta"}}',
    '{"name": "place_book", \n{"name": "place_book", "arguments": {"title": "Beta"}}',
    '[{"name": 3}, {"name": "place_book", "arguments": {"title": "Beta"}}]',
)


@pytest.mark.parametrize("completion", BROKEN)
def test_a_malformed_call_leaves_the_others_readable(completion):
    env = started(parallel_calls=True)
    observation, *_, info = env.step(completion)
    assert (info["calls"], info["valid_calls"]) == (2, 1)
    assert info["action_valid"] and env.understands(completion)
    lines = sorted(observation.split("\n"), key=lambda line: "invalid]" in line)
    assert "Beta is on the left." in lines[0]
    assert "Write a call such as" in lines[1]


@pytest.mark.parametrize("parallel", [False, True])
def test_a_valid_action_with_a_wrong_call_is_understood(parallel):
    env = started(parallel_calls=parallel)
    right, wrong = "place_book('Alpha')", "place_book(1)"
    for text in (f"{right}\n{wrong}", f"{wrong}\n{right}"):
        understood = env.understands(text)
        assert env.step(text)[4]["action_valid"] == understood


def test_several_calls_have_one_canonical_form():
    env = started(parallel_calls=True)
    lines = "place_book('Alpha')\nplace_book('Beta', side='left')"
    tagged = PLACE.format("Alpha") + PLACE.format("Beta")
    assert env.canonical_action(lines) == env.canonical_action(tagged)


def test_a_result_that_no_json_has_is_an_error():
    env = ShelfEnv(distractors=16)
    env.reset(seed=0)
    for call in ("triangle_area(1e308, 1e308)", "body_mass_index(1e308, 1e-300)"):
        observation, *_, info = env.step(call)
        assert observation == "the result is too large." and not info["action_valid"]
