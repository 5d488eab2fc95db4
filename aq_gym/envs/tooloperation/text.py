"""The words of the environment."""

from __future__ import annotations

from aq_gym.tools import Toolbox

ABOUT = {
    "todo": "a to-do list of projects, sections and tasks. Write dates as YYYY-MM-DD",
    "sheet": "a workbook of sheets. Rows have numbers and columns letters; row 1 of a "
    "table has the names of its columns",
}

ENDING = (
    "Change what the task asks for and nothing else, and then call {finish}(), which "
    "ends the episode. If the task is about something that does not exist, change "
    'nothing and give {finish} the answer "unknown".'
)
# By the world, for AgentBoard's tasks.
PUBLISHED = {
    "todo": 'Call {finish} with the answer to a question, or "done" after a change.',
    "sheet": "The sheet that the task names is open. Call {finish}() at the end.",
}


def instructions(
    world: str, tools: Toolbox, finish: str, ending: str, parallel: bool
) -> str:
    """Return the explanation of the task, with the tools.

    Args:
        world: The world.
        tools: The tools.
        finish: The name of the tool that ends the episode.
        ending: When to call it.
        parallel: Whether several calls can be made in one step.
    """
    calls = "one or more calls" if parallel else "one call"
    return (
        f"Do a task with tools that change {ABOUT[world]}.\n"
        f"Each action is {calls} of a tool, for example as name(argument=value) or as "
        'JSON: {"name": ..., "arguments": {...}}. '
        f"{ending.format(finish=finish)}\n"
        f"The tools:\n{tools.text()}"
    )


def opening(task: str) -> str:
    """Return the task as the agent reads it."""
    return f"Task: {task}"


def outcome(right: bool) -> str:
    """Return what the agent reads after it has finished."""
    return "The task is done." if right else "The task is not done as asked."
