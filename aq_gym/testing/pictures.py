"""Check the pictures of an environment."""

from __future__ import annotations

from xml.etree import ElementTree

from aq_gym.core import TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.testing.assertions import ContractError, at, expect
from aq_gym.testing.case import (
    Case,
    StepResult,
    begin,
    contract_check,
    deterministic_only,
    generator,
    inner,
    mostly_sampled,
    take,
)

_SEEDS = range(4)
_STEPS = 6
_MOST_BYTES = 500_000
_MOST_STEPS = 100


@contract_check
@deterministic_only
def check_picture(case: Case) -> None:
    """Check that pictures follow from what was seen, and change nothing.

    An environment without pictures has no mode "rgb_array". The others draw valid XML
    that refers to nothing outside of it, twice the same for the same state, without a
    secret that the agent did not write or see, and the same for two episodes with the
    same observations and actions.
    """
    env, other = inner(case.make()), inner(case.make())
    begin(env, 0)
    if "rgb_array" not in env.metadata["render_modes"]:
        expect(env.drawing() is None, "a picture, but no render mode 'rgb_array'")
        return
    known: dict[tuple[str, ...], str] = {}
    for seed in _SEEDS:
        moment, rng = begin(env, seed), generator(0)
        seen: list[str] = []
        for step in range(_STEPS):
            seen += [moment.action or "", moment.observation]
            with at(f"seed {seed}: step {step}"):
                picture = _checked_picture(env, other, moment, "\n".join(seen))
                same = known.setdefault(tuple(seen), picture) == picture
                expect(same, "two episodes look alike, but not their pictures")
            if moment.over:
                break
            moment = take(env, mostly_sampled(env, rng))
    _expect_picture_of_an_end(env)


def _checked_picture(
    env: TextEnv, other: TextEnv, moment: StepResult, seen: str
) -> str:
    before = env.get_state()
    picture = _svg(env)
    expect(env.get_state() == before, "drawing() changes the state")
    other.set_state(before)
    expect(_svg(other) == picture, "a copy of the state has another picture")
    expect(len(picture) <= _MOST_BYTES, f"{len(picture):,} characters of SVG")
    root = ElementTree.fromstring(picture)
    expect(root.tag == "{http://www.w3.org/2000/svg}svg", f"the root is {root.tag}")
    for one in root.iter():
        for name in one.attrib:
            expect("href" not in name, f"the picture refers to {one.attrib[name]!r}")
    texts = "\n".join(root.itertext())
    for secret in env.secrets():
        kept = secret not in texts or secret in seen
        expect(kept, f"the picture holds the secret {secret!r}")
    return picture


def _svg(env: TextEnv) -> str:
    drawing = env.drawing()
    if not isinstance(drawing, Drawing):
        raise ContractError(f"drawing() is {drawing!r:.80}, not a Drawing")
    return drawing.svg()


def _expect_picture_of_an_end(env: TextEnv) -> None:
    """Play an episode of the expert, so that a solved task is drawn too."""
    moment = begin(env, 0)
    for _ in range(_MOST_STEPS):
        if moment.over:
            break
        moment = take(env, env.expert_action())
    drawing = env.drawing()
    full = drawing is not None and drawing.shapes and drawing.title
    expect(full, f"an empty picture: {drawing!r:.80}")
