"""Write the pages of the environments: docstring, README and two episodes."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib import import_module
from importlib.resources import files
from pathlib import Path

from transcripts import OPEN, Step, Transcript, play

from aq_gym.core.drawing import Drawing
from aq_gym.evaluation.ladder import ladder_rows
from aq_gym.evaluation.metrics import format_estimate
from aq_gym.registration import TABLE, Row

_ROLE = re.compile(r":(class|func|meth|attr|mod|data|exc):`")
_HEADING = re.compile(r"^(#+ )", re.MULTILINE)
_FENCE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)
# The page has whole episodes.
_EXAMPLE = re.compile(r"<!-- example -->.*?<!-- /example -->\n", re.DOTALL)
_FRAMES = 40
DOCS = Path(__file__).parents[1] / "docs"
_MOST_LINES = 12


def rows() -> tuple[Row, ...]:
    """Return the rows that have a page: all but the variants of others."""
    return tuple(row for row in TABLE if not row.family)


def name(row: Row) -> str:
    """Return the name of an environment's page, which is its folder's name."""
    return row.entry_point.partition(":")[0].rpartition(".")[2]


def environments() -> str:
    """Return the page that lists the environments."""
    listed = index("Environments", map(name, rows()), hidden=True)
    cards = "".join(_card(row) for row in rows())
    return (
        f"{listed}\nEvery environment has a page with its rules, its arguments, its "
        "progress, and two episodes step by step. `aq-gym list` prints the arguments "
        f"of all, `aq-gym list ID` the documentation of one.\n\n"
        f"````{{container}} cards\n{cards}````\n"
    )


def _card(row: Row) -> str:
    """Return an environment's picture, title, id and task."""
    title = _title(row)[0]
    return (
        f"```{{container}} card\n{_picture(row, title)}[{title}]({name(row)}.md)\n\n"
        f"`{row.id}`\n\n{row.title}; {row.instances}\n```\n"
    )


def _picture(row: Row, title: str) -> str:
    """Return an environment's picture, if there is one."""
    file = f"pictures/worlds/{name(row)}.svg"
    picture = f"![A state of {title}](../{file}){{.world}}\n\n"
    return picture if (DOCS / file).exists() else ""


def worlds() -> dict[str, str]:
    """Return a picture of each environment, by file."""
    # In the middle of an episode there is the most to see.
    return {
        f"{name(row)}.svg": frames[len(frames) // 2].svg("auto")
        for row in rows()
        if (frames := _frames(row))
    }


def _frames(row: Row) -> list[Drawing]:
    if row.missing():
        return []
    played = _played(row.id, "expert")
    frames = [played.picture, *(step.picture for step in played.steps[:_FRAMES])]
    return [frame for frame in frames if frame]


def environment(row: Row) -> str:
    """Return the page of an environment."""
    docstring = inspect.getdoc(_class(row)) or ""
    first, _, rest = docstring.partition("\n")
    title, notes = _title(row)
    parts = [
        f"# {title}\n\n{first}\n\n",
        _picture(row, title),
        _expert(row),
        _make(row),
        markdown(rest),
        _variants(row),
        _ladder(row),
        _average(row),
    ]
    if notes:
        parts.append(f"\n## Notes\n\n{_demoted(notes)}\n")
    return "".join(parts)


def markdown(docstring: str) -> str:
    """Return a docstring as MyST Markdown.

    Args:
        docstring: Markdown with reStructuredText's roles and Google's sections.
    """
    text = _ROLE.sub(r"{py:\1}`", docstring)
    body, _, raised = text.partition("\nRaises:\n")
    if raised:
        entries = inspect.cleandoc(raised).replace("\n    ", " ").splitlines()
        body += "\n## Errors\n\n"
        for entry in entries:
            error, _, reason = entry.partition(": ")
            body += f"* `{error}`: {reason}\n"
    return body


@cache
def _played(env_id: str, player: str) -> Transcript:
    return play(env_id, player)


def _class(row: Row) -> type:
    module, _, attribute = row.entry_point.partition(":")
    made: type = getattr(import_module(module), attribute)
    return made


def _title(row: Row) -> tuple[str, str]:
    """Return the title and the text of the README in an environment's folder."""
    readme = files(row.entry_point.partition(":")[0]).joinpath("README.md")
    if not readme.is_file():
        return row.id, ""
    first, _, rest = _EXAMPLE.sub("", readme.read_text("utf-8")).partition("\n")
    return first.removeprefix("# "), rest.strip()


def _make(row: Row) -> str:
    extra = f" It needs the extra `{row.extra}`." if row.extra else ""
    return (
        f"\n## Make it\n\nAt most {row.max_episode_steps:,} steps, unless "
        f"`max_episode_steps` says otherwise.{extra}\n\n```python\n"
        "import gymnasium as gym\n\nimport aq_gym\n\n"
        f'env = gym.make("{row.id}")\nobservation, info = env.reset(seed=0)\n'
        "print(observation)\n```\n"
    )


def _variants(row: Row) -> str:
    ids = [
        other.id
        for other in TABLE
        if other.family and other.entry_point == row.entry_point
    ]
    if not ids:
        return ""
    return (
        f"\n## Variants\n\nAlso registered: {', '.join(f'`{one}`' for one in ids)}.\n"
    )


def _ladder(row: Row) -> str:
    """Return the rows of an environment in the reference ladder."""
    names = ("progress rate", "success rate", "repetition rate", "grounding accuracy")
    lines = [["agent", "episodes", *names], ["---", *["---:"] * (len(names) + 1)]]
    for one in ladder_rows():
        if one.env == row.id:
            found = (format_estimate(name, one.estimates.get(name)) for name in names)
            lines.append([one.rung, str(one.episodes), *found])
    if len(lines) == 2:
        return ""
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
    return (
        "\n## How far agents get\n\nScores from [the reference ladder]"
        f"(../reproducing.md#the-reference-ladder):\n\n{table}"
    )


def _expert(row: Row) -> str:
    """Return the episode of the expert, with which a page begins."""
    heading = "## An episode\n\n"
    if row.missing():
        return f"{heading}Not played when this page was built: {row.hint()}.\n"
    played = _played(row.id, "expert")
    made = f", with `{json.dumps(row.shown)}`" if row.shown else ""
    return (
        f"{heading}The expert, the reference policy, plays the instance with seed 0"
        f"{made}. {_outcome(played)}\n\n{_opening(played.observation)}{_steps(played)}"
        f"\nIts subgoals: {_names(played.subgoals)}.\n"
    )


def _opening(observation: str) -> str:
    """Return the first observation, folded if it is long, such as a list of tools."""
    lines, shown = observation.count("\n") + 1, f"{block(observation)}\n"
    if lines <= _MOST_LINES:
        return shown
    return (
        f'<details class="more-steps"><summary>The first observation, {lines} lines'
        f"</summary>\n\n{shown}</details>\n\n"
    )


def _average(row: Row) -> str:
    """Return the same episode of a player that is no expert."""
    if row.missing():
        return ""
    played = _played(row.id, "average")
    return (
        "\n## An average player\n\nIn the same instance, one action in four is the "
        f"expert's, and the others are random. {_outcome(played)}\n\n{_steps(played)}"
    )


def _outcome(played: Transcript) -> str:
    """Return a sentence on how an episode ended."""
    end = "solved the task" if played.success else "did not solve the task"
    if played.truncated:
        end += " within the cap"
    count = len(played.steps)
    return (
        f"It {end}: {count} {'step' if count == 1 else 'steps'}, progress rate "
        f"{played.best_progress:.2f}, repetition rate {played.repetition_rate:.2f}."
    )


def _steps(played: Transcript) -> str:
    (first, last), count = played.shown(), len(played.subgoals)
    texts = [_step(one, count) for one in first]
    if last:
        left_out = len(played.steps) - len(first) - len(last)
        texts.append(f"*{left_out} steps are left out here.*\n\n")
        texts += [_step(one, count) for one in last]
    text, folded = "".join(texts[:OPEN]), "".join(texts[OPEN:])
    if not folded:
        return text
    more = f"The other {len(played.steps) - OPEN} steps"
    return (
        f'{text}<details class="more-steps"><summary>{more}</summary>\n\n'
        f"{folded}</details>\n\n"
    )


def _step(step: Step, subgoals: int) -> str:
    """Return a step as four fields: its number, the action, the answer, the progress.

    They are one line of HTML, since a blank line would end it.
    """
    told = [f"{step.progress:.2f}", f"{step.held} of {subgoals} subgoals"]
    told += [f"reached {one}" for one in step.reached]
    told += [f"lost {one}" for one in step.lost] + ["invalid"] * (not step.valid)
    told_html = "<br>".join(map(escape, told))
    bar = f'<meter aria-label="Progress" value="{step.progress:.4f}"></meter>'
    fields = {
        "action": f"<pre>{_one_line(step.action)}</pre>",
        "answer": f"<pre>{_one_line(step.observation)}</pre>",
        "progress": f"{bar}<div>{told_html}</div>",
    }
    parts = "".join(
        f'<div class="turn-{name}"><small>{name.capitalize()}</small>{content}</div>'
        for name, content in fields.items()
    )
    return f'<div class="turn"><b>Step {step.number}</b>{parts}</div>\n\n'


def _one_line(text: str) -> str:
    return escape(text).replace("\n", "&#10;")


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def block(text: str) -> str:
    """Return a code block with a fence longer than any in its text."""
    ticks = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}text\n{text}\n{fence}\n"


def index(title: str, pages: Iterable[str], *, hidden: bool = False) -> str:
    """Return the page of a folder.

    Args:
        title: Its title.
        pages: The names of the pages in the folder.
        hidden: Whether the list of pages is in the navigation only.
    """
    lines = "\n".join(pages)
    options = ":hidden:\n" if hidden else ""
    return f"# {title}\n\n```{{toctree}}\n{options}\n{lines}\n```\n"


def _demoted(text: str) -> str:
    """Return Markdown with its headings a level lower, except in code."""
    parts = _FENCE.split(text)
    parts[::2] = [_HEADING.sub(r"#\1", part) for part in parts[::2]]
    return "".join(parts)
