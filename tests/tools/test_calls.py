"""Calls in an agent's text, in six forms, and text that only looks like one."""

import json
import re

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shelf_env import ShelfEnv

from aq_gym.tools import Call, Toolbox, Unreadable, read_calls
from aq_gym.wrappers import ExtractAction

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
    '{"id": "1", "name": "f", "a": 1, "b": "x"}',
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
        ("f(x, y)", "put text in quotes"),
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
    *("<f>" + "<a>" * 33_000, "<f>" + "<a>" * 33_000 + "</f>", "f(" + "a " * 50_000),
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


# Calls in these forms have nothing around them that would mark them in prose.
BARE = (
    *("curly quotes", "colons", "Llama 3.2 and 4", "Functionary", "with a module"),
    *("one object", "another case", "gpt-oss, without tokens", "Cline"),
    *("gpt-oss, recipient", "DeepSeek, without tokens", "Devstral, without tokens"),
    *("full width", "a label", "doubled braces", "Apertus"),
)
# The same call, find_book(title="Al", limit=2), of each family.
FORMS = {
    "Hermes, Qwen": (
        '<tool_call>\n{"name": "find_book", "arguments": '
        '{"title": "Al", "limit": 2}}\n</tool_call>'
    ),
    "Qwen3-Coder": (
        "<tool_call>\n<function=find_book>\n<parameter=title>\nAl\n"
        "</parameter>\n<parameter=limit>\n2\n</parameter>\n</function>\n</tool_call>"
    ),
    "Seed-OSS": (
        "<seed:tool_call><function=find_book><parameter=title>Al</parameter>"
        "<parameter=limit>2</parameter></function></seed:tool_call>"
    ),
    "GLM 4.5": (
        "<tool_call>find_book\n<arg_key>title</arg_key>\n<arg_value>Al"
        "</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>2</arg_value>\n"
        "</tool_call>"
    ),
    "DeepSeek V3": (
        "<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>function<\uff5ctool\u2581sep\uff5c>find_book\n"
        '```json\n{"title": "Al", "limit": 2}\n```<\uff5ctool\u2581call\u2581end\uff5c>'
        "<\uff5ctool\u2581calls\u2581end\uff5c>"
    ),
    "DeepSeek V3.1": (
        "<\uff5ctool\u2581call\u2581begin\uff5c>find_book<\uff5ctool\u2581sep\uff5c>"
        '{"title": "Al", "limit": 2}<\uff5ctool\u2581call\u2581end\uff5c>'
    ),
    "DeepSeek V3.2": (
        '<DSML:function_calls>\n<DSML:invoke name="find_book">\n'
        '<DSML:parameter name="title" string="true">Al</DSML:parameter>\n'
        '<DSML:parameter name="limit" string="false">2</DSML:parameter>\n'
        "</DSML:invoke>\n</DSML:function_calls>"
    ).replace("DSML:", "\uff5cDSML\uff5c"),
    "gpt-oss": (
        "<|channel|>commentary to=functions.find_book <|constrain|>json<|message|>"
        '{"title": "Al", "limit": 2}<|call|>'
    ),
    "gpt-oss, reasoning": (
        "<|channel|>analysis<|message|>Let me look.<|end|><|start|>assistant"
        " to=functions.find_book<|channel|>commentary <|constrain|>json<|message|>"
        '{"title": "Al", "limit": 2}<|call|>'
    ),
    "Kimi K2": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.find_book:0"
        '<|tool_call_argument_begin|>{"title": "Al", "limit": 2}'
        "<|tool_call_end|><|tool_calls_section_end|>"
    ),
    "Mistral": (
        '[TOOL_CALLS][{"name": "find_book", "arguments": {"title": "Al", "limit": 2}}]'
    ),
    "Magistral": '[TOOL_CALLS]find_book[ARGS]{"title": "Al", "limit": 2}',
    "Llama 3.1": (
        '<|python_tag|>{"name": "find_book", "parameters": {"title": "Al", "limit": 2}}'
    ),
    "Llama 3.1, custom": ('<function=find_book>{"title": "Al", "limit": 2}</function>'),
    "Llama 3.2 and 4": '[find_book(title="Al", limit=2)]',
    "LFM2": ('<|tool_call_start|>[find_book(title="Al", limit=2)]<|tool_call_end|>'),
    "MiniMax M1": (
        '<tool_calls>\n{"name": "find_book", "arguments": '
        '{"title": "Al", "limit": 2}}\n</tool_calls>'
    ),
    "MiniMax M2": (
        '<minimax:tool_call>\n<invoke name="find_book">\n<parameter name="title">'
        'Al</parameter>\n<parameter name="limit">2</parameter>\n</invoke>\n'
        "</minimax:tool_call>"
    ),
    "Granite": (
        '<|tool_call|>[{"name": "find_book", "arguments": {"title": "Al", "limit": 2}}]'
    ),
    "Phi-4": (
        'functools[{"name": "find_book", "arguments": {"title": "Al", "limit": 2}}]'
    ),
    "Command R": (
        '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "find_book", '
        '"parameters": {"title": "Al", "limit": 2}}]<|END_ACTION|>'
    ),
    "InternLM": (
        '<|action_start|><|plugin|>\n{"name": "find_book", "parameters": '
        '{"title": "Al", "limit": 2}}<|action_end|>'
    ),
    "Nemotron": (
        '<TOOLCALL>[{"name": "find_book", "arguments": '
        '{"title": "Al", "limit": 2}}]</TOOLCALL>'
    ),
    "DeepSeek, in ASCII": (
        "<|tool_call_begin|>function<|tool_sep|>find_book\n"
        '```json\n{"title": "Al", "limit": 2}\n```<|tool_call_end|>'
    ),
    "gpt-oss, without tokens": (
        'assistantcommentary to=functions.find_book json{"title": "Al", "limit": 2}'
    ),
    "gpt-oss, preamble": (
        "<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>"
        "commentary to=functions.find_book <|constrain|>json<|message|>"
        '{"title": "Al", "limit": 2}<|call|>'
    ),
    "Hunyuan": (
        '<tool_call>find_book\n```json\n{"title": "Al", "limit": 2}\n```</tool_call>'
    ),
    "Functionary": '>>>find_book\n{"title": "Al", "limit": 2}',
    "FunctionGemma": (
        "<start_function_call>call:find_book{title:<escape>Al<escape>,limit:2}"
        "<end_function_call>"
    ),
    "Gemma 3": ('```tool_code\nprint(default_api.find_book(title="Al", limit=2))\n```'),
    "Step 3": (
        '<steptml:invoke name="find_book"><steptml:parameter name="title">Al'
        '</steptml:parameter><steptml:parameter name="limit">2</steptml:parameter>'
        "</steptml:invoke>"
    ),
    "LongCat": (
        "<longcat_tool_call>find_book\n<longcat_arg_key>title</longcat_arg_key>\n"
        "<longcat_arg_value>Al</longcat_arg_value>\n<longcat_arg_key>limit"
        "</longcat_arg_key>\n<longcat_arg_value>2</longcat_arg_value>\n"
        "</longcat_tool_call>"
    ),
    "Qwen3-Coder, with names": (
        '<function name="find_book"><parameter name="title">Al</parameter>'
        '<parameter name="limit">2</parameter></function>'
    ),
    "Hermes, single quotes": (
        "<tool_call>\n{'name': 'find_book', 'arguments': "
        "{'title': 'Al', 'limit': 2}}\n</tool_call>"
    ),
    "Hermes, without the last brace": (
        '<tool_call>\n{"name": "find_book", "arguments": '
        '{"title": "Al", "limit": 2}\n</tool_call>'
    ),
    "with a module": 'functions.find_book(title="Al", limit=2)',
    "one object": 'find_book({"title": "Al", "limit": 2})',
    "another case": 'FindBook(title="Al", limit=2)',
    "Mistral, an id": '[TOOL_CALLS] find_book [CALL_ID]a-1 {"title": "Al", "limit": 2}',
    "Functionary 2": '<|recipient|> find_book\n<|content|> {"title": "Al", "limit": 2}',
    "Qwen3-Coder, cut": "<function=find_book><parameter=title>Al</parameter>"
    "<parameter=limit>2",
    "MiniMax M2, cut": (
        '<invoke name="find_book"><parameter name="limit">2</parameter>'
        '<parameter name="title">Al'
    ),
    "InternLM, Python": (
        '<|action_start|><|plugin|>find_book(title="Al", limit=2)<|action_end|>'
    ),
    "Phi-4, Python": '<|tool_call|>find_book(title="Al", limit=2)<|/tool_call|>',
    "Cline": "<find_book>\n<title>Al</title>\n<limit>2</limit>\n</find_book>",
    "Llama 4": '<|python_start|>[find_book(title="Al", limit=2)]<|python_end|><|eot|>',
    "LFM2, text": (
        '<|tool_call_start|>[find_book(title="Al", limit=2)]<|tool_call_end|>I look.'
    ),
    "Hunyuan, separated": (
        "<tool_calls>\n<tool_call>function<tool_sep>find_book\n```json\n"
        '{"title": "Al", "limit": 2}\n```\n</tool_call>\n</tool_calls>'
    ),
    "DeepSeek, without tokens": (
        'functionfind_book\n```json\n{"title": "Al", "limit": 2}\n```'
    ),
    "Devstral, without tokens": 'find_book{"title": "Al", "limit": 2}',
    "gpt-oss, recipient": (
        "analysisI look.assistant to=functions.find_bookcommentary json"
        '{"title": "Al", "limit": 2}'
    ),
    "Grok": (
        '<xai:function_call name="find_book"><parameter name="title">Al</parameter>'
        '<parameter name="limit">2</parameter></xai:function_call>'
    ),
    "Qwen-Agent": (
        '\u273fFUNCTION\u273f: find_book\n\u273fARGS\u273f: {"title": "Al", "limit": 2}'
        "\n\u273fRESULT\u273f"
    ),
    "Cherry Studio": (
        "<tool_use>\n<name>find_book</name>\n"
        '<arguments>{"title": "Al", "limit": 2}</arguments>\n</tool_use>'
    ),
    "Apertus": (
        '<|tools_prefix|>[{"find_book": {"title": "Al", "limit": 2}}]<|tools_suffix|>'
    ),
    "Glaive": (
        '<functioncall> {"name": "find_book", "arguments": '
        '\'{"title": "Al", "limit": 2}\'} <|endoftext|>'
    ),
    "Hermes, a fence": (
        '<tool_call>\n```json\n{"name": "find_book", "arguments": '
        '{"title": "Al", "limit": 2}}\n```\n</tool_call>'
    ),
    "Gemini": '{"functionCall": {"name": "find_book", "args": {"title": "Al"}}}',
    "other keys": '{"function_name": "find_book", "function_args": {"title": "Al"}}',
    "doubled braces": '{{"name": "find_book", "arguments": {{"title": "Al"}}}}',
    "another module": 'library.tools.find_book(title="Al", limit=2)',
    "a label": 'Tool call: find_book(title="Al", limit=2)',
    "full width": 'find_book\uff08title="Al"\uff0climit=2\uff09',
    "curly quotes": "find_book(title=“Al”, limit=2)",
    "colons": 'find_book(title: "Al", limit: 2)',
}


PROSE = "I look it up.\n"
SAID = [(family, before) for family in FORMS for before in ("", "<think>Hm.</think>\n")]
SAID += [(family, PROSE) for family in FORMS if family not in BARE]


@pytest.mark.parametrize(("family", "before"), SAID)
def test_a_call_of_each_family_is_read(family, before):
    env = ShelfEnv()
    for played in (env, ExtractAction(env)):
        played.reset(seed=0)
        text = before * (played is not env) + FORMS[family]
        observation, *_, info = played.step(text)
        assert info["action_valid"], info["feedback"]
        assert observation == '["Alpha"]'


def test_a_statement_in_a_call_of_a_family_is_no_answer():
    env = gym.make("aq/GSM8K-v0")
    for played in (env, ExtractAction(env)):
        for family in set(FORMS) - {"Cline"}:
            played.reset(seed=0)
            text = re.sub("find_?book", "think", FORMS[family], flags=re.IGNORECASE)
            text = re.sub(r"\btitle\b", "thought", text)
            over = played.step(text.replace("Al", "The answer is 84."))[2]
            assert not over, family


@pytest.mark.parametrize("family", FORMS)
def test_a_cut_call_never_raises(family):
    text = FORMS[family]
    for end in range(0, len(text), 3):
        assert isinstance(read_calls(text[:end]), Unreadable | tuple)


# Their tokens are beside the name, or the arguments are one object.
TIGHT = {
    *("DeepSeek V3", "DeepSeek, in ASCII", "Functionary", "FunctionGemma"),
    *("Mistral, an id", "one object", "Hunyuan, separated", "Devstral, without tokens"),
}


@pytest.mark.parametrize("family", sorted(set(FORMS) - TIGHT))
def test_whitespace_beside_tokens_changes_nothing(family):
    for place in (r"(?<=[>\]}])(?=[\w{<\[])", r"(?<=\w)(?=[<\[{])"):
        (call,) = read_calls(re.sub(place, "\n ", FORMS[family]))
        values = dict(call.arguments)
        assert (values["title"].strip(), int(values.get("limit", 2))) == ("Al", 2)


def test_several_calls_of_a_family_are_read_in_order():
    for family in set(FORMS) - {*BARE, "MiniMax M2, cut", "Qwen3-Coder, cut"}:
        calls = read_calls(FORMS[family] + "\n" + FORMS[family].replace("Al", "Be"))
        named = [dict(call.arguments) for call in calls]
        assert [one["title"] for one in named] == ["Al", "Be"], family


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("calculate(18 * 7)", "18 * 7"),
        ("Calculate((2 + 3) * 4)", "(2 + 3) * 4"),
        ("calculate(126)", "126"),
        ("calculate(expression = 18 * 7).", "18 * 7"),
        ("calculate(“2+2”)", "2+2"),
        ("calculate(\u20182+2\u2019)", "2+2"),
        ("calculate(two and two)", "two and two"),
        ("Action: calculate(expression: two).", "two"),
        ("calculator.calculate($1,234 - 5%)", "$1,234 - 5%"),
        ("calculate(1,234)", "1,234"),
        ('{"action": "calculate", "action_input": "2+2"}', "2+2"),
        ('{"name": "calculate", "arguments": {"expression": 126}}', "126"),
        ("calculate(Star Wars: Solo's duel (1977))", "Star Wars: Solo's duel (1977)"),
        ("calculate(8a57316d-34cc.html)", "8a57316d-34cc.html"),
        ("calculate(twice, 3)", None),
        ("calculate(2 + 3) and calculate(4)", None),
        ("calculate(2 + 3))", None),
    ],
)
def test_the_only_needed_argument_of_a_tool_needs_no_quotes(text, expression):
    def calculate(world: object, expression: str) -> str:
        """Calculate."""
        return expression

    def optional(world: object, expression: str, digits: int = 2) -> str:
        """Calculate."""
        return expression

    calls = read_calls(text)
    if expression is None:
        assert isinstance(calls, Unreadable)
        return
    assert Toolbox([calculate]).run(None, calls[0]).text == expression
    if isinstance(next(iter(calls[0].values())), str):
        other = calls[0]._replace(name="optional")
        assert Toolbox([optional]).run(None, other).text == expression


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("put(milk)", "'milk' is not a value: put text in quotes"),
        ("put(thing=old milk)", "'old' is not a value: put text in quotes"),
        ("look(wehre=here)", "there is no argument 'wehre'"),
        ("wait(now)", "wait takes at most 0 arguments"),
    ],
)
def test_a_word_without_quotes_is_the_only_argument_or_refused(text, problem):
    def look(world: object, where: str) -> None:
        """Look."""

    def put(world: object, thing: str, place: str) -> None:
        """Put."""

    def wait(world: object) -> None:
        """Wait."""

    (call,) = read_calls(text)
    assert problem in Toolbox([look, put, wait]).run(None, call).text
