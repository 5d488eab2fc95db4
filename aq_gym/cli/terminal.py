"""The line editor of ``aq-gym play``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

import gymnasium as gym

from aq_gym.support.escaping import SafeStream, escape_controls

_COMMANDS = (":help", ":quit", ":undo")
# More completions could not be listed between two keys.
_MOST = 200


def completions(env: gym.Env[Any, Any], begun: str) -> Iterable[str]:
    """Yield the actions and commands that begin with a text."""
    begun = begun.lstrip().lower()
    if begun.startswith(":"):
        yield from (one for one in _COMMANDS if one.startswith(begun))
        return
    for name in ("iter_admissible_actions", "admissible_actions"):
        if env.has_wrapper_attr(name):
            break
    else:
        return
    found = 0
    try:
        for action in env.get_wrapper_attr(name)():
            if action.lower().startswith(begun):
                yield action
                found += 1
                if found == _MOST:
                    return
    except ValueError:
        # An environment raises this if it has too many actions to list, such as calls
        # of tools.
        return


def line_editor(env: gym.Env[Any, Any]) -> Callable[[str], str]:
    """Return a function that shows a prompt and returns the line that was typed."""
    # Imported here, because it takes 0.1 s and only people at a terminal need it.
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.output import create_output

    class Actions(Completer):
        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterable[Completion]:
            begun = document.text_before_cursor
            for action in completions(env, begun):
                yield Completion(action, start_position=-len(begun))

    stream: Any = sys.stdout
    if isinstance(stream, SafeStream):
        # The editor escapes texts itself, and writes its own control sequences.
        stream = stream.stream
    session: PromptSession[str] = PromptSession(
        completer=Actions(), complete_while_typing=False, output=create_output(stream)
    )

    def read(prompt: str) -> str:
        try:
            return session.prompt(escape_controls(prompt))
        except EOFError:
            raise EOFError("you left") from None

    return read
