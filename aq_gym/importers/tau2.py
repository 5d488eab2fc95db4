"""The results of tau2-bench."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aq_gym.importers.episode import ROLES, Fields, LoggedEpisode, Said, content_text
from aq_gym.support.json_files import read_object


def is_tau2(log: dict[str, Any]) -> bool:
    """Return whether a JSON object is a file of tau2's results."""
    return isinstance(log.get("simulations"), list) or {"info", "tasks"} <= log.keys()


def read_tau2(log: dict[str, Any], path: Path) -> Iterator[LoggedEpisode]:
    """Yield the simulations of a file of results.

    The user's own tool calls and their results are left out: the agent does not see
    them. If the file has no simulations, they are files in the folder ``simulations``
    beside it. A spoken simulation, which has ticks instead of messages, is an error.

    Args:
        log: The results.
        path: Their file.

    Raises:
        OSError: If the file of a simulation cannot be read.
        ValueError: If a part does not have the form of the format.
    """
    fields = Fields(log, str(path))
    info = fields.part("info")
    domain = info.part("environment_info").get("domain_name", str, "simulation")
    agent = info.part("agent_info")
    names = (agent.get("implementation", str, "agent"), agent.get("llm", str, ""))
    for one in _simulations(fields, path):
        yield LoggedEpisode(
            env=f"tau2/{domain}",
            task_id=str(one.raw("task_id")),
            agent=" ".join(filter(None, names)),
            success=None,
            messages=[said for part in one.parts("messages") for said in _said(part)],
            error="a spoken simulation: ticks are not read" if one.raw("ticks") else "",
            score=one.part("reward_info").number("reward"),
        )


def _simulations(fields: Fields, path: Path) -> Iterator[Fields]:
    if fields.raw("simulations") is not None:
        yield from fields.parts("simulations")
        return
    for file in sorted(path.parent.glob("simulations/*.json")):
        yield Fields(read_object(file), file.name)


def _said(part: Fields) -> Iterator[Said]:
    role = part.get("role", str, "")
    if role == "tool" and part.raw("tool_messages") is not None:
        for result in part.parts("tool_messages"):
            yield from _said(result)
        return
    if role not in ROLES:
        raise ValueError(f"{part.where}.role={role!r:.50} is not known")
    text = content_text(part.raw("content"))
    if role == "tool":
        if part.raw("requestor") != "user":
            yield Said("tool", text, failed=part.get("error", bool, False))
        return
    calls = part.parts("tool_calls") if role == "assistant" else []
    made = [
        {"name": c.get("name", str, ""), "arguments": c.get("arguments", dict, {})}
        for c in calls
    ]
    usage = part.part("usage")
    used = {key: usage.count(key) for key in ("prompt_tokens", "completion_tokens")}
    used["tokens"] = sum(used.values())
    used["cost"] = part.count("cost")
    mine = {key: n for key, n in used.items() if n and role == "assistant"}
    yield Said(role, text, made, None, mine)
