"""The tools of an environment: check calls and carry them out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Self

from rapidfuzz import fuzz, process

from aq_gym.core.text import listing, plural, quote
from aq_gym.tools.calls import Call, Written
from aq_gym.tools.tool import Parameter, Tool, ToolError, check_value, tool

# Made once, because json.dumps with ensure_ascii=False makes an encoder at each use.
_encode = json.JSONEncoder(ensure_ascii=False).encode
_SIMILAR = 3
_LEAST_SIMILARITY = 50


class Result(NamedTuple):
    """The result of a call.

    Attributes:
        text: The result, or the problem with the call, as the agent reads it.
        valid: Whether the call was carried out.
        value: What the tool returned; None for an invalid call.
    """

    text: str
    valid: bool
    value: Any = None


class Toolbox:
    """Tools by name, in a fixed order.

    Args:
        tools: Tools, or functions that :func:`aq_gym.tools.tool` makes into tools.

    Raises:
        ValueError: If two tools have the same name.
    """

    def __init__(self, tools: Iterable[Tool | Callable[..., Any]]) -> None:
        self._tools: dict[str, Tool] = {}
        for one in tools:
            made = one if isinstance(one, Tool) else tool(one)
            if made.name in self._tools:
                raise ValueError(f"two tools have the name {made.name}")
            self._tools[made.name] = made
        self._folded = {_folded(name): name for name in self._tools}

    @classmethod
    def of(cls, world: type) -> Self:
        """Return the tools of a class: its new public methods, and ``finish``.

        Args:
            world: The class. Methods of its base class are not tools.
        """
        known = (*dir(world.__base__), "finish")
        names = [name for name in vars(world) if name not in known and name[0] != "_"]
        return cls(getattr(world, name) for name in (*names, "finish"))

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def text(self) -> str:
        """Return the description of every tool for a prompt."""
        return "\n".join(one.text() for one in self)

    def find(self, name: str) -> Tool | None:
        """Return the tool with a name (ignoring case and underscores), or None.

        Args:
            name: The name, as an agent wrote it.
        """
        found = self._tools.get(name)
        if found is None and (known := self._folded.get(_folded(name))):
            found = self._tools[known]
        return found

    def bind(self, call: Call) -> dict[str, Any] | str:
        """Return the checked arguments of a call, or the problem.

        Args:
            call: The call.

        Returns:
            The arguments by name, with defaults; or the problem in one or more
            sentences for the agent.
        """
        one = self.find(call.name)
        if one is None:
            return self._unknown(call.name)
        if _is_object(call, one):
            call = Call(call.name, call.positional[0])
        if len(call.positional) > len(one.parameters):
            most = plural(len(one.parameters), "argument")
            return f"{one.name} takes at most {most}: {one.signature()}."
        written = next(iter(call.values()), None)
        why = written.problem if isinstance(written, Written) else ""
        needed = [parameter for parameter in one.parameters if parameter.required]
        if why and len(needed or one.parameters) > 1:
            problem = f"The call cannot be read: {why}."
            return f"{problem} Write a call such as {one.example()}."
        names = (parameter.name for parameter in one.parameters)
        given = dict(zip(names, call.positional, strict=False))
        if twice := sorted(given.keys() & call.arguments.keys()):
            return f"{one.name} has two values for {listing(twice)}."
        given |= call.arguments
        if [parameter.type for parameter in one.parameters] == [str]:
            given = {name: _expression(value) for name, value in given.items()}
        return _checked(one, given)

    def run(self, world: Any, call: Call) -> Result:
        """Carry out a call.

        Args:
            world: The world, which tools receive as their first argument.
            call: The call.
        """
        arguments = self.bind(call)
        if isinstance(arguments, str):
            return Result(arguments, False)
        one = self.find(call.name)
        assert one is not None
        try:
            value = one.function(world, **arguments)
        except ToolError as error:
            return Result(str(error), False)
        return Result(rendered(value), True, value)

    def canonical(self, call: Call) -> str:
        """Return a call in one form: ``name(argument=value)`` without defaults.

        Args:
            call: A call whose arguments are valid.
        """
        name, given = self._given(call)
        parts = [f"{p.name}={_encode(value)}" for p, value in given]
        return f"{name}({', '.join(parts)})"

    def said(self, call: Call) -> str:
        """Return the words of a call that can differ: ``name value``.

        An argument with a default, if it is given, has its name too.

        Args:
            call: A call whose arguments are valid.
        """
        name, given = self._given(call)
        parts = [
            rendered(value) if p.required else f"{p.name}={rendered(value)}"
            for p, value in given
        ]
        return " ".join((name, *parts))

    def _given(self, call: Call) -> tuple[str, list[tuple[Parameter, Any]]]:
        """Return the name of a call's tool, and the arguments without defaults."""
        one, arguments = self.find(call.name), self.bind(call)
        if one is None or isinstance(arguments, str):
            raise ValueError(f"call={call!r:.200} is not a call of a tool")
        given = [(p, arguments[p.name]) for p in one.parameters]
        return one.name, [(p, v) for p, v in given if p.required or v != p.default]

    def _unknown(self, name: str) -> str:
        close = process.extract(
            name[:100],
            list(self._tools),
            scorer=fuzz.WRatio,
            limit=_SIMILAR,
            score_cutoff=_LEAST_SIMILARITY,
        )
        names = [found for found, _, _ in close] or list(self._tools)
        word = "Similar tools are" if close else "The tools are"
        return f"There is no tool {quote(name)}. {word} {listing(names)}."


def _folded(name: str) -> str:
    """Return a name without what models change in it: ``SearchMovie``."""
    return name.strip().casefold().replace("_", "").replace("-", "")


def rendered(value: Any) -> str:
    """Return a tool's result as text: a str unchanged, other values as JSON."""
    return value if isinstance(value, str) else _encode(value)


def _checked(one: Tool, given: Mapping[str, Any]) -> dict[str, Any] | str:
    """Return all arguments after checking their types, or the problem."""
    problems = []
    arguments = {}
    for parameter in one.parameters:
        name = parameter.name
        if name not in given:
            if parameter.required:
                problems.append(f"the argument {name} is missing")
            else:
                arguments[name] = parameter.default
            continue
        try:
            arguments[name] = _value(given[name], parameter.type)
        except ValueError as error:
            problems.append(f"{name} {error}, not {_shown(given[name])}")
    known = {parameter.name for parameter in one.parameters}
    problems += [f"there is no argument {quote(n)}" for n in given if n not in known]
    if not problems:
        return arguments
    return f"{one.name}: {'; '.join(problems)}. {_form(one)}"


def _value(value: Any, annotation: Any) -> Any:
    """Check an argument; one without quotes is text if its type allows, else JSON."""
    if not isinstance(value, Written):
        return check_value(value, annotation)
    try:
        return check_value(str(value), annotation)
    except ValueError:
        try:
            decoded = json.loads(value)
        except (ValueError, RecursionError):
            decoded = str(value)
        return check_value(decoded, annotation)


def _expression(value: Any) -> Any:
    """Return the only argument of a call, which may be arithmetic: ``NAME(126)``."""
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    return Written(value) if numeric else value


def _is_object(call: Call, one: Tool) -> bool:
    """Return whether a call has its arguments in one object: ``NAME({"x": 1})``."""
    if len(call.positional) != 1 or call.arguments or not one.parameters:
        return False
    given, names = call.positional[0], {parameter.name for parameter in one.parameters}
    return isinstance(given, dict) and bool(given) and given.keys() <= names


def _form(one: Tool) -> str:
    return f"Its form is {one.signature()}."


def _shown(value: Any) -> str:
    text = _encode(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
