"""Calls in the syntax of open models, as their chat templates write them."""

import pytest
from shelf_env import ShelfEnv

from aq_gym.tools import Toolbox, Unreadable, read_calls
from aq_gym.wrappers import ExtractAction

# Calls in these forms have nothing around them that would mark them in prose.
BARE = (
    *("curly quotes", "colons", "Llama 3.2 and 4", "Functionary", "with a module"),
    *("one object", "another case", "gpt-oss, without tokens"),
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


@pytest.mark.parametrize("family", FORMS)
def test_a_cut_call_never_raises(family):
    text = FORMS[family]
    for end in range(0, len(text), 3):
        assert isinstance(read_calls(text[:end]), Unreadable | tuple)


def test_several_calls_of_a_family_are_read_in_order():
    for family in set(FORMS) - set(BARE):
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
        ("calculate(2 + 3) and calculate(4)", None),
        ("calculate(2 + 3))", None),
    ],
)
def test_the_only_argument_of_a_tool_needs_no_quotes(text, expression):
    def calculate(world: object, expression: str) -> str:
        """Calculate."""
        return expression

    calls = read_calls(text)
    if expression is None:
        assert isinstance(calls, Unreadable)
    else:
        assert Toolbox([calculate]).run(None, calls[0]).text == expression
