"""A small environment that keeps the contract, and ones that break it one by one."""

import itertools
import random

from aq_gym import Start, TextEnv, Turn


class LampsEnv(TextEnv):
    """Switch on every lamp: "switch 2". A random number of them is on a timer."""

    lamps = 3

    def __init__(self, render_mode=None, instructions=True, list_actions=False):
        super().__init__(
            render_mode=render_mode,
            instructions=instructions,
            list_actions=list_actions,
            arguments={},
        )

    def _reset(self, options):
        key = options.get("task_id")
        if key is None:
            key = str(self.np_random.integers(1_000))
        if not key.isdecimal():
            raise ValueError(f"task_id={key!r}: give a number")
        self.key, self.on = key, [False] * self.lamps
        words = f"Room {key}. " + ("Switch lamps: switch 1" * self.instructions)
        return Start(words, "Switch on every lamp.", key)

    def _step(self, action):
        if action not in self.admissible_actions():
            why = 'There is no such lamp: say "switch 1".'
            return Turn(why, action_valid=False, feedback=why)
        lamp = int(action.split()[1]) - 1
        self.on[lamp] = not self.on[lamp]
        return Turn(f"Lamps: {self.on} {self.np_random.integers(100)}")

    def subgoals(self):
        return {f"lamp {i + 1}": on for i, on in enumerate(self.on)}

    def admissible_actions(self):
        return tuple(f"switch {i + 1}" for i in range(self.lamps))

    def expert_action(self):
        return f"switch {self.on.index(False) + 1}" if False in self.on else "help"

    def _get_state(self):
        return self.key, tuple(self.on)

    def _set_state(self, world):
        self.key, self.on = world[0], list(world[1])


class Warns(LampsEnv):
    """Gymnasium's checker finds two resets with one seed different."""

    resets = itertools.count()

    def _reset(self, options):
        start = super()._reset(options)
        return start._replace(observation=f"{start.observation} {next(self.resets)}")


class InfoIsNone(LampsEnv):
    def extra_info(self):
        return {"extra": None}


class InfoChangesType(LampsEnv):
    def extra_info(self):
        return {"extra": 1.5 if any(self.on) else 1}


class ListsWhatFails(LampsEnv):
    def admissible_actions(self):
        return (*super().admissible_actions(), "switch 9")

    def _step(self, action):
        return (
            Turn("no", False, feedback="no") if "9" in action else super()._step(action)
        )


class HelpChangesTheWorld(LampsEnv):
    def help(self):
        self.on[0] = not self.on[0]
        return "switch"


class NoInstructions(LampsEnv):
    def _reset(self, options):
        return super()._reset(options)._replace(observation="Lamps.")


class TakesAnyTaskId(LampsEnv):
    def _reset(self, options):
        return super()._reset({"task_id": "1"} if options else {})


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
        words = " ".join({"red", "green", "blue", "white", "black"})
        return turn._replace(observation=f"{turn.observation} {words}")


class SuccessTooEarly(LampsEnv):
    def success(self):
        return sum(self.on) >= 2


class ExpertGivesUp(LampsEnv):
    def expert_action(self):
        return "switch 1"


class TaskIdMeansNothing(LampsEnv):
    def _reset(self, options):
        super()._reset(options)
        return super()._reset({})


class TellsSecrets(LampsEnv):
    def secrets(self):
        return ("Room",)


class ForgetsState(LampsEnv):
    def _set_state(self, world):
        self.key, self.on = world[0], [False] * self.lamps


class CannotBeCopied(LampsEnv):
    def _reset(self, options):
        self.hook = lambda: None
        return super()._reset(options)


class ProgressIsAnInt(LampsEnv):
    def progress(self):
        return super().progress() if sum(self.on) < 2 else 0


class Raises(LampsEnv):
    def _step(self, action):
        action.encode()
        return super()._step(action)


class InvalidChangesTheWorld(LampsEnv):
    def _step(self, action):
        turn = super()._step(action)
        if not turn.action_valid:
            self.on[0] = not self.on[0]
        return turn


class SaysNothing(LampsEnv):
    def _step(self, action):
        return super()._step(action)._replace(feedback="")


class DrawsOnNonsense(LampsEnv):
    def _step(self, action):
        self.np_random.random()
        return super()._step(action)


class KnowsItsProcess(LampsEnv):
    def _step(self, action):
        import multiprocessing

        turn = super()._step(action)
        name = multiprocessing.current_process().name
        return turn._replace(observation=f"{turn.observation} {name}")
