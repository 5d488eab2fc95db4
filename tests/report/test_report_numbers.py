"""Curves, records, summaries and tables: every number of the report."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel
from report_runs import MASTERMIND, SUDOKU, episode, play

from aq_gym.evaluation import compare, load_run
from aq_gym.report import latex_table, load_runs, markdown_table
from aq_gym.report.agents import agent_rows, pooled, tradeoffs
from aq_gym.report.archive import dump_record
from aq_gym.report.collect import observe
from aq_gym.report.comparability import contrasts, provenance, warnings
from aq_gym.report.curves import curves_of
from aq_gym.report.data import told_apart
from aq_gym.report.findings import find
from aq_gym.report.ranking import ranking
from aq_gym.report.record import (
    LONGEST_TEXT,
    episode_record,
    mark_repeats,
    similarity_map,
    text_of,
)
from aq_gym.report.story import story
from aq_gym.report.summary import summary_rows
from aq_gym.support.escaping import short, visible
from aq_gym.trajectory import Trajectory

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


# Records


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


def test_numbers_in_notes_are_short():
    notes = {"latency": 0.07787696299999425, "prompt_tokens": 3228123.0, "seed": None}
    step = {"t": 1, "action": "a", "observation": "", "info": {}, "notes": notes}
    played = Trajectory(Path("x"), {"observation": "", "info": {}}, [step], None, False)
    shown = episode_record(episode([0.0]), played)["steps"][0]["notes"]
    assert shown == {"latency": "0.0779", "prompt_tokens": "3,228,123", "seed": "null"}


def test_an_episode_has_its_steps_to_go_once_they_are_counted():
    step = {"t": 1, "action": "buy", "observation": "", "info": {}}
    played = Trajectory(Path("t"), {"info": {}, "observation": ""}, [step] * 2, None, 0)
    one = episode([0.0], steps_to_go=[2, -1], secrets_left=[5, 4], env="aq/GSM8K-v0")
    shown = episode_record(one, played)
    assert (shown["togo"], shown["left"]) == ([2, -1], [5, 4])
    assert shown["story"] == story(one, ["buy"]) != story(one)
    # Its file does not note them.
    assert ["repeated" in step for step in shown["steps"]] == [False, True]
    assert not {"togo", "story"} & episode_record(episode([0.0]), played).keys()


@pytest.mark.parametrize(
    "fields, end",
    [
        ({"ended": "truncated", "cap": 9, "cap_reached": "max_invalid"}, "2 invalid"),
        ({"ended": "truncated", "cap": 3}, "out of steps"),
        ({"ended": "truncated", "cap": 9}, ""),
        ({"ended": "terminated", "cap": 3}, ""),
        ({"ended": "truncated", "cap": 3, "success": True}, ""),
    ],
)
def test_an_unsolved_episode_says_why_it_was_cut_off(fields, end):
    steps = [
        {"t": 1, "action": "a", "observation": "", "info": {"action_valid": valid}}
        for valid in (True, False, False)
    ]
    played = Trajectory(Path("t"), {"info": {}, "observation": ""}, steps, None, False)
    shown = episode_record(episode([0.0] * 3, **fields), played)["end"]
    assert shown == (f"{end} actions in a row" if "invalid" in end else end)


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
    """Its run has another measure as progress; only the info of reset has subgoals."""
    played = Trajectory(
        Path("x"),
        {"observation": "", "info": {"subgoals": {"a": True, "b": np.bool_(False)}}},
        [
            {
                "t": 1,
                "action": "a",
                "observation": "",
                "info": {"progress": np.float32(0.2), "score": 0.5},
                "notes": {"prompt": "Play.", "completion": "b"},
            }
        ],
        None,
        False,
    )
    shown = episode_record(episode([0.5]), played, lambda _: None)
    assert shown["held"] == [0]
    (step,) = shown["steps"]
    assert step["progress"] == 0.5
    assert step["completion"] == "b"
    assert step["notes"] == {"prompt": "Play."}


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
    random, expert = load_runs(runs)
    # A task that only one of them has does not count, nor does its source.
    more = dataclasses.replace(expert.episodes[0], task="more", source="published")
    expert = dataclasses.replace(expert, episodes=[*expert.episodes, more])
    found = contrasts([random, expert])
    assert found[0].title == "mean over tasks (generated)"
    assert found[0].env == "all"
    assert found[0].metrics["progress rate"].difference.value > 0
    assert found[0].metrics["progress rate"].pairs == 9
    assert sum(found[0].metrics["progress rate"].signs) == 9
    # The better one minus the other, as the sentence has it.
    turned = contrasts([expert, random])[0]
    assert (turned.first, turned.second) == (found[0].first, found[0].second)
    assert [
        (one.signs, pytest.approx(one.difference)) for one in turned.metrics.values()
    ] == [(one.signs, one.difference) for one in found[0].metrics.values()]
    # Of more than a dozen, each is compared with the first only.
    many = [dataclasses.replace(random, label=f"{n}") for n in range(13)]
    assert {one.first for one in contrasts(many)} == {"0"}
    assert len({(one.first, one.second) for one in contrasts(many[1:])}) == 66


def test_runs_that_are_not_comparable_say_so(runs, stubborn):
    random = load_runs([runs[0]])[0]
    # Over which tasks runs of other suites are compared stands beside the figures.
    assert not warnings(load_runs([runs[0], stubborn]))
    later = {
        **random.manifest,
        "versions": {**random.manifest["versions"], "aq-gym": "9"},
    }
    newer = dataclasses.replace(random, label="newer", manifest=later)
    told = warnings([random, newer])
    assert len(told) == 1
    assert "versions.aq-gym: " in told[0] and told[0].endswith("'9' in newer")
    # A package that only one suite needs changes no task of both.
    later["versions"]["an-engine"] = "1"
    assert warnings([random, newer]) == told
    assert warnings([random, *[newer] * 4])[0].endswith(" in random, '9' in 4 runs")
    more = {"notes": {"tasks": 9000}}
    half = dataclasses.replace(random, manifest=random.manifest | more)
    assert "9 of 9,000 episodes are finished" in warnings([half])[0]


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
    # Of several agents, each is compared as one run with an attempt by each of its own.
    assert pooled(seeds, {(0, 1): "a (t=1)", (2,): ""}) == []
    best, next_ = pooled(seeds, {(1, 2): "b", (0, 1): "a (t=1)"})
    assert [best.label, next_.label] == ["b (2 runs)", "a (t=1) (2 runs)"]
    (compared,) = compare(next_.episodes, best.episodes, ["progress rate"]).values()
    assert (compared.pairs, compared.difference.value) == (1, pytest.approx(0.35))
    assert next_.manifest["agent_params"] == {"t": 1, "seed": None}
    # Their names tell them from a run that stands alone, too.
    kinds = [{"agent": "m:LongNamedExpert", "agent_params": {"t": t}} for t in "1122"]
    five = [
        dataclasses.replace(run, label=str(n), manifest=own)
        for n, own in enumerate([*kinds, {"agent": "random"}])
    ]
    named = {row.agent for row in agent_rows(five, summary_rows(five))}
    assert named == {f'LongNamedExpert (t="{t}")' for t in "12"}
    # Runs of other tasks have no mean in common.
    other = dataclasses.replace(seeds[1], episodes=[episode([0.4], setting="aq/Y-v0")])
    assert agent_rows([seeds[0], other], rows) == []
    assert [(row.cost, row.latency) for row in rows] == [
        (0.5, 2.0),
        (1.5, 4.0),
        (None, None),
    ]
    names = told_apart([run.label for run in seeds])
    cost, tokens, latency = tradeoffs(seeds, names, ranking(seeds))
    assert latency.name == "latency per episode, in seconds"
    assert [point["cost"] for point in latency.points] == [4.0, 2.0]
    assert cost.name == "cost per episode, in US dollars"
    assert tokens.name == "tokens per episode"
    assert [point["cost"] for point in cost.points] == [1.5, 0.5]
    assert [(p["x"], p["y"]) for p in tokens.points] == [
        (131.2, 17),
        (196.9, 102),
        (65.6, 136),
    ]
    # The common beginning of the labels is left out.
    shorts = [point["short"] for point in tokens.points]
    assert shorts == ["seed=2", "seed=1", "seed=0"]
    # A run with few of the tasks is no better for having only easy ones.
    seeds[:2] = [
        dataclasses.replace(run, episodes=[*run.episodes, *own])
        for run in seeds[:2]
        for own in [[episode([0.1], task=f"{n}", usage={"tokens": 9}) for n in "12"]]
    ]
    # Nor is one dearer, or worse, for a task that others lack.
    more = episode([0.0], task="3", usage={"tokens": 900})
    seeds[0] = dataclasses.replace(seeds[0], episodes=[*seeds[0].episodes, more])
    (tokens,) = tradeoffs(seeds, names, ranking(seeds))[1:2]
    assert [(p["number"], p["progress"], p["cost"]) for p in tokens.points] == [
        (1, pytest.approx(0.2), 16),
        (0, pytest.approx(0.4 / 3), pytest.approx(28 / 3)),
    ]
    assert [
        (row.number, row.progress.value, row.behind.pairs)
        for row in ranking(seeds).apart
    ] == [(2, 0.9, 1)]
    names = [f"an expert (privileged) (seed={seed})" for seed in (0, 1)]
    assert told_apart(names) == ["seed=0", "seed=1"]
    # Of many runs, only those that have a colour have a label.
    many = [seeds[2], *[seeds[0]] * 9]
    cost, *_ = tradeoffs(many, ["a"] * 10, ranking(many))
    labelled = [point["number"] for point in cost.points if "label_y" in point]
    assert labelled == [1, 2, 3, 4, 5, 6, 7]


def test_a_metric_that_is_registered_is_in_the_summary(runs, monkeypatch):
    from aq_gym.evaluation.metrics import METRICS, Metric

    luck = Metric("luck", lambda e: 7.0, digits=3, shown="table")
    monkeypatch.setitem(METRICS, "luck", luck)
    assert "| luck |" in markdown_table(load_runs(runs[:1]))
    assert "| 7.000 |" in markdown_table(load_runs(runs[:1]))
