"""An agent that stops to act, so that its run cannot end before it is killed."""

import itertools
import os
import time

# The actions of this process, in all its episodes.
ACTIONS = itertools.count(1)
LAST = int(os.environ.get("AQ_GYM_TEST_LAST_ACTION", "0"))


class Agent:
    """Guesses one code after another."""

    def __init__(self, env):
        pass

    def reset(self, observation, info):
        self.guesses = itertools.count()

    def act(self, observation, info):
        if next(ACTIONS) == LAST:
            time.sleep(600)
        return f"Guess: {next(self.guesses):04d}"
