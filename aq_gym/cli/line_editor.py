"""A line editor with history, and completion of the listed actions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

import gymnasium as gym

from aq_gym.support.escaping import SafeStream, escape_controls

_COMMANDS = (":help", ":quit", ":undo")
# More can be neither read nor listed in the time that a key takes.
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
        # Too many to list, as an environment says of calls of tools.
        return


def line_editor(env: gym.Env[Any, Any]) -> Callable[[str], str]:
    """Return a function that shows a prompt and returns the line that was typed."""
    # Only people at a terminal need it, and it takes 0.1 s.
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
        # The editor escapes texts itself, and writes control sequences of its own.
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
