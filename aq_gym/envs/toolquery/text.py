"""The words of the environment."""

from __future__ import annotations

from aq_gym.tools import Toolbox

ABOUT = {
    "movies": "a database of movies, people and production companies",
    "academia": "a database of papers and their authors",
    "library": "a database of a library: books, writers, members, loans and branches",
    "weather": "the weather of invented places, past, present and expected",
}
INVENTED = "Nothing in it is real, so only the tools know it."
AGENTBOARD_SYSTEM = (
    "You answer questions about two graphs, of papers and of authors, by calling "
    "tools. Load a graph before you read it. What counts is to find everything that "
    "the answer needs, and to give the answer with the tool finish."
)


def instructions(about: str, tools: Toolbox, finish: str, parallel: bool) -> str:
    """Return the explanation of the task, with the tools.

    Args:
        about: What the tools read.
        tools: The tools.
        finish: A call that gives an answer.
        parallel: Whether several calls can be made in one step.
    """
    calls = "one or more calls" if parallel else "one call"
    return (
        f"Answer a question with tools that read {about}\n"
        f"Each action is {calls} of a tool, for example as name(argument=value) or as "
        'JSON: {"name": ..., "arguments": {...}}. '
        f"Give the answer with {finish}, which ends the episode; "
        'if the tools cannot answer the question, the answer is "unknown". '
        "Write dates as YYYY-MM-DD, and several values as a list.\n"
        f"The tools:\n{tools.text()}"
    )


def opening(question: str) -> str:
    """Return the question as the agent reads it."""
    return f"Question: {question}"


def outcome(right: bool) -> str:
    """Return what the agent reads after its answer."""
    return "The answer is right." if right else "The answer is wrong."
