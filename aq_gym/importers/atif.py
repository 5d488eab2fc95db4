"""ATIF, the Agent Trajectory Interchange Format of Harbor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aq_gym.importers.episode import Fields, LoggedEpisode, Said, content_text
from aq_gym.support.json_files import read_object

_ROLES = {"agent": "assistant", "user": "user", "system": "system"}
_USAGE = {
    "prompt_tokens": "prompt_tokens",
    "completion_tokens": "completion_tokens",
    "cached_tokens": "cached_tokens",
    "cost": "cost_usd",
}


def is_atif(log: dict[str, Any]) -> bool:
    """Return whether a JSON object is a trajectory in ATIF."""
    return str(log.get("schema_version", "")).startswith("ATIF-")


def read_atif(log: dict[str, Any], path: Path) -> Iterator[LoggedEpisode]:
    """Yield the episode of a trajectory, with the files that continue it.

    The score is the reward in Harbor's ``result.json``, which is read from the folder
    of the trial.

    Args:
        log: The trajectory.
        path: Its file: ``TRIAL/agent/trajectory.json`` in a job's folder.

    Raises:
        OSError: If a file that continues it cannot be read.
        ValueError: If a part does not have the form of the format.
    """
    fields = Fields(log, str(path))
    agent = fields.part("agent")
    names = (agent.get("name", str, "agent"), agent.get("model_name", str, ""))
    messages = [
        said
        for part in _continued(fields, path)
        for step in part.parts("steps")
        if step.raw("is_copied_context") is not True
        for said in _messages(step)
    ]
    result = _result(path)
    source = result.get("source", str, "") or "trajectory"
    session = fields.get("session_id", str, path.stem)
    yield LoggedEpisode(
        env=f"atif/{source}",
        task_id=result.get("task_name", str, session),
        agent=" ".join(filter(None, names)),
        success=None,
        messages=messages,
        error=result.part("exception_info").get("exception_type", str, ""),
        score=result.part("verifier_result").part("rewards").number("reward"),
    )


def _continued(fields: Fields, path: Path) -> Iterator[Fields]:
    """Yield a trajectory, and the files beside it that continue it."""
    seen = {path.name}
    yield fields
    while name := fields.get("continued_trajectory_ref", str, ""):
        if Path(name).name != name or name in seen:
            raise ValueError(
                f"{fields.where}.continued_trajectory_ref={name!r:.80} must be another "
                "file of its folder"
            )
        seen.add(name)
        fields = Fields(read_object(path.with_name(name), path.parent), name)
        yield fields


def _result(path: Path) -> Fields:
    file = path.parent.parent / "result.json"
    if path.parent.name != "agent" or not file.is_file():
        return Fields({}, str(file))
    return Fields(read_object(file), str(file))


def _messages(step: Fields) -> Iterator[Said]:
    metrics = step.part("metrics")
    usage = {name: metrics.count(key) for name, key in _USAGE.items()}
    usage["tokens"] = usage["prompt_tokens"] + usage["completion_tokens"]
    calls = [
        {
            "name": call.get("function_name", str, ""),
            "arguments": call.get("arguments", dict, {}),
        }
        for call in step.parts("tool_calls")
    ]
    source = step.get("source", str, "")
    if source not in _ROLES:
        raise ValueError(
            f"{step.where}.source={source!r:.50}: choose {', '.join(_ROLES)}"
        )
    used = {name: value for name, value in usage.items() if value}
    yield Said(_ROLES[source], content_text(step.raw("message")), calls, None, used)
    for one in step.part("observation").parts("results"):
        yield Said("tool", content_text(one.raw("content")))
