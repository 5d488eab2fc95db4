"""What agents of tests begin with."""


class ToyAgent:
    """Knows its environment; a subclass acts."""

    def __init__(self, env):
        self.env = env

    def reset(self, observation, info):
        """Do nothing."""
