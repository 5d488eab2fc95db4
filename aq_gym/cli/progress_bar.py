"""A run with a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from aq_gym.cli.output import make_console
from aq_gym.evaluation import Episode, Suite, run

__all__ = ["run_with_bar"]


def run_with_bar(
    suite: Suite,
    directory: str,
    agent: str,
    params: Mapping[str, Any],
    *,
    executor: str = "inline",
    workers: int = 1,
    limits: Mapping[str, float] | None = None,
    retry_errors: bool = False,
    stop_after: int = 1,
    quiet: bool = False,
    on_episode: Callable[[Episode], None] | None = None,
    compact: bool = False,
) -> list[Episode]:
    """Run a suite with a progress bar on stderr, if that is a terminal."""
    console = make_console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("success {task.fields[success]:.2f}"),
        TextColumn("progress {task.fields[progress]:.2f}"),
        TimeRemainingColumn(),
    )
    hidden = quiet or not console.is_terminal
    with Progress(*columns, console=console, disable=hidden) as bar:
        line = bar.add_task(agent, total=len(suite.tasks), success=0.0, progress=0.0)
        scored, solved, progress = 0, 0, 0.0

        def show(episode: Episode) -> None:
            nonlocal scored, solved, progress
            if on_episode:
                on_episode(episode)
            if not episode.error:
                scored += 1
                solved += episode.success
                progress += episode.progress_rate
            count = max(scored, 1)
            bar.update(
                line, advance=1, success=solved / count, progress=progress / count
            )

        return run(
            suite,
            directory,
            agent,
            params,
            executor=executor,
            workers=workers,
            limits=limits,
            retry_errors=retry_errors,
            stop_after=stop_after,
            on_episode=show,
            compact=compact,
        )
