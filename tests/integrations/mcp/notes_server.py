"""A third party's server: notes, and a sum."""

import os

from mcp.server.mcpserver import MCPServer

server = MCPServer("notes")
NOTES: list[str] = []


@server.tool()
def add_note(text: str, times: int = 1) -> str:
    """Add a note."""
    NOTES.extend([text] * times)
    return f"{len(NOTES)} notes"


@server.tool()
def fail() -> str:
    """Fail."""
    raise ValueError("as it should")


@server.tool()
def leave() -> str:
    """End the process."""
    os._exit(3)


if __name__ == "__main__":
    server.run()
