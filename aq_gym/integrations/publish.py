"""Write packages for the Environments Hub and for a Space of OpenEnv."""

from __future__ import annotations

import copy
import json
import keyword
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import gymnasium as gym

from aq_gym._version import __version__
from aq_gym.evaluation import Suite, Task
from aq_gym.evaluation.preflight import check_tasks
from aq_gym.selection import parse_env
from aq_gym.support.extras import requirement
from aq_gym.trajectory.trust import untrusted

KINDS = ("hub", "space")
_NAME = re.compile(r"(?=.{1,100}$)[a-z][a-z0-9]*(-[a-z0-9]+)*")
# A package with one of these names would hide another module or not be importable.
_TAKEN = {*sys.stdlib_module_names, *keyword.kwlist, "aq_gym", "verifiers"}

_PROJECT = """\
[project]
name = "{name}"
version = "0.1.0"
description = "{about}"
readme = "README.md"
requires-python = ">=3.11"
keywords = [{keywords}]
dependencies = [{dependencies}]
{more}
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.hatch.build.targets.wheel]
packages = ["{package}"]
"""

_HUB_MODULE = '''\
"""{about}"""

from pathlib import Path
from typing import Any

import verifiers.v1 as vf

from aq_gym.integrations import verifiers_tasks as aq

__all__ = ["Env", "Harness", "Tasks", "load_environment"]

Env, Harness = aq.VerifiersEnv, aq.VerifiersHarness


class Config(aq.VerifiersTasksetConfig):
    """The tasks of this package, unless others are given."""

    id: str = "{package}"
    suite: str = str(Path(__file__).with_name("suite.json"))


class Tasks(aq.VerifiersTaskset, vf.Taskset[aq.VerifiersTask, Config]):
    """{about}"""


def load_environment(**taskset: Any) -> vf.Env:
    """Return the environment; the arguments are those of the taskset."""
    other = {{"suite": ""}} if "env" in taskset else {{}}
    chosen = {{"id": "{package}", **other, **taskset}}
    return vf.load_environment(vf.resolve_env_config({{"taskset": chosen}}))
'''

_HUB_README = """\
# {name}

{about} Each step has a reward, the rise of the best progress; the metrics are
`success`, `progress_rate`, `final_progress` and `repetition_rate`.

| environment | tasks |
|---|---|
{rows}

```bash
prime env install {name}    # or: uv pip install -e .
vf-eval {package} --no-push -m MODEL --client.base-url URL -n 5
```

Publish it with `prime env push`.
"""

_SPACE_APP = '''\
"""{about}"""

from aq_gym.integrations.openenv.server import make_space, serve_space

app = make_space({settings})


def main() -> None:
    """Serve it at the port $PORT, by default 8000."""
    serve_space(app)


if __name__ == "__main__":
    main()
'''

_SPACE_YAML = """\
spec_version: 1
name: {package}
version: 0.1.0
type: space
runtime: fastapi
app: server.app:app
port: 8000
validation:
  reward: {{range: [0.0, 1.0], oracle_tolerance: 0.0, floor_margin: 0.1}}
  resources: {{cpu: 1.0, memory_mb: 1024, disk_mb: 512, episode_timeout_s: 60.0}}
  capabilities: {{verifier: {{kind: reward_channel}}}}
  types: {{tags: [text, game]}}
  execution: {{kind: openenv_ws, probe_path: validation/runtime.json}}
"""

# The episode that ``openenv validate`` plays in the container.
_SPACE_PLAN = {
    "plan_schema_version": "1",
    "reset": {"episode_id": "validation", "seed": 0},
    "actions": [{"text": "check valid actions"}],
}

_DOCKERFILE = """\
FROM python:3.12-slim
WORKDIR /app/env
COPY . .
RUN pip install --no-cache-dir {requirements} && useradd --create-home player
USER player
EXPOSE 8000
CMD ["python", "-m", "server.app"]
"""

_SPACE_README = """\
---
title: {name}
emoji: 🎯
colorFrom: blue
colorTo: green
sdk: docker
pinned: false
app_port: 8000
base_path: /web
tags:
  - openenv
---

# {name}

{about} They are served in the protocol of OpenEnv; a page to play them is at `/web`.

```python
from aq_gym.integrations.openenv import TextAction, TextEnvClient

with TextEnvClient(base_url="https://OWNER-{name}.hf.space").sync() as env:
    result = env.reset(seed=0, env="{first}")
    while not result.done:
        result = env.step(TextAction(text=input(result.observation.text)))
```

`reset` takes an `env`, one of

{rows}

Publish it with `openenv push`, or push this folder to a Space of the type Docker.
"""


def write_package(
    directory: str | os.PathLike[str],
    kind: str,
    settings: Sequence[str] = (),
    *,
    suite: str = "",
    name: str = "",
    episodes: int = 100,
    modules: Sequence[str] = (),
) -> list[Path]:
    """Write a package that can be published as it is.

    Args:
        directory: The folder of the package, new or empty.
        kind: "hub": tasks for verifiers and prime-rl, with static metadata and
            ``load_environment``; "space": a server of OpenEnv with a page, for one or
            several environments.
        settings: Environments with arguments, ``ID?key=value``.
        suite: For "hub", a suite in place of ``settings``.
        name: The name of the package, such as "my-maze"; by default the folder's name.
        episodes: For "hub", the number of tasks for each of ``settings``, with seeds
            from 0; at most 10,000.
        modules: Modules that register environments.

    Returns:
        The paths of the files written.

    Raises:
        FileExistsError: If the folder has files.
        ValueError: If an argument is out of its range, a suite does not exist, or an
            environment's argument names a file or code of this machine.
        gymnasium.error.NameNotFound: If an environment does not exist.
    """
    folder = Path(directory)
    name = name or folder.resolve().name.lower().replace("_", "-")
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r}: choose one of {', '.join(KINDS)}")
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"name={name!r:.200}: give at most 100 lower-case letters, digits and '-', "
            "such as 'my-maze'"
        )
    if episodes < 1:
        raise ValueError(f"episodes={episodes} must be at least 1")
    if name.replace("-", "_") in _TAKEN:
        raise ValueError(f"name={name!r} is the name of another module: give a new one")
    if bool(settings) == bool(suite) or (suite and kind == "space"):
        raise ValueError(
            f"settings={list(settings)!r:.200}, suite={suite!r}: give environments or, "
            "for kind='hub', a suite"
        )
    chosen = [parse_env(text, modules) for text in settings]
    count = episodes if kind == "hub" else 1
    tasks = [Task(i, seed, kwargs) for i, kwargs in chosen for seed in range(count)]
    loaded = Suite.load(suite) if suite else Suite(name, (*tasks,))
    check_tasks(loaded)
    for task in {task.setting: task for task in loaded.tasks}.values():
        spec = copy.deepcopy(gym.spec(task.id))
        spec.kwargs = dict(task.kwargs)
        if refused := untrusted(spec):
            raise ValueError(f"{refused} cannot be published")
    files = (_hub if kind == "hub" else _space)(name, loaded)
    if folder.is_dir() and any(folder.iterdir()):
        raise FileExistsError(f"{os.fspath(folder)!r} has files: give a new folder")
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return [folder / path for path in files]


def _hub(name: str, suite: Suite) -> Mapping[str, str]:
    package = name.replace("-", "_")
    counts = {task.setting: 0 for task in suite.tasks}
    for task in suite.tasks:
        counts[task.setting] += 1
    ids = dict.fromkeys(task.id for task in suite.tasks)
    about = f"Text environments for language agents: {', '.join(ids)}."
    words = {
        "name": name,
        "package": package,
        "about": about,
        "rows": "\n".join(f"| `{key}` | {count} |" for key, count in counts.items()),
    }
    record = {"name": name, "tasks": [task.to_record() for task in suite.tasks]}
    return {
        "pyproject.toml": _project(words, ["verifiers", "rl", "eval"], "verifiers"),
        "README.md": _HUB_README.format(**words),
        f"{package}/__init__.py": _HUB_MODULE.format(**words),
        f"{package}/suite.json": json.dumps(record) + "\n",
    }


def _space(name: str, suite: Suite) -> Mapping[str, str]:
    settings = list(dict.fromkeys(task.setting for task in suite.tasks))
    package = requirement("openenv", __version__)
    words = {
        "name": name,
        "package": "server",
        "about": f"Text environments: {', '.join(task.id for task in suite.tasks)}.",
        "rows": "\n".join(f"- `{setting}`" for setting in settings),
        "first": settings[0],
        "settings": repr(settings),
        "requirements": f"'{package}' 'openenv>=0.10' gradio",
    }
    script = '\n[project.scripts]\nserver = "server.app:main"\n'
    return {
        "pyproject.toml": _project(words, ["openenv", "rl"], "openenv", script),
        "README.md": _SPACE_README.format(**words),
        "openenv.yaml": _SPACE_YAML.format(**{**words, "package": name}),
        "Dockerfile": _DOCKERFILE.format(**words),
        "validation/runtime.json": json.dumps(_SPACE_PLAN) + "\n",
        "server/__init__.py": "",
        "server/app.py": _SPACE_APP.format(**words),
    }


def _project(
    words: Mapping[str, str], keywords: Sequence[str], extra: str, more: str = ""
) -> str:
    needs = [requirement(extra, __version__)]
    needs += ["openenv>=0.10", "gradio"] if extra == "openenv" else ["verifiers>=0.4"]
    listed = {"keywords": keywords, "dependencies": needs}
    texts = {key: json.dumps(list(value))[1:-1] for key, value in listed.items()}
    return _PROJECT.format(**words, **texts, more=more)
