"""Calls in an agent's text, in six forms, and text that only looks like one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.tools import Call, Toolbox, Unreadable, read_calls

JSON = '{"name": "f", "arguments": {"a": 1, "b": "x"}}'
EXPECTED = (Call("f", {"a": 1, "b": "x"}),)
SAME = (
    JSON,
    f"  {JSON}\n",
    f"[{JSON}]",
    f"Action: {JSON}",
    f"`{JSON}`",
    f"```json\n{JSON}\n```",
    f"```\n{JSON}",
    f"I will look. {JSON} That should do.",
    f"Set {{x}} aside. {JSON}",
    f"<tool_call>\n{JSON}\n</tool_call>",
    f"<tool_call>{JSON}",
    json.dumps(json.loads(JSON), indent=4),
    '{"name": "f", "arguments": "{\\"a\\": 1, \\"b\\": \\"x\\"}"}',
    '{"tool": "f", "parameters": {"a": 1, "b": "x"}}',
    '{"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1, "b": "x"}}',
    f'{{"tool_calls": [{{"id": "1", "type": "function", "function": {JSON}}}]}}',
    f'{{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {JSON}}}',
    'Action: f with Action Input: {"a": 1, "b": "x"}',
    'f with Action Input: {"a": 1, "b": "x"}',
    "Action: f with Action Input: {'a': 1, 'b': 'x'}",
    '**Action: f with Action Input:** {"a": 1, "b": "x"}',
    'Thought: now f.\nAction: f with Action Input: {"a": 1, "b": "x"}\nObservation: 3',
    'action: f with action input: ```json\n{"a": 1,\n "b": "x"}\n```',
    'Action: f\nAction Input: {"a": 1, "b": "x"}',
    '**Action:** `f`\n**Action Input:** `{"a": 1, "b": "x"}`',
    '**Action**: f with **Action Input**: {"a": 1, "b": "x"}',
    "f(a=1, b='x')",
    "f(a=1, b='x').",
    "f(a=1, b='x');",
    'f(a=1, b="x",)',
    "Action: f(a=1, b='x')",
    "```python\nf(\n    a=1,\n    b='x',\n)\n```",
)


@pytest.mark.parametrize("text", SAME)
def test_the_same_call_in_many_forms(text):
    assert read_calls(text) == EXPECTED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f[2 * 3]", ["2 * 3"]),
        ("Action: f[ 2 * 3 ].", ["2 * 3"]),
        ("`f[2 * 3]`", ["2 * 3"]),
        ("```\nf[2 * 3]\n```", ["2 * 3"]),
        ("f[]", [""]),
        ('f["2 * 3"]', ["2 * 3"]),
        ("f['it']", ["it"]),
        ('f["one" or "two"]', ['"one" or "two"']),
        ('f["]', ['"']),
        ('f[""]', [""]),
        ("f[one [two] three]", ["one [two] three"]),
        ("f[one\ntwo]", ["one\ntwo"]),
        ("f[one]\n\nAction: f[two]", ["one", "two"]),
        ('f[a {"name": "g", "arguments": {}}]', ['a {"name": "g", "arguments": {}}']),
    ],
)
def test_the_form_of_react(text, expected):
    assert read_calls(text) == tuple(Call("f", {}, (one,)) for one in expected)


@pytest.mark.parametrize(
    "text",
    ["f[1] or f[2]", "f[1]\nor\nf[2]", "I say f[1]", "3[1]", "f [1]", "[1]", "f[1"],
)
def test_texts_with_brackets_that_are_not_calls(text):
    assert isinstance(read_calls(text), Unreadable)


def test_values_of_python_and_json():
    (call,) = read_calls(
        "f(1, -2.5, a=[True, None, 'it\\'s', \"two\\nlines\"], "
        "b={'x': (1, 2)}, c=null, d=false, e=1_000, f='\\d')"
    )
    assert call.positional == (1, -2.5)
    assert call.arguments == {
        "a": [True, None, "it's", "two\nlines"],
        "b": {"x": [1, 2]},
        "c": None,
        "d": False,
        "e": 1000,
        "f": "\\d",
    }


def test_escapes_of_python_and_json():
    (call,) = read_calls(r"f('\n\x41\u00e9\ud83d\ude00\/\q')")
    assert call.positional == ("\nA\u00e9\U0001f600/\\q",)


def test_a_call_in_a_text_of_an_argument_is_not_read():
    inner = "\\nAction: g with Action Input: {}"
    (call,) = read_calls(f'Action: f with Action Input: {{"a": "{inner}"}}')
    assert call.name == "f" and "Action: g" in call.arguments["a"]


def test_several_calls_keep_their_order():
    names = ("f", "g", "h")
    as_json = [f'{{"name": "{name}"}}' for name in names]
    for text in (
        "\n".join(as_json),
        f"[{','.join(as_json)}]",
        "".join(f"<tool_call>{one}</tool_call>" for one in as_json),
        "\n\n".join(f"```json\n{one}\n```" for one in as_json),
        "\n".join(f"{name}()" for name in names),
        "\n".join(f"Action: {name} with Action Input: {{}}" for name in names),
    ):
        assert tuple(call.name for call in read_calls(text)) == names, text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "go north",
        "look(",
        "f",
        "f()x",
        "finish with the task",
        "[",
        "\ud800",
    ],
)
def test_text_without_a_call(text):
    assert isinstance(read_calls(text), Unreadable)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("f(x)", "put text in quotes"),
        ("f(a=1, 2)", "an argument without a name follows"),
        ("f(a=1, a=2)", "the argument a is given twice"),
        ("f(a=1 b=2)", "a comma or a closing bracket is missing"),
        ("f(a={1: 2})", "the key 1 is not text"),
        ("f(a={'x': 1, 'x': 2})", "given twice"),
        ("f(a=__import__('os'))", "is not a value"),
        (f"f({'9' * 200})", "more than 100 characters"),
        (f"f({'[' * 99})", "nested deeper"),
        ("f(1e999)", "too large"),
        (f"f({'1,' * 50_000})", "more than 20,000 parts"),
        ("{", "not valid JSON"),
        ('{"a": 1}', 'has no "name"'),
        ("[1]", "must be a JSON object"),
        ('{"name": 3}', "must be text"),
        ('{"name": "f", "arguments": [1]}', "must be a JSON object"),
        ('{"name": "f", "arguments": "{"}', "not valid JSON"),
        ('{"name": "f", "x": 1}', 'in an object "arguments"'),
        ('{"name": "f", "args": {}, "input": {}}', "both"),
        ('{"name": "f", "arguments": {"a": 1, "a": 2}}', "given twice"),
        ('{"name": "f", "arguments": {"a": NaN}}', "NaN"),
        ('{"name": "f", "arguments": {"a": 1e400}}', "too large"),
        (f'{{"name": "f", "arguments": {{"a": {"9" * 200}}}}}', "100 digits"),
        ("Action: f with Action Input: 3", "must be a JSON object"),
        ("f()\n" * 65, "more than 64"),
    ],
)
def test_a_call_that_cannot_be_read_says_why(text, reason):
    assert reason in read_calls(text).reason


BOMBS = (
    *("{" * 100_000, "[" * 100_000, '{"a":' * 20_000, '{"' + '\\"' * 50_000),
    *('{"name":"f","arguments":' + "[" * 50_000, "f(" + "[" * 99_000 + ")"),
    *("```" + " " * 100_000, "```\n" * 25_000, "<tool_call>" * 9_000),
    *("f(" + "1," * 49_000 + ")", "f(" + "'" * 99_001 + ")", "f()\n" * 25_000),
    *("Action: a" + " " * 99_000 + "with", '{"name":"f"} ' * 7_000, "-" * 100_000),
    *("<tool_call>f\n" * 9_000, "<function=f>" * 9_000, '<invoke name="f">' * 9_000),
    *("[TOOL_CALLS]f" + " " * 99_000 + "x", "<tool_call>f" + " " * 99_000 + "x"),
    *("<|tool_call_begin|>f" + " " * 99_000, "<function=f><parameter=" + " " * 99_000),
    *('<invoke name="f">' + '<parameter name="a">' * 4_000, "to=" + "f" * 99_000),
    *("to=f " * 20_000, "[TOOL_CALLS]f" * 9_000, "f(" + "1+" * 49_000 + "1)"),
    *("f(a=" + "-" * 99_000 + "1)", "\u0664" * 50_000, '{ "' * 30_000),
)


@pytest.mark.slow
@pytest.mark.parametrize("text", BOMBS, ids=lambda text: text[:12])
def test_bombs_are_read(text):
    """A reader of quadratic time reaches the time limit of a test on some of them."""
    for bomb in (text, f"Action: {text}", f"```\n{text}"):
        read_calls(bomb)


def add_note(world, text: str, tags: list[str] | None = None, done: bool = False):
    """Add a note.

    Args:
        text: The note.
        tags: Its tags.
        done: Whether it is done.
    """


TOOLS = Toolbox([add_note])


@given(st.text(), st.none() | st.lists(st.text(), max_size=3), st.booleans())
def test_the_canonical_form_is_read_as_the_same_call(text, tags, done):
    call = Call("ADD_NOTE", {"done": done, "text": text, "tags": tags})
    canonical = TOOLS.canonical(call)
    (again,) = read_calls(canonical)
    assert TOOLS.bind(again) == {"text": text, "tags": tags, "done": done}
    assert TOOLS.canonical(again) == canonical


def test_what_a_call_says_has_no_names_of_required_arguments():
    call = Call("Add_Note", {"text": 'a "b"', "done": True})
    assert TOOLS.said(call) == 'add_note a "b" done=true'
    assert TOOLS.said(Call("add_note", {}, ("x",))) == "add_note x"


@given(st.text(alphabet="f(){}[]\"'\\:,=1a \n`<>", max_size=60) | st.text())
def test_no_text_raises(text):
    calls = read_calls(text)
    if not isinstance(calls, Unreadable):
        for call in calls:
            TOOLS.run(None, call)
