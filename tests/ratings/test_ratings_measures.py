"""The measures of ratings, which criteria are dropped, and the authors' files."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aq_gym.ratings import (
    Criterion,
    Ratings,
    Thresholds,
    published_criteria,
    published_ratings,
    verify,
)
from aq_gym.ratings.measures import (
    area_under_curve,
    coefficient_of_variation,
    kendall_tau,
    krippendorff_alpha,
    normalized_entropy,
    weighted_kappa,
)

# Krippendorff (2011), section C: four observers, twelve units.
PUBLISHED = [
    [1, 1, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [5, 5, 5], [1, 1], [3],
]  # fmt: skip


def test_alpha_has_the_published_values():
    assert krippendorff_alpha(PUBLISHED, ordinal=False) == pytest.approx(
        0.743, abs=5e-4
    )
    assert krippendorff_alpha(PUBLISHED) == pytest.approx(0.815, abs=5e-4)


def test_alpha_at_its_ends():
    assert krippendorff_alpha([[0, 0], [2, 2]]) == 1.0
    assert krippendorff_alpha([[0, 2], [2, 0]]) < 0
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([[1], [2]]) is None
    assert krippendorff_alpha([]) is None


def test_kappa():
    # 20 and 15 agreements, 5 and 10 disagreements: kappa 0.4.
    first = [0] * 25 + [1] * 25
    second = [0] * 20 + [1] * 5 + [0] * 10 + [1] * 15
    for power in (0, 1, 2):
        assert weighted_kappa(first, second, 2, power) == pytest.approx(0.4)
    # Both disagree once in ten; the worse miss weighs more only with weights.
    truth, near, far = [0, 1, 2, 3] * 3, [1, 1, 2, 3] * 3, [3, 1, 2, 3] * 3
    assert weighted_kappa(truth, near, 4) > weighted_kappa(truth, far, 4) + 0.3
    assert weighted_kappa([], [], 3) is None
    assert weighted_kappa([1, 1], [1, 1], 3) is None


def test_variation_is_not_symmetric():
    assert coefficient_of_variation([[0, 0], [4, 4], [1]]) == 0.0
    low, high = ([[0, 1]] * 3, [[4, 3]] * 3)
    assert coefficient_of_variation(low) == pytest.approx(2**0.5)
    assert coefficient_of_variation(high) == pytest.approx(2**0.5 / 7)
    assert coefficient_of_variation([[3]]) is None


def test_entropy():
    assert normalized_entropy([1, 1, 1], 3) == 0.0
    assert normalized_entropy([0, 1, 2], 3) == pytest.approx(1.0)
    assert normalized_entropy([0, 0, 1, 1], 4) == pytest.approx(0.5)


pairs = st.lists(
    st.tuples(st.integers(0, 4), st.floats(0, 1, width=16)), min_size=2, max_size=25
)


@settings(max_examples=60, deadline=None)
@given(pairs)
def test_tau_is_that_of_its_definition(values):
    x, y = zip(*values, strict=True)
    found = kendall_tau(x, y, range(len(x)))
    # The sign of each pair's difference: tau-b is their correlation.
    first, second = (np.sign(np.subtract.outer(each, each)) for each in (x, y))
    size = ((first**2).sum() * (second**2).sum()) ** 0.5
    if not size:
        assert found is None
    else:
        assert found.value == pytest.approx((first * second).sum() / size)
        assert found.low is None or found.low <= found.high


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=2, max_size=25))
def test_area_is_that_of_mann_and_whitney(values):
    won, lost = (
        [x for x, success in values if success is one] for one in (True, False)
    )
    found = area_under_curve(*zip(*values, strict=True), range(len(values)))
    if not won or not lost:
        assert found is None
    else:
        higher = [(one > other) + (one == other) / 2 for one in won for other in lost]
        assert found.value == pytest.approx(np.mean(higher))


def test_intervals_draw_tasks():
    rng = np.random.default_rng(1)
    truth = rng.random(40)
    ratings = np.digitize(truth + rng.normal(0, 0.2, 40), (0.3, 0.7))
    each = kendall_tau(ratings, truth, range(40))
    assert 0 < each.low < each.value < each.high < 1
    # Four copies of each episode are no more evidence.
    copies = kendall_tau(
        np.repeat(ratings, 4), np.repeat(truth, 4), np.repeat(range(40), 4)
    )
    assert copies.value == pytest.approx(each.value, abs=0.03)
    assert copies.high - copies.low > 0.9 * (each.high - each.low)
    assert kendall_tau(ratings[:4], truth[:4], range(4)).low is None


GRADED = Criterion("c", "d", ("a", "b", "c"))
KIND = Criterion("c", "d", ("a", "b", "c"), ordinal=False)
NAMES = [f"e{n}" for n in range(12)]
# Ratings that follow success, twice each.
GOOD = {name: [n // 4, n // 4] for n, name in enumerate(NAMES)}
SUCCESS = {"success": {name: float(n >= 6) for n, name in enumerate(NAMES)}}


def lowered(by=1, of=12):
    return {name: (1, 1 - by) for name in NAMES[:of]}


def test_a_robust_criterion_is_kept():
    found = verify(GRADED, Ratings(GOOD, {"steps": lowered()}, SUCCESS))
    assert (found["decision"], found["reasons"], found["flags"]) == ("keep", [], [])
    assert found["alpha"] == 1.0
    assert found["success_area"].low > 0.5


@pytest.mark.parametrize(
    ("disturbed", "truth", "kept"),
    [
        ({}, {}, True),
        ({"steps": lowered()}, {}, True),
        ({"steps": lowered(by=0)}, {}, False),
        ({"steps": lowered(by=-1)}, {}, False),
        # One that lowers it is enough, and success is too.
        ({"steps": lowered(by=0), "words": lowered()}, {}, True),
        ({"steps": lowered(by=0)}, SUCCESS, True),
        # Five copies prove nothing, either way.
        ({"steps": lowered(by=0, of=5)}, {}, True),
        ({"steps": lowered(of=5)}, {}, True),
        # An appeal is no disturbance.
        ({"appeal": lowered(by=-1)}, {}, True),
    ],
)
def test_it_must_follow_success_or_a_disturbance(disturbed, truth, kept):
    found = verify(GRADED, Ratings(GOOD, disturbed, truth))
    assert (found["decision"] == "keep") is kept
    if not kept:
        assert found["reasons"][0].startswith("tells nothing")


def test_flags_do_not_drop():
    progress = {"progress rate": {name: float(n % 3) for n, name in enumerate(NAMES)}}
    disturbed = {"appeal": lowered(by=-1), "words": lowered(of=3)}
    found = verify(GRADED, Ratings(GOOD, disturbed, progress))
    assert found["decision"] == "keep"
    assert [flag.split(" (")[0] for flag in found["flags"]] == [
        "does not follow the progress rate",
        "no disturbance could be compared: one needs the ratings of at least 6 copies",
        "12 of 12 ratings rise if the episode asks for it",
        "words: too few copies to tell",
    ]


def test_thresholds_can_be_set():
    noisy = {name: [n % 3, (n + n // 3) % 3] for n, name in enumerate(NAMES)}
    assert verify(GRADED, Ratings(noisy))["decision"] == "drop"
    lax = Thresholds(alpha=-1.0)
    assert verify(GRADED, Ratings(noisy), lax)["decision"] == "keep"
    absent = {**GOOD, **{name: [None, None] for name in NAMES[:3]}}
    assert "6 of 24" in verify(GRADED, Ratings(absent))["reasons"][0]
    assert (
        verify(GRADED, Ratings(absent), Thresholds(missing=0.3))["decision"] == "keep"
    )


def test_nominal_values_are_never_ordered():
    found = verify(KIND, Ratings(GOOD, {"steps": lowered(by=0)}, SUCCESS))
    assert found["decision"] == "keep"
    for name in ("success_area", "tau", "disturbed", "coefficient_of_variation"):
        assert name not in found
    # The most frequent value, not a middle one.
    mixed = verify(KIND, Ratings({"e": [0, 2, 2, 1, 0, 0]}))["distribution"]["all"]
    assert [one["episodes"] for one in mixed] == [["e"], [], []]


def test_episodes_of_one_task_are_one_piece_of_evidence():
    units = {name: f"task {n % 4}" for n, name in enumerate(NAMES)}
    found = verify(GRADED, Ratings(GOOD, {}, SUCCESS, units))
    assert found["success_area"].low is None


def test_without_ratings_nothing_is_kept():
    found = verify(GRADED, Ratings({name: [None] for name in NAMES}, {}, SUCCESS))
    assert found["decision"] == "drop"
    assert found["alpha"] is found["success_area"] is None


def test_too_few_tasks_prove_nothing():
    """A point estimate alone is neither proof nor silence."""
    success = {"e0": 1.0, "e1": 1.0, "e2": 0.0, "e3": 0.0}
    truth = {"success": success, "progress rate": success}
    for ratings, area, tau, above in (
        ([2, 2, 0, 0], "1.00", "1.00", ""),
        ([0, 0, 2, 2], "0.00", "-1.00", ", and failures are rated higher"),
    ):
        repeats = {f"e{n}": [one, one] for n, one in enumerate(ratings)}
        found = verify(GRADED, Ratings(repeats, {}, truth))
        assert found["decision"] == "keep"
        assert found["flags"][:2] == [
            "too few tasks to tell whether it follows success: 4, at least 5 are "
            f"needed (area {area}){above}",
            "too few tasks to tell whether it follows the progress rate: 4, at least 5 "
            f"are needed (tau {tau})",
        ]
        same = {f"{name} {n}": (1, 1) for name in success for n in range(2)}
        units = {copy: copy.split()[0] for copy in same}
        found = verify(GRADED, Ratings(repeats, {"steps": same}, truth, units))
        assert found["decision"] == "drop"
        assert found["reasons"][0].startswith("tells nothing: there are too few tasks")


def test_what_was_not_measured_is_said():
    once = {name: given[:1] for name, given in GOOD.items()}
    found = verify(GRADED, Ratings(once, {"sentences": {}}))
    assert found["decision"] == "keep"
    assert found["flags"] == [
        "repeatability is not measured: too few ratings are repeated",
        "no disturbance could be compared: one needs the ratings of at least 6 copies",
        "sentences: too few copies to tell (0)",
    ]


CRITERIA = {
    "right": {"description": "Is it?", "accepted_values": ["no", "partly", "yes"]},
    "kind": {"description": "Which?", "accepted_values": ["sum", "product"]},
}
VALUES = CRITERIA["right"]["accepted_values"]


def episode(right, kind, success):
    rated = {"right": right, "kind": kind}
    return json.dumps({"actual_success": success, "estimated_performance": rated})


def write(folder):
    (folder / "criteria.json").write_text(json.dumps(CRITERIA))
    for seed in range(3):
        rows = {
            f"p{n}.json": episode(
                f"'{VALUES[n % 3]}'", '"sum"', ("false", "true")[n % 3 > 1]
            )
            for n in range(12)
        }
        rows["p0.json"] = episode("I would say 'no'.", "'sum'", "false")
        (folder / f"rated-{seed}.json").write_text(json.dumps(rows))
    copies = {
        f"p{n}.json": episode(["'yes'", "'no'"], ["'sum'", "'other'"], "true")
        for n in range(8)
    }
    (folder / "copies.json").write_text(json.dumps(copies))


def test_ratings_are_read_and_verified(tmp_path):
    write(tmp_path)
    criteria = published_criteria(tmp_path / "criteria.json", ["kind"])
    assert [one.ordinal for one in criteria] == [True, False]
    files = sorted(tmp_path.glob("rated-*.json"))
    ratings = published_ratings(criteria, files, tmp_path / "copies.json")
    right, kind = (verify(one, ratings[one.name]) for one in criteria)
    assert (right["ratings"], right["missing"]) == (36, 3)
    assert right["decision"] == "keep"
    assert right["coefficient_of_variation"] == 0.0
    assert right["success_area"].value == 1.0
    change = right["disturbed"]["disturbed"]
    assert (change["pairs"], change["lower"], change["mean_before"]) == (8, 8, 2)
    assert (kind["decision"], kind["entropy"]) == ("drop", 0.0)
    assert "success_area" not in kind


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("{'right': 'partly', 'kind': 'it\\'s a sum'}", 1),
        (json.dumps({"right": "'yes'"}), 2),
        ("{'right': {1, 2}}", None),
        ("{'right': 'no'} I hope this helps", None),
        ("I cannot rate it", None),
        ("__import__('os').abort()", None),
        ("[" * 100_000, None),
        ("{'right': 'no'" + " " * 30_000 + "}", None),
        ("['right']", None),
    ],
)
def test_an_answer_with_all_criteria_is_read(tmp_path, answer, value):
    write(tmp_path)
    row = {"actual_success": "true", "estimated_performance": answer}
    (tmp_path / "rated.json").write_text(json.dumps({"p0.json": json.dumps(row)}))
    criteria = published_criteria(tmp_path / "criteria.json")
    ratings = published_ratings(criteria, [tmp_path / "rated.json"])
    assert ratings["right"].repeats == {"p0.json": [value]}
    assert ratings["kind"].repeats == {"p0.json": [None]}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("criteria.json", "[]", "must contain a JSON object"),
        ("criteria.json", '{"x": 3}', "'x' must be an object"),
        ("criteria.json", '{"x": {"description": "y"}}', "worst_to_best must list"),
        ("rated-1.json", '{"p0.json": "no"}', "not JSON"),
        ("rated-1.json", '{"p0.json": {}}', "no 'estimated_performance'"),
        ("rated-1.json", '{"p0.json": {"other": "no"}}', "no 'estimated_performance'"),
        ("rated-1.json", '{"p0.json": [{"right": "no"}]}', "estimated_performance"),
        ("rated-1.json", '{"p0.json": null}', "no 'estimated_performance'"),
    ],
)
def test_another_form_is_refused(tmp_path, name, text, said):
    write(tmp_path)
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=said):
        published_ratings(
            published_criteria(tmp_path / "criteria.json"),
            sorted(tmp_path.glob("rated-*.json")),
        )
