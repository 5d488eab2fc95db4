"""Tools that agents call: typed functions, their schemas, and calls read from text."""

from aq_gym.tools.calls import Call, Unreadable, read_calls
from aq_gym.tools.tool import NO_DEFAULT, Parameter, Tool, ToolError, tool
from aq_gym.tools.toolbox import Result, Toolbox

__all__ = [
    "NO_DEFAULT",
    "Call",
    "Parameter",
    "Result",
    "Tool",
    "ToolError",
    "Toolbox",
    "Unreadable",
    "read_calls",
    "tool",
]
