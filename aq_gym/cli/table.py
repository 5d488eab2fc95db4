"""The result tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from aq_gym.evaluation import Episode, Estimate, summarize

__all__ = ["format_estimate", "print_results"]

# The rest is in summary.json.
_SHOWN = (
    "success rate",
    "progress rate",
    "repetition rate",
    "grounding accuracy",
    "steps",
)

_NOTE = (
    "Means over episodes, with 95% intervals. Repetition rate: of each episode's own "
    "length. Grounding accuracy: the share of valid actions."
)


def print_results(console: Console, agents: Mapping[str, Sequence[Episode]]) -> None:
    """Print a table for each environment, a column for each agent.

    Args:
        console: Where to.
        agents: Episodes by the agent's name.
    """
    for setting in dict.fromkeys(e.setting for some in agents.values() for e in some):
        own = {
            agent: [e for e in episodes if e.setting == setting]
            for agent, episodes in agents.items()
        }
        console.print(f"\n[bold]{escape(setting)}[/]")
        console.print(_table(own))
    console.print(f"\n{_NOTE}", markup=False)
    for agent, episodes in agents.items():
        for episode in episodes:
            if episode.error:
                problem = f"{agent}, {episode.task}: {episode.error}"
                console.print(f"error, not scored: {problem}", markup=False)
    if any(episode.traceback for some in agents.values() for episode in some):
        console.print("Their tracebacks are in episodes.jsonl.")


def _table(agents: Mapping[str, Sequence[Episode]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column("")
    for agent in agents:
        table.add_column(escape(agent))
    estimates = [summarize(episodes) for episodes in agents.values()]
    for name in _SHOWN:
        table.add_row(name, *(_cell(name, known.get(name)) for known in estimates))
    counts = (sum(not e.error for e in episodes) for episodes in agents.values())
    table.add_row("episodes", *map(str, counts))
    return table


def _cell(name: str, estimate: Estimate | None) -> str:
    if estimate is None:
        return "-"
    return escape(format_estimate(name, estimate))


def format_estimate(name: str, estimate: Estimate) -> str:
    """Write a value and its interval, rates with two decimals and counts with one."""
    digits = 2 if name.endswith(("rate", "accuracy")) else 1
    value, low, high = (
        "-" if number is None else f"{number:.{digits}f}" for number in estimate
    )
    return f"{value} [{low}, {high}]"
