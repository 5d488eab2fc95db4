"""Findings, rankings and verdicts: every sentence of the report."""

import dataclasses

import pytest
from report_runs import MASTERMIND, episode, record

from aq_gym.cli import main
from aq_gym.evaluation import summarize
from aq_gym.registration import rows
from aq_gym.report import load_runs
from aq_gym.report.agents import AgentRow
from aq_gym.report.collect import Collected, observe
from aq_gym.report.comparability import compared_with, contrasts
from aq_gym.report.content import _different, _groups
from aq_gym.report.data import told_apart
from aq_gym.report.findings import Finding, find, find_all, telling
from aq_gym.report.overview import (
    REASONS,
    aligned,
    failed_told,
    figures_of,
    flags_of,
    stuck_told,
)
from aq_gym.report.page import _Numbers
from aq_gym.report.ranking import best_first, ranking
from aq_gym.report.record import mark_repeats
from aq_gym.report.story import counting, story
from aq_gym.report.stuck import (
    MISSED,
    WITHOUT,
    bottlenecks,
    in_order,
    kinds_of,
    milestones,
    reached,
    stuck_at,
)
from aq_gym.report.verdicts import parts, verdict

# Findings


def sentences(pairs):
    observed = [observe(e, r) for e, r in pairs]
    names = milestones(observed)
    found = find(observed, names, bottlenecks(observed, names)[""])
    return " ".join(finding.text for finding in found)


def test_a_loop_and_the_last_progress_are_found():
    progress = [0.1 * n for n in range(1, 6)] + [0.5] * 25
    stalled = episode(progress, [False] * 5 + [True] * 25)
    text = sentences([(stalled, record(["x"] * 30))] * 3)
    told = "Loops in all 3 unsolved episodes: 87 of their 90 actions repeat one and get"
    assert f"{told} the same answer, always “x”." in text
    told = (
        "Does not solve 3 of 3 episodes; the last progress of 3 is at step 5 (median)."
    )
    assert told in text
    idle = episode([0.0] * 4, [False, True, True, True])
    text = sentences([(idle, record(["x"] * 4))] * 2)
    assert "without any progress in both unsolved episodes; 75% of the 8" in text
    assert "get the same answer; 8 are “x”." in text
    assert "unsolved episodes; 2 of the 3 actions there are “B”." in sentences(
        [(episode([0.0]), record(said)) for said in "ABB"]
    )
    # That single answers are wrong tells little.
    assert all(
        one.weight < 1
        for one in find(
            [observe(episode([0.0]), record(said)) for said in "ABC"], ["solved"], 0
        )
    )


def test_actions_that_come_again_and_lead_on_are_no_loop():
    """In 2048, for example, the four moves have to be repeated, with new answers."""
    moving = record(["left"] * 30)
    for number, step in enumerate(moving["steps"]):
        step["observation"] = f"board {number}"
        step.pop("again", None)
    mark_repeats(moving["steps"])
    text = sentences([(episode([0.5] + [0.0] * 29, [True] * 30), moving)] * 3)
    assert "Loops" not in text


def test_subgoals_that_differ_between_instances_are_counted_or_grouped():
    def names(*instances):
        seen = [
            observe(episode([0.0], task=f"{n}"), record(["a"], subgoals=list(own)))
            for n, own in enumerate(instances)
        ]
        found = milestones(seen)
        return found[:-1], [reached(one, found) for one in seen]

    rows = [f"row {n}" for n in range(27)]
    assert names(rows)[0] == [f"{n} of 27 subgoals" for n in (7, 14, 21, 27)]
    told, _ = names(["b2 is on b5", "b1 is on b3"], ["b5 is on b1", "b1 is on b2"])
    assert told == ["1 of 2 subgoals", "2 of 2 subgoals"]
    assert names(["a is b", "c"], ["d"])[0][0] == "a quarter of the progress"
    assert [*kinds_of([f"a{' ' * 50_000}b", "row  12."])] == [
        f"a{' ' * 50_000}b",
        "row",
    ]
    told, at = names(["1. go: seen", "1. go: done"], ["2. go: seen", "2. go: done"])
    assert told == ["go: seen", "go: done"]
    assert at == [[MISSED] * 3] * 2
    held = record(["a", "b"], subgoals=["x 1", "x 2"], held=[1])
    held["steps"][1]["held"] = [0, 1]
    seen = observe(episode([0, 0]), held)
    asked = ["1 of 2 subgoals", "2 of 2 subgoals", "x", "y"]
    assert reached(seen, asked) == [0, 2, 2, WITHOUT]


def test_the_subgoal_that_most_episodes_miss_first_is_the_bottleneck():
    names = ["the key was seen", "door open"]
    first = record(["a"], subgoals=names, held=[0])
    missed = record(["a"], subgoals=names)
    pairs = [(episode([0.0]), first)] * 3 + [(episode([0.0]), missed)] * 12
    text = sentences(pairs)
    assert "Gets stuck most often before “the key was seen”, missed first" in text
    assert "first in 12 of 15 unsolved episodes." in text
    assert "“door open”, missed first" in sentences(pairs[:3])
    seen = observe(*pairs[0])
    # That the last subgoal is missing says little more than that the task is unsolved.
    least = {one.kind: one.weight for one in find([seen], [*names, "solved"], 1)}
    assert least["stuck"] < 0.1
    told = " ".join(one.text for one in find([seen], [names[0], "solved"], 1))
    assert "Reaches “the key was seen”, but not the solution, in the" in told
    both = record(["a"], subgoals=names, held=[0, 1])
    whole = sentences([(episode([0.0]), both)])
    assert "Reaches every subgoal, but not the solution, in the unsolved" in whole
    # Without an order, the subgoals that most episodes miss are named.
    other = record(["a"], subgoals=names, held=[1])
    free = [(episode([0.0]), missed)] * 2 + [(episode([0.0]), other)]
    seen = [observe(*pair) for pair in free]
    shown = milestones(seen)
    assert not in_order([reached(one, shown) for one in seen])
    assert in_order([reached(observe(*pair), shown) for pair in pairs])
    found = find(seen, shown, None)
    told = " ".join(finding.text for finding in found)
    assert "Misses “the key was seen” most often, in all 3 unsolved episodes." in told
    # Which all of them miss: it may only be what is left when all else is done.
    assert [f.weight for f in found if "Misses" in f.text] == [pytest.approx(0.9)]
    assert "missed first" not in told
    # What it misses next is told if it says more.
    step = observe(episode([0.0]), record(["a"], subgoals=["step 1"]))
    assert [
        "“step” next" in str(find([step], [name, "solved"], 0))
        for name in ("step", "half of the progress")
    ] == [False, True]
    # What more episodes have and all of them miss is told, and how many have it.
    seen = [
        observe(episode([0.0]), record(["a"], subgoals=[*names], held=held))
        for names, held in (("xy", []), ("yz", [1]), ("z", [0]))
    ]
    assert "Misses “y” most often, in both unsolved episodes with it." in str(
        find(seen, [*"xyz", "solved"], None)
    )
    assert in_order([[1, 2, MISSED], [1, MISSED, MISSED], [MISSED, MISSED, MISSED]])
    assert not in_order([[2, 1, 3]])
    assert in_order([[WITHOUT, 1, 2], [1, WITHOUT, 2]])
    easy = observe(episode([0.0], difficulty="easy"), first)
    early = observe(episode([0.0]), missed)
    broken = observe(episode([0.0], error="broke"), first)
    places = bottlenecks([easy, early, broken], shown)
    assert places == {"": 0, "easy": 1}, "the first place, as many are at the second"
    solved = observe(episode([1.0], success=True), both)
    assert bottlenecks([solved], shown) == {"": -1}
    assert stuck_at([3, MISSED, 4, MISSED]) == 1
    assert stuck_at([MISSED, 4]) == -1


def test_invalid_actions_come_with_their_answers():
    steps = record(["fly", "fly", "look"])
    for step in steps["steps"][:2]:
        step.update(invalid=True, feedback="You can't fly.")
    text = sentences([(episode([0.0] * 3), steps)])
    assert "67% of its actions (2 of 3) are invalid: it says “fly” 2 times" in text
    assert "“fly” 2 times, which is answered “You can't fly”." in text
    steps["steps"][1]["feedback"] = "No."
    steps["end"] = "2 invalid actions in a row"
    worst, *_ = find([observe(episode([0.0] * 3), steps)], [], None)
    assert worst.weight == 1 and worst.text.endswith(
        "“fly” 2 times, most often answered “You can't fly”; 2 invalid actions in a "
        "row stop 1 of 1 episode."
    )
    steps["steps"][0]["action"] = steps["steps"][1]["action"] = ""
    text = sentences([(episode([0.0] * 3), steps)])
    assert "invalid: it says nothing 2 times" in text and "2 are empty." in text


def test_findings_name_the_steps_that_show_them():
    steps = record(["look", "fly", "fly", "x"])
    for step in steps["steps"][1:3]:
        step.update(invalid=True, feedback="You can't fly.")
    fallen = episode([0.2, 0.5, 0.3, 0.0], [False, False, True, False])
    found = find([observe(fallen, steps)] * 3, [], None)
    shown = {f.text[:5]: f.examples[0][2] for f in found if f.examples}
    assert shown["50% o"] == 2
    assert shown["Ends "] == 3
    assert shown["Does "] == 2


def test_answers_that_the_token_limit_cut_off_are_counted():
    steps = record(["a", "b"])
    for step, reason in zip(steps["steps"], ("length", "stop"), strict=True):
        step["notes"] = {"finish_reason": reason}
    assert "1 of 2 answers (50%) are cut off" in sentences([(episode([0, 0]), steps)])


def test_solved_episodes_and_errors_are_named():
    solved = episode([1.0], success=True)
    broken = episode([], error="ValueError: x", ended="error")
    text = sentences([(solved, record(["a"])), (broken, {})])
    assert "Solves" not in text and "Does not" not in text
    assert "1 episode ends with the error “ValueError: x”" in text


@pytest.mark.parametrize(("steps", "told"), [(1000, "<1%"), (1, "100%"), (2, "50%")])
def test_only_all_and_none_are_rounded_to_all_and_none(steps, told):
    seen = observe(episode([0.0] * steps), {"steps": [], "subgoals": []})
    seen.steps = steps
    seen.invalid[("x", "no")] = [1]
    found = [one.text for one in find([seen], [], None) if one.kind == "invalid"]
    assert found[0].startswith(f"{told} of its actions (1 of {steps}) are invalid: it")


def test_findings_are_ranked_over_environments_and_kinds(runs):
    def found(env, weight, kind):
        return {"env": env, "weight": weight, "kind": kind}

    loops = [found(env, 5.0, "loops") for env in "XYZ"]
    other = found("X", 4.0, "invalid")
    assert _different([other, *loops], 4) == [*loops, other]
    assert _different([*loops[:1] * 2, other], 2) == [loops[0], other]
    # Those that are chosen are in the order of their weights.
    apart = found("W", 4.0, "invalid")
    assert _different([*loops[:2], apart], 3) == [*loops[:2], apart]
    # What tells the same as a better one, or little beside it, is left out.
    weights = {"no progress": 4, "stuck": 3.9, "loops": 1, "falls": 0.9}
    most = [
        Finding(f"{kind}.", [], weight, kind=kind) for kind, weight in weights.items()
    ]
    assert telling(most, 3) == [most[0], most[2]] and telling(most, 1) == most[:1]
    said = record(["look"] * 19 + ["go"])
    for step in said["steps"][:19]:
        step.update(invalid=True, feedback="No.")
    first, *_ = find([observe(episode([0.0] * 20), said)] * 2, [], None)
    assert first.text.startswith("95% of its actions (38 of 40) are invalid: it says")
    assert (first.share, first.examples[0]) == (0.95, ("", "t", 1))
    # Those of an agent are over all its runs, and name the run that shows them.
    by_run = {n: [observe(episode([0.0] * 20), said)] for n in range(3)}
    for number, (seen,) in by_run.items():
        seen.run = f"run {number}"
    collected = Collected(observed={"X": by_run}, milestones={"X": ["solved"]})
    (first, *_) = find_all(collected, [0, 2])["X"]
    assert first.text.startswith("95% of its actions (38 of 40) are invalid")
    assert [run for run, *_ in first.examples] == ["run 0", "run 2"]
    agent = AgentRow("a", [0, 2], "X", {})
    assert [*_groups([agent], [1, 2, 0]).items()] == [((1,), ""), ((0, 2), "a")]


def test_the_steps_to_go_are_told():
    counted = {"env": MASTERMIND, "cap": 4, "expert": "aq-gym 1"}
    knew = episode(
        [0.0] * 4, steps_to_go=[4, 3, 1, 1, 1], secrets_left=[9, 2, 1, 1, 1], **counted
    )
    said = episode(
        [0.0, 0.0, 1.0],
        success=True,
        steps_to_go=[3, 1, 1, 0],
        secrets_left=[9, 1, 1, 1],
        **counted,
    )
    assert story(knew) == [
        "One secret was left after step 2: never said.",
        "Net waste of 1 step: the expert needs 4 from the start, the agent took 4 and "
        "has 1 still to go.",
        "The steps that the expert of aq-gym 1 needs from each state: an estimate, as "
        "luck with the secret counts. Where it finds no way, there is none. It knows "
        "no more than the agent.",
    ]
    assert "One secret was left after step 1: said 2 steps later." in story(said)
    assert story(said)[-2].startswith("No waste: the expert needs 3 ")
    late = dataclasses.replace(knew, cap=5, steps_to_go=[4, 3, 2, 2, 2])
    too_late = "too late from step 4 on, with 1 of 5 steps left: the expert needs 2."
    assert story(late)[1] == f"Probably {too_late}"
    certain = dataclasses.replace(late, env="aq/Cipher-v0")
    assert story(certain)[1] == f"T{too_late[1:]}"
    text = sentences([(knew, record("abcd")), (said, record("abc"))])
    best = dataclasses.replace(said, steps_to_go=[3, 2, 1, 0])
    assert "waste" not in sentences([(best, record("abc"))])
    assert "Net waste: 0.5 steps on average in 2 episodes, beyond those of the" in text
    assert "expert." in text and "which knows more" not in text
    told = "determined after step 1.5 (median of 2 episodes), said 2 steps later in 1"
    assert f"{told}, never said in 1." in text
    # At the last step, it is no more than that they ran out.
    assert "Runs out of steps with 1 to go in the unsolved episode. " in text
    early = dataclasses.replace(knew, steps_to_go=[3, 3, 3, 2, 1])
    told = "unsolved episode: from step 2 on the expert needs more steps than are left."
    assert told in sentences([(early, record("abcd"))])
    # All that ran out count, also one whose cap left no step to spare.
    tight = dataclasses.replace(knew, steps_to_go=[4] * 5)
    told = "2.5 to go (median) in both unsolved episodes: from step 2 on the expert "
    told += "needs more steps than are left in 1 of them."
    assert told in sentences([(early, record("abcd")), (tight, record("abcd"))])
    assert "Runs out of steps with 1 to go (median) in both unsolved" in sentences(
        [(knew, record("abcd"))] * 2
    )
    # One that its last step lost is lost.
    lost = dataclasses.replace(early, ended="terminated")
    told = "Runs out of steps with 1 to go in 1 of 2 unsolved episodes"
    assert told in sentences([(early, record("abcd")), (lost, record("abcd"))])
    # A cap without a step to spare says nothing of the agent.
    assert "Runs out" not in sentences(
        [(dataclasses.replace(knew, steps_to_go=[4] * 5), record("abcd"))]
    )
    # One that left some to spare was enough, however early the last was wasted.
    assert "from step 1 on" in sentences(
        [(dataclasses.replace(knew, steps_to_go=[3, 4, 4, 4, 4]), record("abcd"))]
    )
    # Where it loops, the loop is the better explanation.
    looping = find([observe(knew, record("bbbb"))], [], None)
    weights = {one.kind: one.weight for one in looping}
    assert weights["loops"] > 2 * weights["too late"]
    # Invalid actions ended it, before the steps did.
    far = dataclasses.replace(knew, cap=9, steps_to_go=[*knew.steps_to_go[:-1], 8])
    assert "Runs out" not in sentences([(far, record("abcd"))])
    again = [(knew, record("abbb")), (said, record("abc"))]
    assert "never said in 1; 2 of the actions after it repeat one" in sentences(again)
    assert "1 episode), but never said." in sentences([(knew, record("abcd"))])
    seen = find([observe(said, record("abc")), observe(knew, record("abcd"))], [], None)
    shown = {one.text[:10]: one.examples for one in seen}
    assert shown["The answer"] == [("", "t", 2)]
    open_ = dataclasses.replace(knew, secrets_left=[9] * 5)
    seen = find([observe(one, record("abcd")) for one in (knew, open_)], [], None)
    assert [f.share for f in seen if f.kind == "determined"] == [0.5]
    assert "determined" not in sentences([(episode([0.0]), record("a"))])


def test_a_loss_is_told_only_where_it_is_proven():
    told = "From step 2 on the expert finds no way, which proves no loss."
    lost = episode([0.0] * 3, steps_to_go=[3, 2, -1, -1], env="aq/GSM8K-v0")
    given_up = dataclasses.replace(lost, env="aq/ToolOperation-v0")
    assert "Lost at step 2." in story(lost)
    assert "Lost at step 2, by “buy”." in story(lost, ["look", "buy", "end"])
    assert told in story(given_up) and told not in story(lost)
    over = dataclasses.replace(given_up, ended="terminated")
    told = ["Lost at step 3, by “end”.", "From step 2 on the expert finds no way."]
    assert story(over, ["look", "buy", "end"])[:2] == told
    late = dataclasses.replace(over, steps_to_go=[3, 2, 1, -1])
    assert "finds no way." not in " ".join(story(late)[:-1])
    pairs = [[(one, record("abc"))] for one in (lost, given_up)]
    text = "Loses the task for good at step 2 in the unsolved episode"
    assert f"{text}." in sentences(pairs[0])
    last = dataclasses.replace(lost, steps_to_go=[3, 2, 1, -1])
    seen = [observe(last, record(said)) for said in ("acb", "abc")] * 2
    (told,) = [f for f in find(seen, [], None) if "action, such as “b”" in f.text]
    assert (told.weight, told.kind) == (pytest.approx(1.2), "stuck")
    assert "Loses" not in sentences(pairs[1]) and "Lost" not in str(story(given_up))


# Figures, rankings and verdicts


def test_an_unsolved_episode_has_one_reason_the_first_that_holds():
    """So the counts sum up to the unsolved episodes, whatever else holds of them."""
    every = episode([0.0, 0.5], cap_reached="max_invalid", grounding=0.0)
    held = [(every, 3)]
    # Each of these lacks the reason of the one before.
    every = dataclasses.replace(every, cap_reached="", ended="terminated")
    held += [(every, 3), (every, 2)]
    every = dataclasses.replace(every, ended="truncated")
    held += [(every, 0), (dataclasses.replace(every, progress=[0.5, 0.5, 0.5]), 0)]
    held += [(dataclasses.replace(held[-1][0], grounding=0.5), 0)]
    solved = dataclasses.replace(every, success=True)
    broken = dataclasses.replace(every, error="broke")
    flags = [flags_of(*one) for one in [*held, held[0], (solved, 3), (broken, 3)]]
    both = [["looping"], ["looping"]] + [[]] * 4
    assert flags[:6] == [
        ["unsolved", reason, *also] for reason, also in zip(REASONS, both, strict=True)
    ]
    assert flags[6:] == [flags[0], ["looping"], []]
    assert failed_told(flags, 8) == (
        "Fails in 7 of 8 episodes: 2 stopped by invalid actions, 1 in a loop, 1 ended "
        "by a wrong answer or a loss, 1 cut off while getting further, 1 with mostly "
        "invalid actions and 1 stalled."
    )


def test_figures_have_loops_late_progress_and_what_a_success_cost(runs):
    late, early = [0.0] * 9 + [0.5], [0.5] * 10
    usage = {"cost": 0.0123, "tokens": 3228123.0}
    episodes = [
        episode(late, task="a", usage=usage),
        episode(early, task="b", usage=usage),
        episode(late, task="c", usage=usage, success=True),
        episode(late, task="d", usage=usage, ended="terminated"),
    ]
    run = dataclasses.replace(load_runs(runs[:1])[0], episodes=episodes)
    counts = {"a": (3, 2), "b": (2, 1), "c": (0, 3), "d": (0, 0)}
    shown = {one.name: one for one in figures_of(run, counts)}
    # Three equal answers are a loop, in an episode of four steps too; two are none.
    short = dataclasses.replace(run, episodes=[*episodes, episode(early[:4])])
    assert figures_of(short, counts | {"t": (3, 0)})[0].text == "2 of 5"
    assert figures_of(short, counts | {"t": (2, 0)})[0].text == "1 of 5"
    assert shown["loops"].text == "1 of 4"
    # What a figure counts is what its link lists.
    assert shown["loops"].link.endswith("&outcome=looping&sort=-looping")
    assert not flags_of(dataclasses.replace(episodes[0], ended="running"), 9)
    # An answer as the only step is wrong, if it is one.
    answer = episode([0.0], cap=1, grounding=1.0)
    assert "ended by a wrong answer or a loss" in flags_of(answer, 0)
    unread = dataclasses.replace(answer, grounding=0.0)
    assert "with mostly invalid actions" in flags_of(unread, 0)
    # The last of few steps is late.
    assert "cut off while getting further" in flags_of(episode([0.0, 0.0, 0.5]), 0)
    cost = shown["cost per episode"]
    assert cost.text == "$0.0123"
    assert cost.note == "$0.0492 in all, $0.0492 per solved task, $0.0082 per subgoal"
    assert shown["tokens per episode"].text == "3,228,123"
    unsolved = dataclasses.replace(run, episodes=episodes[:1])
    assert "$0.0123 in all" in [one.note for one in figures_of(unsolved, {"a": (3, 0)})]
    bare = figures_of(dataclasses.replace(run, episodes=episodes[:0]), {})
    broken = [episode([0.0], error="broke"), episode([1.0], success=True)]
    shown = [dataclasses.replace(run, episodes=broken[n:]) for n in range(3)]
    assert [stuck_told([one]) for one in shown] == ["", "It solves every episode.", ""]
    # An environment whose other episodes are solved is not the one of least progress.
    others = [episode([0.4], env=e, cap_reached="max_invalid") for e in "BCDEF"]
    ends = [episode([0.0], env="A"), episode([1.0], env="A", success=True), *others]
    ended = dataclasses.replace(run, episodes=ends)
    assert stuck_told([ended]).endswith(
        "in 0; on average it gets least far in B, C, D and 2 others (0.40)."
    )
    # So does one that ended at its cap with one step to go.
    near = episode([0.5, 0.5], cap=2, steps_to_go=[2, 2, 1])
    far = dataclasses.replace(near, cap=9)
    answer = episode([0.5], cap=1, steps_to_go=[1, 1])
    three = [near, far, answer]
    assert stuck_told([dataclasses.replace(run, episodes=three)]).endswith(
        "three quarters in 0; the expert would need one step more in 1."
    )
    assert not stuck_told([ended] * 4)
    assert [[one.text for one in row] for row in aligned([bare, [cost]])] == [
        ["-", "-"],
        ["-", "$0.0123"],
    ]


def test_the_ranking_is_over_the_tasks_that_every_run_finished(runs, stubborn):
    random, expert = load_runs(runs)
    same = dataclasses.replace(random, label="twin")
    assert ranking([random, same]).told.startswith(
        "Progress and repeats are the same at each step of all 9 tasks; the agents are "
        "the same. Each solves "
    )
    short = dataclasses.replace(
        random,
        episodes=[
            dataclasses.replace(e, error="engine died" if n == 0 else "")
            for n, e in enumerate(random.episodes[:-1])
        ],
    )
    whole, found = ranking([random, expert]), ranking([short, expert])
    assert (whole.tasks, found.tasks) == (9, 7)
    assert sum(found.envs.values()) == 7
    assert [row.run for row in found.rows] == ["expert (privileged)", "random"]
    assert found.rows[0].behind is None
    contrast = next(c for c in compared_with(expert, short) if c.env == "all")
    behind = found.rows[1].behind
    assert behind.difference == contrast.metrics["progress rate"].difference
    common = {e.task for e in short.episodes if not e.error}
    kept = [e for e in expert.episodes if e.task in common]
    assert found.rows[0].progress == summarize(kept)["progress rate"]
    assert found.told.startswith("expert (privileged) makes the most progress: ")
    assert (
        "over 7 tasks that all runs have, of which it solves 5. No certain"
        in found.told
    )
    ahead = -behind.difference.value, -behind.difference.high, -behind.difference.low
    assert (
        "difference from random: {:.2f} [{:.2f}, {:.2f}]".format(*ahead) in found.told
    )
    assert ranking([random]).told.startswith("Solves ")
    # Another suite has other tasks.
    other = [dataclasses.replace(e, task=f"other-{e.task}") for e in expert.episodes]
    assert ranking([random, dataclasses.replace(expert, episodes=other)]) is None


def test_the_ranking_says_where_another_run_is_better_and_what_may_be_chance(runs):
    (run,) = load_runs(runs[:1])

    def scored(label, **values):
        episodes = [
            episode(
                [value],
                env=f"aq/{env}-v0",
                task=f"{env}{n}",
                task_id=f"{n}",
                success=value > 0.8,
                grounding=values.get("X"),
            )
            for env, value in values.items()
            for n in range(12)
        ]
        return dataclasses.replace(run, label=label, episodes=episodes)

    first, second = scored("a", X=0.9, Y=0.2, Z=0), scored("b", X=0.1, Y=0.3, Z=0)
    # Of several attempts at a task, the mean share that solve it is rounded.
    failed = dataclasses.replace(first.episodes[0], success=False)
    thrice = [first.episodes[0], failed, *first.episodes]
    often = dataclasses.replace(first, episodes=thrice)
    assert "Only a solves tasks in X (11.7 of" in ranking([second, often]).told
    found = ranking([second, first])
    ahead = "b is ahead in 1 of 3 environments (certain in none): Y. Only a solves"
    assert f"{ahead} tasks in X (12 of" in found.told
    far = ranking([first, scored("d", X=0, Y=0.9, Z=0)])
    assert "d is ahead in 1 of 3 environments (certain in Y): Y." in far.told
    assert "chance" not in found.told
    # If all are equal, none is the best.
    assert found.best == {"aq/X-v0": "0.90", "aq/Y-v0": "0.30"}
    many = [scored(f"{n}", X=n / 9) for n in range(9)]
    assert [one.label for one in best_first(many)] == list("876543210")
    assert best_first([second, first]) == [second, first]
    ended = [dataclasses.replace(e, ended="lost") for e in first.episodes]
    close = ranking([first, dataclasses.replace(first, label="c", episodes=ended)])
    said = "No certain difference from c: 0.00 [-0.10, 0.10]. c is ahead in none of"
    assert said in close.told
    assert _Numbers.signed("steps", close.rows[1].behind.difference) == "0.0"
    assert _Numbers.spread("progress rate", 0.0039) == "0.004"
    three = ranking([first, second, scored("c", X=0.5, Y=0.1, Z=0)]).told
    assert "more than the next, c" in three and "lead" not in three
    equal = ranking([first, second, scored("c", X=0.9, Y=0.2, Z=0)]).told
    assert (
        "from the next, c: 0.00 [-0.10, 0.10]. The lead in the mean is certain over 1 "
        "of the other 2 (after correction for 2 comparisons). " in equal
    )
    assert "ahead in 1 of 3 environments (certain in none): b in Y. Only" in three
    assert "No other run is ahead in any of" in ranking([first] * 3).told
    alone = ranking([first]).told
    assert alone.startswith("Solves 12 of 36 tasks: all in X; none in Y and Z. Its ")
    many = dict(X=0.9, A=1.0, B=0, C=0, D=0.9, E=0, F=0)
    assert ranking([scored("d", **many)]).told.startswith(
        "Solves 36 of 84 tasks: all in X, A and D; none in 4 environments. Its progress"
    )
    one = dict.fromkeys("ABCDEFG", 0.0) | {"E": 0.9}
    told = ranking([scored("d", **one)]).told
    assert "tasks: all in E; none in 6 environments. Its" in told
    # Environments that tie are together, and of many groups the middle is left out.
    counts = {"A": 1, "B": 1} | {name: n + 2 for n, name in enumerate("CDEFGHIJ")}
    solved = [
        episode([n < most], env=e, task=f"{e}{n}", task_id=f"{n}", success=n < most)
        for e, most in counts.items()
        for n in range(12)
    ]
    assert (
        ": 9 of 12 in J; 8 of 12 in I; 7 of 12 in H; fewer in others; 1 of 12 each in "
        "A and B. Its" in ranking([dataclasses.replace(run, episodes=solved)]).told
    )
    # A run that shares no task hides no ranking of the others.
    apart = scored("apart", T=0.9)
    found = ranking([apart, first, second])
    assert [row.number for row in found.rows] == [1, 2]
    assert found.told.endswith("has only few of these tasks: apart (none).")
    assert "few of these tasks: 7 runs." in ranking([*[apart] * 7, first, second]).told
    # Nor does one that has few of their tasks, unless there are only two runs.
    few = scored("few", X=0.9)
    found = ranking([few, first, second])
    assert (found.tasks, len(found.rows)) == (36, 2)
    assert found.told.endswith("only few of these tasks: few (12).")
    # A difference of such runs, too, is certain only if it is among all of them.
    grey = [
        one.behind for one in ranking([few, scored("l", X=0.1), first, second]).apart
    ]
    assert [one.holm_p_value / one.p_value for one in grey] == [1, 2]
    assert ranking([few, first]).tasks == 12
    assert best_first([few, *[first] * 9])[-1] == few
    longer = scored("longer", **dict.fromkeys("TUVW", 0.9))
    assert [row.run for row in ranking([longer, first, second]).rows] == ["a", "b"]
    assert ranking([apart, first]) is None


def test_a_verdict_has_the_effect_the_power_and_whether_runs_are_the_same(runs):
    (run,) = load_runs(runs[:1])

    def scored(label, values, **more):
        episodes = [
            episode([v], task=f"t{n}", task_id=f"{n}", success=v == 1, **more)
            for n, v in enumerate(values)
        ]
        return dataclasses.replace(run, label=label, episodes=episodes)

    low, high = scored("a", [0.1] * 30), scored("b", [0.9] * 29 + [1.0])
    better, only, same = verdict(low, high)
    assert better.startswith("b makes more progress than a: 0.80 [0.")
    assert better.endswith(
        "] more over 30 tasks (p < 0.001); success: no certain difference."
    )
    assert verdict(low, scored("s", [1.0] * 30))[0].endswith("(p < 0.001).")
    assert only == "1 task is solved by b only, 0 by a only."
    assert same == (
        "Progress and repeats are the same at each step in 0 of 30 tasks; the agents "
        "are the same."
    )
    assert verdict(high, low)[0] == better
    assert verdict(low, high, ("x", "y"))[0] == better.replace("b m", "y m").replace(
        "than a", "than x"
    )
    agents = ["my.agents:ReAct model", "my.agents:ReAct owner/other"]
    assert told_apart(agents) == ["model", "other"]
    assert told_apart(["a.b:C", "owner/a-longer-name-of-a-model (x=1)"]) == [
        "C",
        "a-longer-name-of-a-model (x=1)",
    ]
    model = "qwen2.5-coder-1.5b-instruct-q4_k_m"
    assert told_apart([f"{model} (r={{'s': 0}}, t=1)", f"{model} (t=0)", "me/x"]) == [
        "qwen2.5-coder-1.5b (t=1)",
        "qwen2.5-coder-1.5b (t=0)",
        "x",
    ]
    far = [
        dataclasses.replace(one, label=f"a/longer/folder/of/runs/{one.label}")
        for one in (low, high)
    ]
    assert verdict(*far) == [better, only, same]
    assert parts(low, high) == [
        ("b gets further", 29, "second"),
        ("solved by b only", 1, "second-solves"),
    ]
    assert parts(scored("e", [1, 0.1 + 0.2, 0.5]), scored("f", [1, 0.3, 0.2])) == [
        ("e gets further", 1, "first"),
        ("solved by both", 1, "both"),
        ("equally far", 1, "none"),
    ]
    mixed = scored("c", [0.0, 0.3] * 15)
    unsure, same = verdict(low, mixed)
    assert unsure.startswith(
        "No certain difference in mean progress between c and a over 30 tasks: "
    )
    # Which run is ahead more often is another question, with a test of its own.
    often = scored("o", [0.2] * 13 + [0.0] + [0.1] * 16)
    ahead = " is ahead in 13 of the 14 tasks that differ (sign test, p = 0.002)."
    assert f"more, but it{ahead} A difference of" in verdict(low, often)[0]
    assert f"], but o{ahead}" in ranking([low, often]).told
    twice = [
        dataclasses.replace(
            one,
            episodes=[dataclasses.replace(e, cluster=e.task[:2]) for e in one.episodes],
        )
        for one in (low, often)
    ]
    assert "ahead in all 10 instances that differ" in verdict(*twice)[0]
    # Half of the interval, and 0.84 standard errors more.
    interval = contrasts([low, mixed])[0].metrics["progress rate"].difference
    seen = (1.96 + 0.84) / 1.96 * (interval.high - interval.low) / 2
    assert f"A difference of {seen:.2f} would be seen in four of five" in unsure
    # Other measures may differ all the same.
    valid = [
        scored(label, [0.1] * 30, grounding=share, ended=label)
        for label, share in (("a", 1.0), ("g", 0.5))
    ]
    tied = verdict(*valid)[0]
    assert "their difference is 0.00 [-" in tied
    assert tied.endswith(
        "But the grounding accuracy is lower by 0.50 (p < 0.001) for g."
    )
    few = verdict(scored("a", [0.0] * 5), scored("b", [0.9] * 5))[0]
    assert few.endswith("over 5 tasks: p can be below 0.05 from 6 tasks on.")
    assert verdict(low, low) == [
        "Progress and repeats are the same at each step of all 30 tasks; the agents "
        "are the same."
    ]
    assert verdict(low, scored("d", [])) == []


def test_a_run_with_more_steps_is_paired_with_the_one_it_continues(tmp_path, capsys):
    one, more = str(tmp_path / "one"), str(tmp_path / "more")
    asked = [
        "run",
        "--env",
        "aq/2048-v0?goal=16",
        "--episodes",
        "3",
        "--quiet",
    ]
    assert main([*asked, "--max-steps", "6", "--out", one]) == 0
    assert main(["run", "--from", one, "--continue-to", "60", "--out", more]) == 0
    runs = load_runs([one, more])
    gained = sum(e.success for e in runs[1].episodes)
    assert gained
    # That it is the same up to the old cap needs no words.
    (told,) = verdict(*runs)
    assert told.startswith(f"More steps solve {gained} of 3 unsolved tasks; the ")
    assert "[0.00, " in told and told.endswith("which it continues.")
    assert verdict(*reversed(runs)) == [told]
    assert parts(*reversed(runs), "yx") == parts(*runs, "xy")
    shown = {kind: count for _, count, kind in parts(*runs)}
    assert shown["second-solves"] == gained and sum(shown.values()) == 3
    assert ranking(runs).tasks == contrasts(runs)[0].metrics["steps"].pairs == 3
    capsys.readouterr()
    assert main(["compare", one, more]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert " ".join(verdict(*runs)) in shown
    assert "The suites differ" not in shown
    assert shown.count("[0.00, ") == 3


def test_each_environment_says_how_it_counts_progress():
    assert all(counting(row.id) for row in rows() if not row.missing())
    assert counting("other/Game-v0") == ""
