"""A story being played: its moments, its replies and their meaning."""

from aq_gym.envs.jericho.session.moment import (
    Moment,
    Reply,
    StoryFailedError,
    StoryState,
)
from aq_gym.envs.jericho.session.session import Session

__all__ = ["Moment", "Reply", "Session", "StoryFailedError", "StoryState"]
