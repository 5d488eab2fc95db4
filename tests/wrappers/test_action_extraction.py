import json
from pathlib import Path

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.wrappers import (
    ExtractAction,
    extract_action,
    strip_reasoning,
    understands_of,
)


@pytest.mark.parametrize(
    ("completion", "action"),
    [
        ("Thought: it is dark. Action: light lamp", "light lamp"),
        ("Thought: hm\nACTION : go north\n", "go north"),
        ("**Action:** go north", "go north"),
        ("**Action:**go north", "go north"),
        ("**Action: go north**", "go north"),
        ("### Action\uff1ago north", "go north"),
        ("### Action\ngo north\n\nThen I look around.", "go north"),
        ("Action: go\n<think>Action: look</think>", "go"),
        ("Action 3: Search[lamp]", "Search[lamp]"),
        ("Action: a\nObservation: b\nAction: c", "a"),
        ("Action: a\nWait, no.\nAction: b", "b"),
        ("Action: a\nAction: b", "a"),
        ("Action: a\nAction:", "a"),
        ("Action:\n\n  go north\nand then?", "go north"),
        ("Action: ```go north```", "go north"),
        ("Action:\n```text\ngo north\n```\nDone.", "go north"),
        ("I do this:\n```\ngo north\n```\nor\n```\ngo south\n```", "go south"),
        ("```go north\n```", "go north"),
        ("```look\n```", "look"),
        ("```\nlook", "look"),
        ("```Action: look```", "look"),
        ("Action: `go north`", "go north"),
        ("`Action: go north`", "go north"),
        ('Action: "go north"', "go north"),
        ('Action: "go north', '"go north'),
        ("Action: walk 5'", "walk 5'"),
        ("Action: **'go north'**", "go north"),
        ("\u201cgo north\u201d", "go north"),
        ("`look`", "look"),
        ("Action: look\nThought: done. No action: needed", "look"),
        ("No action: yet.\n- **Action:** look\nI took action: it", "look"),
        ("> Action: look\nthat action: was good", "look"),
        ("1. Action: look\n2) Action: go\nthe action: x", "go"),
        ("(3) Action: look\nthe action: x", "look"),
        ("\u2022 Action: look\nthe action: x", "look"),
        ("  ### Action: look\nthe action: x", "look"),
        ("Action: look\nAction:\n", "look"),
        ("an action: go\nAction:", "go"),
        ("no action: a, or action: b", "b"),
        ("a 1. Action: b\nc action: d", "d"),
        ("<action>go north</action>", "go north"),
        ("Hm. <Action> `go` </ACTION> Action: x", "go"),
        ("Use <action></action>. <action>a</action> <action>b</action>.", "a"),
        ("<action>a</action> or <action>b</action>.", "b"),
        ("<action>go", "go"),
        ("<action>go north\nThen I look around.", "go north"),
        ("<|channel|>final look", "<|channel|>final look"),
        ("<action>a</action> then </action> <action>", "a"),
        ("<action>a<action>b</action>", "b"),
        ('{"action": "go"}', "go"),
        (' {"thought": "Action: x",\n "action": " go north "} ', "go north"),
        ('```json\n{"action": "go"}\n```', "go"),
        ('Action: {"action": "go"}', "go"),
        ('<action>{"action": "go"}</action>', "go"),
        ("<action>Action: go north</action>", "go north"),
        ("<think>Or not.</think>I wonder\nand wonder.", "I wonder\nand wonder."),
        ('{"action": 5}', "5"),
        # What JSON cannot escape is kept.
        (r'{"action": "go \q"}', r"go \q"),
        ('{"action":' + "9" * 5_000 + "}", "9" * 5_000),
        ('{"action": {"action": "go"}}', "go"),
        ('{"move": "go"}', "go"),
        ('{"action": "go"', "go"),
    ],
)
def test_found(completion, action):
    assert extract_action(completion) == action


@pytest.mark.parametrize(
    "text",
    [
        "go north",
        " 5 6 1 8 ",
        "",
        "Action:",
        "Action:\nAction:",
        "interaction: none",
        'say "assistantfinal hello"',
        '"a" and "b"',
        "``````",
        '""',
        "I think I should look around.",
        "a\ud800\0\nb",
        "<action></action>",
        '{"action": ""}',
        '["action"]',
        '{"a":' * 20_000 + "}" * 20_000,
        '{"thought": "go"}',
    ],
)
def test_a_completion_without_an_action_is_returned_unchanged(text):
    assert extract_action(text) == text


@given(st.text(st.sampled_from("action:* `\n\"'3x"), max_size=40))
def test_an_action_is_part_of_the_completion(text):
    action = extract_action(text)
    assert action in text
    assert bool(action) == bool(text)


@given(
    st.text(max_size=60) | st.text(st.sampled_from("<>/think`{}\"':\n*"), max_size=60)
)
def test_any_text_is_read(text):
    assert type(extract_action(text)) is str
    assert type(extract_action(text, lambda action: action == "look")) is str


@pytest.mark.parametrize(
    ("completion", "action", "problem"),
    [
        ("<think>Action: look", "[reasoning that was cut", "ended within"),
        ("<think>Action: look</think>\n", "[reasoning without", "has reasoning but"),
        ("<|channel|>analysis<|message|>look", "[reasoning that was cut", "ended with"),
        ("<|channel|>analysis<|message|>look<|end|>", "[reasoning without", "has reas"),
        (
            "<|channel|>analysis<|message|>a<|end|><|channel|>final<|message|>",
            "[reasoning without",
            "has reas",
        ),
    ],
)
def test_reasoning_alone_is_not_an_action(completion, action, problem):
    env = ExtractAction(gym.make("aq/Mastermind-v0"))
    env.reset(seed=0)
    info = env.step(completion)[-1]
    assert info["extracted_action"].startswith(action)
    assert problem in info["feedback"]
    assert not info["action_valid"]
    assert strip_reasoning(completion).strip() == ""


def one_or_two_lines(text):
    """A grammar with an action of two lines."""
    return text in ("go", "look", "say: a", "say: a\nb c.")


@pytest.mark.parametrize(
    ("completion", "action"),
    [
        ("I say it.\n\nsay: a\nb c.\n\nDone.", "say: a\nb c."),
        ("Action: say: a\nb c.", "say: a\nb c."),
        ("say: a\n\nb c.", "say: a"),
        ("say: a\nlook", "say: a"),
        ("go\nlook", "go"),
        ("Action: [look].", "look"),
        ("Action: (look)", "look"),
        ("1. [look]", "look"),
        ("I will <look>!", "look"),
    ],
)
def test_an_action_that_the_environment_knows_is_found(completion, action):
    assert extract_action(completion, one_or_two_lines) == action


def test_a_blank_answer_is_no_reasoning():
    assert extract_action(" \n", one_or_two_lines) == " \n"


def test_only_a_method_is_asked(room):
    assert understands_of(room) is None
    assert understands_of(ExtractAction(gym.make("aq/Mastermind-v0")))("0123")


def test_the_environment_gets_the_action(room):
    env = ExtractAction(room)
    assert env.reset()[1]["extracted_action"] == ""
    observation, *_, info = env.step("Thought: a key!\nAction: take key")
    assert (observation, info["extracted_action"]) == ("Taken.", "take key")
    observation, *_, info = env.step("I wonder.")
    assert (observation, info["extracted_action"]) == ("What?", "I wonder.")


def test_custom_pattern(room):
    env = ExtractAction(room, pattern=r"<act>(.*?)</act>")
    env.reset()
    info = env.step("<act>look</act> or <act>take key</act>. Action: x")[-1]
    assert info["extracted_action"] == "take key"
    assert env.step("Action: x")[-1]["extracted_action"] == "Action: x"


@pytest.mark.parametrize("pattern", ["(", "no group", "(a)(b)"])
def test_mistakes_are_named(room, pattern):
    with pytest.raises(ValueError, match="pattern="):
        ExtractAction(room, pattern=pattern)


@pytest.mark.parametrize("pattern", [5, b"(a)", ["(a)"]])
def test_a_pattern_is_text(room, pattern):
    with pytest.raises(TypeError, match="pattern="):
        ExtractAction(room, pattern=pattern)


def test_other_actions_are_not_changed(foreign, play):
    plain = play(foreign)
    wrapped = play(ExtractAction(foreign))
    assert len(plain) == len(wrapped)
    for *_, info in wrapped:
        assert type(info["extracted_action"]) is str


def test_the_first_of_two_final_channels_is_the_answer():
    channel = "<|channel|>{}<|message|>{}<|end|>".format
    completion = channel("analysis", "hm") + channel("final", "take key")
    assert strip_reasoning(completion + channel("final", "drop key")) == "take key"


@pytest.mark.parametrize("function", [extract_action, strip_reasoning])
@pytest.mark.parametrize("completion", [None, 3, b"Action: look", ["look"]])
def test_a_completion_is_text(function, completion):
    with pytest.raises(TypeError, match=r"completion=.* must be a str"):
        function(completion)


class Counted(str):
    """A text that counts the characters that are copied from it."""

    copied = 0

    def __getitem__(self, key):
        part = super().__getitem__(key)
        Counted.copied += len(part)
        return part


PIECES = [
    "<|channel|>analysis<|message|>",
    "<think>well</think>",
    "<action>take it</action>",
    "<action>",
    '{"action": "take it"} ',
    "Action: take it\n",
    "I will take it.\n",
    "**take it** ",
    "```\ntake it\n```\n",
    "Observation: nothing\n",
]


@pytest.mark.parametrize("piece", PIECES)
def test_the_work_grows_linearly_with_a_completion(piece):
    def work(length):
        asked = []
        Counted.copied = 0
        text = Counted(piece * (length // len(piece)))
        extract_action(text, lambda action: bool(asked.append(len(action))))
        return Counted.copied + sum(asked)

    assert work(40_000) <= 2.1 * work(20_000) + 10_000


@pytest.mark.parametrize("end", ["", "<|end|><|channel|>analysis<|message|>"])
@pytest.mark.parametrize("channel", ["analysis", "commentary"])
@pytest.mark.timeout(30)
def test_the_end_of_a_turn_is_looked_for_once(channel, end):
    """Quadratic time would reach the time limit."""
    strip_reasoning(f"<|channel|>{channel}<|message|>" * 100_000 + end)


def test_a_wrong_call_is_passed_on_whole():
    """The argument alone would hide the mistake."""
    env = ExtractAction(gym.make("aq/ToolQuery-v0"))
    env.reset(seed=0)
    call = '{"name": "finish", "arguments": {"answer": "5", "why": "x"}}'
    assert "there is no argument 'why'" in env.step(call)[-1]["feedback"]
    call = '{"name": "submit", "arguments": {"answer": "5"}}'
    assert "There is no tool 'submit'" in env.step(call)[-1]["feedback"]


@pytest.mark.parametrize("name", ["finish()", "Action: finish()", "<b>finish()</b>"])
@pytest.mark.parametrize("lead", ["", "I add it.\n", "```json\n"])
def test_what_an_argument_says_is_not_done(name, lead):
    env = ExtractAction(gym.make("aq/ToolOperation-v0", world="sheet"))
    env.reset(seed=0)
    call = json.dumps({"name": "add_sheet", "arguments": {"name": name}})
    assert env.step(lead + call)[-1]["extracted_action"] == call
    env.reset(seed=0)
    call = f"add_sheet(name='<action>{name}</action>')"
    assert env.step(call)[-1]["extracted_action"] == call
    assert extract_action(call, understands_of(env), has_tools=True) == call


FOLDER = Path(__file__).parent
# The completions for these ids are about one adventure and one question.
KWARGS = {
    "aq/BabyAI-text-v0": {"level": "GoToRedBall"},
    "aq/Jericho-v0": {"game": "lighthouse"},
    "aq/GAIA-v0": {"problem": "6d0c9979-4ca7-5345-978d-7384f09c0039"},
}


def read(name):
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]


ACTIONS = read("completions.jsonl")
OTHERS = read("completions_without_action.jsonl")


@pytest.fixture(scope="module")
def make():
    """Give a function id -> a wrapped environment, made once."""
    envs = {}

    def find(env_id):
        if env_id not in envs:
            envs[env_id] = ExtractAction(gym.make(env_id, **KWARGS.get(env_id, {})))
        return envs[env_id]

    yield find
    for env in envs.values():
        env.close()


@pytest.mark.parametrize("row", ACTIONS, ids=lambda row: row["completion"][:40])
def test_an_action_is_read_as_it_was_meant(make, row):
    env = make(row["env"])
    env.reset(seed=0)
    info = env.step(row["completion"])[-1]
    assert info["extracted_action"] == row["action"]
    assert info["action_valid"], info["feedback"]


@pytest.mark.parametrize("row", OTHERS, ids=lambda row: row["completion"][:40])
def test_nothing_is_guessed(make, row):
    env = make(row["env"])
    env.reset(seed=0)
    info = env.step(row["completion"])[-1]
    assert not info["action_valid"], info["extracted_action"]
