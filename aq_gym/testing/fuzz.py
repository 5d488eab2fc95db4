"""Whatever an agent says is answered, and what is invalid changes nothing."""

from __future__ import annotations

import numpy as np
from gymnasium.error import DependencyNotInstalled

from aq_gym.answers import EnvState
from aq_gym.core import TextEnv
from aq_gym.testing.case import GARBAGE, Case, begin, inner, mixed, proceed, take

_EXAMPLES = 300


def check_any_text(case: Case, examples: int = _EXAMPLES) -> None:
    """Arbitrary text raises nothing and, where it is invalid, changes nothing.

    Args:
        case: The environment.
        examples: How many texts to try, besides some known to be nasty.

    Raises:
        gymnasium.error.DependencyNotInstalled: Without hypothesis.
    """
    try:
        from hypothesis import HealthCheck, given, settings
        from hypothesis import strategies as st
    except ImportError as error:
        raise DependencyNotInstalled("pip install 'aq-gym[test]'") from error

    world = inner(case.make())
    begin(world, 0)
    if proceed(world, mixed, np.random.default_rng(0), 2)[-1].over:
        begin(world, 0)
    start = world.get_state()
    samples = [world.sample_action(np.random.default_rng(i)) for i in range(20)]
    for nasty in (*GARBAGE, "a\nb", "\x1b[2J", "\\help", "\u202e", "A" * 200_000):
        say(world, start, nasty)

    anything = st.text(st.characters(codec=None), max_size=300)
    nearly = st.builds(
        lambda action, place, noise: f"{action[:place]}{noise}{action[place:]}",
        st.sampled_from(samples),
        st.integers(0, 40),
        st.text(st.characters(codec=None), max_size=3),
    )

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(anything | nearly)
    def try_text(text: str) -> None:
        say(world, start, text)

    try_text()


def say(world: TextEnv, state: EnvState, text: str) -> None:
    """Say one text in one state and check the answer."""
    world.set_state(state)
    moment = take(world, text)
    info = moment.info
    moment.observation.encode()
    assert world.observation_space.contains(moment.observation)
    assert bool(info["feedback"]) != info["action_valid"], (
        "feedback explains what fails"
    )
    if not info["action_valid"]:
        info["feedback"].encode()
        assert moment.reward == 0.0
        assert not moment.over
        assert world.get_state() == state, (
            f"the invalid action {text!r} changed the world"
        )
