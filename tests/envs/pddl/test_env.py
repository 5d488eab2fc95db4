"""The environment: problems, observations, refusals, progress, state."""

import pickle

import gymnasium as gym
import pytest

import aq_gym
from aq_gym.core.splits import in_split
from aq_gym.envs.pddl import PDDLEnv
from aq_gym.envs.pddl.logic import PDDLError

assert aq_gym

DOMAIN = """(define (domain lamp)
  (:predicates (lit ?x) (burnt ?x) (switch ?x))
  (:functions (total-cost))
  (:action press :parameters (?x) :precondition (and (switch ?x) (not (burnt ?x)))
    :effect (and (lit ?x) (increase (total-cost) 2)))
  (:action quench :parameters (?x) :precondition (lit ?x)
    :effect (and (not (lit ?x)) (increase (total-cost) 0.5)))
  (:action burn :parameters (?x) :precondition (lit ?x)
    :effect (and (burnt ?x) (not (lit ?x)))))"""
PROBLEM = """(define (problem two) (:domain lamp) (:objects a b c)
  (:init (switch a) (switch b) (lit b))
  (:goal (and (lit a) (lit b) (not (burnt a)) (or (lit a) (burnt b)))))"""


def lamps(**kwargs):
    env = PDDLEnv(domain_file=DOMAIN, problem_file=PROBLEM, **kwargs)
    return env, *env.reset(seed=0)


def test_the_first_observation():
    env = gym.make("aq/PDDL-v0", problem="easy-4")
    text, info = env.reset(seed=0)
    assert text.splitlines() == OPENING
    assert info["task_id"] == "blocksworld:easy-4"
    assert info["goal"] == OPENING[-2]
    assert info["difficulty"] == "easy"
    bare = gym.make("aq/PDDL-v0", problem="easy-4", instructions=False)
    assert bare.reset(seed=0)[0].splitlines() == OPENING[-3:]


OPENING = [
    "You control a robot arm that holds one block at a time. Blocks stand on a "
    "table or on each other.",
    "Actions, with their objects in this order:",
    "- pickup <block>: Needs: <block> is on the table; <block> is clear; your arm"
    " is empty. Then: you are holding <block>. No longer: <block> is on the "
    "table; <block> is clear; your arm is empty.",
    "- putdown <block>: Needs: you are holding <block>. Then: <block> is on the "
    "table; <block> is clear; your arm is empty. No longer: you are holding "
    "<block>.",
    "- stack <upper> <lower>: Needs: you are holding <upper>; <lower> is clear. "
    "Then: <upper> is on <lower>; <upper> is clear; your arm is empty. No longer:"
    " you are holding <upper>; <lower> is clear.",
    "- unstack <upper> <lower>: Needs: <upper> is on <lower>; <upper> is clear; "
    "your arm is empty. Then: you are holding <upper>; <lower> is clear. No "
    "longer: <upper> is on <lower>; <upper> is clear; your arm is empty.",
    'Give one action at a time. "check valid actions" lists what can be done now,'
    ' "look around" repeats what holds; both take a step.',
    "Objects: block: b1, b2, b3, b4.",
    "The goal is to satisfy the following conditions: b1 is on b4, b2 is on b3.",
    "b1 is on b3. b2 is on b1. b4 is on b2. b3 is on the table. b4 is clear. Your"
    " arm is empty.",
]


def test_a_solution_word_by_word():
    env, text, info = lamps()
    assert text.splitlines()[-3:] == [
        "What never changes: switch a. switch b.",
        "The goal is to satisfy the following conditions: lit a, lit b, not (burnt a),"
        " (lit a or burnt b).",
        "lit b.",
    ]
    assert info["matching"] == 0.5
    assert info["progress"] == 0.0
    assert info["cost"] == 0.0
    text, reward, terminated, _, info = env.step("Press the a!")
    assert (text, reward, terminated) == ("lit a. lit b.", 1.0, True)
    assert info["cost"] == 2.0
    assert info["matching"] == 1.0


def test_progress_may_fall_and_what_held_earns_nothing():
    env, _, _ = lamps()
    text, reward, _, _, info = env.step("quench b")
    assert (text, reward, info["progress"], info["matching"]) == (
        "Nothing holds.", 0.0, 0.0, 0.25
    )  # fmt: skip
    *_, info = env.step("press a")
    assert info["progress"] == info["best_progress"] == 0.5
    assert info["subgoals"] == {
        "lit a": True, "lit b": False, "not (burnt a)": True, "(lit a or burnt b)": True
    }  # fmt: skip
    *_, info = env.step("quench a")
    assert (info["progress"], info["best_progress"]) == (0.0, 0.5)
    assert info["cost"] == 3.0


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("press c", "press c is not possible now. It needs: switch c."),
        ("quench a", "quench a is not possible now. It needs: lit a."),
        ("press z", "'press z': there is no 'z' here. What works now: press a."),
    ],
)
def test_refusals_say_why(action, why):
    env, _, _ = lamps()
    before = env.get_state().world
    text, reward, terminated, truncated, info = env.step(action)
    assert text == info["feedback"] == why
    assert not info["action_valid"]
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert env.get_state().world == before


def test_an_object_of_a_wrong_type_is_named():
    env = PDDLEnv(domain="gripper", problem="easy-1")
    env.reset(seed=0)
    assert env.step("pick left rooma ball1")[0] == (
        "pick left rooma ball1 is not possible: left is no ball."
    )
    assert "It needs: " in env.step("drop ball1 rooma left")[0]
    assert env.step("move rooma rooma")[0] == "move rooma rooma would change nothing."


def test_help_and_looking_around():
    env, _, _ = lamps()
    text, *_, info = env.step("check valid actions")
    assert text == (
        "Valid actions: press a, press b, quench b, burn b, check valid actions, "
        "look around."
    )
    assert info["action_valid"]
    assert env.admissible_actions() == ("press a", "press b", "quench b", "burn b")
    for text in ("look", "Look around."):
        assert env.step(text)[0] == "lit b."


def test_long_lists_fit_into_an_observation():
    long = "thing-with-a-name-that-is-so-long-that-nobody-would-give-it"
    things = " ".join(f"{long}-{i}" for i in range(2000))
    problem = (
        f"(define (problem p) (:domain lamp) (:objects {things})(:goal (lit {long}-0)))"
    )
    domain = DOMAIN.replace("(and (switch ?x) (not (burnt ?x)))", "(not (burnt ?x))")
    env = PDDLEnv(domain_file=domain, problem_file=problem)
    env.reset(seed=0)
    text = env.step("help")[0]
    assert env.observation_space.contains(text)
    assert len(text) < 100_000
    assert text.endswith(" more can't be listed.")


def test_dead_ends_on_request():
    env, _, info = lamps(dead_ends=True)
    assert info["dead_end"] is False
    env.step("quench b")
    *_, info = env.step("press b")
    assert info["dead_end"] is False
    *_, info = env.step("burn b")
    assert info["dead_end"] is True
    assert env.expert_action() is None
    assert env.expert_gave_up() == "the goal can't be reached from here"
    assert "dead_end" not in lamps()[2]


def test_an_action_named_help_is_carried_out():
    domain = """(define (domain office) (:predicates (asked) (told ?x))
      (:action help :effect (asked))
      (:action tell :parameters (?x) :precondition (asked) :effect (told ?x)))"""
    problem = (
        "(define (problem p) (:domain office) (:objects ann)"
        "(:goal (and (asked) (told ann))))"
    )
    env = PDDLEnv(domain_file=domain, problem_file=problem)
    env.reset(seed=0)
    assert "help" in env.step("check valid actions")[0]
    assert env.canonical_action(" HELP. ") == "help"
    assert env.step("Help.")[0] == "asked."
    assert "help" in PDDLEnv().help_actions


def test_a_known_domain_of_your_own_is_said_in_its_words():
    domain = """(define (domain mine) (:predicates (at-robby ?r) (room ?r) (free ?g)
      (carry ?b ?g) (at ?b ?r ?really))
      (:action move :parameters (?from ?to) :precondition (and (room ?to)
        (at-robby ?from)) :effect (and (at-robby ?to) (not (at-robby ?from))))
      (:action pick :parameters (?a ?b ?c) :effect (carry ?a ?c))
      (:action drop :parameters (?a ?b ?c) :effect (free ?c)))"""
    problem = """(define (problem p) (:domain mine) (:objects x y)
      (:init (room y) (at-robby x) (at x x x)) (:goal (at-robby y)))"""
    env = PDDLEnv(domain_file=domain, problem_file=problem)
    text, _ = env.reset(seed=0)
    assert "You are at x." in text
    assert "room y. at x x x." in text
    assert env.step("Move from the x to y, please!")[2]


def test_a_conditional_effect_is_explained_by_its_condition_alone():
    domain = """(define (domain d) (:predicates (q ?x) (r ?x))
        (:action go :parameters (?x) :effect (when (q ?x) (r ?x))))"""
    problem = """(define (problem p) (:domain d) (:objects a)
        (:init (q a)) (:goal (r a)))"""
    opening, _ = PDDLEnv(domain_file=domain, problem_file=problem).reset(seed=0)
    assert "- go <x>: Then: r <x> (if q <x>)." in opening


@pytest.mark.parametrize("goal", ["(lit b)", "(and)"])
def test_a_goal_that_asks_nothing_is_refused(goal):
    with pytest.raises(ValueError, match="the goal already holds at the start"):
        PDDLEnv(domain_file=DOMAIN, problem_file=PROBLEM.replace("(lit a)", goal))


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"domain": "chess"}, "domain='chess': choose one of barman, blocksworld"),
        ({"difficulty": "mild"}, "difficulty='mild': choose one of easy, hard, None"),
        ({"split": "dev"}, "split='dev'"),
        ({"problem": 3}, "problem=3 needs a difficulty"),
        ({"problem": -1, "difficulty": "easy"}, "problem=-1: give a number from 0"),
        ({"problem": "easy-x"}, "problem='easy-x': give a number from 0"),
        ({"problem": "easy-1", "difficulty": "hard"}, "'easy-1' is not hard"),
        (
            {"domain": "ferry", "domain_file": DOMAIN, "problem_file": PROBLEM},
            "domain='ferry': domain_file gives the domain",
        ),
        ({"domain_file": DOMAIN}, "domain_file and problem_file go together"),
        ({"domain_file": DOMAIN, "problem_file": "x"}, "problem_file='x': give a file"),
        ({"domain_file": DOMAIN, "problem_file": "(a)"}, "problem_file: line 1"),
        ({"domain_file": "(a)", "problem_file": PROBLEM}, "domain_file: line 1"),
        (
            {"domain_file": DOMAIN, "problem_file": PROBLEM, "difficulty": "easy"},
            "a problem of your own can't be divided",
        ),
    ],
)
def test_arguments_that_name_no_problem(kwargs, message):
    with pytest.raises(ValueError, match=message):
        PDDLEnv(**kwargs)


@pytest.mark.parametrize(
    "task_id",
    ["easy-1", "gripper:easy-1", "blocksworld:easy-01", "blocksworld:mild-1", 7,
     "blocksworld:easy-2147483648"],
)  # fmt: skip
def test_task_ids_that_name_no_problem(task_id):
    with pytest.raises(ValueError, match="task_id="):
        PDDLEnv().reset(options={"task_id": task_id})
    with pytest.raises(ValueError, match="is not one of the tasks of problem_file"):
        lamps()[0].reset(options={"task_id": task_id})


def test_a_number_names_a_problem():
    env = PDDLEnv(domain="ferry", difficulty="hard", problem=7)
    text, info = env.reset(seed=3)
    assert info["task_id"] == "ferry:hard-7"
    options = {"task_id": "ferry:hard-7"}
    assert PDDLEnv(domain="ferry").reset(options=options)[0] == text
    with pytest.raises(ValueError, match="is not easy"):
        PDDLEnv(domain="ferry", difficulty="easy").reset(options=options)


def test_the_expert_depends_on_the_state_alone():
    env, other = (PDDLEnv(domain="logistics", problem="hard-2") for _ in range(2))
    env.reset(seed=0)
    other.reset(seed=1)
    whole = env.expert_plan()
    for step in range(60):
        if env.success():
            return
        astray = step % 9 == 8
        state = env.get_state()
        other.set_state(state)
        assert other.expert_plan() == env.expert_plan()
        # Its plan from the start is continued, whoever took the steps.
        assert step > 8 or env.expert_plan() == whole[step:]
        assert pickle.dumps(env.get_state()) == pickle.dumps(state)
        env.step(env.admissible_actions()[0] if astray else env.expert_action())
    raise AssertionError("the expert does not come to an end")


def test_a_broken_domain_says_the_line():
    with pytest.raises(PDDLError, match="domain_file: line 2: undeclared"):
        PDDLEnv(
            domain_file="(define (domain d)\n (:predicates (p ?x - thing)))",
            problem_file=PROBLEM,
        )


def test_files_of_odd_names_and_beginnings_are_read(tmp_path):
    domain, problem = tmp_path / "d(1).pddl", tmp_path / "p.pddl"
    domain.write_text(f"\ufeff; a comment\n{DOMAIN}", "utf-8")
    problem.write_text(PROBLEM, "utf-8")
    files = {"domain_file": str(domain), "problem_file": str(problem)}
    texts = {"domain_file": f"\ufeff{DOMAIN}", "problem_file": PROBLEM}
    assert PDDLEnv(**files).reset(seed=0) == PDDLEnv(**texts).reset(seed=0)
    problem.write_bytes(b"; caf\xe9\n" + PROBLEM.encode())
    with pytest.raises(ValueError, match="is not UTF-8"):
        PDDLEnv(**files)


def test_splits_share_no_problem():
    found = {}
    for split in ("train", "test"):
        env = PDDLEnv(split=split, difficulty="easy")
        for seed in range(15):
            _, info = env.reset(seed=seed)
            found.setdefault(info["task_id"], set()).add(split)
    assert all(len(splits) == 1 for splits in found.values())
    task_id = next(one for one, splits in found.items() if splits == {"test"})
    with pytest.raises(ValueError, match="not in split='train'"):
        PDDLEnv(split="train").reset(options={"task_id": task_id})
    assert in_split("anything", "all")
