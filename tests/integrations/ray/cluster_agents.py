"""Agents for the workers of a cluster."""

import logging
import os
import sys
import time
import warnings

from aq_gym.support.redaction import read_secret


class Slow:
    """Guesses the same code, after a while."""

    def __init__(self, env):
        pass

    def reset(self, observation, info):
        pass

    def act(self, observation, info):
        time.sleep(0.05)
        return "Guess: 1234"


class Looks(Slow):
    """Plays where a folder cannot be seen."""

    def __init__(self, env, folder):
        if os.path.exists(folder):
            raise RuntimeError(f"{folder} is there")


class Leaks(Slow):
    """Tells its key to everyone."""

    def act(self, observation, info):
        key = read_secret("OPENAI_API_KEY")
        for stream in (sys.stdout, sys.stderr):
            stream.write(f"printed {key}\n")
            stream.flush()
        logging.getLogger("leak").warning("logged %s", key)
        warnings.warn(f"warned {key}", stacklevel=1)
        raise RuntimeError(f"raised {key}")
