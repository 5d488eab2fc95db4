"""The Mystery environment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Start
from aq_gym.core.splits import Split
from aq_gym.core.tasks import separate, task_of
from aq_gym.envs.mystery.game import StoryGame
from aq_gym.envs.mystery.generated import StoryProtocol
from aq_gym.envs.mystery.protocol import GOAL, MysteryProtocol
from aq_gym.envs.mystery.user_puzzles import PuzzleGame, PuzzleProtocol


class MysteryEnv(TextEnv):
    """Find out by yes/no questions what happened, and tell the story.

    ## Description
    A lateral thinking puzzle, or situation puzzle: the agent is told how a story ended,
    asks questions that are answered with "Yes.", "No." or "Irrelevant.", and tells what
    happened. It is part of AgentQuest's first version (NAACL 2024, with AgentBench's
    puzzles).

    Without ``puzzles`` the stories are *generated*: an outcome, and up to six hidden
    key facts with eight values each, 262,144 combinations. The judge is exact: every
    word that it knows stands for one value or a set of values, and it refuses questions
    that it could misread, with the reason. With ``puzzles`` they are the *user's own*,
    judged by a language model.

    The expert asks the question with the highest entropy, using only the answers, and
    needs three questions for each hidden fact and one step for the story. With
    ``puzzles`` the expert is privileged: it tells the answer and the key facts, and its
    success depends on the judge.

    ## Action Space
    Text: a question, such as ``Was the person a sailor or a teacher?``, ``Did it happen
    near the sea?`` or ``Was a rope used?``, or the telling, such as ``Story: A sailor
    went to the library with a rope ...``. ``check valid actions`` (or ``help``) lists,
    at the cost of a step, what each fact can be. A question begins like a yes/no
    question, or ends with a question mark; for generated stories it has no negation, no
    word that the judge does not know, and "or" only between words for one fact. Other
    text changes nothing, and the answer explains what is wrong.

    ## Observation Space
    Text: the rules, the facts that are missing and the outcome at reset; then the
    answer.

    ## Starting State
    A story drawn uniformly with ``np_random``: its outcome, its facts, and which of
    them are hidden. With ``puzzles``, a puzzle of the file.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of subgoals reached: the hidden key facts, as in AgentQuest,
    and telling the story. In a generated story a fact counts as found once the answers
    so far leave only one value for it, whatever was asked: also when all other values
    were denied. The answer to a telling counts as well: if the telling has all hidden
    facts and is wrong, the agent knows that one of them is wrong. With ``puzzles`` the
    judge decides.

    ## Episode End
    Terminated when the whole story is told, with every hidden fact and no wrong fact;
    with ``puzzles``, by a telling once every key fact was found. A generated story ends
    without success after the last question; a telling counts as one. Truncated after 60
    steps (``max_episode_steps``), AgentQuest's rounds.

    ## Information
    The keys of :class:`aq_gym.TextEnv`, and ``judge: str``: with ``puzzles``, the
    verdicts of the step as JSON, so that the trajectory can be replayed; "" otherwise.
    ``subgoals`` has the aspects of the hidden facts ("the person") or numbered keys,
    and "the story". ``task_id`` reveals the story, so it is for the evaluator only.

    ## Arguments
    * ``facts=6``: the number of hidden facts of a generated story, 1 to 6; the opening
      tells the others.
    * ``questions=None``: the limit of questions and tellings of a generated story. By
      default there are three for each hidden fact and two more: the expert needs all
      but one, and asking for each value in turn rarely succeeds. The paper has 60.
    * ``puzzles=None``: a file of puzzles, JSON (a list of objects with "story",
      "answer" and "keys") or ``.xlsx`` with AgentBench's columns (needs ``openpyxl``).
    * ``judge_model=None``: the model that judges them. The endpoint is configured by
      environment variables: ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY``, or
      ``AQ_GYM_JUDGE_BASE_URL`` and ``AQ_GYM_JUDGE_API_KEY``, which come first.
    * ``verdicts=None``: the ``.jsonl`` file that stores the judge's verdicts, so that
      no question is judged twice; by default the file of puzzles with the suffix
      ``.verdicts.jsonl``. If it has all verdicts, no endpoint is needed.
    * ``split="all"``: "train" or "test" draws from one part of the stories.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Gioacchini et al., "AgentQuest: A Modular Benchmark Framework to Measure Progress
    and Improve LLM Agents", NAACL 2024 (demonstrations). Liu et al., "AgentBench:
    Evaluating LLMs as Agents", ICLR 2024. Sloane, "Lateral Thinking Puzzlers", 1991.

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If ``facts`` or ``questions`` is out of range, an argument for
            puzzles is given without ``puzzles`` or missing with it, ``questions`` is
            given with it, no endpoint is configured, the file of puzzles can't be read,
            or ``list_actions`` is True, because questions cannot be listed.
        gymnasium.error.DependencyNotInstalled: For ``.xlsx`` without ``openpyxl``.
    """

    # A downloaded suite or trajectory could name any file as puzzles or verdicts.
    plain_arguments = frozenset({"facts", "questions", "split"})

    protocol: MysteryProtocol[Any, Any]
    _game: StoryGame | PuzzleGame

    def __init__(
        self,
        facts: int = 6,
        puzzles: str | Path | None = None,
        judge_model: str | None = None,
        verdicts: str | Path | None = None,
        split: Split = "all",
        questions: int | None = None,
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        if puzzles is None:
            given = {"judge_model": judge_model, "verdicts": verdicts}
            for name, value in given.items():
                if value is not None:
                    raise ValueError(f"{name}={value!r} needs puzzles=FILE")
            self._set_protocol(StoryProtocol(facts, questions, split))
        elif questions is not None:
            raise ValueError(
                f"questions={questions} is for generated stories; puzzles allow one a "
                "step: give max_episode_steps"
            )
        else:
            self.source = "user"
            self._set_protocol(PuzzleProtocol(puzzles, judge_model, verdicts, split))
        if self.list_actions:
            self.admissible_actions()

    def _reset(self, options: Mapping[str, Any]) -> Start:
        protocol = self.protocol
        self._task_id, task = task_of(protocol.tasks, options, self.np_random)
        self._game = protocol.new_game(task)
        opening = protocol.opening(task, self.instructions)
        return Start(opening, GOAL, self._task_id)

    def subgoals(self) -> dict[str, bool]:
        """Return whether each hidden fact was found, and whether the story was told."""
        return self._game.subgoals()

    def success(self) -> bool:
        """Return whether the whole story was told."""
        return self._game.solved

    def admissible_actions(self) -> tuple[str, ...]:
        """Raise an error, because the number of questions is unlimited.

        Raises:
            ValueError: Always.
        """
        raise ValueError(
            "list_actions: questions can't be listed, because they are unlimited: "
            "use sample_action, or list_actions=False"
        )

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a question or a telling."""
        return self.protocol.sample(separate(rng))

    def expert_action(self) -> str:
        """Return the most informative question, or the story."""
        return self.protocol.expert_action(self._game)

    def secrets(self) -> tuple[str, ...]:
        """Return the solution, until it has been told."""
        return self.protocol.secrets(self._game)

    def secrets_left(self) -> int | None:
        """Return how many stories fit the answers; None for puzzles."""
        return self.protocol.secrets_left(self._game)

    def _draw(self) -> Drawing:
        return self.protocol.draw(self._game)

    def extra_info(self) -> dict[str, Any]:
        """Return the verdicts of the last action."""
        # Cleared, because the next action may not be judged.
        judged, self._game.judged = self._game.judged, ""
        return {"judge": judged}

    def _get_state(self) -> tuple[str, Any]:
        return self._task_id, self._game.state

    def _set_state(self, world: tuple[str, Any]) -> None:
        self._task_id, state = world
        task = self.protocol.tasks.get(self._task_id)
        self._game = self.protocol.new_game(task, state)
