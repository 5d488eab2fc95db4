"""Shared constructor arguments, and type checks from annotations."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, TypedDict, Union


class SharedArguments(TypedDict, total=False):
    """The constructor arguments of every text environment.

    A benchmark takes them as ``**shared: Unpack[SharedArguments]`` and passes them on
    to ``super().__init__(**shared)``.
    """

    render_mode: str | None
    instructions: bool
    list_actions: bool
    explain: bool | None


def check_arguments(function: Callable[..., Any], arguments: Mapping[str, Any]) -> None:
    """Raise if an argument does not have the type that its annotation states.

    Unions, ``Literal`` and the items of a ``Sequence`` or of a ``tuple`` of fixed
    length are checked; both may be lists. A bool is not accepted as an int, an int is
    accepted as a float, and a str is not accepted as a sequence. Arguments without an
    annotation, or with an annotation of another kind, are not checked.

    Raises:
        TypeError: If a value has another type.
        ValueError: If a value has the right type but is not a choice of a ``Literal``.
    """
    hints = _hints(function)
    for name, value in arguments.items():
        allowed = hints.get(name)
        if allowed is None or _fits(value, allowed):
            continue
        choices = _choices(allowed)
        if any(type(value) is type(choice) for choice in choices):
            listed = ", ".join(map(str, choices))
            raise ValueError(f"{name}={value!r:.200}: choose one of {listed}")
        raise TypeError(f"{name}={value!r:.200} must be {_describe(allowed)}")


def bound_arguments(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments that a method would receive, with defaults, without self.

    Args:
        function: The method.
        args: Its positional arguments.
        kwargs: Its keyword arguments; those that its ``**`` parameter collects are
            included under their own names.

    Raises:
        TypeError: If the method does not accept the arguments. If its ``**`` parameter
            is an ``Unpack``, the message lists the arguments that it has.
    """
    signature = _signature(function)
    bound = signature.bind_partial(None, *args, **kwargs)
    bound.apply_defaults()
    arguments = dict(list(bound.arguments.items())[1:])
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            collected = arguments.pop(parameter.name)
            _check_names(function, parameter.name, collected)
            arguments.update(collected)
    return arguments


def _check_names(
    function: Callable[..., Any], name: str, collected: Mapping[str, Any]
) -> None:
    """Raise if a ``**`` parameter has keys that its ``TypedDict`` lacks."""
    hint = _hints(function).get(name)
    if not collected or typing.get_origin(hint) is not typing.Unpack:
        return
    allowed = typing.get_type_hints(typing.get_args(hint)[0])
    unknown = [key for key in collected if key not in allowed]
    if unknown:
        own = [key for key in list(_signature(function).parameters)[1:] if key != name]
        raise TypeError(
            f"{function.__qualname__}() got an unexpected keyword argument "
            f"{unknown[0]!r}: it has {', '.join([*own, *allowed])}"
        )


def argument_hints(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotated type of each argument of a function.

    ``**shared: Unpack[SomeTypedDict]`` contributes the keys of that ``TypedDict``.

    Raises:
        NameError: If a name in an annotation cannot be found.
    """
    hints = typing.get_type_hints(function)
    for name, hint in list(hints.items()):
        if typing.get_origin(hint) is typing.Unpack:
            del hints[name]
            hints.update(typing.get_type_hints(typing.get_args(hint)[0]))
    return hints


def signature_with(
    function: Callable[..., Any], *shared: Callable[..., Any]
) -> inspect.Signature:
    """Return a method's signature with its ``**`` parameter expanded.

    Args:
        function: The method.
        *shared: The methods whose parameters replace it: the one to which the ``**``
            parameter is passed, then the one to which that method passes its own.
    """
    parameters = _parameters(function)
    for method in shared:
        if not any(one.kind is one.VAR_KEYWORD for one in parameters):
            break
        own = [one for one in parameters if one.kind is not one.VAR_KEYWORD]
        names = {one.name for one in own}
        more = [one for one in _parameters(method) if one.name not in names]
        parameters = [*own, *more]
    return inspect.Signature(parameters)


def _parameters(method: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(_signature(method).parameters.values())[1:]


def is_number_or_choice(function: Callable[..., Any], name: str, value: object) -> bool:
    """Return whether the annotation of an argument allows a number, a bool or a choice.

    ``Literal``, None, and lists and unions of them are included; a value of another
    type than the annotation's is not. Such a value cannot name a file or code.
    """
    hint = _hints(function).get(name)
    return hint is not None and _has_no_text(hint) and _fits(value, hint)


def _has_no_text(hint: Any) -> bool:
    origin = typing.get_origin(hint)
    if origin in (Union, types.UnionType, Sequence, tuple):
        return all(map(_has_no_text, typing.get_args(hint)))
    return origin is Literal or hint in (bool, int, float, type(None))


@lru_cache(maxsize=256)
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


@lru_cache(maxsize=256)
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function)
    except NameError:  # a name that is imported only for type checkers
        return {}


def _fits(value: Any, allowed: Any) -> bool:
    origin = typing.get_origin(allowed)
    parts = typing.get_args(allowed)
    if origin in (Union, types.UnionType):
        return any(_fits(value, part) for part in parts)
    if origin is Literal:
        return value in parts and type(value) in map(type, parts)
    if origin is Sequence:
        listed = isinstance(value, list | tuple)
        return listed and all(_fits(item, parts[0]) for item in value)
    if origin is tuple and ... not in parts:
        listed = isinstance(value, list | tuple) and len(value) == len(parts)
        return listed and all(map(_fits, value, parts))
    if allowed is float:
        return isinstance(value, float | int) and not isinstance(value, bool)
    if allowed in (bool, int, str):
        # Reject a bool for an int, and an enum that is a str.
        return type(value) is allowed
    if isinstance(allowed, type):
        return isinstance(value, allowed)
    return True


def _choices(allowed: Any) -> tuple[Any, ...]:
    if typing.get_origin(allowed) is Literal:
        return typing.get_args(allowed)
    if typing.get_origin(allowed) in (Union, types.UnionType):
        parts = typing.get_args(allowed)
        return tuple(choice for part in parts for choice in _choices(part))
    return (None,) if allowed is type(None) else ()


def _describe(allowed: Any) -> str:
    if typing.get_origin(allowed) in (Union, types.UnionType):
        return " or ".join(map(_describe, typing.get_args(allowed)))
    if typing.get_origin(allowed) is Literal:
        return " or ".join(map(repr, typing.get_args(allowed)))
    if typing.get_origin(allowed) is Sequence:
        return f"a list of {typing.get_args(allowed)[0].__name__}"
    if typing.get_origin(allowed) is tuple:
        return f"a list: {', '.join(map(_describe, typing.get_args(allowed)))}"
    if allowed is type(None):
        return "None"
    article = "an" if allowed.__name__[0] in "aeiou" else "a"
    return f"{article} {allowed.__name__}"
