"""Write the file of an episode: its name, header, steps and end."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

from aq_gym.support.arguments import check_type
from aq_gym.trajectory import jsonl
from aq_gym.trajectory.codec import encode
from aq_gym.trajectory.jsonl import JsonLines
from aq_gym.trajectory.packed import SUFFIX, packed_path

SCHEMA = 1
# The limit for a name; file systems allow 255 bytes, including suffixes and copy
# numbers.
_LONGEST = 200
_HASH = 12
# The number of digits in a copy's number.
_DIGITS = 9


def shortened_name(name: str, room: int = 0) -> str:
    """Return a file name that is short enough: a long name is cut and gets a hash.

    Args:
        name: The name without suffix.
        room: The number of bytes that the caller will add.
    """
    encoded = os.fsencode(name)
    most = _LONGEST - room
    if len(encoded) <= most:
        return name
    digest = hashlib.sha256(encoded).hexdigest()[:_HASH]
    start = encoded[: most - _HASH - 1].decode(errors="ignore")
    return f"{start}-{digest}"


class FileNames:
    """Chooses the name of each episode's file, without suffix."""

    def __init__(self, template: str) -> None:
        """Start with the first episode.

        Args:
            template: A name with the field ``{n}``, or a name for a single episode.

        Raises:
            TypeError: If ``template`` is not a str.
            ValueError: If it has other fields, or does not give a valid file name.
        """
        check_type("name", template, str, "a str")
        try:
            first, second = (template.format(n=number) for number in range(2))
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise ValueError(
                f"name={template!r} may contain only the field {{n}}"
            ) from error
        _check(first)
        self._template = template
        self._counts = first != second
        self._number = 0
        self._next: str | None = None

    def name_next(self, name: str) -> None:
        """Use exactly this name for the next episode.

        Raises:
            TypeError: If ``name`` is not a str.
            ValueError: If it is not a valid file name.
        """
        check_type("name", name, str, "a str")
        _check(name)
        self._next = name

    def choose(self) -> Iterable[str]:
        """Return the names to try for the next episode, in order."""
        if self._next is not None:
            names, self._next = [self._next], None
            return names
        if not self._counts:
            return [self._template]
        return self._count()

    def _count(self) -> Iterable[str]:
        for number in itertools.count(self._number):
            self._number = number + 1
            yield self._template.format(n=number)


def _check(name: str) -> None:
    if not name or name.startswith(".") or set(name) & set("/\\\0"):
        raise ValueError(f"name={name!r} is not a valid file name")
    try:
        size = len(os.fsencode(name))
    except UnicodeEncodeError as error:
        raise ValueError(f"name={name!r} is not a valid file name") from error
    if size > _LONGEST:
        raise ValueError(
            f"name={name!r:.50}... has {size} bytes; at most {_LONGEST} are allowed"
        )


class EpisodeFile:
    """Writes the header, the steps and the end record of one episode.

    A copy (made by ``copy.deepcopy``, by pickling or by ``os.fork``) never writes to
    the file of its original. On its first step it creates its own file, whose header
    names the original's file and the last step that the two episodes share. A copy can
    also :meth:`hold` its records, for a search that drops most copies.
    """

    def __init__(self, directory: str, names: Iterable[str]) -> None:
        """Create an empty file under the first name that is not in use.

        Raises:
            FileExistsError: If every name is in use.
        """
        self.steps = 0
        self._ended = False
        self._directory = directory
        self._header = b""
        self._held: list[bytes] | None = None
        self._lines: JsonLines | None = None
        self._create(names)

    def begin(self, header: Mapping[str, Any]) -> None:
        """Write the header."""
        # Kept as bytes, because these are not copied with the env.
        self._header = jsonl.dumps(header)
        assert self._lines is not None
        self._lines.append_line(self._header)

    def discard(self) -> None:
        """Remove the file of an episode that did not begin."""
        lines = self._own_lines()
        if lines is not None:
            lines.close()
            os.unlink(lines.path)

    def hold(self, until_end: bool) -> None:
        """Keep the records of a copy in memory until :meth:`keep`.

        A copy of this copy holds these records too, so the header of its file names the
        last original that has a file.

        Args:
            until_end: Whether the end of the episode writes them.
        """
        if self._own_lines() is None and self._held is None:
            self._held, self._shared = [], self.steps
            self._until_end = until_end

    def keep(self) -> None:
        """Write the records that a copy has held, if there are any."""
        held, self._held = self._held, None
        if not held:
            return
        lines = self._begin_copy(self._shared)
        try:
            for line in held:
                lines.append_line(line)
        finally:
            if self._ended:
                lines.close()

    def add_step(self, line: bytes) -> None:
        """Write the record of a step, or hold it."""
        if self._held is not None:
            self.steps += 1
            self._held.append(line)
            return
        lines = self._own_lines() or self._begin_copy(self.steps)
        self.steps += 1
        lines.append_line(line)

    def end(self, **fields: object) -> None:
        """Write the end record and close the file, or hold the record.

        A copy without steps of its own creates a file only to record an error.
        """
        lines = self._own_lines()
        if lines is None and not self._held and fields["reason"] != "error":
            return
        self._ended = True
        record = {"kind": "end", "steps": self.steps, **fields}
        if self._held is not None:
            self._held.append(jsonl.dumps(record))
            if self._until_end:
                self.keep()
            return
        lines = lines or self._begin_copy(self.steps)
        try:
            lines.append(record)
        finally:
            lines.close()

    def __getstate__(self) -> dict[str, Any]:
        """Exclude the open file, which only the original may write."""
        return {**self.__dict__, "_lines": None}

    def _own_lines(self) -> JsonLines | None:
        """Return the open file, None if another process has opened it."""
        if self._process != os.getpid():
            self._lines = None
        return self._lines

    def _begin_copy(self, shared: int) -> JsonLines:
        parent = {"file": self.name, "step": shared}
        copied = shortened_name(self.name, len("-copy-") + _DIGITS)
        lines = self._create(f"{copied}-copy-{n}" for n in self._numbers)
        lines.append({**json.loads(self._header), "parent": parent})
        return lines

    def _create(self, names: Iterable[str]) -> JsonLines:
        for name in names:
            path = os.path.join(self._directory, name + SUFFIX)
            try:
                lines = JsonLines(path, new=True, checksums=True)
            except FileExistsError:
                continue
            # Checked again here, because an existing file may just have been packed.
            if os.path.exists(packed_path(Path(path))):
                lines.close()
                os.unlink(path)
                continue
            self.name = name
            self._lines = lines
            self._numbers = _Numbers()
            self._process = os.getpid()
            return lines
        raise FileExistsError(
            f"{self._directory} already has a trajectory named {names}"
        )


class _Numbers:
    """The numbers of a file's copies, which all copies in a process share."""

    def __init__(self) -> None:
        self._last = 0

    def __iter__(self) -> Iterator[int]:
        while True:
            self._last += 1
            yield self._last

    def __deepcopy__(self, memo: object) -> _Numbers:
        # Otherwise each of n copies would try the numbers of all others.
        return self


def origin_fields(env: gym.Env[Any, Any]) -> dict[str, Any]:
    """Return the header fields for the environment and the versions."""
    spec, reason = spec_of(env)
    return {
        "kind": "header",
        "schema": SCHEMA,
        "spec": encode(spec),
        "spec_missing": reason,
        "versions": versions_of(env),
        "parent": None,
    }


def request_fields(
    env: gym.Env[Any, Any], seed: int | None, options: object
) -> dict[str, Any]:
    """Return the header fields for the arguments of the reset."""
    random_state = random_state_of(env) if seed is None else None
    return {
        "seed": encode(seed),
        "random_state": encode(random_state),
        "options": encode(options),
    }


def start_fields(observation: object, info: Mapping[str, Any]) -> dict[str, Any]:
    """Return the header fields for the result of the reset."""
    return {
        "task_id": encode(info.get("task_id", "")),
        "observation": encode(observation),
        "info": encode(info),
    }


def spec_of(env: gym.Env[Any, Any]) -> tuple[Any, str]:
    """Return an environment's spec as JSON and "", or None and the reason."""
    spec = env.spec
    if spec is None:
        return None, "the environment was not made by gymnasium.make"
    for wrapper in spec.additional_wrappers:
        if wrapper.kwargs is None:
            return None, f"{wrapper.name} does not record its arguments"
    try:
        record = json.loads(spec.to_json())
    except (TypeError, ValueError):
        return None, _why_not_json(spec)
    return record, ""


def random_state_of(env: gym.Env[Any, Any]) -> dict[str, Any] | None:
    """Return the state of an environment's numpy generator, or None."""
    generator = env.np_random
    if not isinstance(generator, np.random.Generator):
        return None
    return dict(generator.bit_generator.state)


def distribution_of(env: gym.Env[Any, Any]) -> str:
    """Return the name of an environment's distribution, "" if it is unknown."""
    entry_point = env.spec.entry_point if env.spec is not None else None
    if not isinstance(entry_point, str):
        return ""
    return entry_point.partition(":")[0].partition(".")[0].replace("_", "-")


def versions_of(env: gym.Env[Any, Any]) -> dict[str, str]:
    """Return the versions of Python, packages and the environment's distribution."""
    versions = {"python": platform.python_version()}
    for name in ("aq-gym", "gymnasium", "numpy"):
        versions[name] = _version(name)
    if name := distribution_of(env):
        versions[name] = _version(name)
    return {name: version for name, version in versions.items() if version}


@functools.cache
def _version(distribution: str) -> str:
    # Imported late, because it takes longer to import than all wrappers together.
    import importlib.metadata

    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _why_not_json(spec: Any) -> str:
    if callable(spec.entry_point):
        return f"{spec.id} is registered with a function, not with 'module:function'"
    owners = [(spec.id, spec.kwargs)]
    owners += [(wrapper.name, wrapper.kwargs) for wrapper in spec.additional_wrappers]
    for owner, arguments in owners:
        for name, value in arguments.items():
            try:
                json.dumps(value)
            except (TypeError, ValueError) as error:
                return f"{owner}({name}=...): {error}"
    return "its spec is not JSON"


def step_line(
    number: int, action: object, result: tuple[Any, ...], notes: Mapping[str, object]
) -> bytes:
    """Return the record of a step as a line of JSON, with API keys masked.

    Args:
        number: The number of the step, from 1.
        action: The action, as JSON.
        result: The five values that ``step`` returned.
        notes: The notes on the action; empty if there are none.
    """
    observation, reward, terminated, truncated, info = result
    record = {
        "kind": "step",
        "t": number,
        "action": action,
        "observation": encode(observation),
        "reward": encode(reward),
        "terminated": bool(terminated),
        "truncated": bool(truncated),
        "info": encode(info),
    }
    return jsonl.dumps({**record, "notes": encode(notes)} if notes else record)
