"""Places and their weather, day by day."""

from aq_gym.envs.toolquery.logic.question import World
from aq_gym.envs.toolquery.logic.weather.data import DRAWS, build
from aq_gym.envs.toolquery.logic.weather.questions import TEMPLATES
from aq_gym.envs.toolquery.logic.weather.tools import TOOLS, WeatherSession

__all__ = ["WORLD"]

WORLD = World(build, WeatherSession, TOOLS, TEMPLATES, DRAWS)
