"""The Cipher environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.results import Start, Turn
from aq_gym.core.splits import Split
from aq_gym.core.tasks import GeneratedTasks, separate, task_of
from aq_gym.envs.cipher import actions, expert, samples, text
from aq_gym.envs.cipher.actions import (
    Action,
    Coincidence,
    Column,
    Decipher,
    Frequencies,
    Guess,
    Problem,
)
from aq_gym.envs.cipher.logic import statistics
from aq_gym.envs.cipher.logic.alphabet import letters
from aq_gym.envs.cipher.logic.ciphers import CIPHERS, Adfgvx
from aq_gym.envs.cipher.logic.instance import (
    Cryptogram,
    Instance,
    Marks,
    draw_instance,
    read_instance,
)
from aq_gym.envs.cipher.logic.keys import SIZES, Band, Sizes, grade, key_in_band
from aq_gym.envs.cipher.logic.statistics import UNRELATED, share
from aq_gym.envs.cipher.protocol import DRIVERS

CipherChoice: TypeAlias = Literal[
    "any", "caesar", "atbash", "affine", "vigenere", "railfence", "adfgvx"
]

_MOST_SENTENCES = 10
# The share of the way from an unrelated text to the solution for each subgoal.
_SUBGOALS = {
    "a quarter recovered": 0.25,
    "half recovered": 0.5,
    "three quarters recovered": 0.75,
    "text recovered": 1.0,
}


class CipherEnv(TextEnv):
    """Find the English text behind a ciphertext whose key is unknown.

    ## Description
    Some plain English sentences are enciphered. The agent is told the cipher, but not
    the key. The six ciphers are AgentQuest's: Caesar, Atbash, affine, Vigenere, rail
    fence and ADFGVX. The sentences come from a grammar that generates 3.4 * 10^9 of
    them. The agent can submit any number of solutions within the step cap, and can ask
    for computations that a person would do on paper.

    The expert breaks all ciphers but ADFGVX using only the ciphertext, by the
    frequencies of English trigrams. For ADFGVX it is privileged: it knows the text. It
    also uses this knowledge if all its solutions were wrong, which happens with short
    texts.

    ## Action Space
    Text: a solution, such as ``Plain text: The old fisherman ...``, or one of these
    tools, each of which costs a step and always works on the whole ciphertext:
    ``frequencies``, ``column 2 of 5`` (the letters of every fifth character),
    ``coincidence 5`` (the index of coincidence of five columns), ``shift 3``,
    ``atbash``, ``affine 5 8``, ``vigenere lemon``, ``rails 4``, ``adfgvx SQUARE
    KEYWORD`` and ``ciphertext``. ``check valid actions`` (or ``help``) lists the forms
    at the cost of a step. For other text the answer explains what is wrong, and nothing
    changes.

    ## Observation Space
    Text: the cipher, the forms of the actions and the ciphertext at reset; then a
    tool's result, or whether the solution is right. The similarity of a solution is not
    shown.

    ## Starting State
    A text, a cipher and a key drawn from ``np_random``; no solution.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is (s - 0.38) / (threshold - 0.38), at least 0 and at most 1, where s is
    the normalised Levenshtein similarity of the letters of the *last* solution to those
    of the text. Two texts of the grammar have a similarity of 0.26 on average and below
    0.38 in 99% of cases, and other English texts stay below 0.29, so an unrelated text
    earns nothing. AgentQuest's progress is the Indel similarity of all characters,
    which is 0.45 for two texts of the grammar.

    ## Episode End
    Terminated by a solution with a similarity of at least ``threshold``. Truncated
    after 60 steps (``max_episode_steps``).

    ## Information
    The keys of :class:`aq_gym.TextEnv`. ``subgoals`` has four levels of similarity;
    ``difficulty`` is that of the constructor; ``task_id`` reveals cipher, key and text,
    so it is for the evaluator only.

    ## Arguments
    * ``cipher="any"``: one of "caesar", "atbash", "affine", "vigenere", "railfence",
      "adfgvx", or "any" to draw one of them for each episode.
    * ``difficulty="easy"``: the size of the keys. "hard" has AgentQuest's: Vigenere
      keywords of 10 to 20 letters, 2 to 15 rails, ADFGVX keywords of 6 letters; "easy"
      has 3 to 8 letters, 2 to 8 rails and 3 to 5 letters. The other ciphers are the
      same in both.
    * ``key_size=None``: instead of a difficulty, the letters or rails of the key:
      Vigenere 1 to 20, rail fence 2 to 20, ADFGVX 2 to 8. "any" draws one of these.
    * ``sentences=3``: the length of the text, 1 to 10; three sentences are about 250
      characters. Shorter texts are harder to recover.
    * ``threshold=0.9``: the similarity that counts as solved, above 0.38 and at most 1.
    * ``split="all"``: "train" or "test" draws from one part of the texts, with any
      cipher and key.
    * ``plaintext=None``: a fixed text of printable ASCII characters, at least two of
      them letters, without ``sentences`` and ``split``.
    * ``protocol="aq"``: "agentquest" has the rules of AgentQuest's driver, and its
      texts where ``AGENTQUEST_DATA`` names a checkout of it: no tools, and solutions
      after ``Plain Text:``, compared by all their characters in lower case.
      ``info["agentquest_progress"]`` is that similarity. Its own threshold is 0.95.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Gioacchini et al., "AgentQuest: A Modular Benchmark Framework to Measure Progress
    and Improve LLM Agents", NAACL 2024 (demonstrations), and the README of its second
    version. Friedman, "The Index of Coincidence and Its Applications in Cryptography",
    Riverbank Publication 22, 1922.

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If ``sentences`` or ``threshold`` is out of range, or with
            ``list_actions``: solutions cannot be listed.
    """

    plain_arguments = frozenset(
        {
            "cipher",
            "difficulty",
            "key_size",
            "sentences",
            "plaintext",
            "split",
            "threshold",
        }
    )

    def __init__(
        self,
        cipher: CipherChoice = "any",
        difficulty: Band = "easy",
        sentences: int = 3,
        threshold: float = 0.9,
        split: Split = "all",
        key_size: int | None = None,
        plaintext: str | None = None,
        protocol: Literal["aq", "agentquest"] = "aq",
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        if not 1 <= sentences <= _MOST_SENTENCES:
            raise ValueError(f"sentences={sentences} must be 1 to {_MOST_SENTENCES}")
        if not UNRELATED < threshold <= 1.0:
            raise ValueError(
                f"threshold={threshold} must be above {UNRELATED} and at most 1.0"
            )
        self._ciphers = CIPHERS if cipher == "any" else (cipher,)
        self._band: Sizes = difficulty
        if key_size is not None:
            self._band = key_size
            sized = [one for one in self._ciphers if key_size in SIZES.get(one, ())]
            if not sized:
                raise ValueError(
                    f"key_size={key_size}, cipher={cipher!r}: Vigenere keywords have 1 "
                    "to 20 letters, rail fences 2 to 20 rails, ADFGVX keywords 2 to 8 "
                    "letters; the other ciphers have one size"
                )
            self._ciphers = tuple(sized)
        if plaintext is not None:
            if (sentences, split) != (3, "all"):
                raise ValueError("plaintext: omit sentences and split")
            if not (plaintext.isascii() and plaintext.isprintable()) or (
                len(letters(plaintext)) < 2
            ):
                raise ValueError(
                    f"plaintext={plaintext!r:.80} must be printable ASCII with letters"
                )
        self._given = plaintext or ""
        self._theirs = DRIVERS[protocol]()
        self.parses_free_text = self._theirs is not None
        if self._theirs:
            self.help_actions = frozenset()
        self._sentences = sentences
        self._threshold = float(threshold)
        self._split = split
        self._tasks = GeneratedTasks(
            self._draw_id,
            self._instance,
            f"CIPHER-KEY-NUMBERS with a cipher and key of this env and {sentences} "
            "numbers of sentences joined by '.'",
            split,
            _sentences,
        )
        if self.list_actions:
            self.admissible_actions()

    def _reset(self, options: Mapping[str, Any]) -> Start:
        _, instance = task_of(self._tasks, options, self.np_random)
        self._begin(instance)
        cipher = instance.cipher
        opening = text.opening(cipher, self._cryptogram.ciphertext)
        if self._theirs:
            opening = self._theirs.opening(cipher, self._cryptogram.ciphertext)
        elif self.instructions:
            rules = text.instructions(
                cipher, self._band, self._sentences, self._threshold
            )
            opening = f"{rules}\n{opening}"
        return Start(
            opening, text.goal(cipher), instance.task_id, grade(cipher, self._band)
        )

    def _step(self, action: str) -> Turn:
        if self._theirs:
            return self._theirs.play(self._cryptogram, action, self._threshold)
        read = actions.read(action)
        if isinstance(read, Problem):
            return Turn.invalid(text.problem(read.why))
        return self._guess(read) if isinstance(read, Guess) else self._use(read)

    def _guess(self, guess: Guess) -> Turn:
        self._cryptogram.guess(guess.text)
        if self.success():
            return Turn(text.solved(self._cryptogram.plaintext))
        return Turn(text.not_yet())

    def _use(self, action: Action) -> Turn:
        """Carry out a tool."""
        ciphertext = self._cryptogram.ciphertext
        if isinstance(action, Decipher):
            adfgvx = self._cryptogram.instance.cipher == "adfgvx"
            if isinstance(action.key, Adfgvx) and not adfgvx:
                return Turn.invalid(text.not_adfgvx())
            return Turn(text.computation(action, self._cryptogram.decipher(action.key)))
        if isinstance(action, Frequencies):
            return Turn(text.frequencies(statistics.frequencies(ciphertext)))
        if isinstance(action, Column):
            column = statistics.column(ciphertext, action.start, action.period)
            return Turn(text.column(action, statistics.frequencies(column)))
        if isinstance(action, Coincidence):
            index = statistics.coincidence(ciphertext, action.period)
            return Turn(text.coincidence(action, index))
        return Turn(text.opening(self._cryptogram.instance.cipher, ciphertext))

    def subgoals(self) -> dict[str, bool]:
        """Return for each level of similarity whether the last solution reaches it."""
        progress = self.progress()
        return {name: progress >= least for name, least in _SUBGOALS.items()}

    def progress(self) -> float:
        """Return the similarity of the last solution to the text, as progress."""
        return share(self._cryptogram.marks.similarity, self._threshold)

    def success(self) -> bool:
        """Return whether the last solution is similar enough to the text."""
        return self._cryptogram.marks.similarity >= self._threshold

    def admissible_actions(self) -> tuple[str, ...]:
        """Raise an error, because any text can be a solution.

        Raises:
            ValueError: Always.
        """
        raise ValueError(
            "list_actions: solutions can't be listed, because any text can be one: "
            "use sample_action, or list_actions=False"
        )

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a solution of sentences from the grammar, or a tool if there are any."""
        own = separate(rng)
        if self._theirs:
            return samples.draw_solution(own, self._sentences)
        return samples.draw_action(own, self._sentences)

    def _read_action(self, action: str) -> str | None:
        if self._theirs:
            solution = self._theirs.read(action)
            return f"Plain Text: {solution}" if solution else None
        read = actions.read(action)
        return None if isinstance(read, Problem) else actions.write(read)

    def help(self) -> str:
        """Return the forms of a solution and of every tool."""
        return text.help_text()

    def expert_action(self) -> str:
        """Return the likeliest solution that has not been tried."""
        puzzle, cipher = self._cryptogram, self._cryptogram.instance.cipher
        if expert.can_break(cipher):
            found = expert.plaintexts(cipher, self._band, puzzle.ciphertext)
            untried = (text for text in found if not puzzle.was_guessed(text))
            return f"Plain text: {next(untried, puzzle.plaintext)}"
        return f"Plain text: {puzzle.plaintext}"

    def secrets(self) -> tuple[str, ...]:
        """Return long keys, and the text's sentences until a tool has shown them."""
        key = self._cryptogram.instance.key
        keys = (key.square,) if isinstance(key, Adfgvx) else ()
        if self._cryptogram.marks.uncovered or self.success():
            return keys
        return (*self._cryptogram.plaintext.removesuffix(".").split(". "), *keys)

    def extra_info(self) -> dict[str, Any]:
        """Return AgentQuest's progress in its protocol."""
        if self._theirs is None:
            return {}
        return {"agentquest_progress": round(self._cryptogram.marks.similarity, 3)}

    def _get_state(self) -> tuple[str, Marks]:
        return self._cryptogram.instance.task_id, self._cryptogram.marks

    def _set_state(self, world: tuple[str, Marks]) -> None:
        task_id, marks = world
        instance = read_instance(task_id, self._given)
        if instance is None:
            raise ValueError(f"state with task_id={task_id!r} names no instance")
        self._begin(instance, marks)

    def _begin(self, instance: Instance, marks: Marks | None = None) -> None:
        self._cryptogram = Cryptogram(instance, marks)
        if self._theirs:
            self._cryptogram.ciphertext = self._theirs.encipher(
                instance.key, instance.plaintext
            )

    def _draw_id(self, rng: np.random.Generator) -> str:
        return draw_instance(
            self._ciphers, self._band, self._sentences, rng, self._split, self._given
        ).task_id

    def _instance(self, task_id: str) -> Instance | None:
        """Return an instance, or None if this env cannot draw it."""
        instance = read_instance(task_id, self._given)
        if (
            instance is None
            or instance.cipher not in self._ciphers
            or len(instance.numbers) != (0 if self._given else self._sentences)
            or not key_in_band(instance.key, instance.cipher, self._band)
        ):
            return None
        return instance


def _sentences(instance: Instance) -> tuple[str, ...]:
    return tuple(map(str, instance.numbers))
