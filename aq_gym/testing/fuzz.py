"""Check that an environment accepts any text and that invalid actions do nothing."""

from __future__ import annotations

import re

from gymnasium.error import DependencyNotInstalled

from aq_gym.core import TextEnv
from aq_gym.core.results import EnvState
from aq_gym.testing.case import (
    GARBAGE,
    Case,
    ContractError,
    StepResult,
    at,
    contract_check,
    expect,
    generator,
    inner,
    into_episode,
    sample,
    take,
)

_EXAMPLES = 300
_WORD = re.compile(r"\w+")
_LONG = 20_000
# Texts that, when repeated, nest deeply, never close, or make a search backtrack.
_PIECES = (
    "[", '{"a":', "f(x=", "a[", "<tool_call>", "```\n", "9", "1,", "(", "_ ", "*_",
    "\"'", " ", "a ", "-", "\\\"", "\ufdfa",
)  # fmt: skip
_UNUSUAL = (
    *(*GARBAGE, "a\nb", "\x1b[2J", "\\help", "\u202e", "A" * 200_000),
    *(piece * (_LONG // len(piece)) for piece in _PIECES),
)


def require_hypothesis() -> None:
    """Raise if hypothesis is not installed.

    Raises:
        gymnasium.error.DependencyNotInstalled: If it is not.
    """
    try:
        import hypothesis  # noqa: F401
    except ImportError as error:
        raise DependencyNotInstalled(
            "the fuzz tests need hypothesis: pip install 'hypothesis>=6.100'"
        ) from error


@contract_check
def check_any_text(case: Case, examples: int = _EXAMPLES) -> None:
    """Check that any text is accepted and invalid actions change nothing.

    Args:
        case: The environment.
        examples: The number of texts to try, besides a list of unusual ones.

    Raises:
        gymnasium.error.DependencyNotInstalled: If hypothesis is not installed.
    """
    require_hypothesis()
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    text_env = inner(case.make())
    into_episode(text_env, 0, 2)
    start = text_env.get_state()
    samples = [sample(text_env, generator(i)) for i in range(20)]
    for unusual in _UNUSUAL:
        check_text(text_env, start, unusual)
        check_text(text_env, start, filled(samples[0], unusual))

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
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(anything | nearly)
    def try_text(text: str) -> None:
        check_text(text_env, start, text)

    try_text()


def filled(action: str, value: str) -> str:
    """Replace the last word of an action, such as an argument.

    Args:
        action: The action.
        value: What replaces the word.
    """
    words = list(_WORD.finditer(action))
    if not words:
        return value
    return (action[: words[-1].start()] + value + action[words[-1].end() :])[:_LONG]


@contract_check
def check_garbage(case: Case) -> None:
    """Check that unusual texts are accepted and change nothing if they are invalid."""
    text_env = inner(case.make())
    into_episode(text_env, 0, 2)
    start = text_env.get_state()
    for text in GARBAGE:
        check_text(text_env, start, text)


def check_text(text_env: TextEnv, state: EnvState, text: str) -> None:
    """Take a text as an action in a state and check the result."""
    text_env.set_state(state)
    with at(f"seed 0: after {text!a:.100}"):
        try:
            moment = take(text_env, text)
        except Exception as error:
            raise ContractError(f"step() raised {error!r:.200}") from error
        _check_texts(text_env, moment)
        failed = moment.info.get("error", "")
        expect(not failed, f"the engine failed: {failed!r:.200}")
        if not moment.info["action_valid"]:
            expect(moment.reward == 0.0, f"invalid, but the reward is {moment.reward}")
            expect(not moment.over, "invalid, but the episode is over")
            now = text_env.get_state()
            expect(
                now == state,
                f"invalid, but the state was {state!r:.400} and is {now!r:.400}",
            )


def _check_texts(text_env: TextEnv, moment: StepResult) -> None:
    feedback, valid = moment.info["feedback"], moment.info["action_valid"]
    for name, text in (("observation", moment.observation), ("feedback", feedback)):
        lone = any("\ud800" <= character <= "\udfff" for character in text)
        expect(not lone, f"{name} {text!a:.200} cannot be encoded as UTF-8")
    expect(
        text_env.observation_space.contains(moment.observation),
        f"observation of {len(moment.observation)} characters is not in "
        f"{text_env.observation_space}",
    )
    expect(
        bool(feedback) != valid,
        f"action_valid={valid} with feedback={feedback!r:.200}: feedback must explain "
        "invalid actions and be empty for valid ones",
    )
