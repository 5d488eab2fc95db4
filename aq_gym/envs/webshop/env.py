"""The WebShop environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np
from gymnasium.error import DependencyNotInstalled

from aq_gym.core import SharedArguments, Start, TextEnv, Turn
from aq_gym.core.drawing import Drawing
from aq_gym.core.splits import Split
from aq_gym.core.tasks import TaskSource, task_of
from aq_gym.envs.webshop import expert, picture
from aq_gym.envs.webshop.agentboard import (
    AgentBoardPaperProtocol,
    AgentBoardProtocol,
    AgentBoardTasks,
)
from aq_gym.envs.webshop.logic.goals import (
    Task,
    catalogues,
    generated_tasks,
)
from aq_gym.envs.webshop.logic.reward import Judge, matched_options, nouns, spacy_nouns
from aq_gym.envs.webshop.logic.session import Scores, Session, View
from aq_gym.envs.webshop.logic.shop import words
from aq_gym.envs.webshop.official import HumanTasks, SyntheticTasks
from aq_gym.envs.webshop.protocol import (
    INSTRUCTIONS,
    Action,
    AgentQuestProtocol,
    WebShopProtocol,
    write,
)

PROTOCOLS: dict[str, type[WebShopProtocol]] = {
    "webshop": WebShopProtocol,
    "agentquest": AgentQuestProtocol,
    "agentboard": AgentBoardProtocol,
    "agentboard-paper": AgentBoardPaperProtocol,
}
_NOUNS = {"rule": nouns, "spacy": spacy_nouns}
_PRODUCTS = (100, 100_000)


class _World(NamedTuple):
    """The state of an episode, as ``get_state`` returns it."""

    task_id: str
    view: View
    scores: Scores


class WebShopEnv(TextEnv):
    """Find a product in a shop, choose its options and buy it.

    ## Description
    An instruction describes a product: its kind, attributes, options and a price limit.
    The shop has a search, pages of results, and for each product a page with options
    and pages with its description, features and reviews. Actions, pages and the reward
    are WebShop's. Products are generated from a seed, with near-misses. Texts use
    different words for the same thing, some titles do not name the kind of product, and
    some attributes are only in the description or the features. ``data_dir`` plays the
    official products.

    The expert is privileged: it knows the product from which the goal was made, and
    searches for its title.

    ## Action Space
    Text: ``search[keywords]``, or ``click[label]`` with the label of a button, a
    product or an option of the current page, in upper or lower case. ``check valid
    actions`` (or ``help``) lists the labels at the cost of a step.

    ## Observation Space
    Text: the rules at reset; always the open page, with the instruction. By default the
    page is in WebShop's format "text_rich", in which ``[button] ... [button_]``
    marks clickable elements.

    ## Starting State
    The search page, with a goal drawn from ``np_random``.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the mean of four scores. The first two are those of the best product
    listed in results and of the best product opened, each with its best options; the
    third is that of the best product opened, with the options chosen then; the last is
    that of the purchase. A score is WebShop's reward: (attributes + options + price) /
    (n + 1), times 1.0 if the type is right, else 0.5, 0.1 or 0.0.

    ## Episode End
    Terminated by a purchase; success needs a score of 1.0. Truncated after 50 steps
    (``max_episode_steps``).

    ## Information
    The keys of :class:`aq_gym.TextEnv`, and ``score``, WebShop's reward of the purchase
    (0.0 before). ``subgoals`` has "type listed", "type opened", "attribute 1" etc.,
    "option 1" etc. and "price", which hold for the open product if its type is right,
    and "bought". Only AgentBoard's goals have a ``difficulty``. ``admissible_actions``
    are the clicks of the page and, on the search page, a search for each word of the
    instruction; any other search is valid too.

    ## Arguments
    * ``products=1000``: the size of the catalogue, 100 to 100,000. With 100,000, the
      first reset takes about 10 seconds.
    * ``catalogue=None``: the number of a catalogue, 0 to 9; None for any. With more
      than 20,000 products there are fewer catalogues: 0 and 1 for 100,000.
    * ``observation_mode="text_rich"``: "text" joins the pieces of a page by ``[SEP]``.
    * ``protocol="webshop"``: "agentquest" has AgentQuest's progress: the reward of the
      purchase, 0.0 before it. "agentboard" has AgentBoard's pages of three products,
      its answers, and the progress of its code: (listed + opened + bought) / 3, at
      least bought. "agentboard-paper" has the progress of its paper.
    * ``nouns="rule"``: how the nouns of titles are found, which decide whether the type
      is right. "spacy" uses spaCy's ``en_core_web_sm``, as WebShop does.
    * ``data_dir=None``: a folder with WebShop's files of products.
    * ``goals="human"``: with ``data_dir``, "synthetic" for WebShop's generated goals.
      ``products`` is then the number of products to read, 0 for all.
      "agentboard" plays AgentBoard's goals: ``data_dir`` is a folder with its data, by
      default the one that ``AGENTBOARD_DATA`` names.
    * ``goal=None``: with ``goals="agentboard"``, or "human" and ``data_dir``, the
      number of one goal in the published order, from 0.
    * ``split="all"``: "train" and "test" share no goals and no products, even if
      titles, prices and texts are ignored. With ``data_dir`` and ``goals="human"``,
      they are WebShop's splits: the first 500 goals are "test", the goals from 1,500 on
      are "train".
    * ``render_mode``, ``instructions``, ``list_actions``, ``explain``: see
      :class:`aq_gym.TextEnv`.

    ## References
    Yao et al., "WebShop: Towards Scalable Real-World Web Interaction with Grounded
    Language Agents", NeurIPS 2022. Ma et al., "AgentBoard: An Analytical Evaluation
    Board of Multi-turn LLM Agents", NeurIPS 2024 (datasets and benchmarks).

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If an argument is out of its range, or the files of ``data_dir`` are
            not WebShop's or AgentBoard's.
        FileNotFoundError: If AgentBoard's file is missing.
        gymnasium.error.DependencyNotInstalled: If ``nouns="spacy"`` and spaCy or its
            model is not installed.
    """

    plain_arguments = frozenset(
        {
            *("products", "catalogue", "observation_mode", "protocol"),
            *("nouns", "goals", "split"),
        }
    )
    shared_attributes = frozenset({"_tasks", "_task", "_nouns"})
    protocol: WebShopProtocol
    _game: Session

    def __init__(
        self,
        products: int = 1000,
        catalogue: int | None = None,
        observation_mode: Literal["text_rich", "text"] = "text_rich",
        protocol: Literal[
            "webshop", "agentquest", "agentboard", "agentboard-paper"
        ] = "webshop",
        nouns: Literal["rule", "spacy"] = "rule",
        data_dir: str | None = None,
        goals: Literal["human", "synthetic", "agentboard"] = "human",
        goal: int | None = None,
        split: Split = "all",
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        self._set_protocol(PROTOCOLS[protocol](observation_mode))
        self._nouns = _NOUNS[nouns]
        if nouns == "spacy":
            _require_spacy()
        self._tasks = _task_source(products, catalogue, split, data_dir, goals, goal)
        if goals == "agentboard":
            self.source = "published"
        elif data_dir is not None:
            # WebShop's own files are too large for a hash.
            self.source = "user"

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, self._task = task_of(self._tasks, options, self.np_random)
        self._task_id = task_id
        self._game = self._new_session()
        opening = self.protocol.opening(self._game)
        if self.instructions:
            opening = f"{INSTRUCTIONS}\n\n{opening}"
        goal, difficulty = self._task.goal.instruction, self._task.difficulty
        return Start(self._shown(opening), goal, task_id, difficulty)

    def _shown(self, page: str) -> str:
        # A product in the user's files may have any number of options and features.
        return page[: self.max_observation]

    def _new_session(self, *state: Any) -> Session:
        judge = Judge(self._task.goal, self._nouns)
        return Session(self._task.shop, judge, self.protocol.per_page, *state)

    def _step(self, action: Action) -> Turn:
        return self._cut(super()._step(action))

    def _refuse(self, text: str) -> Turn:
        return self._cut(super()._refuse(text))

    def _cut(self, turn: Turn) -> Turn:
        # The feedback is cut shorter, because the observation begins with it.
        feedback = turn.feedback[: self.max_observation // 2]
        return turn._replace(
            observation=self._shown(turn.observation), feedback=feedback
        )

    def subgoals(self) -> dict[str, bool]:
        """Return which parts of the goal the open product meets, and the last steps."""
        session, goal, scores = self._game, self._task.goal, self._game.scores
        has = [False] * len(goal.attributes)
        chosen, price = [False] * len(goal.options), False
        if session.view.asin:
            terms = session.judge.terms(session.product)
            # A product of another type is worth less, or nothing, even if the rest
            # fits.
            if terms.type == 1.0:
                has, price = list(terms.attributes), terms.price
                values = [value for _, value in session.view.options]
                chosen = matched_options(values, goal.options)
        return {
            "type listed": scores.type_listed,
            "type opened": scores.type_opened,
            **{f"attribute {k}": one for k, one in enumerate(has, start=1)},
            **{f"option {k}": one for k, one in enumerate(chosen, start=1)},
            "price": price,
            "bought": scores.purchased,
        }

    def progress(self) -> float:
        """Return the mean of the scores, as the protocol defines it."""
        return self.protocol.progress(self._game.scores)

    def success(self) -> bool:
        """Return whether the purchase has the score 1.0."""
        return self._game.scores.bought == 1.0

    def extra_info(self) -> dict[str, Any]:
        """Return WebShop's reward of the purchase."""
        return {"score": self._game.scores.bought}

    def admissible_actions(self) -> tuple[str, ...]:
        """List the clicks, and on the search page a search for each visible word."""
        session = self._game
        if session.view.page == "search":
            seen = dict.fromkeys(words(self._task.goal.instruction))
            return tuple(write("search", word) for word in seen)
        clicks = [write("click", one) for one in self.protocol.clickable(session)]
        return tuple(dict.fromkeys(clicks))

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a click of the page, or a search for two words of the instruction."""
        possible = self.admissible_actions()
        if self._game.view.page != "search":
            return possible[int(rng.integers(len(possible)))]
        seen = words(self._task.goal.instruction)
        drawn = (seen[int(rng.integers(len(seen)))] for _ in range(2))
        return write("search", " ".join(drawn))

    def help(self) -> str:
        """Return the labels that can be clicked, and the page again."""
        return self._shown(super().help())

    def expert_action(self) -> str:
        """Return the next action of the expert, which knows the wanted product."""
        return expert.next_action(self._game)

    def _draw(self) -> Drawing:
        return picture.draw(self._game, self._task.goal.instruction)

    def _get_state(self) -> _World:
        return _World(self._task_id, self._game.view, self._game.scores)

    def _set_state(self, world: _World) -> None:
        if not hasattr(self, "_task_id") or world.task_id != self._task_id:
            self._task = self._tasks.get(world.task_id)
            self._task_id = world.task_id
            self._game = self._new_session(world.view, world.scores)
        self._game.view, self._game.scores = world.view, world.scores


def _task_source(
    products: int,
    catalogue: int | None,
    split: str,
    data_dir: str | None,
    goals: str,
    goal: int | None,
) -> TaskSource[Task]:
    """Return the tasks; see :class:`WebShopEnv` for the arguments.

    Raises:
        ValueError: If an argument is out of its range, or two contradict each other.
    """
    agentboard = goals == "agentboard"
    human = data_dir is not None and goals == "human"
    if goals == "synthetic" and data_dir is None:
        raise ValueError(
            "goals='synthetic' needs data_dir, a folder with WebShop's files; leave "
            "goals out for generated shops"
        )
    if catalogue is not None and (data_dir is not None or agentboard):
        raise ValueError(
            f"catalogue={catalogue} is the number of a generated shop: leave it out "
            "with data_dir or goals='agentboard'"
        )
    if goal is not None and not agentboard and not human:
        raise ValueError(
            f"goal={goal} needs goals='agentboard', or goals='human' with data_dir"
        )
    if goal is not None and human and split != "all":
        raise ValueError(f"goal={goal} is one goal: split={split!r} must be 'all'")
    if (data_dir is not None or agentboard) and products < 0:
        raise ValueError(f"products={products} must be 0 (all) or more")
    if agentboard:
        if split != "all":
            raise ValueError(
                f"split={split!r}: AgentBoard's goals can't be divided; use 'all'"
            )
        return AgentBoardTasks(data_dir, products, goal)
    if data_dir is not None:
        if human:
            return HumanTasks(data_dir, products, split, goal)
        return SyntheticTasks(data_dir, products, split)
    if not _PRODUCTS[0] <= products <= _PRODUCTS[1]:
        raise ValueError(
            f"products={products} must be {_PRODUCTS[0]} to {_PRODUCTS[1]}"
        )
    last = catalogues(products) - 1
    if catalogue is not None and not 0 <= catalogue <= last:
        raise ValueError(f"catalogue={catalogue} must be 0 to {last}")
    return generated_tasks(catalogue, products, split)


def _require_spacy() -> None:
    try:
        spacy_nouns("")
    except (ImportError, OSError) as error:
        raise DependencyNotInstalled(
            "nouns='spacy' needs spaCy and its model: pip install spacy, then python "
            "-m spacy download en_core_web_sm; nouns='rule' needs neither"
        ) from error
