"""The forms in which open models write tool calls, where a server passes them on.

Chat templates of these models tell them to write calls in their own syntax, which a
server turns into ``tool_calls``. Without its parser, or with another model's, the call
reaches the environment as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_NAME = r"([\w.-]{1,100}+)"
_BAR, _LOW = r"[|\uff5c]", r"[_\u2581]"
_SEPARATOR = rf"<{_BAR}?+tool{_LOW}sep{_BAR}?+>"
# The code fence of JSON is left out.
_FENCE = r"(?:```\w*+\s*+)?+(?=\{)"
_IS = r"(?:\s*+=|\s++name\s*+=)\s*+[\"']?+"
# A call's name and the offset at which its arguments, a JSON object, begin. Sources are
# the chat templates that the models are published with. Possessive repeats avoid
# backtracking, so that any text takes linear time.
_NAME_AND_JSON = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        # DeepSeek V3 and R1 (with a type and a code fence), V3.1 (with neither), and
        # without the tokens; Hunyuan.
        rf"(?:<{_BAR}tool{_LOW}call{_LOW}begin{_BAR}>|<tool_call>)\s*+"
        rf"(?:function{_SEPARATOR})?+\s*+{_NAME}\s*+(?:{_SEPARATOR}\s*+)?+{_FENCE}",
        rf"\Afunction(?:{_SEPARATOR})?+{_NAME}\n```json\s*+(?=\{{)",
        # gpt-oss, whose harmony format names the tool as the recipient.
        rf"to={_NAME}[^{{}}]{{0,80}}?<\|message\|>\s*+(?=\{{)",
        # The same without its special tokens.
        r"(?:\b(?:assistant)?(?:commentary|analysis)|assistant|\A)[ ]?to="
        r"([\w.-]{1,100}?)[ ]?(?:commentary)?\s*+(?:json|code)?\s*+(?=\{)",
        # Kimi K2: an id made of the name and a number.
        r"<\|tool_call_begin\|>\s*+([\w.-]{1,100}+)(?::\d++)?+\s*+"
        r"<\|tool_call_argument_begin\|>\s*+(?=\{)",
        # Mistral Small 3.2, Magistral and Devstral; older ones write a JSON array.
        rf"\[TOOL_CALLS\]\s*+{_NAME}\s*+(?:\[CALL_ID\][\w-]++\s*+)?+"
        r"(?:\[ARGS\]\s*+)?+(?=\{)",
        # Llama 3.1's custom tools.
        rf"<(?:function|tool)(?:_call)?{_IS}{_NAME}[\"']?+>\s*+(?=\{{)",
        # Qwen-Agent; Cherry Studio, and Cline for servers.
        rf"\u273fFUNCTION\u273f:\s*+{_NAME}\s*+\u273fARGS\u273f:\s*+(?=\{{)",
        rf"<(?:tool_)?name>\s*+{_NAME}\s*+</(?:tool_)?name>\s*+<arguments>\s*+(?=\{{)",
        # Functionary 3.2 and 2.4, GLM 4, and Mistral's models without their tokens.
        rf"^>>>{_NAME}[ \t]*+\n(?=\{{)",
        rf"\A\s*+(?!(?:json|python|tool_code)\b){_NAME}(?:[ \t]*+\n|\[ARGS\])?+(?=\{{)",
        rf"<\|recipient\|>\s*+{_NAME}\s*+<\|content\|>\s*+(?=\{{)",
        # FunctionGemma and Gemma 4.
        rf"<(?:start_function_call|\|tool_call)>\s*+call:{_NAME}\s*+(?=\{{)",
    )
)
# In place of quotation marks, in the arguments of FunctionGemma and Gemma 4.
_QUOTE = re.compile(r"<escape>|<\|\"\|>")


class _Tagged(NamedTuple):
    """A form with a tag for each argument.

    Attributes:
        call: Matches a call; its groups are the name and the arguments.
        argument: Matches an argument; its groups are the name and the value.
    """

    call: re.Pattern[str]
    argument: re.Pattern[str]


def _tagged(call: str, argument: str) -> _Tagged:
    return _Tagged(re.compile(call, re.DOTALL), re.compile(argument, re.DOTALL))


_PREFIX = rf"(?:{_BAR}DSML{_BAR}|\w{{1,20}}+:)?+"
# A tag that is not closed extends to the end of the text.
_NAME_AND_TAGS = (
    # GLM 4.5 and 4.6; LongCat.
    _tagged(
        rf"<(?:longcat_)?tool_call>\s*+{_NAME}\s*+(<(?:longcat_)?arg_key>.*?)?"
        r"(?:</(?:longcat_)?tool_call>|\Z)",
        rf"<(?:longcat_)?arg_key>\s*+{_NAME}\s*+</(?:longcat_)?arg_key>\s*+"
        r"<(?:longcat_)?arg_value>(.*?)(?:</(?:longcat_)?arg_value>|\Z)",
    ),
    # Qwen3-Coder, Seed-OSS, Claude, MiniMax M2 (in <minimax:tool_call>), Step 3,
    # DeepSeek V3.2 (with DSML), Grok.
    _tagged(
        rf"<{_PREFIX}(?:function(?:_call)?|invoke){_IS}{_NAME}[\"']?+>(.*?)"
        rf"(?:</{_PREFIX}(?:function(?:_call)?|invoke)>|\Z)",
        rf"<{_PREFIX}parameter{_IS}{_NAME}[^>]*+>(.*?)"
        rf"(?:</{_PREFIX}parameter>|(?=<{_PREFIX}parameter\b)|\Z)",
    ),
    # Agents such as Cline: tags with the names of the tool and its arguments, and
    # nothing else in the text, as any markup looks so.
    _tagged(
        rf"\A\s*+<{_NAME}>\s*+(<\w.*>)?\s*</\1>\s*+\Z",
        rf"<{_NAME}>(.*?)(?:</\1>|\Z)",
    ),
)
# Before and after calls in JSON or Python's notation, which are read as without these:
# Mistral, Llama 3.1 and 4, Granite, Phi-4, Command R, LFM2, InternLM, Nemotron, OLMo,
# MiniMax M1, Apertus, Glaive.
_AROUND = re.compile(
    r"(?:\[TOOL_CALLS\]|\bfunctools(?=\[\{)|<\|python_(?:tag|start)\|>|<\|?tool_call\|>"
    r"|<\|START_ACTION\|>|<\|tool_call_start\|>|<\|action_start\|>(?:\s*+<\|plugin\|>)?"
    r"|<\|tools_prefix\|>|<TOOLCALL>|<function_?calls?>|<tool_calls>)"
    r"(.*?)(?=\[TOOL_CALLS\]|\bfunctools\[|<\||<tool_call\|>"
    r"|</(?:TOOLCALL|function_?calls?|tool_calls)>|\Z)",
    re.DOTALL,
)
# The tokens at which a turn ends.
_TURN_END = re.compile(
    rf"(?:<{_BAR}[^<>|\uff5c]{{1,40}}+{_BAR}>|</s>|<(?:end_of_turn|eos)>)\s*+\Z"
)
_LONGEST_TOKEN = 50
_MOST_TOKENS = 4


class NamedArguments(NamedTuple):
    """A call whose arguments are not read yet.

    Attributes:
        name: The name of the tool.
        start: The offset of its arguments in the text, a JSON object; -1 if they are in
            tags.
        tagged: The arguments in tags, as text, by name.
    """

    name: str
    start: int
    tagged: dict[str, str]


def find_calls(text: str) -> Iterator[NamedArguments]:
    """Yield the calls in a model's own syntax, in their order, all of one form.

    Args:
        text: Any text.
    """
    for pattern in _NAME_AND_JSON:
        found = list(pattern.finditer(text))
        if found:
            yield from (NamedArguments(one[1], one.end(), {}) for one in found)
            return
    for form in _NAME_AND_TAGS:
        calls = form.call.findall(text)
        for name, inner in calls:
            pairs = form.argument.findall(inner)
            yield NamedArguments(name, -1, {key: _bare(one) for key, one in pairs})
        if calls:
            return


def plain_quotes(text: str) -> str:
    """Return a text with quotation marks in place of the tokens of Gemma.

    Args:
        text: Any text.
    """
    return _QUOTE.sub('"', text)


def _bare(value: str) -> str:
    """Return a value without the line breaks that templates put around it."""
    return value.removeprefix("\n").removesuffix("\n")


def without_tokens(text: str) -> str:
    """Return what a text has between the tokens that some models put around calls.

    Args:
        text: Any text. What has no such tokens is returned without those at its end.
    """
    for _ in range(_MOST_TOKENS):
        text = text.rstrip()
        if found := _TURN_END.search(text[-_LONGEST_TOKEN:]):
            text = text.removesuffix(found[0])
    return "\n".join(_AROUND.findall(text)) or text
