"""Check what an environment shows: observations, pictures, prompts and no secrets."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from aq_gym.core import TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.prompt import Example, Prompt
from aq_gym.testing.case import (
    GARBAGE,
    HELP,
    Case,
    ContractError,
    StepResult,
    at,
    begin,
    contract_check,
    deterministic_only,
    difference,
    expect,
    generator,
    inner,
    mostly_sampled,
    take,
)


@contract_check
def check_first_observation(case: Case) -> None:
    """Check that the first observation has the instructions, unless disabled."""
    with_words = begin(case.make(instructions=True), 0).observation
    without = begin(case.make(instructions=False), 0).observation
    expect(without, "seed 0: without instructions the first observation is empty")
    expect(
        len(without) < len(with_words),
        f"seed 0: the first observation is {with_words!r:.200} with instructions, "
        f"{without!r:.200} without: not shorter",
    )


@contract_check
def check_render(case: Case) -> None:
    """Check that ``render`` returns the last observation in mode "ansi"."""
    env = case.make(render_mode="ansi")
    silent = case.make(render_mode=None)
    begin(silent, 0)
    shown = silent.render()
    expect(shown is None, f"render() without a mode returns {shown!r:.100}, not None")
    moments = [begin(env, 0)]
    while len(moments) < 5 and not moments[-1].over:
        _expect_shown(env.render(), moments[-1].observation)
        action = ("fly to the moon", "help")[len(moments) % 2]
        if len(moments) > 2:
            action = inner(env).expert_action() or HELP
        moments.append(take(env, action))
    _expect_shown(env.render(), moments[-1].observation)
    env.close()


def _expect_shown(shown: object, observation: str) -> None:
    expect(
        shown == observation,
        f"seed 0: render() is {shown!r:.200}, the observation {observation!r:.200}",
    )


@contract_check
@deterministic_only
def check_prompt(case: Case) -> None:
    """Check that the prompt's example is a real episode that ends in success.

    It is played again with its own constructor arguments and seed.
    """
    prompt = inner(case.make()).task_prompt()
    expect(isinstance(prompt, Prompt), f"task_prompt() is {prompt!r:.80}, not a Prompt")
    if prompt.example is not None:
        with at(f"example with seed {prompt.example.seed}"):
            _play_again(case, prompt.example)


def _play_again(case: Case, example: Example) -> None:
    env = Case(case.id, example.kwargs).make()
    moment = begin(env, example.seed)
    _expect_equal("goal", example.goal, moment.info["goal"])
    _expect_equal("observation", example.observation, moment.observation)
    for step, turn in enumerate(example.turns, 1):
        expect(not moment.over, f"the episode is over after {step - 1} steps")
        moment = take(env, turn.action)
        with at(f"step {step}"):
            _expect_equal("observation", turn.observation, moment.observation)
            why = moment.info["feedback"]
            valid = moment.info["action_valid"]
            expect(valid, f"{turn.action!r} is invalid: {why}")
    expect(moment.info["success"], f"no success after {len(example.turns)} steps")
    env.close()


def _expect_equal(name: str, expected: str, actual: str) -> None:
    expect(expected == actual, f"{name} is {difference(expected, actual)}")


_PICTURE_SEEDS = range(4)
_PICTURE_STEPS = 6
_MOST_BYTES = 500_000
_MOST_EXPERT_STEPS = 100


@contract_check
@deterministic_only
def check_picture(case: Case) -> None:
    """Check that pictures follow from what was seen, and change nothing.

    An environment without pictures has no mode "rgb_array". A picture is valid XML
    without links and without a secret that the agent did not write or see. It is the
    same for equal states, and for two episodes with the same observations and actions.
    """
    env, other = inner(case.make()), inner(case.make())
    begin(env, 0)
    if "rgb_array" not in env.metadata["render_modes"]:
        expect(env.drawing() is None, "a picture, but no render mode 'rgb_array'")
        return
    known: dict[tuple[str, ...], str] = {}
    for seed in _PICTURE_SEEDS:
        moment, rng = begin(env, seed), generator(0)
        seen: list[str] = []
        for step in range(_PICTURE_STEPS):
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
    for _ in range(_MOST_EXPERT_STEPS):
        if moment.over:
            break
        moment = take(env, env.expert_action() or HELP)
    drawing = env.drawing()
    full = drawing is not None and drawing.shapes and drawing.title
    expect(full, f"an empty picture: {drawing!r:.80}")


_SECRET_SEEDS = range(3)
_SECRET_STEPS = 60


@contract_check
def check_secrets(case: Case) -> None:
    """Check that no text for the agent contains a secret.

    The texts are observation, feedback, goal and the names of subgoals. A text that an
    instance with other secrets also shows, at its start or as help, reveals nothing.
    """
    env, other = inner(case.make()), inner(case.make())
    for seed in _SECRET_SEEDS:
        moment, said, rng = begin(env, seed), "", generator(seed)
        plain = _boilerplate(other, env.secrets(), seed)
        for step in range(_SECRET_STEPS):
            said += f"\n{moment.action or ''}"
            with at(f"seed {seed}: step {step}"):
                _keeps_secrets(env, moment, said, plain)
            if moment.over:
                break
            moment = take(env, mostly_sampled(env, rng))


def _keeps_secrets(env: TextEnv, moment: StepResult, said: str, plain: str) -> None:
    for name, text in _shown(moment):
        for secret in env.secrets():
            kept = secret not in text or secret in said or secret in plain
            expect(kept, f"{name} {text!r:.300} holds the secret {secret!r}")


def _shown(moment: StepResult) -> Iterator[tuple[str, str]]:
    yield "observation", moment.observation
    yield "feedback", moment.info.get("feedback", "")
    yield "goal", moment.info.get("goal", "")
    for name in moment.info["subgoals"]:
        yield "subgoal", name


def _boilerplate(env: TextEnv, secrets: tuple[str, ...], seed: int) -> str:
    """Return the texts of an instance with different secrets, if there is one."""
    for other in range(seed + 1, seed + 11):
        moments = [begin(env, other)]
        if not set(env.secrets()) & set(secrets):
            break
    moments += [take(env, action) for action in (HELP, *GARBAGE)]
    return "\n".join(text for moment in moments for _, text in _shown(moment))
