"""ALFWorld's texts: the instructions, the answers, and the command grammar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from aq_gym.envs.alfworld.logic.house import NOTHING, House, State
from aq_gym.envs.alfworld.logic.rules import ON_RECEPTACLES, Action, actions_here

NOTHING_HAPPENS = "Nothing happens."
# The usual form of the command for putting an object into a receptacle.
MOVE = "move {o} to {r}"
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
_COMMANDS = {
    "look": "look",
    "inventory": "inventory",
    "help": "help",
    "go": "go to {}",
    "open": "open {}",
    "close": "close {}",
    "examine receptacle": "examine {}",
    "examine object": "examine {}",
    "take": "take {} from {}",
    "clean": "clean {} with {}",
    "heat": "heat {} with {}",
    "cool": "cool {} with {}",
    "use": "use {}",
    "slice": "slice {} with {}",
}
_ANSWERS = {
    "close": "You close the {}.",
    "clean": "You clean the {} using the {}.",
    "heat": "You heat the {} using the {}.",
    "cool": "You cool the {} using the {}.",
    "slice": "You sliced the {} with the {}.",
}


@dataclass(frozen=True)
class Words:
    """The phrases that differ between ALFWorld's games and releases.

    Attributes:
        task: The task in one sentence, without "Your task is to: ".
        put: The command for putting an object into a receptacle.
        put_answer: The answer to ``put``.
        arrival: The first part of the answer to ``go to``.
        help: The answer to "help"; "" if there is no such command.
    """

    task: str
    put: str = MOVE
    put_answer: str = "You move the {o.name} to the {r.name}."
    arrival: str = "You arrive at {r.name}. "
    help: str = _HELP


def instructions(words: Words) -> str:
    """Return the explanation of the commands."""
    put = words.put.replace("{o}", "(object)").replace("{r}", "(receptacle)")
    return _INSTRUCTIONS.format(put=put)


def task(words: Words) -> str:
    """Return the task in one sentence."""
    return f"Your task is to: {words.task}"


def opening(house: House, words: Words) -> str:
    """Return the first observation, without instructions."""
    start = house.start
    if house.nearby[start.location]:
        view = look(house, start)
    else:
        view = middle(some(house.receptacle_names))
    return f"{_WELCOME}\n\n{view}\n\n{task(words)}"


def answer(house: House, words: Words, state: State, action: Action) -> str:
    """Return the answer to an action.

    Args:
        house: The household.
        words: The phrases that differ between games.
        state: The state after the action.
        action: The action.
    """
    verb, thing, other = action
    if verb == "go":
        arrival = words.arrival.replace("{r.name}", house.receptacle_names[thing])
        arrival = arrival.replace("{lend.name}", house.location_names[state.location])
        return arrival + receptacle_view(house, state, thing)
    if verb == "take":
        spot = house.receptacle_names[other]
        return f"You pick up the {house.object_names[thing]} from the {spot}."
    if verb == "open":
        view = receptacle_view(house, state, thing)
        return f"You open the {house.receptacle_names[thing]}. {view}"
    if verb == "use":
        return f"You turn on the {house.object_names[thing]}."
    if verb == "examine receptacle":
        return receptacle_view(house, state, thing)
    if verb == "look":
        return look(house, state)
    if verb == "inventory":
        if state.held == NOTHING:
            return "You are not carrying anything."
        return f"You are carrying: a {house.object_names[state.held]}."
    if verb == "help":
        return words.help
    if verb == "examine object":
        return object_view(house, state, thing)
    first, second = _names(house, action)
    if verb == "put":
        phrase = words.put_answer.replace("{o.name}", first)
        return phrase.replace("{r.name}", second)
    return _ANSWERS[verb].format(first, second)


def command(house: House, words: Words, action: Action) -> str:
    """Return an action as the game's own command."""
    first, second = _names(house, action)
    if action.verb == "put":
        return words.put.replace("{o}", first).replace("{r}", second)
    return _COMMANDS[action.verb].format(first, second)


def commands(house: House, words: Words, state: State) -> dict[str, Action]:
    """Return every valid command and its action."""
    places, here = house.places, state.location
    found = {command(house, words, one): one for one in actions_here(house, state)}
    walks = _walks(house.receptacle_names).items()
    found |= {text: walk for text, walk in walks if places[walk.thing] != here}
    return found


def action(house: House, words: Words, state: State, text: str) -> Action | None:
    """Return the action of a valid command, as in :func:`commands`, or None."""
    walk = _walks(house.receptacle_names).get(text)
    if walk is not None and house.places[walk.thing] != state.location:
        return walk
    here = {command(house, words, one): one for one in actions_here(house, state)}
    return here.get(text)


@lru_cache(maxsize=64)
def _walks(receptacle_names: tuple[str, ...]) -> dict[str, Action]:
    """Return the "go to" commands, which are most of a state's commands."""
    return {
        _COMMANDS["go"].format(name): Action("go", receptacle)
        for receptacle, name in enumerate(receptacle_names)
    }


def _names(house: House, action: Action) -> tuple[str, str]:
    """Return the names of the two things in an action, "" for a missing one."""
    verb, thing, other = action
    if thing == NOTHING:
        return "", ""
    if verb in ON_RECEPTACLES:
        return house.receptacle_names[thing], ""
    if other == NOTHING:
        return house.object_names[thing], ""
    others = house.object_names if verb == "slice" else house.receptacle_names
    return house.object_names[thing], others[other]


def look(house: House, state: State) -> str:
    """Return the answer to ``look``."""
    here = house.nearby[state.location]
    if not here:
        # The published grammar lists nothing at a location without a receptacle.
        return middle("nothing")
    floor = [
        house.object_names[thing]
        for thing, location in sorted(state.spots)
        if location == state.location
        for receptacle in here
        if (thing, receptacle) in state.vacated
    ]
    facing = _listed([house.receptacle_names[receptacle] for receptacle in here])
    return f"You are facing the {facing}. Next to it, you see {some(floor)}."


def middle(seen: str) -> str:
    """Return the description of a location without a receptacle."""
    return (
        f"You are in the middle of a room. Looking quickly around you, you see {seen}."
    )


def receptacle_view(house: House, state: State, receptacle: int) -> str:
    """Return the description of a receptacle and its contents."""
    name = house.receptacle_names[receptacle]
    can_open = receptacle in house.openable
    if can_open and receptacle not in state.opened:
        return f"The {name} is closed."
    seen, things = "nothing", state.contents[receptacle]
    if things:
        names = house.object_names
        seen = some([names[thing] for thing in sorted(things)])
    if can_open:
        return f"The {name} is open. In it, you see {seen}."
    return f"On the {name}, you see {seen}."


def object_view(house: House, state: State, thing: int) -> str:
    """Return the description of an object."""
    name = house.object_names[thing]
    inside = house.vessels.get(thing)
    if inside is not None:
        seen = some([house.object_names[content] for content in inside])
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
    """Describe temperature and cleanness in the published grammar's words.

    A cool object is called "cold"; cool and hot exclude each other; "sliced" has a
    sentence of its own.
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


def some(names: Sequence[str]) -> str:
    """Return a list of things with "a", or "nothing" for an empty one."""
    if len(names) < 2:
        return f"a {names[0]}" if names else "nothing"
    return f"a {', a '.join(names[:-1])}, and a {names[-1]}"


def _listed(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"
