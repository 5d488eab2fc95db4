"""Papers and their authors."""

from aq_gym.envs.toolquery.logic.academia.data import build
from aq_gym.envs.toolquery.logic.academia.questions import TEMPLATES
from aq_gym.envs.toolquery.logic.academia.tools import TOOLS, AcademiaSession, draw_id
from aq_gym.envs.toolquery.logic.question import World

__all__ = ["WORLD"]

WORLD = World(
    build, AcademiaSession, TOOLS, TEMPLATES, {"other_author_id": draw_id("author")}
)
