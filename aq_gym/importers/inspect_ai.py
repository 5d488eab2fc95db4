"""Inspect's logs, as ``.eval`` and as ``.json``."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from aq_gym.importers.episode import ROLES, Fields, LoggedEpisode, Said, content_text
from aq_gym.support.extras import pip_command
from aq_gym.support.json_files import read_json

# The last method is Zstandard.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, 93)
_DAMAGED = (zipfile.BadZipFile, KeyError, UnicodeDecodeError)
_HEADERS = ("header.json", "_journal/start.json")
_USAGE = {
    "prompt_tokens": "input_tokens",
    "completion_tokens": "output_tokens",
    "tokens": "total_tokens",
}
# The texts that Inspect reads as grades; a partial answer is not a success.
_SOLVED = {"C": True, "I": False, "P": False, "N": False}
_SOLVED |= {"yes": True, "true": True, "no": False, "false": False}


def is_inspect(log: dict[str, Any]) -> bool:
    """Return whether a JSON object is a log of Inspect."""
    return isinstance(log.get("eval"), dict) and "status" in log


def read_inspect(
    log: dict[str, Any], path: Path, score: str = ""
) -> Iterator[LoggedEpisode]:
    """Yield the samples of a log.

    Args:
        log: The log.
        path: Its file.
        score: The name of the score that judges them; "" if they have one score.

    Raises:
        ValueError: If a part does not have the form of the format.
    """
    fields = Fields(log, str(path))
    for sample in fields.parts("samples"):
        yield _episode(fields.part("eval"), sample, score)


def read_eval(path: Path, score: str = "") -> Iterator[LoggedEpisode]:
    """Yield the samples of an ``.eval`` file, one at a time.

    Args:
        path: The file: a zip archive with ``header.json`` and ``samples/``.
        score: As for :func:`read_inspect`.

    Raises:
        ImportError: If it is compressed with Zstandard, and zipfile-zstd is missing.
        ValueError: If it is not such an archive, or a sample has several scores, and
            none is named.
    """
    with suppress(ImportError):
        # Importing it adds Zstandard, which Inspect uses, to zipfile before Python
        # 3.14.
        import zipfile_zstd  # noqa: F401
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            # A log that was not finished has its header elsewhere.
            first = next((n for n in _HEADERS if n in names), _HEADERS[0])
            header = Fields(_member(archive, first), f"{path}: {first}")
            for name in names:
                if name.startswith("samples/") and name.endswith(".json"):
                    sample = Fields(_member(archive, name), f"{path}: {name}")
                    yield _episode(header.part("eval"), sample, score)
    except NotImplementedError as error:
        needs = "reading its compression needs zipfile-zstd"
        raise ImportError(f"{path}: {needs}: {pip_command('logs')}") from error
    except _DAMAGED as error:
        raise ValueError(f"{path} is not a log of Inspect: {error}") from error


def _member(archive: zipfile.ZipFile, name: str) -> Any:
    info = archive.getinfo(name)
    if info.flag_bits & 1 or info.compress_type not in _METHODS:
        raise ValueError(f"{archive.filename}: {name} is encrypted or packed otherwise")
    try:
        return read_json(archive.read(name).decode())
    except NotImplementedError:
        raise
    except Exception as error:
        # Each compression has its own errors.
        raise ValueError(f"{archive.filename}: {name}: {error}") from error


def _episode(evaluation: Fields, sample: Fields, named: str) -> LoggedEpisode:
    messages = [_said(part) for part in sample.parts("messages")]
    used = _usage(sample)
    last = max((n for n, m in enumerate(messages) if m.role == "assistant"), default=-1)
    if used and last >= 0:
        messages[last] = messages[last]._replace(usage=used)
    error = sample.part("error").get("message", str, "")
    if sample.raw("invalidation"):
        error = error or "the sample was invalidated"
    success, score = _judged(sample, _value(sample, named))
    return LoggedEpisode(
        env=f"inspect/{evaluation.get('task', str, 'task')}",
        task_id=str(sample.raw("id")),
        agent=evaluation.get("model", str, "model"),
        success=success,
        messages=messages,
        error=error,
        score=score,
    )


def _said(part: Fields) -> Said:
    role = part.get("role", str, "")
    if role not in ROLES:
        raise ValueError(f"{part.where}.role={role!r:.50} is not known")
    calls = [
        {"name": c.get("function", str, ""), "arguments": _arguments(c)}
        for c in part.parts("tool_calls")
    ]
    text = content_text(part.raw("content"))
    failed = None
    if role == "tool":
        # Old logs have a text in tool_error.
        error, old = part.part("error"), part.get("tool_error", str, "")
        failed = part.raw("error") is not None or bool(old)
        text = text or error.get("message", str, old)
    return Said(role, text, calls, failed)


def _arguments(call: Fields) -> Any:
    found = call.raw("arguments")
    return found if isinstance(found, dict | str) else json.dumps(found)


def _usage(sample: Fields) -> Mapping[str, float]:
    models = sample.part("model_usage")
    parts = list(map(models.part, models.names()))
    sums = {n: sum(part.count(key) for part in parts) for n, key in _USAGE.items()}
    return {name: value for name, value in sums.items() if value}


def _value(sample: Fields, named: str) -> object:
    """Return the value of a score, which may be one of several in a dict.

    A dict, as from aq_gym's own scorer, is judged by its ``success``, unless another
    value is named, as ``SCORER/KEY``. Without a score it is None.

    Raises:
        ValueError: If there are several scores that differ, and none is named.
    """
    scores = sample.part("scores")
    values: dict[str, object] = {}
    usual = []
    for name in scores.names():
        value = scores.part(name).raw("value")
        if isinstance(value, dict):
            values |= {f"{name}/{key}": one for key, one in value.items()}
            usual += [f"{name}/success"] * ("success" in value)
        else:
            values[name] = value
            usual.append(name)
    if named:
        return values.get(named)
    # aq_gym's two scores are of one success.
    if any(values[name] != values[usual[0]] for name in usual[1:]):
        raise ValueError(
            f"{scores.where} has {', '.join(values)}: give aq-gym import --score NAME, "
            "the score that says whether it was solved"
        )
    # Logs of version 1 have one score, without a name.
    return values[usual[0]] if usual else sample.part("score").raw("value")


def _judged(sample: Fields, value: object) -> tuple[bool | None, float | None]:
    """Return whether a value is a success, or else its number.

    Both are None for no value, and for one that is neither a grade nor a number.
    """
    if isinstance(value, str):
        solved = _SOLVED.get(value, _SOLVED.get(value.lower()))
        if solved is not None:
            return solved, None
        with suppress(ValueError):
            value = float(value)
    score = Fields({"value": value}, sample.where).number("value")
    return (value if isinstance(value, bool) else None), score
