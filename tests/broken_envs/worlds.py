"""Environments whose episodes differ when they should be the same."""

import copy
import dataclasses
import itertools
import multiprocessing
import random

import numpy as np
from toy_envs import LampsEnv, Rooms


class Warns(LampsEnv):
    """Gymnasium's checker finds two resets with one seed different."""

    resets = itertools.count()

    def _reset(self, options):
        start = super()._reset(options)
        return start._replace(observation=f"{start.observation} {next(self.resets)}")


class GlobalRandom(LampsEnv):
    def _step(self, action):
        turn = super()._step(action)
        return turn._replace(observation=f"{turn.observation} {random.random()}")


class SharesState(LampsEnv):
    steps = itertools.count()

    def _reset(self, options):
        type(self).steps = itertools.count()
        return super()._reset(options)

    def _step(self, action):
        turn = super()._step(action)
        return turn._replace(observation=f"{turn.observation} {next(self.steps)}")


class HashOrder(LampsEnv):
    def _step(self, action):
        turn = super()._step(action)
        # Five words would have the same order once in some hundred processes.
        words = " ".join({f"word{number}" for number in range(100)})
        return turn._replace(observation=f"{turn.observation} {words}")


class TaskIdMeansNothing(LampsEnv):
    def _reset(self, options):
        super()._reset(options)
        return super()._reset({})


class ForgetsState(LampsEnv):
    def _set_state(self, world):
        self.key, self.on = world[0], [False] * self.lamps


class KeepsItsHash:
    def __init__(self, world):
        self.world = world

    def __eq__(self, other):
        return self.world == other.world

    def __hash__(self):
        self.kept = hash(self.world[0])
        return self.kept


class StateKeepsItsHash(LampsEnv):
    def _get_state(self):
        return KeepsItsHash(super()._get_state())

    def _set_state(self, world):
        super()._set_state(world.world)


class StateHasAHash(LampsEnv):
    def _get_state(self):
        return super()._get_state(), hash("lamp")

    def _set_state(self, world):
        super()._set_state(world[0])


class CannotBeCopied(LampsEnv):
    def _reset(self, options):
        self.hook = lambda: None
        return super()._reset(options)


class KnowsItsProcess(LampsEnv):
    def _step(self, action):
        turn = super()._step(action)
        name = multiprocessing.current_process().name
        return turn._replace(observation=f"{turn.observation} {name}")


class UnseededInit(LampsEnv):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.house = np.random.default_rng().integers(10**9)

    def _reset(self, options):
        start = super()._reset(options)
        return start._replace(observation=f"House {self.house}. {start.observation}")


class LeftoverState(LampsEnv):
    steps = 0

    def _step(self, action):
        self.steps += 1
        turn = super()._step(action)
        return turn._replace(observation=f"{turn.observation} {self.steps}")


class HidesFromTaskId(LampsEnv):
    """A hidden part that task_id does not restore."""

    def _reset(self, options):
        start = super()._reset(options)
        self.wire = int(self.np_random.integers(10**9))
        return start

    def _step(self, action):
        turn = super()._step(action)
        return turn._replace(observation=f"{turn.observation} {self.wire}")


class OneRoom(LampsEnv):
    def _reset(self, options):
        return super()._reset({"task_id": "1"})


class SplitsOverlap(Rooms):
    def _reset(self, options):
        key = options.get("task_id") or str(self.np_random.integers(30))
        return LampsEnv._reset(self, {"task_id": key})


class TakesOtherSplits(Rooms):
    def _reset(self, options):
        if options:
            return LampsEnv._reset(self, options)
        return super()._reset(options)


class AliasesState(LampsEnv):
    def _get_state(self):
        return self.key, self.on


class AcceptsForeignStates(LampsEnv):
    def set_state(self, state):
        super().set_state(dataclasses.replace(state, identity=self._identity))


class CopySharesTheWorld(LampsEnv):
    def __deepcopy__(self, memo):
        return copy.copy(self)


class RandomFeedback(LampsEnv):
    explains_by_default = False

    def _refuse(self, text):
        return super()._refuse(text)._replace(feedback=f"No. {random.random()}")


class UnseededResetIsRandom(LampsEnv):
    def _reset(self, options):
        # Of LampsEnv's thousand rooms two are the same once in a thousand times.
        room = str(self.np_random.integers(10**9))
        return super()._reset({"task_id": room, **options})

    def reset(self, *, seed=None, options=None):
        seed = random.randrange(10**9) if seed is None else seed
        return super().reset(seed=seed, options=options)
