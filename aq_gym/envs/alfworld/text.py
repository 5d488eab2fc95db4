"""ALFWorld's words: what is seen, what is answered, and how a command is read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from aq_gym.envs.alfworld.logic.house import NOTHING, House, State
from aq_gym.envs.alfworld.logic.rules import Action, accessible, actions
from aq_gym.text import normalize, quote

__all__ = [
    "NOTHING_HAPPENS",
    "Words",
    "answer",
    "command",
    "commands",
    "instructions",
    "opening",
    "problem",
    "read",
    "task",
]

NOTHING_HAPPENS = "Nothing happens."
_WELCOME = "-= Welcome to TextWorld, ALFRED! =-"
_HELP = """Available commands:
  look:                             look around your current location
  inventory:                        check your current inventory
  go to (receptacle):               move to a receptacle
  open (receptacle):                open a receptacle
  close (receptacle):               close a receptacle
  take (object) from (receptacle):  take an object from a receptacle
  move (object) to (receptacle):  place an object in or on a receptacle
  examine (something):              examine a receptacle or an object
  use (object):                     use an object
  heat (object) with (receptacle):  heat an object using a receptacle
  clean (object) with (receptacle): clean an object using a receptacle
  cool (object) with (receptacle):  cool an object using a receptacle
  slice (object) with (object):     slice an object using a sharp object
"""
_INSTRUCTIONS = """\
You are in a household and have a task to do in it. Each turn, answer with one command:
  go to (receptacle)
  open (receptacle), close (receptacle)
  take (object) from (receptacle)
  {put}
  clean (object) with (receptacle), heat (object) with (receptacle), \
cool (object) with (receptacle)
  use (object), slice (object) with (object)
  examine (something), look, inventory
Name things as you see them, with their number, as in "go to cabinet 1". You can carry \
one object at a time. A command that can't be carried out is answered "Nothing \
happens."; check valid actions lists what can be.
"""
_PUT = re.compile(r"(?:put|move) (.+?) (?:in/on|in|on|to) (.+)")
_FORMS = re.compile(
    r"(?:go to|open|close|examine|use) .+"
    r"|take .+ from .+|(?:clean|heat|cool|slice) .+ with .+|look|inventory|help"
)


@dataclass(frozen=True)
class Words:
    """The phrases in which ALFWorld's data differ from game to game and over time.

    Attributes:
        task: The task in one sentence, without "Your task is to: ".
        put: The command for putting an object into a receptacle.
        put_answer: The answer to it.
        arrival: The answer to going somewhere, before what is seen there.
        help: The answer to "help".
    """

    task: str
    put: str = "move {o} to {r}"
    put_answer: str = "You move the {o.name} to the {r.name}."
    arrival: str = "You arrive at {r.name}. "
    help: str = _HELP


def instructions(words: Words) -> str:
    """Explain the commands to an agent that has never seen them."""
    put = words.put.replace("{o}", "(object)").replace("{r}", "(receptacle)")
    return _INSTRUCTIONS.format(put=put)


def task(words: Words) -> str:
    """Say the task in one sentence."""
    return f"Your task is to: {words.task}"


def opening(house: House, words: Words) -> str:
    """Say what the engine says first."""
    start = house.start
    if house.nearby[start.location]:
        view = _look(house, start)
    else:
        view = _middle(_some(house.receptacle_names))
    return f"{_WELCOME}\n\n{view}\n\n{task(words)}"


def answer(house: House, words: Words, state: State, action: Action) -> str:
    """Answer an action.

    Args:
        house: The household.
        words: The game's phrases.
        state: The moment after the action.
        action: What was done.
    """
    verb, thing, other = action
    if verb == "look":
        return _look(house, state)
    if verb == "inventory":
        if state.held == NOTHING:
            return "You are not carrying anything."
        return f"You are carrying: a {house.object_names[state.held]}."
    if verb == "help":
        return words.help
    if verb in _ON_RECEPTACLES:
        return _about_receptacle(house, words, state, action)
    name = house.object_names[thing]
    if verb == "examine object":
        return _object(house, state, thing)
    if verb == "use":
        return f"You turn on the {name}."
    if verb == "slice":
        return f"You sliced the {name} with the {house.object_names[other]}."
    receptacle = house.receptacle_names[other]
    if verb == "take":
        return f"You pick up the {name} from the {receptacle}."
    if verb == "put":
        phrase = words.put_answer.replace("{o.name}", name)
        return phrase.replace("{r.name}", receptacle)
    return f"You {verb} the {name} using the {receptacle}."


def command(house: House, words: Words, action: Action) -> str:
    """Write an action as the game's own command."""
    verb, thing, other = action
    if verb == "go":
        return f"go to {house.receptacle_names[thing]}"
    if verb in ("open", "close"):
        return f"{verb} {house.receptacle_names[thing]}"
    if verb == "examine receptacle":
        return f"examine {house.receptacle_names[thing]}"
    if verb in ("look", "inventory", "help"):
        return verb
    name = house.object_names[thing]
    if verb == "examine object":
        return f"examine {name}"
    if verb == "use":
        return f"use {name}"
    if verb == "slice":
        return f"slice {name} with {house.object_names[other]}"
    receptacle = house.receptacle_names[other]
    if verb == "take":
        return f"take {name} from {receptacle}"
    if verb == "put":
        return words.put.replace("{o}", name).replace("{r}", receptacle)
    return f"{verb} {name} with {receptacle}"


def commands(house: House, words: Words, state: State) -> dict[str, Action]:
    """Return every command that can be carried out now, and what it does."""
    return {command(house, words, action): action for action in actions(house, state)}


def read(action: str, words: Words) -> str:
    """Read a command tolerantly, without guessing at what it means.

    Args:
        action: Any text. Case, blanks, quotes around it and a final stop do not
            matter; ``put X in/on Y`` and ``move X to Y`` are the same command.
        words: The game's phrases.

    Returns:
        The command in the game's own form, if it is one.
    """
    text = normalize(action)
    put = _PUT.fullmatch(text)
    if put is None:
        return text
    return words.put.replace("{o}", put[1]).replace("{r}", put[2])


def problem(house: House, action: str) -> str:
    """Say what is wrong with a command that can't be carried out now.

    It tells nothing that the agent has not seen: whether an object exists is for the
    agent to find out.

    Args:
        house: The household.
        action: The command as the agent wrote it.
    """
    text = normalize(action)
    quoted = quote(action)
    if not (_PUT.fullmatch(text) or _FORMS.fullmatch(text)):
        return f"{quoted} is not a command; check valid actions lists what can be done."
    place = text.removeprefix("go to ")
    if place != text and place not in house.receptacle_names:
        return f"{quoted}: there is no such place."
    if place != text:
        return f"{quoted}: you are there already."
    return (
        f"{quoted} can't be done here and now; check valid actions lists what can be."
    )


_ON_RECEPTACLES = frozenset({"go", "open", "close", "examine receptacle"})


def _about_receptacle(house: House, words: Words, state: State, action: Action) -> str:
    verb, receptacle, _ = action
    name = house.receptacle_names[receptacle]
    if verb == "close":
        return f"You close the {name}."
    view = _receptacle(house, state, receptacle)
    if verb == "open":
        return f"You open the {name}. {view}"
    if verb == "go":
        place = house.location_names[state.location]
        arrival = words.arrival.replace("{r.name}", name)
        return arrival.replace("{lend.name}", place) + view
    return view


def _look(house: House, state: State) -> str:
    here = house.nearby[state.location]
    if not here:
        # The published grammar binds the location to the agent's own here, where
        # there is no receptacle to list.
        return _middle("nothing")
    floor = [
        house.object_names[thing]
        for thing, location in sorted(state.spots)
        if location == state.location
        for receptacle in here
        if (thing, receptacle) in state.vacated
    ]
    facing = _listed([house.receptacle_names[receptacle] for receptacle in here])
    return f"You are facing the {facing}. Next to it, you see {_some(floor)}."


def _middle(seen: str) -> str:
    return (
        f"You are in the middle of a room. Looking quickly around you, you see {seen}."
    )


def _receptacle(house: House, state: State, receptacle: int) -> str:
    name = house.receptacle_names[receptacle]
    if not accessible(house, state, receptacle):
        return f"The {name} is closed."
    names = house.object_names
    seen = _some([names[thing] for thing in sorted(state.contents[receptacle])])
    if receptacle in house.openable:
        return f"The {name} is open. In it, you see {seen}."
    return f"On the {name}, you see {seen}."


def _object(house: House, state: State, thing: int) -> str:
    name = house.object_names[thing]
    inside = house.vessels.get(thing)
    if inside is not None:
        seen = _some([house.object_names[content] for content in inside])
        return f"This is a normal {name}. In it, you see {seen}."
    condition = _condition(state, thing)
    if condition:
        return f"This is a {condition} {name}."
    if thing in house.toggleable and thing in state.toggled:
        return f"This {name} is on."
    if thing in house.sliceable and thing in state.sliced:
        return f"This is a sliced {name}."
    return f"There's nothing special about {name}."


def _condition(state: State, thing: int) -> str:
    """Describe temperature and cleanness in the order the published grammar tries.

    Alone, cool is "cold" and sliced has a sentence of its own; cool and hot never
    hold at once.
    """
    clean = thing in state.clean
    heat = "hot" if thing in state.hot else "cool" if thing in state.cool else ""
    if not (clean or heat):
        return ""
    if thing in state.sliced:
        return " and ".join(filter(None, (heat, "clean" if clean else ""))) + " sliced"
    if clean:
        return f"{heat} and clean" if heat else "clean"
    return "hot" if heat == "hot" else "cold"


def _some(names: Iterable[str]) -> str:
    return _listed([f"a {name}" for name in names]) or "nothing"


def _listed(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"
