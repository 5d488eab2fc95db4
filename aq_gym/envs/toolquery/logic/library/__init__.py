"""A library: books, writers, members, loans and branches."""

from aq_gym.envs.toolquery.logic.library.data import build
from aq_gym.envs.toolquery.logic.library.questions import TEMPLATES
from aq_gym.envs.toolquery.logic.library.tools import TOOLS, LibrarySession
from aq_gym.envs.toolquery.logic.question import World

__all__ = ["WORLD"]

WORLD = World(build, LibrarySession, TOOLS, TEMPLATES)
