"""How actions are read and facts are worded."""

import itertools
from random import Random

import pytest

from aq_gym.envs.pddl import PDDLEnv
from aq_gym.envs.pddl.actions import Grammar
from aq_gym.envs.pddl.library import DIFFICULTIES, domain_names, load_domain
from aq_gym.envs.pddl.logic import Task, parse_problem
from aq_gym.envs.pddl.text import Prose, Words

DOMAINS = domain_names()

# How AgentBoard (appendix, PDDL) words actions; where it has no words, none.
AGENTBOARD = {
    "blocksworld": {
        "pickup": "Pickup {}.",
        "putdown": "Putdown {}.",
        "stack": "Stack {} on {}.",
        "unstack": "Unstack {} from {}.",
    },
    "gripper": {
        "move": "Move from {} to {}. ",
        "pick": "Pick up {} at {} with arm {}. ",
    },
    "barman": {
        "grasp": "{} grasp {}. ",
        "fill-shot": "fill-shot glass {} with {} with {} and {} holding {}. ",
        "clean-shot": "clean-shot {} with {} with hand {} holding shot glass and {}",
        "shake": "shake a cocktail {} with ingredient {} and ingredient {} in a "
        "shaker {} with hand {} and hand {}",
    },
    "tyreworld": {
        "put-away": "Put-away {} in {}.",
        "loosen": "Loosen the nut {} on the hub {}.",
        "jack-up": "jack-up the hub {}.",
        "undo": "Undo the fastening of the nut {} on the hub {}.",
    },
}


def tasks(domain):
    loaded = load_domain(domain)
    for difficulty in DIFFICULTIES:
        pddl = loaded.generate(Random(1), difficulty).pddl(domain, "p")
        yield Task(loaded.domain, parse_problem(pddl, loaded.domain)), loaded.words


def noisy(rng, words):
    """Return an action with other case, whitespace, punctuation and verb joints."""
    verb, *objects = words
    parts = [verb.replace("-", rng.choice("-_ ")), *objects]
    text = rng.choice([" ", "  ", ", ", " the "]).join(parts)
    text = "".join(rng.choice([c, c.upper()]) for c in text)
    return rng.choice(["{}.", ' "{}" ', "Please {}!", "({})", "action: {}"]).format(
        text
    )


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_action_is_read_in_every_spelling(domain):
    rng = Random(0)
    for task, words in tasks(domain):
        grammar = Grammar(task, words)
        for one in task.actions:
            spellings = [
                one.name,
                words.actions[one.schema].format(*one.args),
                noisy(rng, one.name.split()),
            ]
            template = AGENTBOARD.get(domain, {}).get(one.schema)
            if template:
                spellings.append(template.format(*one.args))
            for text in spellings:
                reading = grammar.read(text)
                assert (reading.schema, reading.args) == (one.schema, one.args), text


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_domain_has_words_for_everything(domain):
    loaded = load_domain(domain)
    assert set(loaded.words.facts) == set(loaded.domain.predicates)
    assert set(loaded.words.actions) == set(loaded.domain.schemas)
    assert loaded.words.about


@pytest.fixture(scope="module")
def blocks():
    task, words = next(tasks("blocksworld"))
    return Grammar(task, words)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' is not an action."),
        ("!?", "'!?' is not an action."),
        ("fly to b1", "'fly to b1' is not an action: use pickup <block>, putdown"),
        ("pickup", "'pickup': pickup takes 1 object, not 0: pickup <block>."),
        ("stack b1", "'stack b1': stack takes 2 objects, not 1: stack <upper> <low"),
        ("pickup b1 b2", "'pickup b1 b2': pickup takes 1 object, not 2"),
        ("pickup b99", "'pickup b99': there is no 'b99' here."),
        ("do not pickup b1", "'do not pickup b1': there is no 'do' here."),
        ("pickup b1 and fly", "'pickup b1 and fly': there is no 'fly' here."),
        ("pickup b1 " * 40, "is not an action."),
    ],
)
def test_nothing_is_guessed_at(blocks, text, why):
    reading = blocks.read(text)
    assert not reading.schema
    assert why in reading.problem


BLOCKS = next(tasks("blocksworld"))


def test_an_object_may_be_called_like_an_article():
    domain = load_domain("blocksworld")
    text = (
        "(define (problem p) (:domain blocksworld) (:objects a b - block)"
        "(:init (arm-empty) (on-table a) (on-table b) (clear a) (clear b))"
        "(:goal (on a b)))"
    )
    grammar = Grammar(
        Task(domain.domain, parse_problem(text, domain.domain)), domain.words
    )
    for text, name in {
        "pick up a block b": "pickup b",
        "Pick up the block a.": "pickup a",
        "pickup a": "pickup a",
        "stack a on b": "stack a b",
        "stack b on a": "stack b a",
    }.items():
        assert grammar.read(text).name == name


def test_the_state_is_in_a_fixed_order_and_complete():
    task, words = BLOCKS
    prose = Prose(task, words)
    for state in itertools.islice(walk(task), 30):
        said = prose.state(state)
        facts = {words.fact(task.atoms[i]) for i in task.facts(state)}
        assert sorted(facts) == sorted(said.replace(". ", ".|").split("|"))


def walk(task):
    rng, state = Random(0), task.init
    while True:
        yield state
        state = task.step(state, rng.choice(task.valid(state)))


def test_words_are_checked_against_the_domain():
    domain = load_domain("blocksworld").domain
    with pytest.raises(ValueError, match=r"'under'.*the domain has"):
        Words.from_json('{"facts": {"under": "{0}"}}', domain)
    with pytest.raises(ValueError, match="must contain each of its 2 terms"):
        Words.from_json('{"facts": {"on": "{0} is up"}}', domain)
    with pytest.raises(ValueError, match="must contain each of its 1 terms"):
        Words.from_json('{"actions": {"pickup": "{0} {0}"}}', domain)


PROBLEM = """(define (problem p) (:domain gripper)
  (:objects rooma roomb roomc - room ball1 ball2 - ball left right - gripper)
  (:init (at-robby rooma) (free left) (free right) (at ball1 rooma) (at ball2 roomb))
  (:goal (and (at ball1 roomb) (at ball2 roomc))))"""


@pytest.fixture
def gripper():
    env = PDDLEnv(domain_file=load_domain("gripper").pddl, problem_file=PROBLEM)
    env.reset(seed=0)
    return env


@pytest.mark.parametrize(
    ("action", "meaning"),
    [
        ("move to roomb", "move rooma roomb"),
        ("Move to the room roomb.", "move rooma roomb"),
        ("pick up ball1 with the left gripper", "pick ball1 rooma left"),
        ("Pick up the ball ball1 in rooma by the right arm!", "pick ball1 rooma right"),
        ("pick up ball1 with left at rooma", "pick ball1 rooma left"),
        ("move to roomc from rooma", "move rooma roomc"),
    ],
)  # fmt: skip
def test_objects_may_be_left_out_or_reordered(gripper, action, meaning):
    world = gripper.get_state()
    expected = gripper.step(meaning)
    gripper.set_state(world)
    assert gripper.understands(action)
    assert gripper.step(action) == expected


def test_what_is_held_is_dropped(gripper):
    gripper.step("pick ball1 rooma left")
    *_, info = gripper.step("drop ball1")
    assert info["action_valid"]


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("pick up ball1", "pick takes 3 objects, not 1: pick <ball> <room> <gripper>."),
        ("pick up ball2 with left", "pick takes 3 objects, not 2"),
        ("move to rooma", "move takes 2 objects, not 1"),
        ("move roomb", "move takes 2 objects, not 1"),
        ("move from roomb", "move takes 2 objects, not 1"),
        ("move from rooma", "move takes 2 objects, not 1"),
        ("drop ball1", "drop takes 3 objects, not 1"),
        ("pick left rooma ball1", "left is no ball"),
    ],
)
def test_what_the_state_does_not_determine_is_refused(gripper, action, why):
    before = gripper.get_state()
    observation, *_, info = gripper.step(action)
    assert why in observation
    assert observation == info["feedback"]
    assert not info["action_valid"]
    assert gripper.get_state() == before


@pytest.mark.parametrize(
    "action",
    [
        "move rooma roomb",
        "move roomc roomb",
        "drop ball2",
        "look around",
        "check valid actions",
        "Pick up ball1 at rooma with arm left.",
    ],
)
def test_actions_are_understood_in_any_state(gripper, action):
    assert gripper.understands(action)


@pytest.mark.parametrize(
    "action",
    [
        "I think I should move rooma roomb now because ball1 is there",
        "The ball is in rooma.",
        "move",
        "move roomb",
        "rooma",
        "",
        "pick ball9 rooma left",
        "move rooma roomb move roomb rooma",
        "move rooma roomb " * 2_000,
    ],
)
def test_other_texts_are_not_understood(gripper, action):
    assert not gripper.understands(action)


def test_before_an_episode_only_the_help_is_understood():
    env = PDDLEnv()
    assert env.understands("check valid actions")
    assert not env.understands("pickup b1")
