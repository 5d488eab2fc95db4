"""Curves, findings, summaries and tables: every number of the report."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel
from report_runs import MASTERMIND, SUDOKU, play

from aq_gym.cli import main
from aq_gym.evaluation import EpisodeResult, load_run, summarize
from aq_gym.report import latex_table, load_runs, markdown_table
from aq_gym.report.agents import agent_rows, tradeoffs
from aq_gym.report.archive import dump_record
from aq_gym.report.comparability import contrasts, provenance, warnings
from aq_gym.report.content import _different
from aq_gym.report.curves import curves_of
from aq_gym.report.findings import find, observe
from aq_gym.report.overview import aligned, figures_of, stuck_told
from aq_gym.report.ranking import best_first, ranking
from aq_gym.report.record import (
    LONGEST_TEXT,
    episode_record,
    mark_repeats,
    similarity_map,
    text_of,
)
from aq_gym.report.story import story
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
from aq_gym.report.summary import summary_rows
from aq_gym.report.verdicts import parts, verdict
from aq_gym.support.escaping import short, visible
from aq_gym.trajectory import Trajectory


def episode(progress, repeated=None, **more):
    progress = list(progress)
    figures = {
        "task": "t",
        "env": "aq/X-v0",
        "setting": "aq/X-v0",
        "seed": 0,
        "steps": len(progress),
        "progress": progress,
        "progress_rate": max(progress, default=0.0),
        "repeated": list(repeated or [False] * len(progress)),
        "ended": "truncated",
    }
    return EpisodeResult(**{**figures, **more})


def record(actions, **more):
    steps = [{"action": a, "observation": "", "progress": 0.0} for a in actions]
    mark_repeats(steps)
    return {"subgoals": [], "held": [], "steps": steps, **more}


# Curves


def test_the_means_are_those_of_the_evaluation(runs):
    from aq_gym.evaluation.summary import curves

    episodes = load_run(runs[0]).episodes
    ours, theirs = curves_of(episodes), curves(episodes)
    assert ours.progress.mean == pytest.approx(theirs["progress"], abs=1e-4)
    assert ours.repetition.mean == pytest.approx(theirs["repetition"], abs=1e-4)


def test_a_band_holds_the_mean_and_one_episode_has_none():
    rng = np.random.default_rng(0)
    rows = enumerate(rng.random((12, 5)))
    band = curves_of([episode(row, task=f"{n}") for n, row in rows]).progress
    assert all(low < mean < high for mean, low, high in zip(*band, strict=True))
    alone = curves_of([episode([0.1, 0.2])]).progress
    assert alone.mean == [0.1, 0.2]
    assert alone.low == alone.high == []


def test_errors_are_in_no_curve():
    curves = curves_of([episode([1.0]), episode([0.0], error="broke")])
    assert curves.progress.mean == [1.0]
    assert curves_of([]).episodes == 0


# The repetition map


@given(st.lists(st.text(max_size=8), max_size=12))
def test_the_map_is_the_levenshtein_ratio_of_every_pair(actions):
    distinct, rows = similarity_map(actions)
    for a, first in enumerate(actions):
        for b, second in enumerate(actions):
            x, y = distinct[a], distinct[b]
            percent = 100 if x == y else rows[max(x, y)][min(x, y)]
            ratio = Indel.normalized_similarity(first, second)
            assert abs(percent - 100 * ratio) <= 1


def test_a_long_episode_of_long_actions_is_bounded():
    distinct, rows = similarity_map([f"{n}" + "x" * 100_000 for n in range(1000)])
    assert len(distinct) == 400
    assert sum(map(len, rows)) == 400 * 399 / 2


# Findings


def sentences(pairs):
    observed = [observe(e, r) for e, r in pairs]
    names = milestones(observed)
    found = find(observed, names, bottlenecks(observed, names)[""])
    return " ".join(finding.text for finding in found)


def test_a_stall_is_found_with_its_step_and_its_repetition():
    progress = [0.1 * n for n in range(1, 6)] + [0.5] * 25
    stalled = episode(progress, [False] * 5 + [True] * 25)
    text = sentences([(stalled, record(["x"] * 30))] * 3)
    assert "Stalls at step 5 of 30" in text
    assert "with repetition rising" in text
    # The first of thirty equal actions repeats none.
    shares = "80% of the 15 actions repeat one and get the same answer up to there"
    assert f"{shares}, 100% of the 75 after" in text
    assert "Loops in all 3 unsolved episodes: a quarter or more of the" in text
    assert "Does not solve 3 of 3 episodes" in text
    idle = episode([0.0] * 4, [False, True, True, True])
    text = sentences([(idle, record(["x"] * 4))] * 2)
    assert "without any progress in all 2 unsolved episodes; 75% of the 8" in text


def test_an_agent_that_progresses_to_the_end_does_not_stall():
    climbing = episode([n / 40 for n in range(30)])
    assert "Stalls" not in sentences([(climbing, record(map(str, range(30))))])


def test_actions_that_come_again_and_lead_on_are_no_loop():
    """In 2048, for example, the four moves have to be repeated, with new answers."""
    moving = record(["left"] * 30)
    for number, step in enumerate(moving["steps"]):
        step["observation"] = f"board {number}"
        step.pop("again", None)
    mark_repeats(moving["steps"])
    text = sentences([(episode([0.5] + [0.0] * 29, [True] * 30), moving)] * 3)
    # What does not repeat is no explanation.
    assert "that made progress). " in text
    assert "Loops" not in text


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("Guess 1 of 6: n: grey.\nYou have 5 guesses left.",
         "Guess 3 of 6: n: grey.\nYou have 3 guesses left.", True),
        ("Lamp. Moves: 12", "Lamp. Moves: 13", True),
        ("You have 2 tries left.", "You have 1 more try left.", False),
        ("A ball 2 steps in front of you", "A ball 1 steps in front of you", False),
        ("Your score is 4.", "Your score is 8.", False),
        ("You have 3 coins.", "You have 2 coins.", False),
        ("You move 3 spaces on.", "You move 5 spaces on.", False),
    ],
)  # fmt: skip
def test_an_answer_is_the_same_if_only_numbers_of_steps_differ(before, after, same):
    steps = [{"action": "x", "observation": text} for text in (before, "-", after)]
    mark_repeats(steps)
    assert [step.get("again") for step in steps] == [None, None, 1 if same else None]


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


def test_numbers_in_notes_are_short():
    notes = {"latency": 0.07787696299999425, "prompt_tokens": 3228123.0, "seed": None}
    step = {"t": 1, "action": "a", "observation": "", "info": {}, "notes": notes}
    played = Trajectory(Path("x"), {"observation": "", "info": {}}, [step], None, False)
    shown = episode_record(episode([0.0]), played)["steps"][0]["notes"]
    assert shown == {"latency": "0.0779", "prompt_tokens": "3,228,123", "seed": "null"}


def test_the_subgoal_that_most_episodes_miss_first_is_the_bottleneck():
    names = ["the key was seen", "door open"]
    first = record(["a"], subgoals=names, held=[0])
    missed = record(["a"], subgoals=names)
    pairs = [(episode([0.0]), first)] * 3 + [(episode([0.0]), missed)] * 12
    text = sentences(pairs)
    assert "Gets stuck most often at “the key was seen”, the first subgoal" in text
    assert "missed in 12 of 15 unsolved episodes." in text
    assert "“door open”, the first" in sentences(pairs[:3])
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
    told = " ".join(finding.text for finding in find(seen, shown, None))
    assert "Misses “the key was seen” most often, in all 3 unsolved episodes." in told
    assert "first subgoal" not in told
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
    assert "“fly” 2 times, which is answered “You can't fly.”" in text


def test_findings_name_the_steps_that_show_them():
    steps = record(["look", "fly", "fly", "x"])
    for step in steps["steps"][1:3]:
        step.update(invalid=True, feedback="You can't fly.")
    fallen = episode([0.2, 0.5, 0.3, 0.0], [False, False, True, False])
    found = find([observe(fallen, steps)] * 3, [], None)
    shown = {f.text[:5]: f.examples[0][1] for f in found if f.examples}
    assert shown["50% o"] == 2
    assert shown["Ends "] == 3
    assert shown["Does "] == 0


def test_answers_that_the_token_limit_cut_off_are_counted():
    steps = record(["a", "b"])
    for step, reason in zip(steps["steps"], ("length", "stop"), strict=True):
        step["notes"] = {"finish_reason": reason}
    assert "1 of 2 answers (50%) are cut off" in sentences([(episode([0, 0]), steps)])


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
        "Net waste: 1 step more than the expert's way from the start.",
        "One secret was left after step 2: never said.",
        "From step 4 on the expert needs more steps than are left.",
        "Steps to go, by the expert of aq-gym 1: estimate; lost: proven; the expert "
        "knows no more than the agent.",
    ]
    assert "One secret was left after step 1: said 2 steps later." in story(said)
    text = sentences([(knew, record("abcd")), (said, record("abc"))])
    assert "Net waste: 0.5 steps on average in 2 episodes, beyond those of the" in text
    assert "expert." in text and "which knows more" not in text
    told = "was determined after step 2 (median of 2 episodes), said 2 steps later in 1"
    assert f"{told}, never said in 1." in text
    assert "Runs out of steps with 1 to go (median) in the unsolved episode" in text
    assert "from step 4 on the expert needs more steps than are left." in text
    again = [(knew, record("abbb")), (said, record("abc"))]
    assert "never said in 1; 2 of the actions after it repeat one" in sentences(again)
    seen = find([observe(said, record("abc")), observe(knew, record("abcd"))], [], None)
    shown = {one.text[:10]: one.examples for one in seen}
    assert shown["The answer"] == [("t", 2)]
    assert "determined" not in sentences([(episode([0.0]), record("a"))])


def test_a_loss_is_told_only_where_it_is_proven():
    told = "At the end the expert finds no way, which proves no loss."
    lost = episode([0.0] * 3, steps_to_go=[3, 2, -1, -1], env="aq/GSM8K-v0")
    given_up = dataclasses.replace(lost, env="aq/ToolOperation-v0")
    assert "Lost at step 2." in story(lost)
    assert told in story(given_up) and told not in story(lost)
    pairs = [[(one, record("abc"))] for one in (lost, given_up)]
    assert "Lost at step 2 (median of the unsolved episode)" in sentences(pairs[0])
    assert "Lost" not in sentences(pairs[1]) + " ".join(story(given_up))


def test_an_episode_has_its_steps_to_go_once_they_are_counted():
    played = Trajectory(Path("t"), {"info": {}, "observation": ""}, [], None, 0)
    one = episode([0.0], steps_to_go=[2, -1], secrets_left=[5, 4])
    shown = episode_record(one, played)
    assert (shown["togo"], shown["left"]) == ([2, -1], [5, 4])
    assert shown["story"] == story(one)
    assert not {"togo", "story"} & episode_record(episode([0.0]), played).keys()


def test_solved_episodes_and_errors_are_named():
    solved = episode([1.0], success=True)
    broken = episode([], error="ValueError: x", ended="error")
    text = sentences([(solved, record(["a"])), (broken, {})])
    assert "Solves its episode, in 1.0 steps" in text
    assert "1 episode ends with the error “ValueError: x”" in text


# Records


def test_a_text_of_a_megabyte_is_cut_and_says_so():
    text = text_of("x" * 1_000_000)
    assert len(text) < LONGEST_TEXT + 100
    assert text.endswith("[900,000 more characters are in the file]")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        "progress", "best_progress", "subgoals", "goal", "feedback", "action_valid",
        "action_repeated", "extracted_action", "error", "completion", "prompt",
        "finish_reason", "tokens",
    ]
)  # fmt: skip
INFO = st.dictionaries(KEYS, JSON)


@example(0, {}, [(0, 0, {"progress": 10**400}, {})])
@example(0, {}, [(0, 0, {}, {"prompt": "abc", "requests": [{"turns": 0}]})])
@given(JSON, INFO, st.lists(st.tuples(JSON, JSON, INFO, INFO | JSON), max_size=3))
@pytest.mark.slow
def test_any_trajectory_can_be_shown(start, info, steps):
    played = Trajectory(
        Path("x"),
        {"observation": start, "info": info},
        [
            {"t": t, "action": action, "observation": o, "info": i, "notes": notes}
            for t, (action, o, i, notes) in enumerate(steps, 1)
        ],
        None,
        False,
    )
    shown = episode_record(episode([0.5]), played, lambda _: None)
    json.loads(dump_record(shown))
    assert all(isinstance(step["progress"], float) for step in shown["steps"])
    find([observe(episode([0.5]), shown)], ["solved"], None)


def test_the_steps_of_a_foreign_environment_are_read():
    """Its progress is a NumPy number, and only the info of reset has subgoals."""
    played = Trajectory(
        Path("x"),
        {"observation": "", "info": {"subgoals": {"a": True, "b": np.bool_(False)}}},
        [
            {
                "t": 1,
                "action": "a",
                "observation": "",
                "info": {"progress": np.float32(0.5)},
            }
        ],
        None,
        False,
    )
    shown = episode_record(episode([0.5]), played, lambda _: None)
    assert shown["held"] == [0]
    assert shown["steps"] == [{"action": "a", "observation": "", "progress": 0.5}]


def test_a_key_in_a_foreign_manifest_is_not_shown(runs):
    run = load_runs(runs)[0]
    deep = [[]]
    for _ in range(400):
        deep = [deep]
    params = {"api_key": "k-1", "client": [{"password": "k-2"}], "top_p": 1, "x": deep}
    facts = dict(
        provenance(dataclasses.replace(run, manifest={"agent_params": params}))
    )
    assert "k-" not in str(facts.values())
    assert facts["api_key"] == facts["client"] == "[a key or password, not shown]"
    assert facts["top_p"] == "1"


@given(st.text())
def test_what_is_shown_has_no_controls_and_no_marks_of_direction(text):
    shown = visible(text)
    assert not any(ord(c) < 32 and c not in "\n\t" for c in shown)
    assert not set(shown) & set(
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )
    assert len(short(text, 20)) <= 20
    shown.encode()


# Summary and tables


def test_the_rows_are_over_all_environments_and_each(runs):
    rows = summary_rows(load_runs(runs))
    assert {row.env for row in rows} >= {"all", MASTERMIND, SUDOKU}
    first = next(r for r in rows if (r.env, r.run) == (SUDOKU, "expert (privileged)"))
    own = [e for e in load_run(runs[1]).episodes if e.env == SUDOKU]
    assert first.estimates["progress rate"].value == pytest.approx(
        np.mean([e.progress_rate for e in own])
    )
    assert first.estimates["final progress"].value == pytest.approx(
        np.mean([e.progress[-1] for e in own])
    )


def test_runs_are_named_by_agent_or_else_by_folder(runs, tmp_path):
    assert [run.label for run in load_runs(runs)] == ["random", "expert (privileged)"]
    again = play(tmp_path / "again", "random")
    assert [r.label for r in load_runs([runs[0], again])] == [
        "random in random",
        "random in again",
    ]
    with pytest.raises(ValueError, match="more than once"):
        load_runs([runs[0], runs[0]])
    with pytest.raises(ValueError, match="at least one run"):
        load_runs([])


def test_differences_are_paired_with_the_first_run(runs):
    found = contrasts(load_runs(runs))
    assert found[0].env == "all"
    assert found[0].metrics["progress rate"].difference.value > 0
    assert found[0].metrics["progress rate"].pairs == 9
    assert found[0].wins + found[0].ties + found[0].losses == 9
    turned = next(
        c for c in found if c.first == "expert (privileged)" and c.env == "all"
    )
    difference = found[0].metrics["progress rate"].difference
    other = turned.metrics["progress rate"].difference
    assert other == (-difference.value, -difference.high, -difference.low)
    assert (turned.wins, turned.losses) == (found[0].losses, found[0].wins)


def test_the_ranking_is_over_the_tasks_that_every_run_finished(runs, stubborn):
    random, expert = load_runs(runs)
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
    contrast = next(
        c
        for c in contrasts([short, expert])
        if (c.first, c.env) == ("expert (privileged)", "all")
    )
    behind = found.rows[1].behind
    assert behind.difference == contrast.metrics["progress rate"].difference
    common = {e.task for e in short.episodes if not e.error}
    kept = [e for e in expert.episodes if e.task in common]
    assert found.rows[0].progress == summarize(kept)["progress rate"]
    assert found.told.startswith("expert (privileged) makes the most progress: ")
    assert "over 7 tasks. That is 0." in found.told
    ahead = -behind.difference.value, -behind.difference.high, -behind.difference.low
    assert "{:.2f} [{:.2f}, {:.2f}] more than random".format(*ahead) in (found.told)
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
    found = ranking([second, first])
    assert "better in 1 of 3 environments: Y (b). Only a solves tasks in X (12 of" in (
        found.told
    )
    assert "chance" not in found.told
    # If all are equal, none is the best.
    assert found.best == {"aq/X-v0": "0.90", "aq/Y-v0": "0.30"}
    many = [scored(f"{n}", X=n / 9) for n in range(9)]
    assert [one.label for one in best_first(many)] == list("087654321")
    assert best_first([second, first]) == [second, first]
    close = ranking([first, scored("c", X=0.9, Y=0.2, Z=0)])
    assert "That is 0.00 [" in close.told
    assert "more than c; this may be chance. c is better in none of the 3" in close.told
    three = ranking([first, second, scored("c", X=0.5, Y=0.1, Z=0)]).told
    assert "Of a's actions 90% are valid, of the other's 10%." in found.told
    assert "Of a's actions 90% are valid, of the others' 10% to 50%." in three
    assert "more than the next, c" in three
    assert "No other run" in ranking([first] * 3).told
    assert "are valid" not in close.told
    alone = ranking([first]).told
    assert alone.startswith("Solves 12 of 36 tasks: all in X; none in Y and Z. Its ")
    many = dict(X=0.9, A=1.0, B=0, C=0, D=0.9, E=0, F=0)
    assert ranking([scored("d", **many)]).told.startswith(
        "Solves 36 of 84 tasks: the most in X (12 of 12), A (12 of 12) and D (12 of "
        "12), none in 4 environments. Its progress"
    )
    one = dict.fromkeys("ABCDEFG", 0.0) | {"E": 0.9}
    told = ranking([scored("d", **one)]).told
    assert "tasks: the most in E (12 of 12), none in 6 environments. Its" in told
    many |= dict(B=0.5, C=0.9)
    told = ranking([scored("d", **many)]).told
    assert "(12 of 12), the fewest in F (0 of 12), E (0 of 12) and B" in told
    # A run that shares no task hides no ranking of the others.
    apart = scored("apart", T=0.9)
    found = ranking([apart, first, second])
    assert [row.number for row in found.rows] == [1, 2]
    assert found.told.endswith("apart has no finished task in common with these runs.")
    assert " 4 runs have no finished" in ranking([*[apart] * 4, first, second]).told
    longer = scored("longer", **dict.fromkeys("TUVW", 0.9))
    assert [row.run for row in ranking([longer, first, second]).rows] == ["a", "b"]
    assert ranking([apart, first]) is None


def test_runs_that_are_not_comparable_say_so(runs, stubborn):
    random = load_runs([runs[0]])[0]
    told = warnings(load_runs([runs[0], stubborn]))
    assert any(
        "different suites" in text and "3 tasks in common" in text for text in told
    )
    later = {
        **random.manifest,
        "versions": {**random.manifest["versions"], "aq-gym": "9"},
    }
    newer = dataclasses.replace(random, label="newer", manifest=later)
    told = warnings([random, newer])
    assert len(told) == 1
    assert "newer differs from random in versions.aq-gym" in told[0]
    half = dataclasses.replace(random, episodes=random.episodes[:2])
    assert "2 of 9 episodes are finished" in warnings([half])[0]


def test_the_tables_hold_a_row_for_each_run_and_environment(runs):
    loaded = load_runs(runs)
    lines = markdown_table(loaded).splitlines()
    # Three environments, and the means over tasks and over environments.
    assert len(lines) == 2 + 2 * 5
    assert lines[0].startswith(
        "| environment | run | episodes | success rate | progress"
    )
    assert len({line.count(" | ") for line in lines}) == 1
    latex = latex_table(loaded).splitlines()
    assert latex[1].startswith(r"\begin{tabular}{lr")
    assert latex[-1] == r"\end{tabular}}"
    # A heading; a title and two runs in each of five groups; a title and a difference
    # in four of them.
    assert sum(line.endswith(r"\\") for line in latex) == 1 + 5 * 3 + 4 * 2


def test_a_latex_table_of_an_environment_has_its_best_bold(runs):
    loaded = load_runs(runs)
    lines = latex_table(loaded, SUDOKU).splitlines()
    assert lines[5].endswith(rf"{{l}}{{\emph{{{SUDOKU} (generated)}}}} \\")
    assert lines[8].endswith(r"{l}{\quad minus random:} \\")
    rows = [line.split(" & ") for line in (*lines[6:8], lines[9])]
    assert [row[0] for row in rows] == [
        "random",
        "expert (privileged)",
        r"\quad expert (privileged)",
    ]
    # The value, with the ends of the interval as distances.
    low, high = (e for e in summary_rows(loaded) if e.env == SUDOKU and not e.by)
    value, left, right = (round(end, 2) for end in low.estimates["progress rate"])
    up, down = f"{right - value:.2f}"[1:], f"{value - left:.2f}"[1:]
    assert rows[0][3] == f"${value:.2f}^{{+{up}}}_{{-{down}}}$"
    best = high.estimates["progress rate"].value
    assert rows[1][3].startswith(rf"$\mathbf{{{best:.2f}}}^")
    # A difference of three pairs is not significant, one of twelve is.
    assert rows[2][3].startswith("$+0.")
    low, high = (
        dataclasses.replace(
            loaded[0],
            label=label,
            episodes=[
                episode([value + n / 100], task=f"{n}", task_id=f"{n}")
                for n in range(12)
            ],
        )
        for label, value in (("low", 0.1), ("high", 0.8))
    )
    (compared,) = [
        line for line in latex_table([high, low]).splitlines() if "quad low" in line
    ]
    assert compared.split(" & ")[3].startswith(r"$\mathbf{-0.70}^{+")
    with pytest.raises(ValueError, match="must be one of"):
        latex_table(loaded, "aq/None-v0")
    assert markdown_table(loaded, SUDOKU).count("\n") == 4


def test_hostile_names_are_escaped_in_the_tables(runs):
    run = dataclasses.replace(load_runs([runs[0]])[0], label="a|b_c$d\\e")
    assert r"a\|b\_c$d\\e" in markdown_table([run])
    assert r"a\textbar{}b\_c\$d\textbackslash{}e" in latex_table([run])


def test_runs_of_one_agent_are_grouped_with_their_spread(runs):
    (run,) = load_runs(runs[:1])
    usages = (
        {"cost": 0.5, "tokens": 10, "latency": 2.0},
        {"cost": 1.5, "tokens": 30, "latency": 4.0},
        {"tokens": 20},
    )
    values = (0.2, 0.4, 0.9)
    seeds = [
        dataclasses.replace(
            run,
            label=f"a-model-with-a-long-name, seed={n}",
            manifest={
                "agent": "a",
                "agent_params": {"seed": n, "t": 1} if n < 2 else {},
            },
            episodes=[episode([value], usage=usage)],
        )
        for n, (value, usage) in enumerate(zip(values, usages, strict=True))
    ]
    rows = summary_rows(seeds)
    (group,) = agent_rows(seeds, rows)
    assert (group.agent, group.numbers, group.env) == ("a (t=1)", [0, 1], "aq/X-v0")
    assert group.spreads["progress rate"] == pytest.approx((0.3, 0.02**0.5))
    # Runs of other tasks have no mean in common.
    other = dataclasses.replace(seeds[1], episodes=[episode([0.4], setting="aq/Y-v0")])
    assert agent_rows([seeds[0], other], rows) == []
    assert [(row.cost, row.latency) for row in rows] == [
        (0.5, 2.0),
        (1.5, 4.0),
        (None, None),
    ]
    cost, tokens, latency = tradeoffs(seeds, rows)
    assert latency.name == "latency per episode, in seconds"
    assert [point["cost"] for point in latency.points] == [2.0, 4.0]
    assert cost.name == "cost per episode, in US dollars"
    assert tokens.name == "tokens per episode"
    assert [point["cost"] for point in cost.points] == [0.5, 1.5]
    assert [(p["x"], p["y"]) for p in tokens.points] == [
        (70, 136),
        (210, 102),
        (140, 17),
    ]
    # The common beginning of the labels is left out.
    shorts = [point["short"] for point in tokens.points]
    assert shorts == ["seed=0", "seed=1", "seed=2"]
    # Of many runs, only those that have a colour have a label.
    many = [seeds[2], *[seeds[0]] * 9]
    cost, *_ = tradeoffs(many, summary_rows(many))
    labelled = [point["number"] for point in cost.points if "label_y" in point]
    assert labelled == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(("steps", "told"), [(1000, "<1%"), (1, "100%"), (2, "50%")])
def test_only_all_and_none_are_rounded_to_all_and_none(steps, told):
    seen = observe(episode([0.0] * steps), {"steps": [], "subgoals": []})
    seen.steps = steps
    seen.invalid[("x", "no")] = [1]
    found = [one.text for one in find([seen], [], None) if one.kind == "invalid"]
    assert found[0].startswith(f"{told} of its actions (1 of {steps}) are invalid: it")


def test_a_metric_that_is_registered_is_in_the_summary(runs, monkeypatch):
    from aq_gym.evaluation.metrics import METRICS, Metric

    luck = Metric("luck", lambda e: 7.0, digits=3, shown="table")
    monkeypatch.setitem(METRICS, "luck", luck)
    assert "| luck |" in markdown_table(load_runs(runs[:1]))
    assert "| 7.000 |" in markdown_table(load_runs(runs[:1]))


def test_findings_are_ranked_over_environments_and_kinds(runs):
    def found(env, weight, kind):
        return {"env": env, "weight": weight, "kind": kind}

    loops = [found(env, 5.0, "loops") for env in "XYZ"]
    other = found("X", 4.0, "invalid")
    assert _different([*loops, other], 3) == [loops[0], loops[1], other]
    said = record(["look"] * 19 + ["go"])
    for step in said["steps"][:19]:
        step.update(invalid=True, feedback="No.")
    first, *_ = find([observe(episode([0.0] * 20), said)] * 2, [], None)
    assert first.text.startswith("95% of its actions (38 of 40) are invalid: it says")
    assert (first.share, first.examples[0]) == (0.95, ("t", 1))


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
    assert shown["loops"].text == "1 of 4"
    assert shown["cut short"].text == "1 of 3"
    assert "sort=-looping" in shown["loops"].link
    cost = shown["cost per episode"]
    assert cost.text == "$0.0123"
    assert cost.note == "$0.0492 in all, $0.0492 per solved task, $0.0082 per subgoal"
    assert shown["tokens per episode"].text == "3,228,123"
    unsolved = dataclasses.replace(run, episodes=episodes[:1])
    notes = {one.name: one.note for one in figures_of(unsolved, {"a": (3, 0)})}
    assert notes["cost per episode"] == "$0.0123 in all"
    bare = figures_of(dataclasses.replace(run, episodes=episodes[:0]), {})
    broken = [episode([0.0], error="broke"), episode([1.0], success=True)]
    shown = [dataclasses.replace(run, episodes=broken[n:]) for n in range(3)]
    assert [stuck_told([one]) for one in shown] == ["", "It solves every episode.", ""]
    assert [[one.text for one in row] for row in aligned([bare, [cost]])] == [
        ["0 of 0", "-"],
        ["-", "$0.0123"],
    ]


def test_a_verdict_has_the_effect_the_power_and_whether_runs_are_the_same(runs):
    (run,) = load_runs(runs[:1])

    def scored(label, values, **more):
        episodes = [
            episode([v], task=f"t{n}", task_id=f"{n}", success=v == 1)
            for n, v in enumerate(values)
        ]
        return dataclasses.replace(run, label=label, episodes=episodes, **more)

    low, high = scored("a", [0.1] * 30), scored("b", [0.9] * 29 + [1.0])
    better, only, same = verdict(low, high)
    assert better.startswith("b makes more progress than a: 0.80 [0.")
    assert better.endswith("] more over 30 tasks (p < 0.001).")
    assert only == "b solves 1 task that a does not, and a 0 that b does not."
    assert same == (
        "The results are the same at each step in 0 of 30 tasks; the agents are the "
        "same."
    )
    assert verdict(high, low)[0] == better
    far = [
        dataclasses.replace(one, label=f"a/longer/folder/of/runs/{one.label}")
        for one in (low, high)
    ]
    assert verdict(*far) == [better, only, same]
    assert parts(low, high) == [("b gets further", 30, "second")]
    mixed = scored("c", [0.0, 0.3] * 15)
    unsure, same = verdict(low, mixed)
    assert unsure.startswith("No certain difference between a and c over 30 tasks: ")
    # Half of the interval, and 0.84 standard errors more.
    interval = contrasts([low, mixed])[0].metrics["progress rate"].difference
    seen = (1.96 + 0.84) / 1.96 * (interval.high - interval.low) / 2
    assert f"One of {seen:.2f} would be seen in four of five" in unsure
    few = verdict(scored("a", [0.0] * 5), scored("b", [0.9] * 5))[0]
    assert few.endswith("over 5 tasks: p can be below 0.05 from 6 tasks on.")
    assert verdict(low, low)[1].startswith(
        "The results are the same at each step of all"
    )
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
    told = verdict(*runs)[0]
    assert told.startswith(f"More steps help in {gained} of 3 unsolved tasks, which ")
    assert told.endswith("which it continues; this may be chance.")
    assert verdict(*reversed(runs))[0] == told
    assert parts(*reversed(runs)) == parts(*runs)
    shown = {kind: count for _, count, kind in parts(*runs)}
    assert shown["second"] >= gained and sum(shown.values()) == 3
    assert ranking(runs).tasks == contrasts(runs)[0].metrics["steps"].pairs == 3
    capsys.readouterr()
    assert main(["compare", one, more]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert " ".join(verdict(*runs)) in shown
    assert "The suites differ" not in shown
