"""Sub-skill scores as a radar chart in SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import Any, NamedTuple

from aq_gym.evaluation.summary import by_benchmark, subskills
from aq_gym.report.data import Run

_RADIUS = 100
_LABEL = 116
_RINGS = (0.25, 0.5, 0.75, 1.0)


class Radar(NamedTuple):
    """The geometry of a radar chart around (0, 0), in SVG units.

    Attributes:
        skills: For each skill its name, the end of its axis, and its label's place
            and anchor.
        rings: The points of the grid's polygons.
        runs: For each run its number, label, polygon, scores, and how many episodes
            they are of.
    """

    skills: list[dict[str, Any]]
    rings: list[str]
    runs: list[dict[str, Any]]


def radar_of(runs: Sequence[Run]) -> Radar | None:
    """Return AgentBoard's sub-skill scores as a chart, None if no run has any.

    Args:
        runs: The runs in the order of their colours.
    """
    scores = [subskills(run.episodes) for run in runs]
    skills = list(dict.fromkeys(skill for one in scores for skill in one))
    if not skills:
        return None
    directions = [2 * pi * n / len(skills) - pi / 2 for n in range(len(skills))]
    axes = [_axis(s, a) for s, a in zip(skills, directions, strict=True)]
    rings = [_polygon([ring] * len(skills), directions) for ring in _RINGS]
    shapes = [
        _shape(number, run, own, skills, directions)
        for number, (run, own) in enumerate(zip(runs, scores, strict=True))
        if own
    ]
    return Radar(axes, rings, shapes)


def _axis(skill: str, direction: float) -> dict[str, Any]:
    x, y = cos(direction), sin(direction)
    anchor = "middle" if abs(x) < 0.1 else "start" if x > 0 else "end"
    return {
        "name": skill,
        "x": round(_RADIUS * x, 1),
        "y": round(_RADIUS * y, 1),
        "label_x": round(_LABEL * x, 1),
        "label_y": round(_LABEL * y + 4, 1),
        "anchor": anchor,
    }


def _shape(
    number: int,
    run: Run,
    scores: Mapping[str, float],
    skills: Sequence[str],
    directions: Sequence[float],
) -> dict[str, Any]:
    values = [scores.get(skill, 0.0) for skill in skills]
    return {
        "number": number,
        "label": run.label,
        "episodes": sum(
            not episode.error
            for own in by_benchmark(run.episodes).values()
            if subskills(own)
            for episode in own
        ),
        "points": _polygon(values, directions),
        "scores": values,
    }


def _polygon(values: Sequence[float], directions: Sequence[float]) -> str:
    points = [
        f"{_RADIUS * value * cos(direction):.1f},{_RADIUS * value * sin(direction):.1f}"
        for value, direction in zip(values, directions, strict=True)
    ]
    return " ".join(points)
