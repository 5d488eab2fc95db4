"""Canonical forms of structures, with networkx as the judge of isomorphism."""

from itertools import combinations
from random import Random

import pytest

from aq_gym.core.canonical_form import canonical_form
from aq_gym.envs.pddl.library import DIFFICULTIES, domain_names, load_domain

JUDGED = pytest.mark.needs("module:networkx")


def graph(kinds, facts):
    """Return a structure as a graph: an edge from each fact to each of its objects."""
    import networkx as nx

    drawn = nx.Graph()
    for name, kind in kinds.items():
        drawn.add_node(name, label=kind)
    for number, (name, *terms) in enumerate(sorted(set(map(tuple, facts)))):
        for place, term in enumerate(terms):
            if term not in drawn:
                drawn.add_node(term, label=f"name {term}")
            drawn.add_node((number, place), label=f"{name} {place}")
            drawn.add_edge((number, place), term)
            drawn.add_edge((number, place), (number, 0))
        if not terms:
            drawn.add_node((number, 0), label=name)
    return drawn


def isomorphic(one, other):
    import networkx as nx

    return nx.is_isomorphic(
        graph(*one), graph(*other), lambda a, b: a["label"] == b["label"]
    )


def renamed(rng, kinds, facts):
    names = list(kinds)
    other = dict(zip(names, rng.sample(names, len(names)), strict=True))
    mixed = rng.sample(sorted(kinds.items()), len(kinds))
    facts = [(name, *(other.get(t, t) for t in terms)) for name, *terms in facts]
    return {other[name]: kind for name, kind in mixed}, rng.sample(facts, len(facts))


def random_structure(rng):
    kinds = {f"o{n}": rng.choice("ab") for n in range(rng.randint(1, 6))}
    names = [*kinds, "constant"]
    facts = [
        (rng.choice(["p", "q"]), *rng.choices(names, k=rng.randint(1, 3)))
        for _ in range(rng.randint(0, 5))
    ]
    # Facts of one name have the same number of terms.
    return kinds, [(f"{name}{len(terms)}", *terms) for name, *terms in facts]


def test_a_renamed_structure_has_the_same_form():
    rng = Random(0)
    for _ in range(300):
        structure = random_structure(rng)
        assert canonical_form(*structure) == canonical_form(*renamed(rng, *structure))


@JUDGED
def test_equal_forms_are_isomorphism():
    rng = Random(1)
    for _ in range(25):
        some = [random_structure(rng) for _ in range(12)]
        for one, other in combinations(some, 2):
            same = canonical_form(*one) == canonical_form(*other)
            assert same == isomorphic(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Two triangles and a hexagon, which colour refinement alone cannot tell apart.
        ([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)],
         [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]),
        # Two regular graphs of eight objects: a cube and a Moebius ladder.
        ([*((n, (n + 1) % 8) for n in range(8)), *((n, (n + 4) % 8) for n in range(4))],
         [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4),
          (0, 4), (1, 5), (2, 6), (3, 7)]),
    ],
)  # fmt: skip
def test_regular_structures_are_told_apart(one, other):
    kinds = {f"{n}": "" for n in range(8)}
    forms = []
    for edges in (one, other):
        facts = [("edge", f"{a}", f"{b}") for a, b in edges]
        facts += [("edge", b, a) for _, a, b in facts]
        forms.append(canonical_form(kinds, facts))
        for seed in range(5):
            assert forms[-1] == canonical_form(*renamed(Random(seed), kinds, facts))
    assert forms[0] != forms[1]


def test_many_alike_objects_take_no_search():
    kinds = {f"{n}": "" for n in range(200)}
    assert canonical_form(kinds, [("p", name) for name in kinds])
    pairs = [("on", f"{n}", f"{n + 1}") for n in range(0, 20, 2)]
    assert canonical_form({f"{n}": "" for n in range(20)}, pairs)


@JUDGED
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("domain", domain_names())
def test_problems_have_one_form_for_each_structure(domain, difficulty):
    rng = Random(0)
    generate = load_domain(domain).generate
    drafts = [generate(Random(n), difficulty) for n in range(12)]
    structures = []
    for draft in drafts:
        kinds = {n: kind for kind, names in draft.objects.items() for n in names}
        facts = [("init " + fact).split() for fact in draft.init]
        facts += [("goal " + fact).split() for fact in draft.goal]
        structures.append(
            (kinds, [(f"{part} {name}", *terms) for part, name, *terms in facts])
        )
    forms = [canonical_form(*one) for one in structures]
    assert forms == [draft.canonical_form() for draft in drafts]
    assert forms == [canonical_form(*renamed(rng, *one)) for one in structures]
    for one, other in combinations(range(len(drafts)), 2):
        same = isomorphic(structures[one], structures[other])
        assert (forms[one] == forms[other]) == same
