"""The Cipher environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Start, Turn
from aq_gym.core.splits import Split
from aq_gym.core.tasks import GeneratedTasks, separate, task_of
from aq_gym.envs.cipher import expert, picture
from aq_gym.envs.cipher.actions import Action, Decipher, Guess
from aq_gym.envs.cipher.agentquest import AgentQuestProtocol
from aq_gym.envs.cipher.ciphers import CIPHERS, Adfgvx, letters
from aq_gym.envs.cipher.game import (
    UNRELATED,
    Cryptogram,
    Instance,
    Marks,
    draw_instance,
    read_instance,
    share,
)
from aq_gym.envs.cipher.keys import SIZES, Difficulty, KeySizes, grade, key_has_size
from aq_gym.envs.cipher.protocol import CipherProtocol

CipherChoice: TypeAlias = Literal[
    "any", "caesar", "atbash", "affine", "vigenere", "railfence", "adfgvx"
]

PROTOCOLS = {"aq": CipherProtocol, "agentquest": AgentQuestProtocol}
_MOST_SENTENCES = 10
# The progress that each subgoal needs.
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
    also uses the text if all its solutions were wrong, which happens with short texts.

    ## Action Space
    Text: a solution, such as ``Plain text: The old fisherman ...``, or one of these
    tools, each of which costs a step and always works on the whole ciphertext:
    ``frequencies``, ``column 2 of 5`` (the letters of every fifth character),
    ``coincidence 5`` (the index of coincidence of five columns), ``shift 3``,
    ``atbash``, ``affine 5 8``, ``vigenere lemon``, ``rails 4``, ``adfgvx SQUARE
    KEYWORD`` and ``ciphertext``. ``check valid actions`` (or ``help``) lists the forms
    at the cost of a step. Other text changes nothing, and the answer explains what is
    wrong.

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
    of the text. The similarity of two texts of the grammar is 0.26 on average and below
    0.38 in 99% of cases, and that of other English texts is below 0.29, so an unrelated
    text earns nothing. AgentQuest's progress is the Indel similarity of all characters,
    which is 0.45 for two texts of the grammar.

    ## Episode End
    Terminated by a solution with a similarity of at least ``threshold``. Truncated
    after 60 steps (``max_episode_steps``).

    ## Information
    The keys of :class:`aq_gym.TextEnv`. ``subgoals`` has four levels of similarity;
    ``difficulty`` is the constructor's argument; ``task_id`` reveals cipher, key and
    text, so it is for the evaluator only.

    ## Arguments
    * ``cipher="any"``: one of "caesar", "atbash", "affine", "vigenere", "railfence",
      "adfgvx", or "any" to draw one of them for each episode.
    * ``difficulty="easy"``: the size of the keys. "hard" has AgentQuest's sizes:
      Vigenere keywords of 10 to 20 letters, 2 to 15 rails, ADFGVX keywords of 6
      letters. In "easy" these are 3 to 8 letters, 2 to 8 rails and 3 to 5 letters. The
      other ciphers are the same in both.
    * ``key_size=None``: instead of a difficulty, the number of letters or rails of the
      key: Vigenere 1 to 20, rail fence 2 to 20, ADFGVX 2 to 8. With ``cipher="any"``,
          only ciphers with keys of this size are drawn.
    * ``sentences=3``: the length of the text, 1 to 10; three sentences are about 250
      characters. Shorter texts are harder to recover.
    * ``threshold=0.9``: the similarity that counts as solved, above 0.38 and at most 1.
    * ``split="all"``: "train" or "test" draws from one part of the texts, with any
      cipher and key.
    * ``plaintext=None``: a fixed text of printable ASCII characters, at least two of
      them letters; it excludes ``sentences`` and ``split``.
    * ``protocol="aq"``: "agentquest" has the rules of AgentQuest's driver: no tools,
      and solutions after ``Plain Text:``, compared by all their characters in lower
      case. ``info["agentquest_progress"]`` is that similarity. AgentQuest's own
      threshold is 0.95. Its texts are used if ``AGENTQUEST_DATA`` names a checkout.
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
        ValueError: If ``sentences`` or ``threshold`` is out of range, or
            ``list_actions`` is True, because solutions cannot be listed.
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

    protocol: CipherProtocol
    _game: Cryptogram

    def __init__(
        self,
        cipher: CipherChoice = "any",
        difficulty: Difficulty = "easy",
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
        self._sizes: KeySizes = difficulty
        if key_size is not None:
            self._sizes = key_size
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
            self.source = "user"
        self._given = plaintext or ""
        self._sentences = sentences
        self._threshold = float(threshold)
        chosen = PROTOCOLS[protocol](self._sizes, sentences, self._threshold)
        self._set_protocol(chosen)
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
        opening = self.protocol.opening(self._game, self.instructions)
        cipher = instance.cipher
        goal = self.protocol.goal(cipher)
        return Start(opening, goal, instance.task_id, grade(cipher, self._sizes))

    def subgoals(self) -> dict[str, bool]:
        """Return whether the last solution reaches each level of similarity."""
        progress = self.progress()
        return {name: progress >= least for name, least in _SUBGOALS.items()}

    def progress(self) -> float:
        """Return the similarity of the last solution to the text, as progress."""
        return share(self._game.marks.similarity, self._threshold)

    def success(self) -> bool:
        """Return whether the last solution is similar enough to the text."""
        return self._game.marks.similarity >= self._threshold

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
        return self.protocol.sample(separate(rng))

    def expert_action(self) -> str:
        """Return the most likely solution that has not been tried."""
        game, cipher = self._game, self._game.instance.cipher
        if expert.can_break(cipher):
            found = expert.plaintexts(cipher, self._sizes, game.ciphertext)
            untried = (text for text in found if not game.was_guessed(text))
            return f"Plain text: {next(untried, game.plaintext)}"
        return f"Plain text: {game.plaintext}"

    def secrets(self) -> tuple[str, ...]:
        """Return a long key, and the text's sentences until a tool has shown them."""
        key = self._game.instance.key
        keys = (key.square,) if isinstance(key, Adfgvx) else ()
        if self._game.marks.uncovered or self.success():
            return keys
        return (*self._game.plaintext.removesuffix(".").split(". "), *keys)

    def extra_info(self) -> dict[str, Any]:
        """Return AgentQuest's progress in its protocol."""
        return self.protocol.extra_info(self._game)

    def _step(self, action: Action) -> Turn:
        turn = super()._step(action)
        if isinstance(action, Guess):
            answer = "right" if self.success() else "not the text"
            self._memory = f"your last solution is {answer}", action.text
        elif isinstance(action, Decipher) and turn.action_valid:
            _, _, text = turn.observation.partition("\n")
            self._memory = f"{action.name} gives this", text
        return turn

    def _draw(self) -> Drawing:
        label, attempt = self._memory or ("", "")
        goal = self.protocol.goal(self._game.instance.cipher)
        return picture.draw(goal, self._game.ciphertext, label, attempt)

    def _get_state(self) -> tuple[str, Marks]:
        return self._game.instance.task_id, self._game.marks

    def _set_state(self, world: tuple[str, Marks]) -> None:
        task_id, marks = world
        instance = read_instance(task_id, self._given)
        if instance is None:
            raise ValueError(f"state with task_id={task_id!r} names no instance")
        self._begin(instance, marks)

    def _begin(self, instance: Instance, marks: Marks | None = None) -> None:
        ciphertext = self.protocol.encipher(instance.key, instance.plaintext)
        self._game = Cryptogram(instance, ciphertext, marks)

    def _draw_id(self, rng: np.random.Generator) -> str:
        return draw_instance(
            self._ciphers, self._sizes, self._sentences, rng, self._split, self._given
        ).task_id

    def _instance(self, task_id: str) -> Instance | None:
        """Return an instance, or None if this env cannot draw it."""
        instance = read_instance(task_id, self._given)
        if (
            instance is None
            or instance.cipher not in self._ciphers
            or len(instance.numbers) != (0 if self._given else self._sentences)
            or not key_has_size(instance.key, instance.cipher, self._sizes)
        ):
            return None
        return instance


def _sentences(instance: Instance) -> tuple[str, ...]:
    return tuple(map(str, instance.numbers))
