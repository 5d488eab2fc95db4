"""A tool: a typed Python function with a docstring, its schema and its description."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable
from typing import Any, NamedTuple

from aq_gym.tools.types import describe_type, is_supported, schema_of


class ToolError(Exception):
    """A call that cannot be answered, with a message for the agent.

    A tool raises it before it changes anything: "there is no movie with id 7".
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
        description: What it is, from the docstring.
        default: Its default, ``NO_DEFAULT`` if it is required.
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
            with str as keys, or one of them or None.

    Raises:
        TypeError: If there is no parameter, or one of the others has no annotation, or
            one that has no schema, or collects arguments with ``*`` or ``**``.
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
