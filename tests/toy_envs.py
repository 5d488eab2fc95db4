"""Small environments that keep the contract."""

from aq_gym import Start, TextEnv, Turn
from aq_gym.core.drawing import Circle, Drawing
from aq_gym.core.splits import draw, in_split


class LampsEnv(TextEnv):
    """Switch on every lamp: "switch 2". A random number of them is on a timer."""

    lamps = 3

    def __init__(self, n=0, **shared):
        super().__init__(**shared)

    def _reset(self, options):
        key = options.get("task_id")
        if key is None:
            key = str(self.np_random.integers(1_000))
        if not key.isdecimal():
            raise ValueError(f"task_id={key!r}: give a number")
        self.key, self.on = key, [False] * self.lamps
        words = f"Room {key}. " + ("Switch lamps: switch 1" * self.instructions)
        return Start(words, "Switch on every lamp.", key)

    def _read(self, text):
        words = " ".join(text.split()).lower()
        return words if words in self._switches() else None

    def _refuse(self, text):
        return Turn.invalid('There is no such lamp: say "switch 1".')

    def _step(self, action):
        lamp = int(action.split()[1]) - 1
        self.on[lamp] = not self.on[lamp]
        return Turn(f"Lamps: {self.on} {self.np_random.integers(100)}")

    def _switches(self):
        return tuple(f"switch {i + 1}" for i in range(self.lamps))

    def subgoals(self):
        return {f"lamp {i + 1}": on for i, on in enumerate(self.on)}

    def admissible_actions(self):
        return self._switches()

    def expert_action(self):
        return f"switch {self.on.index(False) + 1}" if False in self.on else "help"

    def _get_state(self):
        return self.key, tuple(self.on)

    def _set_state(self, world):
        self.key, self.on = world[0], list(world[1])


class OneLamp(LampsEnv):
    """Sound, and solved by one step."""

    lamps = 1


class TwoLamps(LampsEnv):
    """Sound, and solved by two steps."""

    lamps = 2


class DeadEnd(LampsEnv):
    """Sound, with an action that leaves none."""

    def _reset(self, options):
        self.burnt = False
        return super()._reset(options)

    def _read(self, text):
        return text if text == "burn" else super()._read(text)

    def _step(self, action):
        if action == "burn":
            self.burnt = True
            return Turn("Dark.")
        return super()._step(action)

    def admissible_actions(self):
        return () if self.burnt else super().admissible_actions()

    def sample_action(self, rng):
        burns = not self.burnt and rng.random() < 0.3
        return "burn" if burns else super().sample_action(rng)

    def expert_action(self):
        return "check valid actions" if self.burnt else super().expert_action()

    def help(self):
        return f"Valid: {self.admissible_actions()}"

    def _get_state(self):
        return super()._get_state(), self.burnt

    def _set_state(self, world):
        self.burnt = world[1]
        super()._set_state(world[0])


class Endless(LampsEnv):
    """Sound, with too many actions to list."""

    def __init__(self, list_actions=False, **kwargs):
        if list_actions:
            raise ValueError("list_actions=True: there are too many")
        super().__init__(**kwargs)

    def admissible_actions(self):
        raise ValueError("too many to list")

    def sample_action(self, rng):
        return f"switch {rng.integers(9)}"

    def help(self):
        return 'Say "switch N".'


class Rooms(LampsEnv):
    """Sound, with rooms for training and for testing."""

    def __init__(self, split="all", **kwargs):
        super().__init__(**kwargs)
        self.split = split

    def _reset(self, options):
        key = options.get("task_id")
        if key is None:
            key = draw(lambda: str(self.np_random.integers(999)), str, self.split)
        elif not in_split(key, self.split):
            raise ValueError(f"task_id={key!r} is not in split={self.split!r}")
        return super()._reset({"task_id": key})


class HasSecret(LampsEnv):
    """Each room has a password, which can be said, and is in no text by itself."""

    def secrets(self):
        return (f"password {self.key}.",)


class Drawn(HasSecret):
    """Sound, with a picture of the lamps."""

    def _draw(self):
        drawing = Drawing(30 * self.lamps, 30, f"{sum(self.on)} lamps are on")
        for lamp, on in enumerate(self.on):
            colour = "#ffcc00" if on else "#333333"
            drawing.add(Circle(30 * lamp + 15, 15, 12, colour))
        return drawing


class ToyAgent:
    """Knows its environment; a subclass acts."""

    def __init__(self, env):
        self.env = env

    def reset(self, observation, info):
        """Do nothing."""
