"""Tools as a user of GAIA writes them, for the tests."""

import functools

from aq_gym.tools import ToolError


def search_web(query: str, results: int = 3) -> list[str]:
    """Search the web.

    Args:
        query: What to search for.
        results: How many results to return.
    """
    if not query:
        raise ToolError("Give a query.")
    return [f"{query}: {412 + k} metres" for k in range(results)]


def fetch(url: str) -> str:
    """Fetch a long page."""
    return "a" * 50_000 + " 420 70"


def broken(query: str) -> object:
    """Return what is not JSON."""
    return object()


def answer(query: str) -> str:
    """A tool whose name another tool has."""
    return query


FUNCTIONS = [search_web, broken]
NONE = []
NUMBER = 5
TWICE = [answer]


def without_types(query):
    """Search."""
    return query


async def later(query: str) -> str:
    """Search when there is time."""
    return query


def other_world(world: str) -> str:
    """Describe another world."""
    return world


SOME = functools.partial(search_web, results=2)
