"""Published scores beside those of runs, from this package and users' files."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl

import gymnasium as gym
from gymnasium.envs.registration import load_env_creator

from aq_gym.core.text import did_you_mean
from aq_gym.evaluation import EpisodeResult, Suite, summarize
from aq_gym.evaluation.metrics import METRICS as KNOWN
from aq_gym.evaluation.summary import by_benchmark
from aq_gym.support.data import packaged_json
from aq_gym.support.escaping import visible
from aq_gym.support.user_files import UserFileError, read_text

if TYPE_CHECKING:
    from aq_gym.report.data import Run

# The columns of published scores where a file does not name others.
METRICS = ("progress rate", "success rate", "grounding accuracy")
_FIELDS = {
    "protocol": str, "name": str, "steps": int, "source": str, "tasks": dict,
    "models": dict,
}  # fmt: skip
_OPTIONAL = {"metrics": list, "suites": dict, "settings": dict, "differs": dict}
Paper = Mapping[str, Any]
# Arguments of a task that do not affect the choice of the instance.
_PLACES = ("data_dir", "games", "max_episode_steps")


class PublishedRow(NamedTuple):
    """A row of the comparison with published scores.

    Attributes:
        env: The benchmark's id.
        name: The run's label, or the published model.
        values: The known values by the name of the metric, rates in percent.
        marks: The differences between a run and the paper's; for published scores from
            a file of the user, the file.
        published: Whether the scores are published ones.
    """

    env: str
    name: str
    values: Mapping[str, float]
    marks: tuple[str, ...] = ()
    published: bool = False

    @property
    def note(self) -> str:
        """The last column: "published", or the differences from the paper's setting."""
        empty = "published" if self.published else "nothing known"
        return "; ".join(self.marks) or empty


def published_source(runs: Sequence[Run], more: Sequence[Paper] = ()) -> str:
    """Return the sources of the published scores that are shown with some runs."""
    shown = [paper for _, _, paper in _played(runs, more)]
    sources = (
        f"{visible(paper['source'])}{', as you have them in ' * bool(file)}{file}"
        for paper in shown
        for file in [paper.get("file", "")]
    )
    return "; ".join(dict.fromkeys(sources))


def published_columns(rows: Sequence[PublishedRow]) -> list[str]:
    """Return the names of the metrics of some rows, the papers' own first."""
    of_papers = {name for row in rows if row.published for name in row.values}
    return [*METRICS, *(name for name in KNOWN if name in of_papers - {*METRICS})]


def published_rows(
    runs: Sequence[Run], more: Sequence[Paper] = ()
) -> list[PublishedRow]:
    """Return runs in a paper's protocol, and the published scores below them.

    Args:
        runs: The runs; those in other protocols and suites have no row.
        more: The user's papers; with these, runs in any protocol have a row.
    """
    tables: dict[tuple[str, str], dict[tuple[bool, str], PublishedRow]] = {}
    for run, env, paper in _played(runs, more):
        rows = tables.setdefault((paper["protocol"], env), {})
        for row in (_row_of(run, env, paper), *_rows_of(env, paper)):
            first = rows.setdefault((row.published, row.name), row)
            if not row.published:
                marks = tuple(dict.fromkeys((*first.marks, *row.marks)))
                values = {**first.values, **row.values}
                rows[False, row.name] = row._replace(marks=marks, values=values)
    # The runs first; sorted() keeps the order of the others.
    return [
        row
        for rows in tables.values()
        for row in sorted(rows.values(), key=lambda row: row.published)
    ]


def _played(
    runs: Sequence[Run], more: Sequence[Paper]
) -> Iterator[tuple[Run, str, Paper]]:
    """Yield each run with each paper that has scores for its tasks."""
    for run in runs:
        played = by_benchmark(run.episodes)
        protocols = run.manifest.get("notes", {}).get("protocol", {})
        # The user's papers come first; their rows replace packaged rows of the same
        # name.
        for paper in (*more, *_papers()):
            named = run.manifest["suite"]["name"].startswith(paper["protocol"])
            for env in paper["tasks"]:
                # A benchmark without protocols is the paper's in the paper's suite.
                fits = paper["protocol"] in protocols.get(env, ()) or named
                fits = fits or "file" in paper
                if played.get(env) and fits:
                    yield run, env, paper


def _rows_of(env: str, paper: Paper) -> Iterator[PublishedRow]:
    names = paper.get("metrics", METRICS)
    marks = (f"published, in your {paper['file']}",) if "file" in paper else ()
    for model, scores in paper["models"].items():
        if env in scores:
            pairs = zip(names, scores[env], strict=True)
            values = {name: value for name, value in pairs if value is not None}
            yield PublishedRow(env, visible(model), values, marks, published=True)


def _row_of(run: Run, env: str, paper: Paper) -> PublishedRow:
    episodes = by_benchmark(run.episodes)[env]
    values = {
        name: one.value * (100 if KNOWN[name].bounds == (0.0, 1.0) else 1)
        for name, one in summarize(episodes).items()
        if name in {*METRICS, *paper.get("metrics", ())} and one is not None
    }
    marks = tuple(map(visible, _marks(run, env, episodes, paper)))
    return PublishedRow(env, run.label, values, marks)


def _marks(
    run: Run, env: str, episodes: Sequence[EpisodeResult], paper: Paper
) -> Iterator[str]:
    notes = run.manifest.get("notes", {})
    tasks = paper["tasks"][env]
    scored = sum(not episode.error for episode in episodes)
    if scored != tasks:
        yield f"{scored} of {tasks} tasks"
    # Some benchmarks have no protocol argument.
    protocol = paper["protocol"] if _argument(env, "protocol") else ""
    if protocol and protocol not in notes.get("protocol", {}).get(env, ()):
        yield f"not in the protocol {protocol}"
    if env in paper.get("suites", {}):
        known = _instances(paper["suites"][env])
        others = sum(_instance(e.setting, e.seed) not in known for e in episodes)
        if others:
            yield f"{others} tasks not among the paper's"
    for name, value in paper.get("settings", {}).get(env, {}).items():
        given = {repr(_argument(episode.setting, name)) for episode in episodes}
        if given != {repr(value)}:
            yield f"{name} is {', '.join(sorted(given))}, not {value!r}"
    if run.manifest.get("agent") != "llm":
        yield f"the agent {run.manifest.get('agent')}, not a model"
    elif notes.get("prompts", {}).get(env) not in _names(paper):
        yield "prompts are ours"
    if notes.get("subgoals", {}).get(env) == "ours":
        yield "subgoals are ours"
    if any(episode.cap > paper["steps"] for episode in episodes):
        yield f"more than {paper['steps']} steps"
    if any(0 < episode.cap < paper["steps"] for episode in episodes):
        yield f"fewer than {paper['steps']} steps"
    if env in paper.get("differs", {}):
        yield paper["differs"][env]


def _names(paper: Paper) -> set[str]:
    """Return the names of a protocol; a user's file may use another name."""
    known = (p["name"] for p in _papers() if p["protocol"] == paper["protocol"])
    return {paper["name"], *known}


@cache
def _instances(suite: str) -> frozenset[object]:
    return frozenset(_instance(t.setting, t.seed) for t in Suite.load(suite).tasks)


def _instance(setting: str, seed: int) -> object:
    """Return the key of an instance: an id, its arguments and a seed."""
    env, _, query = setting.partition("?")
    kept = (pair for pair in parse_qsl(query) if pair[0] not in _PLACES)
    return env, seed, frozenset(kept)


def _argument(setting: str, name: str) -> Any:
    """Return an argument of a setting, or its default."""
    env, _, query = setting.partition("?")
    given = dict(parse_qsl(query)).get(name)
    if given is not None:
        try:
            return json.loads(given)
        except (ValueError, RecursionError):
            return given
    # Skipped, because an id with a module would import it.
    if ":" in env or env not in gym.registry:
        return None
    spec = gym.registry[env]
    point = spec.entry_point
    made = load_env_creator(point) if isinstance(point, str) else point
    parameters = inspect.signature(made).parameters if made else {}
    default = parameters[name].default if name in parameters else None
    return spec.kwargs.get(name, default)


@cache
def _papers() -> list[dict[str, Any]]:
    """Published scores, the papers' numbers of tasks, and what always differs here."""
    papers: list[dict[str, Any]] = packaged_json("aq_gym.papers", "published.json")
    return papers


def read_published(*paths: str | os.PathLike[str]) -> list[Paper]:
    """Read users' files of published scores, in the form of ``published.json``.

    Raises:
        FileNotFoundError: If a file does not exist.
        UserFileError: If one is too large or not of this form; the message names the
            key.
    """
    return [paper for path in paths for paper in _read(Path(path))]


def _read(file: Path) -> list[Paper]:
    text = read_text(file)
    try:
        papers = json.loads(text)
        _expect(isinstance(papers, list) and bool(papers), "it", "a list of objects")
        for number, paper in enumerate(papers):
            _check(f"[{number}]", paper)
    except RecursionError:
        raise UserFileError(f"{file}: it is nested too deeply") from None
    except ValueError as error:
        raise UserFileError(f"{file}: {error}") from None
    return [{**paper, "file": visible(file.name)} for paper in papers]


def _check(place: str, paper: Any) -> None:
    """Check an object of a user's file, and name the first key that is wrong."""
    _expect(isinstance(paper, dict), place, "an object")
    for key in (*paper, *_FIELDS):
        at, keys = f"{place}[{key!r:.80}]", _FIELDS | _OPTIONAL
        _expect(key in keys, at, f"one of the keys {', '.join(keys)}")
        right = type(paper.get(key)) is keys[key]
        _expect(right, at, f"of the type {keys[key].__name__}")
    names = paper.get("metrics", METRICS)
    for name in names:
        where = f"{place}['metrics']: {name!r:.80}"
        _expect(name in [*KNOWN], where, f"one of {', '.join(KNOWN)}")
    for env in paper["tasks"]:
        hint = did_you_mean(env, gym.registry)
        at = f"{place}['tasks'][{env!r:.80}]"
        _expect(env in gym.registry, at, f"the id of an environment. {hint}")
    for name, scores in paper["models"].items():
        at = f"{place}['models'][{name!r:.80}]"
        fits = isinstance(scores, dict) and all(
            env in paper["tasks"] and _are_values(values, len(names))
            for env, values in scores.items()
        )
        form = f"numbers or null of {', '.join(names)}"
        _expect(fits, at, f"an object with, for ids of 'tasks', a list of {form}")
    for key, kind in (("suites", str), ("settings", dict), ("differs", str)):
        fits = all(type(value) is kind for value in paper.get(key, {}).values())
        _expect(fits, f"{place}[{key!r}]", f"of the type {kind.__name__} for each id")


def _are_values(value: Any, count: int) -> bool:
    known = isinstance(value, list) and len(value) == count
    return known and all(one is None or type(one) in (int, float) for one in value)


def _expect(condition: bool, where: str, form: str) -> None:
    if not condition:
        raise ValueError(f"{where} must be {form}")
