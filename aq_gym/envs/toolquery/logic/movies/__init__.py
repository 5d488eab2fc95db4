"""Movies, people and production companies."""

from aq_gym.envs.toolquery.logic.movies.data import build
from aq_gym.envs.toolquery.logic.movies.questions import TEMPLATES
from aq_gym.envs.toolquery.logic.movies.tools import TOOLS, MovieSession
from aq_gym.envs.toolquery.logic.question import World

__all__ = ["WORLD"]

WORLD = World(build, MovieSession, TOOLS, TEMPLATES)
