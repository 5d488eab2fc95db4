"""The ratings of runs by models, as ``aq-gym rate`` wrote them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from aq_gym.evaluation import Estimate
from aq_gym.report.data import Run
from aq_gym.support.escaping import short, visible
from aq_gym.support.json_files import read_object

_DAMAGED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
_AGREEMENT = {
    "within_judges": "within judges",
    "between_judges": "between judges",
    "people_kappa": "judges with the labels (weighted kappa)",
    "people_share": "judges with the labels (share equal)",
}
_COPIES = ("pairs", "lower", "higher")
_GROUPS = ("succeeded", "failed", "all")


def rated_runs(
    runs: Sequence[Run], link: Callable[[str, str], str]
) -> list[dict[str, Any]]:
    """Return the ratings of the runs that have some, in the form for the page.

    Args:
        runs: The runs in the order of their colours.
        link: Returns the address of an episode, by its task and its run's label.

    Raises:
        ValueError: If a file of ratings is damaged.
    """
    found = []
    for number, run in enumerate(runs):
        file = run.path / "ratings.json"
        if file.is_file():
            found.append({"number": number, **_shown(run, file, link)})
    return found


def _shown(run: Run, file: Path, link: Callable[[str, str], str]) -> dict[str, Any]:
    written = read_object(file)
    parts: dict[str, Callable[[Any], Any]] = {
        "judges": lambda names: list(map(visible, names)),
        "notes": lambda notes: list(map(visible, notes)),
        "criteria": lambda found: [_criterion(run, one, link) for one in found],
    }
    shown: dict[str, Any] = {"run": run.label}
    for key, part in parts.items():
        try:
            shown[key] = part(written[key])
        except _DAMAGED as error:
            raise ValueError(f"{file} is damaged: {key!r}: {error!r}") from error
    return shown


def _criterion(
    run: Run, one: Mapping[str, Any], link: Callable[[str, str], str]
) -> dict[str, Any]:
    groups = {
        group: [
            {
                "value": short(own["value"]),
                "share": _share(own["share"]),
                "links": [link(task, run.label) for task in own["episodes"]],
            }
            for own in one["distribution"][group]
        ]
        for group in _GROUPS
        if group in one["distribution"]
    }
    disturbed = [
        {"kind": visible(kind), **{name: int(change[name]) for name in _COPIES}}
        for kind, change in one.get("disturbed", {}).items()
    ]
    agreement = one["agreement"]
    return {
        "name": short(one["name"]),
        "description": visible(one["description"]),
        "nominal": "unordered" in one,
        "decision": visible(one["decision"]),
        "remarks": [*map(visible, one["reasons"]), *map(visible, one["flags"])],
        "figures": [
            _number(one["alpha"]),
            _number(one["entropy"]),
            _number(one.get("coefficient_of_variation")),
            _estimate(one.get("success_area")),
            *(
                _estimate(one.get("tau", {}).get(name))
                for name in ("progress rate", "success", "repetition rate")
            ),
        ],
        "missing": f"{int(one['missing'])} of {int(one['ratings'])}",
        "groups": groups,
        "disturbed": disturbed,
        "agreement": [
            (text, _number(agreement[name]))
            for name, text in _AGREEMENT.items()
            if name in agreement
        ],
    }


def _share(share: Mapping[str, Any]) -> Estimate:
    known = share["low"] is not None
    ends = (float(share[end]) if known else None for end in ("low", "high"))
    return Estimate(float(share["value"]), *ends)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _estimate(given: Mapping[str, Any] | None) -> str:
    if given is None:
        return ""
    if given["low"] is None:
        return _number(given["value"])
    return f"{given['value']:.2f} [{given['low']:.2f}, {given['high']:.2f}]"
