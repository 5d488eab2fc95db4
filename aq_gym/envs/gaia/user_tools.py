"""The user's own tools, given as ``"module:functions"``."""

from __future__ import annotations

import functools
import importlib
import inspect
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from aq_gym.tools import Tool, tool

if TYPE_CHECKING:
    from aq_gym.envs.gaia.desk import Desk

# The number of characters that ToolEnv shows of a result.
_SHOWN = 50_000


def user_tools(name: str) -> tuple[Tool, ...]:
    """Import functions and make tools from them.

    Args:
        name: ``"module:name"`` of a function, or of a list or tuple of functions. Each
            has a docstring and annotations, as :func:`aq_gym.tools.tool` requires,
            but no world as its first parameter.

    Raises:
        TypeError: If it names no function, or one that cannot be made into a tool.
        ValueError: If it can't be imported.
    """
    module, _, attribute = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(
            f"tools={name!r} can't be imported: {error}; give 'module:functions'"
        ) from error
    functions = found if isinstance(found, list | tuple) else (found,)
    if not functions or not all(map(_is_function, functions)):
        raise TypeError(
            f"tools={name!r} must be a function that is not async, or a list of such "
            f"functions, not {found!r:.80}"
        )
    return tuple(_made(function) for function in functions)


def _is_function(value: object) -> bool:
    known = inspect.isfunction(value) or inspect.ismethod(value)
    return known and not inspect.iscoroutinefunction(value)


def _made(function: Callable[..., Any]) -> Tool:
    @functools.wraps(function)
    def with_world(world: Any, **arguments: Any) -> Any:
        raise NotImplementedError

    signature = inspect.signature(function)
    first = inspect.Parameter("_desk", inspect.Parameter.POSITIONAL_ONLY)
    parameters: Sequence[Any] = (first, *signature.parameters.values())
    with_world.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=parameters
    )
    # A partial can be pickled; a nested function cannot.
    return tool(with_world)._replace(function=functools.partial(_call, function))


def _call(function: Callable[..., Any], desk: Desk, **arguments: Any) -> str:
    result = function(**arguments)
    if not isinstance(result, str):
        try:
            result = json.dumps(result, ensure_ascii=False)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"the tool {getattr(function, '__name__', function)} returned "
                f"{result!r:.80}: a tool returns a str or a value of plain JSON"
            ) from error
    desk.notice(result[:_SHOWN])
    return result
