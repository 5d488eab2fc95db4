"""An environment that breaks, raises or waits if it is told to."""

import threading

import gymnasium as gym
from toy_envs import LampsEnv

from aq_gym import Turn


class Lamps(LampsEnv):
    """Has another measure of progress; breaks, raises or waits if it is told to."""

    entered, left = threading.Event(), threading.Event()

    def __init__(self, fault="", **shared):
        super().__init__(**shared)
        self.fault, self.inside = fault, False

    def _step(self, action):
        return self._fault() or super()._step(action)

    def _refuse(self, text):
        return self._fault() or super()._refuse(text)

    def _fault(self):
        if self.fault == "raises":
            raise OSError("the disk has died")
        if self.fault == "waits":
            self.inside = True
            self.entered.set()
            self.left.wait(120)
            self.inside = False
        died = Turn("", error="the engine has died")
        return died if self.fault == "breaks" else None

    def step(self, action):
        *rest, info = super().step(action)
        return (*rest, {**info, "half": 0.5})

    def close(self):
        assert not self.inside, "closed inside of a step"
        super().close()


gym.register("test/Lamps-v0", entry_point=Lamps)
