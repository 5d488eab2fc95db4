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
_SEPARATOR = r"<\uff5ctool\u2581sep\uff5c>"
_DSML = r"(?:\uff5cDSML\uff5c)?+"
# A call's name and the offset at which its arguments, a JSON object, begin. Sources are
# the chat templates that the models are published with. Possessive repeats avoid
# backtracking, so that any text takes linear time.
_NAME_AND_JSON = tuple(
    re.compile(pattern)
    for pattern in (
        # DeepSeek V3 and R1 (with a type and a code fence), V3.1 (with neither).
        rf"<\uff5ctool\u2581call\u2581begin\uff5c>(?:function{_SEPARATOR})?+\s*+{_NAME}"
        rf"\s*+(?:{_SEPARATOR}\s*+)?+(?:```json\s*+)?+(?=\{{)",
        # gpt-oss, whose harmony format names the tool as the recipient.
        rf"to=(?:functions\.)?+{_NAME}[^{{}}]{{0,80}}?<\|message\|>\s*+(?=\{{)",
        # Kimi K2: an id made of the name and a number.
        r"<\|tool_call_begin\|>\s*+(?:functions\.)?+([\w-]{1,100}+)(?::\d++)?+\s*+"
        r"<\|tool_call_argument_begin\|>\s*+(?=\{)",
        # Mistral Small 3.2, Magistral and Devstral; older ones write a JSON array.
        rf"\[TOOL_CALLS\]\s*+{_NAME}\s*+(?:\[CALL_ID\][\w-]++\s*+)?+"
        r"(?:\[ARGS\]\s*+)?+(?=\{)",
        # Llama 3.1's custom tools.
        rf"<function={_NAME}>\s*+(?=\{{)",
    )
)


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


# A tag that is not closed extends to the end of the text.
_NAME_AND_TAGS = (
    # GLM 4.5 and 4.6.
    _tagged(
        rf"<tool_call>\s*+{_NAME}\s*+(<arg_key>.*?)?(?:</tool_call>|\Z)",
        rf"<arg_key>\s*+{_NAME}\s*+</arg_key>\s*+<arg_value>(.*?)(?:</arg_value>|\Z)",
    ),
    # Qwen3-Coder and Seed-OSS.
    _tagged(
        rf"<function={_NAME}>(.*?)(?:</function>|\Z)",
        rf"<parameter={_NAME}>(.*?)(?:</parameter>|(?=<parameter=)|\Z)",
    ),
    # Claude, MiniMax M2 (in <minimax:tool_call>) and DeepSeek V3.2 (with DSML).
    _tagged(
        rf"<{_DSML}invoke name=\"{_NAME}\">(.*?)(?:</{_DSML}invoke>|\Z)",
        rf"<{_DSML}parameter name=\"{_NAME}\"[^>]*+>(.*?)(?:</{_DSML}parameter>|\Z)",
    ),
)
# Around calls in JSON or Python's notation, which are read as without these: Mistral,
# Llama 3.1, Granite, Phi-4, Command R, LFM2, InternLM, Nemotron, OLMo, MiniMax M1.
_AROUND = re.compile(
    r"\[TOOL_CALLS\]|\bfunctools(?=\[\{)|<\|python_tag\|>|</?\|/?tool_call\|>|<\|(?:START|END)_ACTION\|>"
    r"|<\|tool_call_(?:start|end)\|>|<\|action_(?:start|end)\|>|<\|plugin\|>"
    r"|</?TOOLCALL>|</?function_calls>|</?tool_calls>"
)


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


def _bare(value: str) -> str:
    """Return a value without the line breaks that templates put around it."""
    return value.removeprefix("\n").removesuffix("\n")


def without_tokens(text: str) -> str:
    """Return a text without the tokens that some models put around their calls.

    Args:
        text: Any text.
    """
    return _AROUND.sub("", text)
