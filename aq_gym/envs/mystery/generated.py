"""Generated stories: their texts, and answers computed from their facts."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

import numpy as np

from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Turn
from aq_gym.core.tasks import GeneratedTasks
from aq_gym.core.text import listing, plural
from aq_gym.envs.mystery import actions, expert, picture
from aq_gym.envs.mystery.actions import Problem, write_question, write_telling
from aq_gym.envs.mystery.game import (
    ASPECTS,
    VALUES,
    Known,
    Question,
    Story,
    StoryGame,
    Telling,
    aspects,
    draw_story,
    is_one,
    load,
    question_limit,
    read_story,
)
from aq_gym.envs.mystery.protocol import RULES, SOLVED, MysteryProtocol, answer

_FORMS = (
    "Ask in the form: Was the person a sailor or a teacher?\n"
    "Tell the story in the form: Story: <what happened, with all its facts>"
)
_ABOUT = {
    "person": "who was behind it",
    "place": "where it was prepared",
    "object": "what was used",
    "motive": "why it was done",
    "weather": "what the weather or nature was like",
    "helper": "who or what helped",
}


class StoryProtocol(MysteryProtocol[StoryGame, Question | Telling]):
    """Generated stories.

    Args:
        facts: The number of hidden facts, 1 to 6.
        questions: The limit of questions and tellings; None for the default of
            :func:`question_limit`.
        split: "all", "train" or "test".

    Raises:
        ValueError: If ``facts`` or ``questions`` is out of range.
    """

    prefix: ClassVar[str] = "Was the "

    def __init__(self, facts: int, questions: int | None, split: str) -> None:
        if not 1 <= facts <= len(ASPECTS):
            raise ValueError(f"facts={facts} must be 1 to {len(ASPECTS)}")
        if questions is not None and questions < 1:
            raise ValueError(f"questions={questions} must be at least 1")
        self._facts = facts
        self._questions = question_limit(facts) if questions is None else questions
        self.tasks = GeneratedTasks(
            self._draw_id,
            self._story,
            f"story-OUTCOME-VALUES-HIDDEN with {facts} hidden facts",
            split,
            _outcome,
        )

    def opening(self, task: Story, instructions: bool) -> str:
        """Return the outcome and the facts that are known."""
        opening = _outcomes()[task.outcome]
        facts = zip(aspects(), task.values, task.hidden, strict=True)
        given = [
            f"the {aspect.name} was {aspect.values[value]}"
            for aspect, value, hides in facts
            if not hides
        ]
        if given:
            opening = f"{opening}\nThis much is known: {listing(given)}."
        if not instructions:
            return opening
        return f"{_instructions(task, self._questions)}\n{opening}"

    def new_game(self, task: Story, state: Known | None = None) -> StoryGame:
        """Return a game of a story; a state of None is the initial one."""
        return StoryGame(task, self._questions, state)

    def sample(self, rng: np.random.Generator) -> str:
        """Draw a question about one fact, or a telling."""
        if rng.random() < 0.1:
            drawn = rng.integers(VALUES, size=len(ASPECTS)).tolist()
            return write_telling(tuple(enumerate(drawn)))
        aspect = int(rng.integers(len(ASPECTS)))
        values = aspects()[aspect].values
        picks = sorted(rng.permutation(VALUES)[: int(rng.integers(1, 5))].tolist())
        return write_question(aspect, [values[pick] for pick in picks])

    def read(self, game: StoryGame, text: str) -> Question | Telling | None:
        """Read a question or a telling that can be judged."""
        action = actions.read(text)
        return None if isinstance(action, Problem) else action

    def write(self, game: StoryGame, action: Question | Telling) -> str:
        """Write a question or a telling in its documented form."""
        return actions.write(action)

    def play(self, game: StoryGame, action: Question | Telling) -> Turn:
        """Answer a question or a telling."""
        if isinstance(action, Telling):
            game.state = game.state.after_telling(action, game.story)
            if game.solved:
                return Turn(SOLVED)
            reply = _unfinished(action, game.story.hidden)
        else:
            verdict = action.answer(game.story)
            game.state = game.state.after_answer(action, verdict)
            reply = answer(verdict)
        return Turn(reply + _remaining(game.left), terminated=not game.left)

    def refuse(self, game: StoryGame, text: str) -> Turn:
        """Explain why a text is neither a question nor a telling."""
        problem = actions.read(text)
        why = problem.why if isinstance(problem, Problem) else ""
        return Turn.invalid(
            f"{why} Ask as: Was the person a sailor or a teacher? Or tell it as: "
            "Story: <what happened>"
        )

    def help(self, game: StoryGame) -> str:
        """Return the forms of both actions, and the possible values of each fact."""
        return _help()

    def expert_action(self, game: StoryGame) -> str:
        """Return the most informative question, or the story once it is known."""
        for aspect, possible in enumerate(game.state.possible):
            if game.left > 1 and not is_one(possible):
                names = expert.best_names(aspect, possible)
                return write_question(aspect, list(names))
        values = enumerate(mask.bit_length() - 1 for mask in game.state.possible)
        return write_telling(tuple(values))

    def secrets(self, game: StoryGame) -> tuple[str, ...]:
        """Return what happened, until it has been told."""
        if game.solved:
            return ()
        person, place, object_, motive, weather, helper = (
            aspect.values[value]
            for aspect, value in zip(aspects(), game.story.values, strict=True)
        )
        return (
            f"Behind it was {person}, because of {motive}. It was prepared at {place}, "
            f"with {object_}, during {weather}, and {helper} helped.",
        )

    def draw(self, game: StoryGame) -> Drawing:
        """Return the values of each fact that the answers leave possible."""
        return picture.draw(_outcomes()[game.story.outcome], game)

    def secrets_left(self, game: StoryGame) -> int:
        """Return how many stories fit the answers."""
        return game.state.stories()

    def _draw_id(self, rng: np.random.Generator) -> str:
        return draw_story(self._facts, rng).task_id

    def _story(self, task_id: str) -> Story | None:
        story = read_story(task_id)
        return story if story and sum(story.hidden) == self._facts else None


def _outcome(story: Story) -> str:
    """Return the outcome, which decides the split."""
    return f"outcome-{story.outcome}"


def _instructions(story: Story, questions: int) -> str:
    facts = zip(ASPECTS, story.hidden, strict=True)
    names = [name for name, hides in facts if hides]
    lines = "\n".join(f"  the {name}: {_ABOUT[name]}" for name in names)
    what = "this fact" if len(names) == 1 else f"these {len(names)} facts"
    limit = f"You have {plural(questions, 'question')}; a telling counts as one."
    return (
        f"{RULES}\nYou need to find {what}:\n{lines}\n{limit}\n{_FORMS}\n"
        "'check valid actions' lists what each fact can be."
    )


@lru_cache(maxsize=1)
def _help() -> str:
    lines = [
        f"  the {aspect.name}: {listing(aspect.values, 'or')}; also "
        f"{listing(tuple(aspect.categories), 'or')}"
        for aspect in aspects()
    ]
    return "\n".join((_FORMS, "What each fact can be:", *lines))


@lru_cache(maxsize=1)
def _outcomes() -> tuple[str, ...]:
    return tuple(load("outcomes.json"))


def _remaining(left: int) -> str:
    """Return a warning that few questions are left, or ""."""
    if left > 1:
        return ""
    if left:
        return " One question is left: tell the story."
    return " That was your last question. The game is over."


def _unfinished(telling: Telling, hidden: tuple[bool, ...]) -> str:
    """Return the answer to a telling that is not the whole story."""
    named = {aspect for aspect, _ in telling.values}
    left_out = [
        f"the {name}" for i, name in enumerate(ASPECTS) if hidden[i] and i not in named
    ]
    if left_out:
        return f"Your story leaves out {listing(left_out)}."
    return "Not everything in your story is true."
