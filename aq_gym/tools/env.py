"""The base class of environments whose actions are tool calls."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard, Unpack

from aq_gym.core import Prompt, SharedArguments, TextEnv, Turn
from aq_gym.core.arguments import check_arguments, signature_with
from aq_gym.core.drawing import Drawing
from aq_gym.core.text import plural
from aq_gym.tools import picture
from aq_gym.tools.calls import Call, Unreadable, read_calls
from aq_gym.tools.toolbox import Result, Toolbox
from aq_gym.tools.variants import (
    MOST_DISTRACTORS,
    Variant,
    is_fault,
    make_variant,
    seed_of,
)

# The observation space holds texts of at most twice this length.
_MOST_CHARACTERS = 50_000
_UNAVAILABLE = "The service is temporarily unavailable. Nothing was changed."


class ToolArguments(SharedArguments, total=False):
    """The constructor arguments of every environment with tools."""

    parallel_calls: bool
    distractors: int
    rename: bool
    faults: float


class Calls(NamedTuple):
    """An action: the calls in a text, some of which may be malformed."""

    text: str
    calls: tuple[Call | Unreadable, ...]


class ToolState(NamedTuple):
    """The state of an episode with tools.

    Attributes:
        seed: The seed of the variant of the tools and of the faults.
        carried_out: The number of valid calls so far.
        world: The benchmark's own state.
    """

    seed: int
    carried_out: int
    world: Any


class ToolEnv(TextEnv):
    """A text environment whose actions are tool calls.

    A benchmark has ``toolbox``, keeps the world that tools receive in ``self.world``,
    calls :meth:`begin_tools` in ``_reset``, and writes ``over`` besides the methods of
    :class:`aq_gym.TextEnv`, with ``_get_world`` and ``_set_world`` in place of
    ``_get_state`` and ``_set_state``.

    An action is one call, in any form that :func:`aq_gym.tools.read_calls` reads. If
    there are several calls, only the first is carried out, unless ``parallel_calls`` is
    True: then all are, in order, each with its own result. The step is valid if at
    least one call is valid.

    Added to ``info`` on reset and step: ``calls: int`` and ``valid_calls: int``, the
    numbers of calls in the action and of calls that were carried out.

    Args:
        parallel_calls: Whether one action can consist of several calls.
        distractors: The number of tools that help with no task, 0 to 16.
        rename: Whether tools and parameters get other names in each episode.
        faults: The share of valid calls, 0.0 to below 1.0, that are answered with
            "temporarily unavailable" and change nothing.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If an argument is out of its range.
    """

    shared_attributes = frozenset({"_variant"})
    world: Any

    def __init_subclass__(cls) -> None:
        """Add the arguments of :class:`ToolArguments` to the signature."""
        super().__init_subclass__()
        chain = (cls.__init__, ToolEnv.__init__, TextEnv.__init__)
        cls.__signature__ = signature_with(*chain)  # type: ignore[attr-defined]

    def __init__(
        self,
        *,
        parallel_calls: bool = False,
        distractors: int = 0,
        rename: bool = False,
        faults: float = 0.0,
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        given = {
            "parallel_calls": parallel_calls,
            "distractors": distractors,
            "rename": rename,
            "faults": faults,
        }
        check_arguments(ToolEnv.__init__, given)
        if not 0 <= distractors <= MOST_DISTRACTORS:
            raise ValueError(
                f"distractors={distractors} must be 0 to {MOST_DISTRACTORS}"
            )
        if not 0.0 <= faults < 1.0:
            raise ValueError(f"faults={faults} must be 0.0 to below 1.0")
        self._parallel = parallel_calls
        self._distractors = distractors
        self._rename = rename
        self._faults = float(faults)
        self._calls = self._valid_calls = 0
        # The last text that _read refused and what is in it, for _refuse to explain.
        self._refused: tuple[str, tuple[Call | Unreadable, ...] | Unreadable] = "", ()
        self._set_variant(0, 0)
        lists = type(self).admissible_actions is not ToolEnv.admissible_actions
        if self.list_actions and not lists:
            self.admissible_actions()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Start a new episode; see :meth:`aq_gym.TextEnv.reset`."""
        observation, info = super().reset(seed=seed, options=options)
        self._memory = picture.Seen(info["goal"])
        return observation, info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Carry out the calls in an action; see :meth:`aq_gym.TextEnv.step`."""
        # Help actions and texts that are too long have no calls.
        self._calls = self._valid_calls = 0
        result = super().step(action)
        self._memory = self._memory.after(action, result[0])
        return result

    @property
    def tools(self) -> Toolbox:
        """The tools of this episode, as the agent sees them."""
        return self._variant.tools

    def begin_tools(self, task_id: str) -> None:
        """Choose the variant of the tools and the faults; call it in ``_reset``.

        Args:
            task_id: The task's id. It determines both, so that the task can be played
                again.
        """
        varied = self._distractors or self._rename or self._faults
        self._set_variant(seed_of(task_id) if varied else 0, 0)
        self._calls = self._valid_calls = 0

    def write_call(self, tool: str, **arguments: Any) -> str:
        """Return a call of a tool as an agent writes it in this episode.

        Args:
            tool: The original name of a tool.
            arguments: The arguments, by their original names.
        """
        return self.tools.canonical(self._named(tool, arguments))

    def _named(self, tool: str, arguments: Mapping[str, Any]) -> Call:
        """Return a call with the names of this episode."""
        variant = self._variant
        new = {variant.parameters[tool, k]: value for k, value in arguments.items()}
        return Call(variant.names[tool], new)

    @property
    @abstractmethod
    def toolbox(self) -> Toolbox:
        """The tools, before a variant renames them."""

    @abstractmethod
    def over(self) -> bool:
        """Return whether a call has ended the episode."""

    @abstractmethod
    def _get_world(self) -> Any:
        """Return the benchmark's state as a small, picklable, comparable value."""

    @abstractmethod
    def _set_world(self, world: Any) -> None:
        """Restore a state that ``_get_world`` returned."""

    def read_calls(self, text: str) -> tuple[Call | Unreadable, ...] | Unreadable:
        """Read the calls in a text; override it to read further forms."""
        return read_calls(text)

    def _read(self, text: str) -> Calls | None:
        """Read calls; of those that count, at least one must have valid arguments."""
        calls = self.read_calls(text)
        if not isinstance(calls, Unreadable):
            action = Calls(text, calls)
            if any(map(self._is_bound, self._counted(action))):
                return action
        self._refused = text, calls
        return None

    def _counted(self, action: Calls) -> tuple[Call | Unreadable, ...]:
        """Return the calls that count: all, or the first."""
        return action.calls if self._parallel else action.calls[:1]

    def _is_bound(self, call: Call | Unreadable) -> TypeGuard[Call]:
        """Return whether a call has a tool's name and valid arguments."""
        return isinstance(call, Call) and not isinstance(self.tools.bind(call), str)

    def _write(self, action: Calls, write: Callable[[Call], str] | None = None) -> str:
        calls = list(map(self.canonical_call, filter(self._is_bound, action.calls)))
        if len(calls) < len(action.calls):
            return action.text
        return "\n".join(map(write or self.tools.canonical, calls))

    def _said(self, action: Calls) -> str:
        return self._write(action, self.tools.said)

    def _step(self, action: Calls) -> Turn:
        results = self._carry_out(self._counted(action))
        self._calls = len(results)
        self._valid_calls = sum(result.valid for result in results)
        text = _joined(results) if self._parallel else results[0].text
        # A result can repeat an argument, and a lone surrogate cannot be encoded.
        text = text.encode(errors="replace").decode()
        if len(text) > _MOST_CHARACTERS:
            cut = f"[{len(text):,} characters, cut to {_MOST_CHARACTERS:,}]"
            text = f"{text[:_MOST_CHARACTERS]}\n{cut}"
        if len(results) < len(action.calls):
            several = plural(len(action.calls), "call")
            text += f"\nOnly the first of {several} was carried out."
        valid = self._valid_calls > 0
        feedback = "" if valid else text
        return Turn(text, valid, terminated=self.over(), feedback=feedback)

    def _refuse(self, text: str) -> Turn:
        """Explain what is wrong with each call, or why there is none."""
        read, calls = self._refused
        if read != text:
            calls = self.read_calls(text)
        self._refused = "", ()
        if not isinstance(calls, Unreadable):
            return self._step(Calls(text, calls))
        self._calls, self._valid_calls = 1, 0
        return Turn.invalid(self._unreadable(calls))

    def _carry_out(self, calls: Sequence[Call | Unreadable]) -> list[Result]:
        """Carry out calls in order, until one ends the episode."""
        results: list[Result] = []
        for call in calls:
            results.append(self._call(call))
            if self.over():
                break
        return results

    def _call(self, call: Call | Unreadable) -> Result:
        if isinstance(call, Unreadable):
            return Result(self._unreadable(call), False)
        if self._faults:
            right = not isinstance(self.tools.bind(call), str)
            if right and is_fault(self._seed, self._carried_out, self._faults):
                self._carried_out += 1
                return Result(_UNAVAILABLE, True)
        result = self.tools.run(self.world, call)
        self._carried_out += result.valid
        if result.valid:
            self._memory = self._memory.with_call(call, result.text)
        return result

    def _unreadable(self, problem: Unreadable) -> str:
        reason = problem.reason or "That is not a call of a tool."
        return f"{reason} Write a call such as {self.example_call()}."

    def example_call(self) -> str:
        """Return a call that is valid at any time; override it if this one is not."""
        return next(iter(self.tools)).example()

    def canonical_call(self, call: Call) -> Call:
        """Return one of all equal calls; override it to treat more calls as equal."""
        return call

    def admissible_actions(self) -> tuple[str, ...]:
        """Raise an error, unless overridden: there are too many calls."""
        raise ValueError(
            "list_actions: calls can't be listed, because any text can be an argument: "
            "use sample_action, or list_actions=False"
        )

    def task_prompt(self) -> Prompt:
        """Return the prompt; its example is left out if the tools are renamed."""
        prompt = super().task_prompt()
        return prompt._replace(example=None) if self._rename else prompt

    def help(self) -> str:
        """Return the description of every tool."""
        return f"The tools are:\n{self.tools.text()}"

    def extra_info(self) -> dict[str, Any]:
        """Return the number of calls in the last action, and of valid ones."""
        return {"calls": self._calls, "valid_calls": self._valid_calls}

    def _draw(self) -> Drawing:
        return picture.draw(self._memory, self._looked())

    def _looked(self) -> list[picture.Looked]:
        """Return the calls that were carried out, by their original names."""
        names = {new: old for old, new in self._variant.names.items()}
        looked = []
        for call, text in self._memory.calls:
            tool, bound = self.tools.find(call.name), self.tools.bind(call)
            assert tool is not None and isinstance(bound, dict)
            name = names[tool.name]
            parameters = self._variant.parameters
            given = {
                old: bound[new] for (of, old), new in parameters.items() if of == name
            }
            looked.append(picture.Looked(name, given, picture.read(text)))
        return looked

    def _get_state(self) -> ToolState:
        return ToolState(self._seed, self._carried_out, self._get_world())

    def _set_state(self, world: ToolState) -> None:
        self._set_world(world.world)
        self._set_variant(world.seed, world.carried_out)
        self._calls = self._valid_calls = 0

    def _set_variant(self, seed: int, carried_out: int) -> None:
        self._seed = seed
        self._carried_out = carried_out
        self._variant: Variant = make_variant(
            self.toolbox, seed, self._distractors, self._rename
        )


def _joined(results: Sequence[Result]) -> str:
    if len(results) == 1:
        return results[0].text
    return "\n".join(
        f"[{k}] {one.text}" if one.valid else f"[{k}, invalid] {one.text}"
        for k, one in enumerate(results, start=1)
    )
