"""The sentences of AgentQuest's drivers, read from a checkout that the user names.

They are the work of others, for non-commercial use, and not part of this package.
Nothing in a checkout is run.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.support.data import named_checkout
from aq_gym.support.user_files import UserFileError, read_text

VARIABLE = "AGENTQUEST_DATA"
SOURCE = "AgentQuest"
_DAMAGED = (OSError, SyntaxError, ValueError, RecursionError, MemoryError)
# Keys of dicts and names are shorter.
_SHORTEST_TEXT = 8


class Template(NamedTuple):
    """A text with slots for values.

    Attributes:
        parts: The texts before, between and after the slots.
    """

    parts: tuple[str, ...]

    def fill(self, *values: object) -> str:
        """Return the text with a value in each slot."""
        pairs = zip_longest(self.parts, map(str, values), fillvalue="")
        return "".join(part + value for part, value in pairs)


Words = Mapping[str, Sequence[Template]]


def checkout() -> Path | None:
    """Return the checkout that ``AGENTQUEST_DATA`` names, None if it is not set.

    Raises:
        FileNotFoundError: If it names no checkout.
    """
    url = "https://github.com/nec-research/agentquest"
    return named_checkout(VARIABLE, "agentquest/benchmarks", url)


def words(
    benchmark: str, ours: Mapping[str, Sequence[str]], file: str = "driver.py"
) -> dict[str, list[Template]]:
    """Return the texts of one of AgentQuest's drivers; without a checkout, ours.

    Args:
        benchmark: Its folder there, such as "mastermind".
        ours: For each function, or constant of a class, our texts in the order of the
            file; ``{}`` is a slot.
        file: The file in that folder.

    Raises:
        UserFileError: If the file is not in AgentQuest's format.
    """
    own = {
        name: [Template(tuple(t.split("{}"))) for t in ts] for name, ts in ours.items()
    }
    root = checkout()
    if root is None:
        return own
    path = root / "agentquest" / "benchmarks" / benchmark / file
    try:
        tree = ast.parse(read_text(path, root))
        found = {name: list(texts_of(tree, name)) for name in ours}
    except UserFileError:
        raise
    except _DAMAGED as error:
        raise UserFileError(f"{path} is not AgentQuest's: {error!r:.200}") from None
    for name, texts in found.items():
        slots = [len(text.parts) for text in texts]
        if slots != [len(text.parts) for text in own[name]]:
            raise UserFileError(f"{path} is not AgentQuest's: {name} has {slots} parts")
    return found


def data_file(benchmark: str) -> str:
    """Return the path of a benchmark's instances in a checkout."""
    return f"agentquest/benchmarks/{benchmark}/data.json"


def read_json(path: str, form: type = list) -> Any:
    """Read a file of instances from a checkout.

    Args:
        path: The file in the checkout, which must be there.
        form: list, or dict for an object of lists.

    Raises:
        UserFileError: If the file has another form, or a list is empty.
    """
    root = checkout() or Path()
    try:
        data = json.loads(read_text(root / path, root))
        lists = data.values() if form is dict and isinstance(data, dict) else [data]
        if not isinstance(data, form) or not all(
            isinstance(one, list) and one for one in lists
        ):
            raise ValueError("it must be an object of lists, or a list")
    except UserFileError:
        raise
    except (FileNotFoundError, ValueError, RecursionError) as error:
        raise UserFileError(
            f"{root / path} is not AgentQuest's: {error!r:.200}"
        ) from None
    return data


def notebook(path: str, names: Sequence[str]) -> list[list[Template]]:
    """Return the texts that a notebook assigns to names; [] without a checkout.

    Args:
        path: The notebook in the checkout.
        names: The variables.

    Raises:
        UserFileError: If the file is not in AgentQuest's format.
    """
    root = checkout()
    if root is None or not (root / path).is_file():
        return []
    try:
        cells = json.loads(read_text(root / path, root))["cells"]
        code = ("".join(c["source"]) for c in cells if c["cell_type"] == "code")
        tree = ast.parse("\n".join(code))
        found = [list(texts_of(tree, name)) for name in names]
    except UserFileError:
        raise
    except (LookupError, TypeError, *_DAMAGED) as error:
        raise UserFileError(
            f"{root / path} is not AgentQuest's: {error!r:.200}"
        ) from None
    if not all(found):
        raise UserFileError(f"{root / path} is not AgentQuest's: it has no {names}")
    return found


def chat(path: str) -> PublishedPrompt | None:
    """Return the first message of a notebook's chat; None without a checkout."""
    if not (found := notebook(path, ["messages"])):
        return None
    # The longest texts are the messages; the names of roles are texts too.
    *roles, said = (text.fill() for text in found[0])
    return PublishedPrompt(SOURCE, ((roles[0] if roles else "system", said),))


def tutorial(
    path: str, words: Words, played: Callable[[str], str]
) -> PublishedPrompt | None:
    """Return the message of a tutorial's agent; None without a checkout.

    It repeats the latest turn, up to five times, as AgentQuest's does.

    Args:
        path: The notebook in the checkout.
        words: The texts of the driver.
        played: Returns the value that an answer plays, "" for none.
    """
    if not (found := notebook(path, ["prompt", "thoughts"])):
        return None
    if len(found[1]) < 2:
        raise UserFileError(f"{path} is not AgentQuest's: its thoughts are missing")
    (prompt, *_), (action, observation, *_) = found
    rules = words["get_initial_instructions"][0].fill()
    before, _, after = prompt.fill().partition("{history}")
    head, _, tail = before.partition("{input}")

    def rewrite(turns: Sequence[tuple[str, str]]) -> str:
        made = [(value, seen) for said, seen in turns[1:] if (value := played(said))]
        value, seen = made[-1] if made else ("", turns[-1][1])
        thought = action.fill(value) if made else ""
        thought += observation.fill(seen)
        thoughts = thought * min(5, max(1, len(made)))
        return f"{head}{rules}{tail}{thoughts}{after}"

    return PublishedPrompt(SOURCE, rewrite=rewrite)


def texts_of(tree: ast.AST, name: str) -> Iterator[Template]:
    """Yield the texts in each function with a name, or in each value assigned to it.

    Args:
        tree: The syntax tree of a source file.
        name: The name of functions or variables.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            for line in node.body:
                yield from _texts_in(line)
        elif isinstance(node, ast.Assign | ast.AugAssign) and _assigns(node, name):
            yield from _texts_in(node.value)


def _texts_in(node: ast.AST) -> Iterator[Template]:
    if isinstance(node, ast.JoinedStr | ast.BinOp | ast.Constant):
        parts = "".join(_flat(node))
        if len(parts.replace("\0", "")) >= _SHORTEST_TEXT:
            yield Template(tuple(parts.split("\0")))
        return
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    pattern = isinstance(node, ast.Assign) and _assigns(node, "pattern")
    if docstring or pattern or isinstance(node, ast.Compare | ast.Subscript):
        return
    for child in ast.iter_child_nodes(node):
        yield from _texts_in(child)


def _flat(node: ast.AST) -> Iterator[str]:
    r"""Yield the texts of an expression in order, and "\0" for everything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        for value in node.values:
            yield from _flat(value)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _flat(node.left)
        yield from _flat(node.right)
    else:
        yield "\0"


def _assigns(node: ast.Assign | ast.AugAssign, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(t, ast.Name) and t.id == name for t in targets)
