"""Write the generated pages and pictures of the site.

The site's configuration calls :func:`write_pages` before each build, so that what is
registered or exported has its page. An environment's page is its docstring, its
README and two transcripts.
"""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from environment_pages import (
    block,
    environment,
    environments,
    index,
    name,
    rows,
)
from pictures import drawn

from aq_gym.cli.main import COMMANDS
from aq_gym.core import TextEnv
from aq_gym.evaluation import Suite, Task, run
from aq_gym.report import write_report

ROOT = Path(__file__).parents[1]
# Folders of docs/ with generated files only; git ignores them.
GENERATED = ("api", "drawings", "environments", "extra")
# The public modules; docs/wrappers.md has the wrappers.
MODULES = (
    "aq_gym",
    "aq_gym.agents",
    "aq_gym.models",
    "aq_gym.tools",
    "aq_gym.answers",
    "aq_gym.evaluation",
    "aq_gym.trajectory",
    "aq_gym.datasets",
    "aq_gym.importers",
    "aq_gym.ratings",
    "aq_gym.report",
    "aq_gym.report.figures",
    "aq_gym.testing",
    "aq_gym.adapters",
    "aq_gym.integrations.tokens",
)


def write_pages(docs: Path) -> None:
    """Write every generated page, and remove those that are no longer generated."""
    pages = {f"environments/{name(row)}.md": environment(row) for row in rows()}
    pages["environments/index.md"] = environments()
    pages |= {f"api/{module}.rst": reference(module) for module in MODULES}
    pages |= {f"drawings/{file}": drawing for file, drawing in drawn().items()}
    pages["extra/example-report.html"] = example_report()
    pages["api/commands.md"] = commands()
    pages["api/index.md"] = index("API reference", (*MODULES, "commands"))
    for folder in GENERATED:
        (docs / folder).mkdir(exist_ok=True)
        for old in (docs / folder).iterdir():
            if f"{folder}/{old.name}" not in pages:
                old.unlink()
    for path, text in pages.items():
        # A page that did not change keeps its time, and is not built again.
        if not (docs / path).exists() or (docs / path).read_text("utf-8") != text:
            (docs / path).write_text(text, "utf-8")


def example_report() -> str:
    """Return the report that the page about reports shows."""
    ids = ("aq/Mastermind-v0", "aq/BabyAI-text-v0", "aq/ALFWorld-v0")
    tasks = tuple(Task(id_, seed, max_steps=40) for id_ in ids for seed in range(6))
    with TemporaryDirectory() as folder:
        for agent in ("random", "expert"):
            run(Suite("example", tasks), Path(folder) / agent, agent)
        runs = [Path(folder) / agent for agent in ("random", "expert")]
        page = write_report(runs, Path(folder) / "report.html", title="An example")
        return page.read_text("utf-8")


def reference(module: str) -> str:
    """Return the page of a public module."""
    lines = [module, "=" * len(module), "", f".. automodule:: {module}", ""]
    for exported in import_module(module).__all__:
        lines += _member(f"{module}.{exported}")
    return "\n".join(lines)


def commands() -> str:
    """Return the page of the command line: the help of each command."""
    text = "# The command line\n\n"
    for command in COMMANDS:
        text += f"## `aq-gym {command}`\n\n{block(_help(command))}\n"
    return text


def _help(command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "aq_gym", command, "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "80"},
    )
    return done.stdout.strip()


def _member(path: str) -> list[str]:
    """Return the directive that documents a member of a module."""
    module, _, name = path.rpartition(".")
    # Not pkgutil.resolve_name: a submodule can have the name of a member.
    value = getattr(import_module(module), name)
    if inspect.ismodule(value):
        return []
    if inspect.isclass(value):
        # An env's methods stand in its base classes.
        inherited = ["   :inherited-members: Env"] if issubclass(value, TextEnv) else []
        return [f".. autoclass:: {path}", "   :members:", *inherited, ""]
    if inspect.isroutine(value):
        return [f".. autofunction:: {path}", ""]
    lines = [f".. py:data:: {path}", f"   :type: {type(value).__name__}", ""]
    if isinstance(value, Mapping):
        lines += [f"   Its keys: {', '.join(f'``{key}``' for key in value)}.", ""]
    return lines
