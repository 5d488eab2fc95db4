"""Agents that end their process, leave another behind, or never answer."""

import os
import re
import time


class First:
    """Guesses once, and then does something the first time that anyone plays."""

    def __init__(self, env, flag=""):
        self.flag = flag
        self.steps = 0

    def reset(self, observation, info):
        pass

    def act(self, observation, info):
        self.steps += 1
        if self.steps == 2 and not (self.flag and os.path.exists(self.flag)):
            if self.flag:
                open(self.flag, "x").close()
            self.do()
        return "Guess: 1234"


class Exits(First):
    def do(self):
        os._exit(0)


class LeavesAnother(First):
    """Ends its process while one that it forked lives on for a while."""

    def do(self):
        if os.fork():
            os._exit(0)
        time.sleep(3)
        os._exit(0)


class Debugs(First):
    def do(self):
        breakpoint()


class Waits(First):
    def do(self):
        time.sleep(600)


class Computes(First):
    """Computes for hours without ever letting another thread run."""

    def do(self):
        re.match("(a+)+$", "a" * 60 + "b")
