"""AgentBoard's protocol, on a small problem of our own in the layout of its checkout.

All of AgentBoard's problems are compared with its own code by
``benchmarks/judges/agentboard.py``.
"""

import pytest
from protocol_contract import hold_contract

from aq_gym.envs.pddl import PDDLEnv
from aq_gym.envs.pddl.protocol import label_of
from aq_gym.testing import Case

BAR = """
(define (domain bar)
  (:predicates (ontable ?c) (handempty ?h) (holding ?h ?c) (lit) (shiny ?c))
  (:action grasp :parameters (?h ?c)
    :precondition (and (ontable ?c) (handempty ?h))
    :effect (and (holding ?h ?c) (not (ontable ?c)) (not (handempty ?h))))
  (:action leave :parameters (?h ?c)
    :precondition (holding ?h ?c)
    :effect (and (ontable ?c) (handempty ?h) (not (holding ?h ?c)))))
"""
PROBLEM = """
(define (problem one) (:domain bar) (:objects left right cup jug)
  (:init (ontable cup) (ontable jug) (handempty left) (handempty right) (shiny jug))
  (:goal (and (holding left cup) (ontable jug))))
"""
FACTS = (
    "Cup is on the table.  Handempty left Handempty right Jug is on the table.  "
    "Shiny jug"
)


@pytest.fixture
def checkout(tmp_path):
    """A folder like AgentBoard's, whose domains are all the same small one."""
    folder = tmp_path / "agentboard/environment/pddl_env/pddlgym/pddl"
    for name in ("gripper", "barman"):
        (folder / name).mkdir(parents=True)
        (folder / f"{name}.pddl").write_text(BAR)
        for number in (1, 10, 2):
            text = PROBLEM.replace("one", f"p{number}")
            (folder / name / f"problem{number}.pddl").write_text(text)
    return tmp_path


def make(checkout, domain, **kwargs):
    env = PDDLEnv(
        f"agentboard:{domain}", data_dir=str(checkout), protocol="agentboard", **kwargs
    )
    return env, *env.reset(seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("domain", ["gripper", "barman"])
def test_the_contract_holds(domain, checkout):
    kwargs = {"domain": f"agentboard:{domain}", "data_dir": str(checkout)}
    hold_contract(Case("aq/PDDL-v0", {**kwargs, "protocol": "agentboard"}))


def test_the_opening_has_every_fact_sorted_and_the_goal(checkout):
    _, observation, info = make(checkout, "gripper", problem=0, instructions=False)
    goal = (
        "The goal is to satisfy the following conditions: "
        "You are holding left. , jug is on the table. "
    )
    assert info["goal"] == goal
    assert observation == f"{goal}\n{FACTS} "[:-1]
    assert info["task_id"] == "agentboard:gripper:problem1"
    _, told, _ = make(checkout, "gripper", problem=0)
    assert told.startswith("Actions, with their objects in this order:")
    assert told.endswith(observation)


def test_problems_are_in_agentboards_order(checkout):
    ids = [make(checkout, "gripper", problem=i)[2]["task_id"] for i in range(3)]
    assert ids == [f"agentboard:gripper:problem{n}" for n in (1, 10, 2)]


def test_the_reward_counts_what_held_at_the_start(checkout):
    env, _, info = make(checkout, "gripper", problem=0)
    assert info["agentboard_reward"] == info["progress"] == 0.0
    *_, info = env.step("right grasp cup.")
    assert (info["agentboard_reward"], info["progress"]) == (0.5, 0.0)
    env.step("leave right cup")
    observation, _, terminated, _, info = env.step("please let left grasp the cup")
    assert terminated
    assert info["success"]
    assert info["agentboard_reward"] == 1.0
    assert observation.endswith(" The goal is satisfied.")


def test_only_new_facts_in_barman(checkout):
    env, *_ = make(checkout, "barman", problem=0)
    assert (
        env.step("left grasp cup")[0] == "You are holding left.  The goal is satisfied."
    )
    env, *_ = make(checkout, "gripper", problem=0)
    observation, *_ = env.step("left grasp jug")
    assert observation.startswith("Cup is on the table.  Handempty right Shiny jug")


NO_EFFECT = "The action is not valid and therefore takes no effect. "


@pytest.mark.parametrize(
    ("action", "read"),
    [
        ("First: grasp it, left. Then (cup)!", True),
        ("'grasp' `left` \"cup.\"", True),
        ("grasp left cup's handle", True),
        ("grasp left cup, not jug", True),
        ("\u201cgrasp left cup.\u201d", True),
        ("<grasp left cup.>\n", True),
        ("\u201cgrasp left cup.\u201d look", False),
        ("grasp left cup.,", False),
        ('"grasp left cup. "', False),
        ("grasp left/right cup", False),
        ("grasp left cup.jug", False),
    ],
)
def test_words_are_separated_as_nltk_does(checkout, action, read):
    env, *_ = make(checkout, "gripper", problem=0)
    assert env.step(action)[4]["action_valid"] is read


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        ("leave left cup", f"{NO_EFFECT}Please check valid actions."),
        ("grasp left", f"{NO_EFFECT}Please check valid actions."),
        ("dance", f"{NO_EFFECT}Please check valid actions."),
        ("", f"{NO_EFFECT}Please check valid actions."),
        ("grasp cup left", f"{NO_EFFECT}Please remember to satisfy the restriction of "
         "actions. You can also check valid actions."),
    ],
)  # fmt: skip
def test_what_is_not_valid_changes_nothing(checkout, action, answer):
    env, *_ = make(checkout, "gripper", problem=0)
    state = env.get_state()
    observation, *_, info = env.step(action)
    assert observation == info["feedback"] == answer
    assert not info["action_valid"]
    assert env.get_state() == state


def test_asking_takes_a_step_and_changes_nothing(checkout):
    env, *_ = make(checkout, "barman", problem=0)
    listed = (
        "Valid actions are: left grasp cup. , left grasp jug. , right grasp cup. , "
        "right grasp jug. , check valid actions, look around"
    )
    for action, said in [
        ("check valid actions", listed),
        ("I want to CHECK", listed),
        ("Look around!", FACTS),
    ]:
        observation, *_, info = env.step(action)
        assert (observation, info["action_valid"]) == (said, True)


def test_the_expert_speaks_agentboards_language(checkout):
    env, *_ = make(checkout, "gripper", problem=0)
    assert env.expert_action() == "left grasp cup. "
    assert env.expert_action() in env.admissible_actions()
    assert env.understands("right leave jug.")
    assert not env.understands("left grasp the cup")


def test_a_missing_checkout_is_explained(tmp_path):
    with pytest.raises(FileNotFoundError, match="data_dir=, or in AGENTBOARD_DATA"):
        PDDLEnv("agentboard:gripper", data_dir=str(tmp_path))


def test_the_variable_names_the_checkout(checkout, monkeypatch):
    monkeypatch.setenv("AGENTBOARD_DATA", str(checkout))
    assert PDDLEnv("agentboard:barman", problem=0).reset(seed=0)


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"domain": "gripper", "data_dir": "x"}, "needs domain='agentboard:NAME'"),
        ({"domain": "agentboard:zork"}, "there are barman, gripper"),
        ({"domain": "agentboard:gripper", "problem": 9}, "give an index below 3"),
        ({"domain": "agentboard:gripper", "split": "test"}, "can't be divided"),
    ],
)
def test_mistakes_are_named(checkout, kwargs, message):
    if kwargs["domain"].startswith("agentboard:"):
        kwargs = {"data_dir": str(checkout), **kwargs}
    with pytest.raises(ValueError, match=message):
        PDDLEnv(**kwargs)


def test_our_own_problems_play_by_it_too():
    env = PDDLEnv("gripper", problem="easy-1", protocol="agentboard")
    env.reset(seed=0)
    done = False
    while not done:
        *_, done, _, info = env.step(env.expert_action())
    assert info["agentboard_reward"] == 1.0


@pytest.mark.parametrize(
    ("problem", "label"),
    [
        ("agentboard:gripper:prob05", "easy"),
        ("agentboard:barman:p14", "easy"),
        ("agentboard:barman:p13", "hard"),
        ("agentboard:blockworld:problem10", "easy"),
        ("agentboard:blockworld:problem3", "hard"),
        ("agentboard:tyreworld:p04", "easy"),
        ("gripper:easy-1", None),
        ("agentboard:hanoi:p01", None),
    ],
)
def test_the_labels_are_agentboards(problem, label):
    assert label_of(problem) == label


PAIRS = """
(define (domain pairs)
  (:predicates (lit ?c) (shiny ?c))
  (:action polish :parameters (?c ?d)
    :precondition (and (lit ?c) (lit ?d)) :effect (shiny ?d)))
"""
TWO_LAMPS = """
(define (problem one) (:domain pairs) (:objects one two)
  (:init (lit one) (lit two)) (:goal (and (shiny one) (shiny two))))
"""


def test_no_object_stands_for_two_parameters():
    files = {"domain_file": PAIRS, "problem_file": TWO_LAMPS}
    ours = PDDLEnv(**files)
    ours.reset(seed=0)
    assert ours.step("polish one one")[4]["action_valid"]
    env = PDDLEnv(**files, protocol="agentboard")
    env.reset(seed=0)
    assert env.admissible_actions() == ("polish one two", "polish two one")
    assert "polish one one" not in env.help()
    before = env.get_state()
    assert not env.step("polish one one")[4]["action_valid"]
    assert env.get_state().world == before.world
    assert env.step("polish two one")[4]["action_valid"]
