"""The ToolQuery environment."""

from __future__ import annotations

from typing import Literal, Unpack

from aq_gym.core.splits import Split
from aq_gym.envs.toolquery.agentboard import AgentBoardProtocol
from aq_gym.envs.toolquery.protocol import ToolQueryProtocol
from aq_gym.tools.env import ToolArguments
from aq_gym.tools.world_env import WorldArguments, WorldEnv

PROTOCOLS = {"aq": ToolQueryProtocol, "agentboard": AgentBoardProtocol}


class ToolQueryEnv(WorldEnv):
    """Answer questions about a database that only tools can read.

    ## Description
    A database is generated from a seed, with invented names, so that no model can know
    its content. The question needs two to seven facts, which build on each other: a
    search returns an id, with which other tools return further ids and values. There
    are the same kinds of tools and questions as in AgentBoard's Tool-Query.

    The expert is privileged: it knows which calls find the facts, and makes them in
    order.

    ## Action Space
    Text: one call of a tool, in any form that :func:`aq_gym.tools.read_calls` reads,
    such as ``search_movie(title="The Silent Harbour at Dawn")`` or ``{"name":
    "search_movie", "arguments": {"title": ...}}``. ``finish(answer=...)`` answers the
    question. ``check valid actions`` (or ``help``) lists the tools at the cost of a
    step. An invalid call changes nothing, and the answer explains the error.

    ## Observation Space
    Text: the tools and the question at reset; then the result of a call, as JSON.

    ## Starting State
    A database, a template and a question drawn from ``np_random``; no fact is found.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of subgoals reached. The subgoals are the n facts that the
    answer needs and the right answer, each worth 1 / (n + 1). A fact counts once,
    whichever call returned it; the weather of a period counts as one fact. After the
    right answer progress is 1.0, whatever was found before.

    ## Episode End
    Terminated by ``finish``. Success needs the right answer: numbers are compared by
    value, dates by day, texts without case and punctuation, sets in any order (see
    :func:`aq_gym.answers.is_same`). Truncated after 40 steps (``max_episode_steps``).

    ## Information
    The keys of :class:`aq_gym.tools.env.ToolEnv`. ``subgoals`` has "fact 1" to
    "fact n" and "right answer"; only AgentBoard's questions have a ``difficulty``.
    ``env.get_wrapper_attr("tools")`` has the tools with their JSON Schemas.

    ## Arguments
    * ``world="movies"``: the world, "movies", "weather", "academia" or "library".
    * ``records=100``: the size of the database, 60 to 10,000; a reset with 10,000
      takes up to a second.
    * ``unanswerable=0.0``: the share of questions about somebody or something that is
      not in the database; the only fact is that the name is missing, and the right
      answer is "unknown".
    * ``split="all"``: "train" or "test" draws from one part of the questions, divided
      by database and template.
    * ``protocol="aq"``: "agentboard" has AgentBoard's tools, questions and ends, for
      ``world="academia"``. A step adds ``info["agentboard_reward"]``.
    * ``problem=None``: the number of a question in that protocol, from 0; None for all.
    * ``data_dir=None``: the folder ``tool-query`` of AgentBoard's data, or
      ``data/tool-query`` in the folder of ``AGENTBOARD_DATA``; its graphs have to be
      converted first (``docs/reproducing.md``), because they are pickles.
    * ``parallel_calls=False``, ``distractors=0``, ``rename=False``, ``faults=0.0``: see
      :class:`aq_gym.tools.env.ToolEnv`.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Ma et al., "AgentBoard: An Analytical Evaluation Board of Multi-turn LLM Agents",
    NeurIPS 2024 (datasets and benchmarks): Tool-Query.

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If an argument is out of its range, or ``list_actions`` is True:
            there are too many calls.
    """

    protocols = PROTOCOLS

    def __init__(
        self,
        world: Literal["movies", "weather", "academia", "library"] = "movies",
        records: int = 100,
        unanswerable: float = 0.0,
        split: Split = "all",
        protocol: Literal["aq", "agentboard"] = "aq",
        problem: int | None = None,
        data_dir: str | None = None,
        **shared: Unpack[ToolArguments],
    ) -> None:
        chosen = world, "any", records, unanswerable, split, problem, data_dir
        super().__init__(protocol, WorldArguments(*chosen), **shared)

    def secrets(self) -> tuple[str, ...]:
        """Return the task's id, which reveals whether the question can be answered."""
        return (self._game.task_id,)

    def solution(self) -> str:
        """Return the right answer."""
        return str(self._game.task.question.answer)
