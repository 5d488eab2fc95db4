"""ALFWorld's words: what is seen, what is answered, and how a command is read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from aq_gym.envs.alfworld.logic.house import NOTHING, House, State
from aq_gym.envs.alfworld.logic.rules import Action, actions
from aq_gym.envs.alfworld.views import (
    look,
    middle,
    object_view,
    receptacle_view,
    some,
)
from aq_gym.text import normalize

__all__ = [
    "NOTHING_HAPPENS",
    "Words",
    "answer",
    "command",
    "commands",
    "instructions",
    "opening",
    "put_form",
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
_PUT = re.compile(r"(?:put|move|place) (.+?) (?:in/on|into|onto|inside|in|on|to) (.+)")
# Names in the games begin with no article.
_ARTICLE = re.compile(r"(?<= )the (?=\S)")


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
    return _INSTRUCTIONS.format(put=put_form(words))


def task(words: Words) -> str:
    """Say the task in one sentence."""
    return f"Your task is to: {words.task}"


def opening(house: House, words: Words) -> str:
    """Say what the engine says first."""
    start = house.start
    if house.nearby[start.location]:
        view = look(house, start)
    else:
        view = middle(some(house.receptacle_names))
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
        return look(house, state)
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
        return object_view(house, state, thing)
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
        action: Any text. Case, blanks, quotes around it, a final stop and "the"
            before a name do not matter; ``put``, ``move`` or ``place`` X ``in/on``,
            ``in``, ``on``, ``into``, ``onto``, ``inside`` or ``to`` Y are the same
            command.
        words: The game's phrases.

    Returns:
        The command in the game's own form, if it is one.
    """
    text = _ARTICLE.sub("", normalize(action))
    put = _PUT.fullmatch(text)
    if put is None:
        return text
    return words.put.replace("{o}", put[1]).replace("{r}", put[2])


def put_form(words: Words) -> str:
    """Write the command for putting an object into a receptacle, without names."""
    return words.put.replace("{o}", "(object)").replace("{r}", "(receptacle)")


_ON_RECEPTACLES = frozenset({"go", "open", "close", "examine receptacle"})


def _about_receptacle(house: House, words: Words, state: State, action: Action) -> str:
    verb, receptacle, _ = action
    name = house.receptacle_names[receptacle]
    if verb == "close":
        return f"You close the {name}."
    view = receptacle_view(house, state, receptacle)
    if verb == "open":
        return f"You open the {name}. {view}"
    if verb == "go":
        place = house.location_names[state.location]
        arrival = words.arrival.replace("{r.name}", name)
        return arrival.replace("{lend.name}", place) + view
    return view
