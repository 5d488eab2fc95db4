"""Checks and estimates made before a run, so that mistakes do not end it halfway."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import gymnasium as gym

from aq_gym.agents import LLMAgent, attempt_params, is_packaged, load
from aq_gym.agents.dialogue import Dialogue
from aq_gym.agents.view import seat
from aq_gym.core.text import did_you_mean
from aq_gym.evaluation.play import POOL
from aq_gym.evaluation.suite import Suite
from aq_gym.evaluation.summary import benchmark_of
from aq_gym.evaluation.task import Task
from aq_gym.support.data import packaged_json
from aq_gym.support.json_files import as_read
from aq_gym.support.redaction import holds_secret, recordable
from aq_gym.support.user_files import UserFileError

_NEEDED = ("progress", "best_progress", "success")
# Protocols whose papers have prompts.
_PAPERS = ("agentboard", "agentquest")
_OURS = "ours"


def check_agent(agent: str, params: Mapping[str, Any]) -> None:
    """Check that an agent exists and takes the parameters.

    Raises:
        ValueError: If there is no such agent, or a parameter is a secret, which would
            be written to the run's files.
        TypeError: If the agent does not have these parameters, or one cannot be
            written as JSON.
    """
    for name, value in params.items():
        if holds_secret(name, value):
            raise ValueError(
                f"agent parameter {name!r} would be written to the run's files: give "
                "keys and passwords in the environment (OPENAI_API_KEY)"
            )
        try:
            recordable(as_read(value))
        except (RecursionError, TypeError, ValueError) as error:
            raise TypeError(
                f"agent parameter {name}={value!r:.200} must be JSON, because it is "
                f"written to the run's files: {error}"
            ) from error
    signature = inspect.signature(load(agent))
    try:
        signature.bind(None, **params)
    except TypeError as error:
        known = list(signature.parameters)[1:]
        unknown = [name for name in params if name not in known]
        hint = did_you_mean(unknown[0], known) if unknown else ""
        raise TypeError(
            f"agent={agent!r} with {dict(params)!r}: {error}: {hint}its arguments are "
            f"{', '.join(known) or 'none'}"
        ) from error


def check_tasks(
    suite: Suite, agent: str = "", params: Mapping[str, Any] | None = None
) -> dict[str, str]:
    """Make and reset one environment of each setting, and make the agent once.

    The environments are returned to the pool, so that a run plays in them. An agent
    from another package is not made: that may take long, or have effects. Without an
    agent, only the environments are checked.

    Returns:
        For each id with a paper's protocol, the source of the prompt that a model gets,
        such as "AgentBoard" or "ours"; empty for agents without a model.

    Raises:
        ValueError: If an environment does not report progress, or the agent refuses the
            environment or the value of a parameter.
        TypeError: If a parameter has the wrong type.
        gymnasium.error.Error: If an environment or its extra is not installed.
        FileNotFoundError: If an environment's data is not installed.
    """
    prompts: dict[str, str] = {}
    for number, task in enumerate(
        {task.env_key: task for task in suite.tasks}.values()
    ):
        env = POOL.lend(task)
        if number == 0 and is_packaged(agent):
            _check_values(agent, params or {}, env)
        _check_info(task, env)
        if agent == "llm" and str(task.kwargs.get("protocol")).startswith(_PAPERS):
            source = prompt_source(env, params or {})
            # If any setting uses our prompt, "ours" is reported.
            if prompts.get(task.id) != _OURS:
                prompts[task.id] = source
        POOL.give_back(task, env)
    return prompts


def prompt_source(env: gym.Env[Any, Any], params: Mapping[str, Any]) -> str:
    """Return the source of a model's prompt: "ours", "given" or a paper's benchmark.

    Args:
        env: An environment that was reset.
        params: The agent's parameters.
    """
    defaults = {"prompting": "act", "prompts": "published", "tools": "text"}
    name = "published_prompt"
    if params.get("system") is not None:
        return "given"
    if any(params.get(key, value) != value for key, value in defaults.items()):
        return _OURS
    found = env.get_wrapper_attr(name)() if env.has_wrapper_attr(name) else None
    return str(found.source) if found is not None else _OURS


def _check_values(
    agent: str, params: Mapping[str, Any], env: gym.Env[Any, Any]
) -> None:
    try:
        seat(env, load(agent, params))
    except (ValueError, OSError) as error:
        raise ValueError(f"agent={agent!r}: {error}") from error
    except TypeError as error:
        raise TypeError(f"agent={agent!r}: {error}") from error


def _check_info(task: Task, env: gym.Env[Any, Any]) -> None:
    _, info = env.reset(seed=task.seed)
    absent = [key for key in _NEEDED if key not in info]
    if absent:
        raise ValueError(
            f"{task.setting} has no {', '.join(absent)} in info: wrap it with "
            "aq_gym.wrappers.SubgoalProgress and register the wrapped environment"
        )


def equal_attempts(agent: str, params: Mapping[str, Any]) -> str:
    """Return why repeated attempts of an agent are equal, "" if they may differ."""
    if attempt_params(agent, params, 2) is not params:
        return ""
    if agent == "llm":
        certain = params.get("temperature") == 0
        why = "has temperature 0 and no seed" if certain else ""
    elif is_packaged(agent):
        why = "is deterministic"
    else:
        return (
            f"agent={agent!r} takes no seed: unless it draws by itself, all attempts "
            "at a task are equal"
        )
    return f"agent={agent!r} {why}: all attempts at a task are equal" if why else ""


def check_limits(
    limits: Mapping[str, float], agent: str, params: Mapping[str, Any]
) -> None:
    """Check that each limit is positive and can be reached.

    Raises:
        ValueError: If a limit is not above 0, or the cost of a model without a price
            is limited.
    """
    for name, limit in limits.items():
        if not limit > 0:
            raise ValueError(f"limit of {name}: {limit} must be above 0")
    if "cost" in limits and agent == "llm" and not any(params.get("price", ())):
        raise ValueError(
            f"limit of cost: {limits['cost']:g} is never reached, as agent='llm' has "
            "no price: give the cost of a million tokens, read and written, as "
            '--agent-arg "price=[IN, OUT]"'
        )


# The factor for requests; "memory" can send each repeated action back once.
_REQUESTS = {"memory": 2}


class TurnTokens(NamedTuple):
    """The tokens that a step adds to a conversation."""

    action: float
    observation: float


class SettingEstimate(NamedTuple):
    """The resources for the episodes of one setting, if each reaches its cap.

    Attributes:
        setting: The setting, as ``ID?key=value``.
        benchmark: The id of its benchmark.
        episodes: The number of episodes.
        steps: The maximum number of steps; None without a cap.
        requests: The maximum number of requests to a model; 0 for agents without one.
        read: The tokens that the model reads.
        written: The tokens that it writes, with answers as short as actions.
        written_at_most: The tokens that it writes if each answer has ``max_tokens``.
        missing: The reason why the setting can't be played here; "" if it can.
    """

    setting: str
    benchmark: str
    episodes: int
    steps: int | None
    requests: int = 0
    read: float = 0.0
    written: float = 0.0
    written_at_most: float = 0.0
    missing: str = ""


class RunEstimate(NamedTuple):
    """The resources for a run.

    Attributes:
        settings: The estimates of the settings, in the order of the suite.
        price: The price of a million tokens read and a million written.
    """

    settings: tuple[SettingEstimate, ...]
    price: tuple[float, float]

    def total(self, name: str, benchmark: str = "") -> float:
        """Return the sum of an attribute over the settings that can be played."""
        return sum(getattr(one, name) or 0 for one in self.playable(benchmark))

    def playable(self, benchmark: str = "") -> list[SettingEstimate]:
        """Return the settings of a benchmark, or all, that can be played here."""
        return [
            one
            for one in self.settings
            if not one.missing and benchmark in ("", one.benchmark)
        ]

    @property
    def cost(self) -> tuple[float, float]:
        """The cost with answers like the reference agents', and the maximum cost."""
        read = self.total("read") * self.price[0]
        written = (self.total("written"), self.total("written_at_most"))
        least, most = ((read + one * self.price[1]) / 1e6 for one in written)
        return least, most


def estimate_run(
    suite: Suite, agent: str = "random", agent_params: Mapping[str, Any] | None = None
) -> RunEstimate:
    """Estimate the steps, requests, tokens and cost of a run. Nothing is played.

    Each setting's environment is reset once, and the tokens of the first request are
    counted as :class:`~aq_gym.agents.LLMAgent` counts them (three characters each,
    which is cautious). The tokens that a step adds were measured on the reference
    agents' episodes of the suite ``full``; for other environments, the mean is used.
    The estimates assume that each episode reaches its cap.

    Raises:
        ValueError: If there is no such agent.
        TypeError: If the agent does not have such a parameter.
    """
    params = dict(agent_params or {})
    check_agent(agent, params)
    model = _model_params(params) if agent == "llm" else None
    price = tuple(model["price"]) if model else (0.0, 0.0)
    groups: dict[object, list[Task]] = {}
    for task in suite.tasks:
        groups.setdefault(task.env_key, []).append(task)
    with POOL.kept():
        found = tuple(_setting(tasks, model) for tasks in groups.values())
    return RunEstimate(found, price)


@cache
def turn_tokens() -> Mapping[str, TurnTokens]:
    """Return the tokens that a step adds, by benchmark (see tools/turn_tokens.py)."""
    table = packaged_json("aq_gym.evaluation", "turn_tokens.json")
    return {name: TurnTokens(**value) for name, value in table.items()}


def _model_params(params: Mapping[str, Any]) -> dict[str, Any]:
    bound = inspect.signature(LLMAgent).bind(None, **params)
    bound.apply_defaults()
    return bound.arguments


def _setting(tasks: list[Task], model: dict[str, Any] | None) -> SettingEstimate:
    caps = [task.cap for task in tasks]
    first = tasks[0]
    steps = sum(caps) if all(caps) else None
    benchmark = benchmark_of(first.id)
    found = SettingEstimate(first.setting, benchmark, len(tasks), steps)
    try:
        env = POOL.lend(first)
    except (gym.error.Error, ImportError, OSError, UserFileError) as error:
        return found._replace(missing=str(error))
    try:
        # Some environments read their files only at reset.
        observation, _ = env.reset(seed=first.seed)
    except (gym.error.Error, OSError, ValueError) as error:
        env.close()
        return found._replace(missing=str(error))
    try:
        if model is None:
            return found
        begun = _dialogue(env, str(observation), model)
        return _with_tokens(found, caps, _turn(benchmark), begun)
    finally:
        POOL.give_back(first, env)


def _dialogue(
    env: gym.Env[Any, Any], observation: str, model: dict[str, Any]
) -> tuple[Dialogue, dict[str, Any]]:
    dialogue = Dialogue(
        env,
        model["prompting"],
        model["example"],
        model["context"] - model["max_tokens"],
        system=model["system"],
        tools=model["tools"],
        published=model["prompts"] == "published" and model["system"] is None,
    )
    dialogue.begin(observation)
    return dialogue, model


def _turn(benchmark: str) -> TurnTokens:
    known = turn_tokens()
    if benchmark in known:
        return known[benchmark]
    means = (sum(column) / len(known) for column in zip(*known.values(), strict=True))
    return TurnTokens(*means)


def _with_tokens(
    found: SettingEstimate,
    caps: list[int],
    turn: TurnTokens,
    begun: tuple[Dialogue, dict[str, Any]],
) -> SettingEstimate:
    dialogue, model = begun
    first, budget = dialogue.tokens(), model["context"] - model["max_tokens"]
    answer = min(turn.action, model["max_tokens"])
    read = sum(sum(_read(first, turn, budget, cap)) for cap in caps)
    times = _REQUESTS.get(model["prompting"], 1)
    requests = times * sum(caps)
    return found._replace(
        requests=requests,
        read=times * read,
        written=requests * answer,
        written_at_most=requests * model["max_tokens"],
    )


def _read(first: int, turn: TurnTokens, budget: int, cap: int) -> Iterator[float]:
    """Yield the tokens of each request of an episode."""
    for step in range(cap):
        yield min(first + step * sum(turn), max(first, budget))
