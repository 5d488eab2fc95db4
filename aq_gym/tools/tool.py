"""A tool: a typed Python function with a docstring, its schema and its description."""

from __future__ import annotations

import inspect
import json
import re
import types
import typing
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Union


class ToolError(Exception):
    """A call that cannot be answered, with a message for the agent.

    The message is a sentence such as "there is no movie with id 7". A tool raises the
    error before it changes anything.
    """


class _NoDefault:
    def __repr__(self) -> str:
        return "NO_DEFAULT"

    def __copy__(self) -> _NoDefault:
        return self

    def __deepcopy__(self, memo: object) -> _NoDefault:
        return self

    def __reduce__(self) -> str:
        return "NO_DEFAULT"


NO_DEFAULT: Any = _NoDefault()


class Parameter(NamedTuple):
    """A parameter of a tool.

    Attributes:
        name: Its name.
        type: Its annotation.
        description: Its description in the docstring.
        default: Its default value, or ``NO_DEFAULT`` if it is required.
    """

    name: str
    type: Any
    description: str = ""
    default: Any = NO_DEFAULT

    @property
    def required(self) -> bool:
        """Whether a call must give a value for it."""
        return self.default is NO_DEFAULT


class Tool(NamedTuple):
    """A function that an agent can call.

    Attributes:
        name: The name by which it is called.
        description: What it does, for the agent.
        parameters: Its parameters, in order.
        function: The function. Its first argument is the environment's world, which is
            not a parameter of the tool.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    function: Callable[..., Any]

    def input_schema(self) -> dict[str, Any]:
        """Return the JSON Schema (2020-12) of the arguments."""
        properties = {}
        for one in self.parameters:
            described = {"description": one.description} if one.description else {}
            properties[one.name] = {**schema_of(one.type), **described}
        return {
            "type": "object",
            "properties": properties,
            "required": [one.name for one in self.parameters if one.required],
            "additionalProperties": False,
        }

    def openai(self) -> dict[str, Any]:
        """Return the tool as OpenAI's Chat Completions API takes it."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": self.input_schema(),
            },
        }

    def mcp(self) -> dict[str, Any]:
        """Return the tool as the Model Context Protocol lists it."""
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": self.input_schema(),
        }

    def anthropic(self) -> dict[str, Any]:
        """Return the tool as Anthropic's Messages API takes it."""
        return {
            "name": self.name,
            "description": self.description,
            "input_schema": self.input_schema(),
        }

    def signature(self) -> str:
        """Return the call's form: ``name(city: string, days: integer = 7)``."""
        parts = []
        for one in self.parameters:
            default = "" if one.required else f" = {one.default!r}"
            parts.append(f"{one.name}: {describe_type(one.type)}{default}")
        return f"{self.name}({', '.join(parts)})"

    def example(self) -> str:
        """Return a call with arguments of the right types: ``name(city="x")``."""
        given = (one for one in self.parameters if one.required)
        parts = [f"{one.name}={json.dumps(_example_of(one.type))}" for one in given]
        return f"{self.name}({', '.join(parts)})"

    def text(self) -> str:
        """Return the description of the tool for a prompt."""
        lines = [f"{self.signature()}: {self.description}"]
        lines += [
            f"  {one.name}: {one.description}"
            for one in self.parameters
            if one.description
        ]
        return "\n".join(lines)


def tool(function: Callable[..., Any]) -> Tool:
    """Make a tool from a function.

    The docstring has Google's style: its first paragraph describes the tool and
    ``Args:`` its parameters.

    Args:
        function: A function whose first parameter is the world. Every other one has an
            annotation: str, int, float, bool, a ``Literal``, a list of these, a dict
            with str as keys, or a union of one of these and None.

    Raises:
        TypeError: If there is no parameter, or a parameter after the first has no
            annotation, has one without a schema, or collects arguments with ``*`` or
            ``**``.
        ValueError: If the function has no docstring, or its docstring describes a
            parameter that does not exist.
    """
    name = getattr(function, "__name__", repr(function))
    documentation = inspect.getdoc(function)
    if not documentation:
        raise ValueError(f"the tool {name} needs a docstring, which describes it")
    about, described = _read_docstring(documentation)
    hints = typing.get_type_hints(function)
    given = list(inspect.signature(function).parameters.values())
    if not given:
        raise TypeError(f"the tool {name} needs the world as its first parameter")
    parameters = []
    for one in given[1:]:
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            raise TypeError(f"the tool {name} must not collect arguments in {one}")
        if one.name not in hints or not is_supported(hints[one.name]):
            raise TypeError(
                f"the parameter {one.name} of the tool {name} needs an annotation "
                "that has a JSON Schema: str, int, float, bool, a Literal, a list, a "
                "dict with str as keys, or one of these or None"
            )
        default = NO_DEFAULT if one.default is one.empty else one.default
        description = described.pop(one.name, "")
        parameters.append(Parameter(one.name, hints[one.name], description, default))
    if described:
        raise ValueError(
            f"the docstring of the tool {name} describes {', '.join(described)}, "
            "which it does not have"
        )
    return Tool(name, about, tuple(parameters), function)


_SECTION = re.compile(r"^(Args|Returns|Raises|Example|Examples|Attributes):\s*$")
_ARGUMENT = re.compile(r"^ {4}(\w+)(?: \([^)]*\))?: (.*)$")


def _read_docstring(documentation: str) -> tuple[str, dict[str, str]]:
    """Return the first paragraph and the description of each parameter."""
    about = " ".join(documentation.split("\n\n", maxsplit=1)[0].split())
    described: dict[str, str] = {}
    section, last = "", ""
    for line in documentation.split("\n"):
        if heading := _SECTION.match(line):
            section = heading[1]
        elif section == "Args" and (found := _ARGUMENT.match(line)):
            last = found[1]
            described[last] = found[2]
        elif section == "Args" and last and line.strip():
            described[last] += f" {line.strip()}"
    return about, described


# Types of arguments: the JSON Schema and the name of an annotation, and checks of
# values.
_SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean"}


@lru_cache(maxsize=1024)
def _parts(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    return typing.get_origin(annotation), typing.get_args(annotation)


def is_supported(annotation: Any) -> bool:
    """Return whether an annotation has a schema."""
    if annotation in _SIMPLE or annotation is Any:
        return True
    origin, parts = _parts(annotation)
    if origin is Literal:
        return all(type(part) in _SIMPLE for part in parts)
    if origin is list:
        return is_supported(parts[0])
    if origin is dict:
        return parts[0] is str and is_supported(parts[1])
    if origin in (Union, types.UnionType):
        return all(part is type(None) or is_supported(part) for part in parts)
    return False


def schema_of(annotation: Any) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of an annotation that is supported."""
    if annotation is type(None):
        return {"type": "null"}
    if annotation in _SIMPLE:
        return {"type": _SIMPLE[annotation]}
    origin, parts = _parts(annotation)
    if origin is Literal:
        kinds = list(dict.fromkeys(_SIMPLE[type(part)] for part in parts))
        return {"type": kinds[0] if len(kinds) == 1 else kinds, "enum": list(parts)}
    if origin is list:
        return {"type": "array", "items": schema_of(parts[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(parts[1])}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(part) for part in parts]}
    return {}


def _example_of(annotation: Any) -> Any:
    if annotation in _SIMPLE:
        return {str: "x", int: 1, float: 1.5, bool: True}[annotation]
    origin, parts = _parts(annotation)
    if origin in (list, dict):
        return [_example_of(parts[0])] if origin is list else {}
    return parts[0] if origin is Literal else _example_of(parts[0]) if parts else "x"


@lru_cache(maxsize=1024)
def describe_type(annotation: Any) -> str:
    """Return the name of a type in JSON's terms: "list of string"."""
    if annotation in _SIMPLE:
        return _SIMPLE[annotation]
    origin, parts = _parts(annotation)
    if origin is Literal:
        return " or ".join(map(repr, parts))
    if origin is list:
        return f"list of {describe_type(parts[0])}"
    if origin is dict:
        return f"object of {describe_type(parts[1])}"
    if origin in (Union, types.UnionType):
        return " or ".join(map(describe_type, parts))
    return "null" if annotation is type(None) else "any value"


def check_value(value: Any, annotation: Any) -> Any:
    """Return an argument as its tool expects it.

    As in JSON Schema, a number without a fractional part is an integer, and a boolean
    is not a number.

    Raises:
        ValueError: If the value has another type, or is not one of the choices.
    """
    kind = type(value)
    if kind is annotation or annotation is Any:
        return value
    if annotation is int and kind is float and value.is_integer():
        return int(value)
    if annotation is float and kind is int:
        return value
    origin, parts = _parts(annotation)
    if origin is Literal:
        if any(value == part and kind is type(part) for part in parts):
            return value
    elif origin is list and kind is list:
        return [check_value(item, parts[0]) for item in value]
    elif origin is dict and kind is dict:
        return {key: check_value(item, parts[1]) for key, item in value.items()}
    elif origin in (Union, types.UnionType):
        return _check_union(value, parts)
    elif annotation is type(None) and value is None:
        return None
    raise ValueError(f"must be {describe_type(annotation)}")


def _check_union(value: Any, parts: tuple[Any, ...]) -> Any:
    for part in parts:
        try:
            return check_value(value, part)
        except ValueError:
            continue
    raise ValueError(f"must be {' or '.join(map(describe_type, parts))}")
