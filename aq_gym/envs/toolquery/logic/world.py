"""The type of a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from aq_gym.envs.toolquery.logic.question import Template
from aq_gym.envs.toolquery.logic.session import Session, Tables
from aq_gym.tools import Toolbox


class World(NamedTuple):
    """A subject with its database, tools and questions.

    Attributes:
        build: Builds its database from a seed and a size.
        session: The class whose methods are its tools.
        tools: The tools.
        templates: The kinds of its questions.
        draws: Functions that draw an argument by the name of the parameter, for those
            that are neither the id nor the name of a record.
    """

    build: Callable[[int, int], Tables]
    session: type[Session]
    tools: Toolbox
    templates: tuple[Template, ...]
    draws: Mapping[str, Callable[[Tables, np.random.Generator], Any]] = {}
