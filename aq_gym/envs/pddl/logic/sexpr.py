"""The tokenizer and list parser of PDDL, which keep line numbers."""

from __future__ import annotations

import re
from typing import TypeAlias

_DEEPEST = 100
# The largest published problems have some 500 kB.
MOST_CHARACTERS = 2_000_000
_COMMENT = re.compile(r";[^\n]*")
# Published files write `?x -block`, `?x- block` and `?l - level?l1 - level`: a dash
# that begins or ends a word is a word, and a question mark begins one.
_TOKEN = re.compile(
    r"\n|[()]|(?<![^\s()])-(?=[^\s()\d])|\??[^\s()?]*[^\s()?-](?=-\s)|\??[^\s()?]+|\?"
)


class PDDLError(ValueError):
    """Raised for PDDL that is malformed or not supported.

    Args:
        message: The error.
        line: The line of the text, counted from 1; 0 if unknown.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)


class Word(str):
    """A word of a PDDL text.

    Attributes:
        line: Its line; 0 if unknown.
    """

    line = 0


class Group(list["Node"]):
    """A bracketed list.

    Attributes:
        line: The line that it begins on; 0 if unknown.
    """

    line = 0

    def head(self) -> str:
        """Return the first word, or "" if the list does not begin with one."""
        return str(self[0]) if self and isinstance(self[0], Word) else ""


Node: TypeAlias = Word | Group


def read(text: str) -> Group:
    """Parse one bracketed list; case, whitespace and comments don't matter.

    Args:
        text: A whole PDDL domain or problem.

    Returns:
        The list, with its words in lower case.

    Raises:
        PDDLError: If brackets don't match, or the text isn't exactly one list.
    """
    if len(text) > MOST_CHARACTERS:
        raise PDDLError(
            f"the text has {len(text)} characters: at most {MOST_CHARACTERS} are read"
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n").lower()
    outermost = Group()
    stack = [outermost]
    line = outermost.line = 1
    for match in _TOKEN.finditer(_COMMENT.sub("", text)):
        token = match.group()
        if token == "\n":
            line += 1
        elif token == "(":
            opened = Group()
            opened.line = line
            stack[-1].append(opened)
            stack.append(opened)
            if len(stack) > _DEEPEST:
                raise PDDLError(f"brackets more than {_DEEPEST} deep", line)
        elif token == ")":
            if len(stack) == 1:
                raise PDDLError("a closing bracket without an opening one", line)
            stack.pop()
        else:
            word = Word(token)
            word.line = line
            stack[-1].append(word)
    if len(stack) > 1:
        raise PDDLError("a bracket is never closed", stack[-1].line)
    if len(outermost) != 1 or not isinstance(outermost[0], Group):
        raise PDDLError("a PDDL text must be one bracketed list: (define ...)")
    return outermost[0]
