"""Parse tool calls from an agent's text, in the forms that models write.

The forms are AgentBoard's ``Action: NAME with Action Input: {...}``; an OpenAI tool
call as JSON, also in ``<tool_call>`` tags; ``NAME(argument=value)``; a JSON object in
a code fence; MCP's request ``tools/call``; ReAct's ``NAME[text]`` (Yao et al., ICLR
2023), for a tool whose first argument can be a text; and the forms of open models that
:mod:`aq_gym.tools.model_forms` lists. All calls in one text must have the same form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, Self, TypeAlias

from aq_gym.tools.literals import MAX_DEPTH, LiteralCall, read_literal_call
from aq_gym.tools.model_forms import find_calls, plain_quotes, without_tokens

_MOST_CALLS = 64
_MAX_DIGITS = 100
_LONGEST_DICT = 4_000
# ReAct's prompts have "Action Input" on a line of its own, and models add Markdown.
_AGENTBOARD = re.compile(
    r"(?:^[ \t>*`]*+|Action[ \t*]*+:[ \t*`]*+)([^\W\d]\w*+)[*`]*+"
    r"(?:[ \t]+with[ \t]++|[ \t]*+\n[ \t>]*+)[*`]*+Action[ ]Input[ \t*`]*+:[ \t*]*+",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[ \t]*+\w*+[ \t]*+\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
_NAMED = re.compile(r"\w+\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_REACT = re.compile(r"([^\W\d]\w*)\[(.*)\]\.?", re.DOTALL)
# Arithmetic or words without quotes, in which a comma separates thousands.
_EXPRESSION = re.compile(
    r"\s*(?:\w{1,40}\s*=\s*)?(?:[^\W\d]\w*+\.)*?([^\W\d]\w*)\s*\(\s*"
    r"(?:([^\W\d]\w*)\s*[=:]\s*)?(?!-?\d+(?:[.]\d+)?(?:[eE]\d+)?\))"
    r"((?:[^\"'\u2018\u2019\u201c\u201d\[\]{}=,(]"
    r"|(?<![^\W\d])\(|(?<=\w)['\u2019](?=[\w\s])|,(?=\d{3}(?!\d))){1,500})\)[\s.;]*"
)
_THOUSANDS = re.compile(r"[^(]*\(\s*-?\d{1,3}(?:,\d{3})+(?:\.\d+)?\s*\)[\s.;]*")
_MARKER = re.compile(
    r"^[ \t>*]*(?:action|tool|function|(?:(?:tool|function)[ _])?call)[ \t]*:[ \t*]*",
    re.IGNORECASE,
)
# Curly and East Asian signs, which are read as ASCII where a call cannot be read else.
_STRAIGHT = str.maketrans(
    "\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d\u2018\u2019\uff08\uff09\uff0c\uff1a\uff1d",
    '"""""""\'\'(),:=',
)
# Between two calls of a list, and between two lists.
_BETWEEN = re.compile(r"(?<=\))\s*,\s*(?=[^\W\d]\w*\()")
# Where an object of Gemma's models ends.
_LINE_END = re.compile(r"\n|<end_function_call>|<tool_call\|>|</tool_call>")
_ADJACENT = re.compile(r"\]\s*\[")
_DECODER: json.JSONDecoder


class Call(NamedTuple):
    """A call of a tool, as an agent wrote it.

    Attributes:
        name: The name of the tool.
        arguments: The arguments by name.
        positional: Arguments without a name, which only ``NAME(value)`` can have.
    """

    name: str
    arguments: Mapping[str, Any]
    positional: tuple[Any, ...] = ()

    def values(self) -> tuple[Any, ...]:
        """Return the values of all arguments."""
        return *self.positional, *self.arguments.values()


class Written(str):
    """An argument as it was written, without quotes: its tool's types say what it is.

    Attributes:
        problem: Why it has no type of its own; "" for the content of a tag. A call with
            a problem is valid only if its tool needs a single argument.
    """

    problem: str

    def __new__(cls, text: str, problem: str = "") -> Self:
        """Keep the problem beside the text."""
        written = super().__new__(cls, text)
        written.problem = problem
        return written


@dataclass(frozen=True)
class Unreadable:
    """A text that is not a call, or is a malformed one.

    Attributes:
        reason: What is wrong with it, in one sentence; "" for a text that does not
            have the form of a call.
    """

    reason: str = ""


class _CallError(ValueError):
    pass


def read_calls(text: str) -> tuple[Call | Unreadable, ...] | Unreadable:
    """Read the calls in a text, in their order.

    Args:
        text: Any text.

    Returns:
        At least one call, with an ``Unreadable`` in place of each that cannot be read;
        or an ``Unreadable`` that says why there is none.
    """
    calls = _calls(text)
    # Models that copy a template may double its braces.
    single = text.replace("{{", "{").replace("}}", "}") if "{{" in text else text
    for mended in (text.translate(_STRAIGHT), single):
        if mended != text and not _has_call(calls):
            other = _calls(mended)
            calls = other if _has_call(other) else calls
    if isinstance(calls, Unreadable):
        return calls
    if len(calls) > _MOST_CALLS:
        return Unreadable(f"{len(calls)} calls are more than {_MOST_CALLS}.")
    unreadable = [one for one in calls if isinstance(one, Unreadable)]
    if len(unreadable) == len(calls):
        return unreadable[0] if unreadable else Unreadable()
    return tuple(calls)


_Read: TypeAlias = list[Call | Unreadable]


def _calls(text: str) -> _Read | Unreadable:
    try:
        return _read(text)
    except _CallError as error:
        return Unreadable(str(error))


def _has_call(calls: _Read | Unreadable) -> bool:
    """Return whether there is a call whose arguments could be read."""
    return not isinstance(calls, Unreadable) and any(
        isinstance(one, Call)
        and not any(getattr(value, "problem", "") for value in one.values())
        for one in calls
    )


def _read(text: str) -> _Read:
    if not _TAG.search(text) and (found := _of_model(text)):
        return found
    text = without_tokens(text)
    if found := _of_brackets(text.strip().strip("`")):
        return found
    if tagged := _TAG.findall(text):
        return [call for part in tagged for call in _of_tag(part.strip())]
    if _AGENTBOARD.search(text):
        return _of_agentboard(text)
    if fenced := [part.strip() for part in _FENCE.findall(text)]:
        found = [call for part in fenced for call in _of_fence(part)]
        if found:
            return found
    bare = _MARKER.sub("", text.strip()).strip().strip("`*").strip()
    if bare[:1] == "[" and (found := _of_list(bare)):
        return found
    if bare[:1] in ("{", "["):
        return _of_json(bare)
    if (at := text.find("{")) >= 0 and (found := _embedded(text, at)):
        return found
    return _of_lines(bare)


def _of_model(text: str) -> _Read:
    """Read calls in the syntax of a model."""
    calls: _Read = []
    text = plain_quotes(text)
    for one in islice(find_calls(text), _MOST_CALLS + 1):
        try:
            given = _decode_input(text[one.start :])[0] if one.start >= 0 else None
            if given is None:
                given = {name: Written(value) for name, value in one.tagged.items()}
            name = one.name.rpartition(".")[2]
            calls.append(Call(name, _object(given, "The arguments")))
        except _CallError as error:
            calls.append(Unreadable(str(error)))
    return calls


def _of_tag(text: str) -> _Read:
    found = _of_json(text) or _of_model(f"<tool_call>{text}")
    found = found or [one for part in _FENCE.findall(text) for one in _of_fence(part)]
    found = found or _of_lines(text)
    if found and all(isinstance(one, Unreadable) for one in found):
        # Small models forget the last brace.
        closed = _of_json(f"{text}}}")
        found = closed if any(isinstance(one, Call) for one in closed) else found
    return found or [Unreadable("<tool_call> must hold a JSON object.")]


def _of_fence(text: str) -> _Read:
    if text[:1] == "[" and (found := _of_list(text)):
        return found
    if text[:1] in ("{", "["):
        return _of_json(text)
    return _of_brackets(text) or _of_lines(text)


def _of_lines(text: str) -> _Read:
    """Read ``NAME(...)``: the whole text, or one per line."""
    whole = read_literal_call(text)
    if _THOUSANDS.fullmatch(text):
        whole = "1,234 can be two numbers: put a space after the comma"
    if isinstance(whole, LiteralCall):
        return [_of_literal(whole)]
    if isinstance(whole, str) and (call := _of_expression(text, whole)):
        return [call]
    lines = [line for line in text.split("\n") if line.strip()][: _MOST_CALLS + 1]
    read = [read_literal_call(line) for line in lines] if len(lines) > 1 else []
    # Each line has the form of a call, although its arguments may be malformed.
    if all(read) and any(isinstance(one, LiteralCall) for one in read):
        return [
            _of_line(one, line) for one, line in zip(read, lines, strict=True) if one
        ]
    if isinstance(whole, str):
        raise _CallError(f"The call cannot be read: {whole}.")
    return []


def _of_list(text: str) -> _Read:
    """Read ``[NAME(...), NAME(...)]``, as Llama 3.2 and 4 write calls."""
    if not text.endswith(")]"):
        return []
    parts = _BETWEEN.split(_ADJACENT.sub(", ", text[1:-1]))
    return [_of_line(read, part) for part in parts if (read := read_literal_call(part))]


def _of_brackets(text: str) -> _Read:
    """Read ``NAME[text]``: one per line, or the whole text."""
    if not text.endswith(("]", "].")):
        return []
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    calls = [_of_bracket(line) for line in lines[: _MOST_CALLS + 1]]
    if len(calls) > 1 and not all(calls):
        calls = [_of_bracket(text)]
    return [call for call in calls if call]


def _of_bracket(text: str) -> Call | None:
    found = _REACT.fullmatch(_MARKER.sub("", text))
    if found is None:
        return None
    inner = found[2]
    # "a[1] or b[2]" is not one call.
    closed, opened = inner.find("]"), inner.find("[")
    if closed >= 0 and not 0 <= opened < closed:
        return None
    inner = inner.strip()
    if _NAMED.fullmatch(inner):
        read = read_literal_call(f"{found[1]}({inner})")
        if isinstance(read, LiteralCall):
            return _of_literal(read)
    if inner[:1] in ('"', "'") and inner.find(inner[0], 1) == len(inner) - 1:
        inner = inner[1:-1]
    return Call(found[1], {}, (inner,))


def _of_line(read: LiteralCall | str, line: str) -> Call | Unreadable:
    if isinstance(read, LiteralCall):
        return _of_literal(read)
    call = _of_expression(line, read)
    return call or Unreadable(f"The call cannot be read: {read}.")


def _of_expression(text: str, problem: str) -> Call | None:
    """Read ``NAME(18 * 7)`` or ``NAME(Alien)``, whose argument has no quotes."""
    found = _EXPRESSION.fullmatch(text)
    if found is None or not found[3].strip() or not _is_balanced(found[3]):
        return None
    written = Written(found[3].strip(), problem)
    named = {found[2]: written} if found[2] else {}
    return Call(found[1], named, () if named else (written,))


def _is_balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


def _of_literal(read: LiteralCall) -> Call:
    return Call(read.name, read.named, read.positional)


def _of_agentboard(text: str) -> _Read:
    calls: _Read = []
    found = _AGENTBOARD.search(text)
    while found and len(calls) <= _MOST_CALLS:
        call, end = _agentboard(text, found)
        calls.append(call)
        # Continues after the JSON, so that a call inside one of its strings is not
        # read.
        found = _AGENTBOARD.search(text, end)
    return calls


def _agentboard(text: str, found: re.Match[str]) -> tuple[Call | Unreadable, int]:
    """Return a call and the offset at which to look for the next one."""
    rest = text[found.end() :].lstrip().lstrip("`").removeprefix("json").lstrip()
    try:
        if not rest.startswith("{"):
            line = rest.partition("\n")[0].strip(" `*")
            problem = "the Action Input must be a JSON object, as {} if it is empty"
            # ReAct's prompts have a text on a line of its own.
            if not line or line[0] in "[(" or "\n" not in found[0]:
                raise _CallError(f"{problem[0].upper()}{problem[1:]}.")
            written = Written(line.strip("\"'"), problem)
            return Call(found[1], {}, (written,)), found.end()
        value, length = _decode_input(rest)
        call = Call(found[1], _object(value, "The Action Input"))
    except _CallError as error:
        return Unreadable(str(error)), found.end()
    return call, len(text) - len(rest) + length


def _decode_input(text: str) -> tuple[Any, int]:
    """Decode a JSON object, or one line with a dict as Python writes it."""
    try:
        return _decode(text)
    except _CallError:
        line = _LINE_END.split(text, maxsplit=1)[0]
        # This runs once for each call in a text, so long lines are skipped.
        if len(line) > _LONGEST_DICT:
            raise
        read = read_literal_call(f"f({line.rstrip(' `')})")
        if isinstance(read, LiteralCall) and len(read.positional) == 1:
            return read.positional[0], len(line)
        raise


def _embedded(text: str, at: int) -> _Read:
    """Read JSON objects in prose, skipping objects that are not calls."""
    calls: _Read = []
    for _ in range(_MOST_CALLS):
        if at < 0:
            break
        try:
            value, length = _decode(text[at:])
            found = (one for one in _of_value(value) if isinstance(one, Call))
            calls += [one for one in found if one.name not in value]
        except _CallError:
            length = 1
        at = text.find("{", at + length)
    return calls


def _of_json(text: str) -> _Read:
    """Read one JSON value, or several in a row."""
    calls: _Read = []
    rest = text
    while rest[:1] in ("{", "[") and len(calls) <= _MOST_CALLS:
        try:
            value, length = _decode_input(rest)
            calls += _of_value(value)
        except _CallError as error:
            calls.append(Unreadable(str(error)))
            # After unreadable JSON, the next call is only looked for at the start of a
            # line.
            length = rest.find("\n{")
            if length < 0:
                break
        rest = rest[length:].lstrip(" \t\r\n,;")
    return calls


def _decode(text: str) -> tuple[Any, int]:
    _check_depth(text)
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError) as error:
        reason = str(error).removesuffix(".") or "it is nested too deep"
        raise _CallError(f"The call is not valid JSON: {reason}.") from None
    return value, end


_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|[\[\]{}]', re.DOTALL)


def _check_depth(text: str) -> None:
    depth = 0
    for found in _BRACKETS.finditer(text):
        sign = found[0]
        if sign in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise _CallError(
                    f"The call is nested deeper than {MAX_DEPTH} brackets."
                )
        elif sign in "]}":
            depth -= 1
            if depth <= 0:
                return


def _of_value(value: Any) -> _Read:
    """Read the calls in a JSON value."""
    if isinstance(value, list):
        return [call for item in value for call in _of_value(item)]
    for several in ("tool_calls", "tool_uses"):
        if isinstance(value, dict) and several in value:
            return _of_value(value[several])
    try:
        return [_of_object(value)]
    except _CallError as error:
        return [Unreadable(str(error))]


def _of_object(value: Any) -> Call:
    if not isinstance(value, dict):
        raise _CallError("A call must be a JSON object with a name and arguments.")
    for part in _NAMES:
        for key, name in value.items():
            if _key(key) == part and not isinstance(name, dict):
                return Call(_name(name), *_arguments(value, key))
    # In {"type": "function", "function": {...}}, MCP's {"params": {...}}, and others.
    for inner in value.values():
        if isinstance(inner, dict):
            with suppress(_CallError):
                return _of_object(inner)
    if len(value) == 1:
        ((name, arguments),) = value.items()
        if isinstance(arguments, dict):
            return Call(name, arguments)
    raise _CallError(
        'The JSON object has no "name": write {"name": ..., "arguments": {...}}.'
    )


# The keys of a call, without the words before them: "tool_name", "functionArgs".
_NAMES = ("tool", "function", "name", "action")
_ARGUMENTS = ("arguments", "parameters", "input", "args", "params", "kwargs")
_ABOUT = re.compile(r"(?:tool|function|action|recipient)_?(?=\w)", re.IGNORECASE)


def _key(key: str) -> str:
    return _ABOUT.sub("", key, count=1).lower()


def _name(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _CallError(f"The name of the tool must be text, not {value!r:.60}.")
    return value.strip().rpartition(".")[2]


def _arguments(
    value: Mapping[str, Any], name: str
) -> tuple[Mapping[str, Any], tuple[Any, ...]]:
    """Return the arguments of an object with a name, and those without a name."""
    given = [key for key in value if key != name and _key(key) in _ARGUMENTS]
    if len(given) > 1:
        raise _CallError(f"The call has both {given[0]!r} and {given[1]!r}.")
    if not given:
        # Beside the name.
        about = {name, "id", "type", "call_id", "thought"}
        return {key: value[key] for key in value if key not in about}, ()
    arguments = value[given[0]]
    if isinstance(arguments, str):
        if not arguments.strip():
            return {}, ()
        if not arguments.strip().startswith("{"):
            problem = "the arguments must be a JSON object"
            return {}, (Written(arguments, problem),)
        arguments, _ = _decode(arguments.strip())
    return _object(arguments, "The arguments"), ()


def _object(value: Any, what: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _CallError(f"{what} must be a JSON object, not {value!r:.60}.")
    return value


def _pairs(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"the key {key!r:.60} is given twice")
        result[key] = value
    return result


def _integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"a number has more than {_MAX_DIGITS} digits")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {digits:.60} is too large")
    return value


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not a value of JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs,
    parse_int=_integer,
    parse_float=_float,
    parse_constant=_constant,
    strict=False,
)
