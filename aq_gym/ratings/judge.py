"""Judges, and calls to them: journaled, limited, in parallel, or only counted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Lock
from typing import Any, Literal, NamedTuple, TypeVar, cast

from aq_gym.core.arguments import check_arguments
from aq_gym.evaluation.preflight import check_limits
from aq_gym.evaluation.runner import LimitReachedError
from aq_gym.models import (
    CLIENTS,
    ContextTooLongError,
    EndpointStatusError,
    MalformedAnswerError,
    ModelClient,
    message,
)
from aq_gym.models.conversation import check_lengths, estimate_tokens
from aq_gym.models.usage import Call, usage_notes
from aq_gym.ratings.journal import Journal, Request, texts_of

_T = TypeVar("_T")
_R = TypeVar("_R")
# Status codes that refuse only this request, as a content filter does; retries don't
# help.
_REFUSED = (400, 403, 413, 422)
# Prefixes of tuned models ("ft:gpt-4o:..."), and of region and provider
# ("us.meta.llama3-1").
_PREFIX = re.compile(r"\A(?:ft:|[a-z][a-z0-9]*\.(?=[a-z]))+")
_FAMILY = re.compile(
    "gpt|claude|llama|gemini|gemma|qwen|qwq|mistral|mixtral|ministral|magistral|"
    "codestral|devstral|pixtral|deepseek|command|grok|nova|glm|kimi"
)
_ALIASES = {"qwq": "qwen"} | dict.fromkeys(
    ("mixtral", "ministral", "magistral", "codestral", "devstral", "pixtral"), "mistral"
)
_THOUGHT = re.compile(r"\A.*</think>|<think>.*\Z", re.S)


@dataclass(frozen=True)
class Judge:
    """A model that rates.

    Args:
        model: The model's name.
        base_url: The endpoint; see :class:`~aq_gym.models.ModelClient`.
        context: The tokens that the model can read and write together.
        max_tokens: The longest answer, in tokens.
        temperature: The sampling temperature; None leaves it to the endpoint. With 0.0,
            repetitions say nothing about the stability of ratings.
        seed: The sampling seed of the first repetition; each further repetition adds 1.
            None sends none.
        timeout: Seconds for a call.
        max_retries: The number of retries of a failed call.
        price: The price of a million tokens read and a million written.
        request: Further fields of each request, such as ``{"top_p": 0.9}``.
        api: "chat", "responses" or "messages"; see :class:`~aq_gym.agents.LLMAgent`.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If the context is not longer than the longest answer.
    """

    model: str
    base_url: str | None = None
    context: int = 32_768
    max_tokens: int = 1024
    temperature: float | None = None
    seed: int | None = None
    timeout: float = 120.0
    max_retries: int = 6
    price: tuple[float, float] = (0.0, 0.0)
    request: dict[str, Any] | None = None
    api: Literal["chat", "responses", "messages"] = "chat"

    def __post_init__(self) -> None:
        """Check the arguments."""
        given = {"self": self, **self.__dict__}
        check_arguments(Judge.__init__, given)
        check_lengths(self.context, self.max_tokens)
        if not min(self.price) >= 0:
            raise ValueError(f"price={self.price} must not be negative")

    @property
    def identity(self) -> str:
        """The parameters on which its answers depend, as text."""
        names = ("model", "api", "max_tokens", "temperature", "seed", "request")
        return json.dumps({name: getattr(self, name) for name in names})

    def client(self, number: int) -> ModelClient:
        """Return a client for a repetition.

        Raises:
            ValueError: If the endpoint, its key or ``request`` is refused.
        """
        return CLIENTS[self.api](
            self.model,
            self.base_url,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            timeout=self.timeout,
            max_retries=self.max_retries,
            seed=None if self.seed is None else self.seed + number,
            request=self.request,
        )


class Answer(NamedTuple):
    """An answer to a request.

    Attributes:
        text: The text after any reasoning; "" if there is none.
        problem: "" for an answer, "too long" if the request does not fit into the
            context, "refused" if the endpoint refused it or answered with something
            else, "planned" if it was only counted.
    """

    text: str
    problem: str = ""


class Caller:
    """Sends requests that the journal does not have.

    Attributes:
        planned: The number of requests that would be sent, a cautious estimate of the
            tokens read, the maximum number of tokens written, and the cost of both.
    """

    def __init__(
        self,
        journal: Journal,
        max_cost: float | None = None,
        workers: int = 1,
        plan: bool = False,
    ) -> None:
        self.journal = journal
        self.plan = plan
        self.planned = {"calls": 0.0, "tokens_read": 0.0, "tokens_written": 0.0}
        self.planned["cost"] = 0.0
        self._max_cost, self._workers = max_cost, workers
        self._lock = Lock()

    def ask(self, judge: Judge, request: Request) -> Answer:
        """Return the answer to a request, from the journal if it is there.

        Raises:
            EndpointError: If the call failed, after all retries.
            LimitReachedError: If the limit is reached.
        """
        known = self.journal.find(judge.identity, request)
        if known is None:
            if self.plan:
                return self._count(judge, request)
            self.check_limit()
            known = self._call(judge, request)
        return Answer(_THOUGHT.sub("", known["answer"]), known.get("problem", ""))

    def map(self, function: Callable[[_T], _R], jobs: Iterable[_T]) -> list[_R]:
        """Call a function on each job in parallel; return its results in order.

        The first exception ends it, once the calls that have begun are finished.
        """
        failed = Event()

        def call(job: _T) -> _R | None:
            # After a failure nothing more is sent.
            if failed.is_set():
                return None
            try:
                return function(job)
            except BaseException:
                failed.set()
                raise

        with ThreadPoolExecutor(self._workers) as pool:
            try:
                futures = [pool.submit(call, job) for job in jobs]
                return [cast(_R, future.result()) for future in futures]
            finally:
                failed.set()

    def _call(self, judge: Judge, request: Request) -> dict[str, Any]:
        messages = [
            message("system", request.system),
            message("user", texts_of(request.parts)),
        ]
        name = judge.identity
        try:
            completion = judge.client(request.number).complete(messages)
        except ContextTooLongError:
            return self.journal.add(name, request, "", {}, problem="too long")
        except (EndpointStatusError, MalformedAnswerError) as error:
            status = getattr(error, "status", _REFUSED[0])
            if error.stops_run or status not in _REFUSED:
                raise
            said = {"problem": "refused", "error": str(error)}
            return self.journal.add(name, request, "", {}, **said)
        usage = usage_notes([Call(completion, estimate_tokens(messages))], judge.price)
        fields = {"reasoning": completion.reasoning} if completion.reasoning else {}
        return self.journal.add(name, request, completion.content, usage, **fields)

    def _count(self, judge: Judge, request: Request) -> Answer:
        texts = [message("user", request.system + texts_of(request.parts))]
        read, written = estimate_tokens(texts), judge.max_tokens
        cost = (read * judge.price[0] + written * judge.price[1]) / 1e6
        with self._lock:
            for name, value in zip(self.planned, (1, read, written, cost), strict=True):
                self.planned[name] += value
        return Answer("", "planned")

    def check_limit(self) -> None:
        """Raise LimitReachedError if the limit is reached."""
        used = self.journal.used
        cost = used.get("cost", 0.0) + used.get("estimated_cost", 0.0)
        if self._max_cost is not None and cost >= self._max_cost:
            raise LimitReachedError(
                f"cost {cost:g} has reached the limit {self._max_cost:g}"
            )


def check_max_cost(max_cost: float | None, judges: Sequence[Judge]) -> None:
    """Check that a limit of the cost is positive and can be reached.

    Raises:
        ValueError: If it is not above 0, or no judge has a price.
    """
    if max_cost is None:
        return
    check_limits({"cost": max_cost}, "", {})
    if not any(any(one.price) for one in judges):
        raise ValueError(
            f"limit of cost: {max_cost:g} is never reached, as no judge has a price: "
            "give the cost of a million tokens, read and written, as "
            '--judge-arg "price=[IN, OUT]"'
        )


def family(model: str) -> str:
    """Return the family of a model: "gpt" for "openai/gpt-4o", "" if unknown.

    Args:
        model: The name, with or without a provider.
    """
    name = _PREFIX.sub("", model.rpartition("/")[2].lower())
    if re.match(r"o\d", name):
        return "gpt"
    if found := _FAMILY.search(name):
        return _ALIASES.get(found[0], found[0])
    other = re.match(r"[a-z]+", name)
    return other[0] if other else ""
