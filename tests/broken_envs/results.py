"""Environments whose results, lists or experts break the contract."""

import itertools

import numpy as np
from toy_envs import LampsEnv

from aq_gym import Turn


class InfoIsNone(LampsEnv):
    def extra_info(self):
        return {"extra": None}


class InfoChangesType(LampsEnv):
    def extra_info(self):
        return {"extra": 1.5 if any(self.on) else 1}


class ListsWhatFails(LampsEnv):
    def admissible_actions(self):
        return (*super().admissible_actions(), "switch 9")

    def _refuse(self, text):
        return Turn.invalid("no")


class TakesAnyTaskId(LampsEnv):
    def _reset(self, options):
        return super()._reset({"task_id": "1"} if options else {})


class SuccessTooEarly(LampsEnv):
    def success(self):
        return sum(self.on) >= 2


class ExpertGivesUp(LampsEnv):
    def expert_action(self):
        return "switch 1"


class ProgressIsAnInt(LampsEnv):
    def progress(self):
        return super().progress() if sum(self.on) < 2 else 0


class RewardIsNumpy(LampsEnv):
    def progress(self):
        return np.float64(super().progress())


class TerminatedIsAnInt(LampsEnv):
    def _step(self, action):
        return super()._step(action)._replace(terminated=int(all(self.on)))


class InfoHoldsNone(LampsEnv):
    def extra_info(self):
        return {"extra": {"list": [1, None]}}


class InfoComesAndGoes(LampsEnv):
    def extra_info(self):
        return {"extra": 1} if any(self.on) else {}


class ListsWhatFailsLater(ListsWhatFails):
    def admissible_actions(self):
        sound = super().admissible_actions()
        return sound if any(self.on) else sound[:-1]


class ListsTwice(LampsEnv):
    def admissible_actions(self):
        return super().admissible_actions() * 2


class SamplesNonsense(LampsEnv):
    def sample_action(self, rng):
        return f"paint {rng.integers(9)}"


class SamplesNumbers(LampsEnv):
    def sample_action(self, rng):
        return int(rng.integers(3))


class ExpertIsInvalid(LampsEnv):
    calls = itertools.count()

    def expert_action(self):
        return "light" if next(self.calls) == 1 else super().expert_action()


class ExpertFailsAtTimes(LampsEnv):
    def expert_action(self):
        return "switch 1" if int(self.key) < 450 else super().expert_action()
