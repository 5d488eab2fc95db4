"""Which criteria are dropped, and why."""

import pytest

from aq_gym.ratings import Criterion, Ratings, Thresholds, verify

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
    constant = verify(GRADED, Ratings({name: [1] for name in NAMES}))
    assert not any("repeatability" in flag for flag in constant["flags"])
    nominal = verify(KIND, Ratings(once))["flags"]
    assert [flag.partition(":")[0] for flag in nominal] == [
        "repeatability is not measured"
    ]
