"""One table: every id, where its class is, its default step cap, what it needs."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, NamedTuple

from aq_gym.support.extras import pip_command

__all__ = ["SKILLS", "TABLE", "Promises", "Row", "register_all"]


# AgentBoard's sub-skills, in the order of its table.
SKILLS = (
    "memory",
    "planning",
    "world modeling",
    "self-reflection",
    "grounding",
    "spatial navigation",
)


class Promises(NamedTuple):
    """The properties of an id that its tests hold it to.

    Attributes:
        deterministic: Whether the same seed and actions give the same episode.
        replayable: Whether a trajectory can be executed again from its header.
        expert_success: The least share of instances that its expert solves, 1.0 where
            it solves every one.
    """

    deterministic: bool = True
    replayable: bool = True
    expert_success: float = 1.0


class Row(NamedTuple):
    """One registered id; strings only, so that no engine is imported.

    Attributes:
        id: What ``gymnasium.make`` takes.
        entry_point: ``module:Class``.
        max_episode_steps: The default cap, as ``TimeLimit`` counts it.
        title: The task in a few words.
        skills: The weight, 1 to 3, of each of :data:`SKILLS`; empty for an id that the
            sub-skill scores leave out.
        instances: The instances that it has, in a few words.
        kwargs: Constructor arguments that the id stands for.
        family: Whether the id is one of many variants of another row's.
        extra: The extra that installs the engine, "" where none is needed.
        requires: The modules that the engine needs.
        promises: The properties that its tests hold it to.
    """

    id: str
    entry_point: str
    max_episode_steps: int
    title: str = ""
    skills: tuple[int, ...] = ()
    instances: str = ""
    kwargs: Mapping[str, Any] = {}
    family: bool = False
    extra: str = ""
    requires: tuple[str, ...] = ()
    promises: Promises = Promises()

    def missing(self) -> str:
        """Name what the engine needs and is not installed, "" if nothing is."""
        return ", ".join(name for name in self.requires if find_spec(name) is None)

    def hint(self) -> str:
        """Return how to install the missing modules."""
        return f"needs {self.missing()}: {pip_command(self.extra)}"


_BABYAI = "aq_gym.envs.babyai:BabyAITextEnv"
# minigrid's names, so that nobody has to import it to know them.
_BABYAI_LEVELS = """
GoToRedBallGrey GoToRedBall GoToRedBallNoDists GoToObj GoToObjS4 GoToObjS6
GoToLocal GoToLocalS5N2 GoToLocalS6N2 GoToLocalS6N3 GoToLocalS6N4 GoToLocalS7N4
GoToLocalS7N5 GoToLocalS8N2 GoToLocalS8N3 GoToLocalS8N4 GoToLocalS8N5
GoToLocalS8N6 GoToLocalS8N7 GoTo GoToOpen GoToObjMaze GoToObjMazeOpen
GoToObjMazeS4R2 GoToObjMazeS4 GoToObjMazeS5 GoToObjMazeS6 GoToObjMazeS7
GoToImpUnlock GoToSeq GoToSeqS5R2 GoToRedBlueBall GoToDoor GoToObjDoor Open
OpenRedDoor OpenDoor OpenDoorDebug OpenDoorColor OpenDoorLoc OpenTwoDoors
OpenRedBlueDoors OpenRedBlueDoorsDebug OpenDoorsOrderN2 OpenDoorsOrderN4
OpenDoorsOrderN2Debug OpenDoorsOrderN4Debug Pickup UnblockPickup PickupLoc
PickupDist PickupDistDebug PickupAbove PutNextLocal PutNextLocalS5N3
PutNextLocalS6N4 PutNextS4N1 PutNextS5N2 PutNextS5N1 PutNextS6N3 PutNextS7N4
PutNextS5N2Carrying PutNextS6N3Carrying PutNextS7N4Carrying Unlock UnlockLocal
UnlockLocalDist KeyInBox UnlockPickup UnlockPickupDist BlockedUnlockPickup
UnlockToUnlock ActionObjDoor FindObjS5 FindObjS6 FindObjS7 KeyCorridor
KeyCorridorS3R1 KeyCorridorS3R2 KeyCorridorS3R3 KeyCorridorS4R3 KeyCorridorS5R3
KeyCorridorS6R3 OneRoomS8 OneRoomS12 OneRoomS16 OneRoomS20 MoveTwoAcrossS5N2
MoveTwoAcrossS8N9 Synth SynthS5R2 SynthLoc SynthSeq MiniBossLevel BossLevel
BossLevelNoUnlock
""".split()  # noqa: SIM905  # one name a line would be a hundred lines

# The skills of ALFWorld, BabyAI, Jericho and PDDL are AgentBoard's (appendix C, and the
# weights that its code uses). The others are ours:
# - Mastermind asks to remember all answers (memory 3), to reason back from them to the
#   code and to choose an informative guess (planning 3, self-reflection 3), with one
#   fixed rule (world modeling 1) and one short format (grounding 1), in no space.
# - Sudoku shows its whole state (memory 1) and asks for long deduction (planning 3)
#   with a fixed rule (world modeling 1), for finding and undoing mistakes
#   (self-reflection 2), in one format (grounding 1), on a board (navigation 2).
# - Hangman shows its whole state (memory 1) and asks to think of the words that remain
#   (planning 2) and to drop those that a miss rules out (self-reflection 2), with one
#   fixed rule (world modeling 1) and one short format (grounding 1), in no space.
# - Wordle asks for what Mastermind does.
# - 2048 shows its whole state (memory 1) and asks to plan ahead (planning 3) for what
#   chance will add (world modeling 2), seldom to change a plan (self-reflection 1),
#   with four words (grounding 1), on a board (navigation 2).
# - Cipher shows its whole state (memory 1) and asks to choose and chain computations
#   (planning 3) with a known rule (world modeling 1), to see what a wrong key left
#   readable (self-reflection 3), in short formats (grounding 1), in no space.
# - Mystery asks to remember all answers (memory 3), to plan questions (planning 3), to
#   imagine what may have happened (world modeling 2), to give up wrong ideas
#   (self-reflection 2), in free questions (grounding 2), in no space.
TABLE: tuple[Row, ...] = (
    Row(
        "aq/Mastermind-v0",
        "aq_gym.envs.mastermind:MastermindEnv",
        60,
        title="find a hidden code from counts",
        skills=(3, 3, 1, 3, 1, 1),
        instances="any length, symbols, repeats",
    ),
    Row(
        "aq/Sudoku-v0",
        "aq_gym.envs.sudoku:SudokuEnv",
        200,
        title="fill a board that has one solution",
        skills=(1, 3, 1, 2, 1, 2),
        instances="easy, medium, hard; 9x9 and 4x4",
    ),
    Row(
        "aq/Hangman-v0",
        "aq_gym.envs.hangman:HangmanEnv",
        60,
        title="find a word by its letters",
        skills=(1, 2, 1, 2, 1, 1),
        instances="37,753 words of 3 to 12 letters, easy and hard",
        promises=Promises(expert_success=0.9),
    ),
    Row(
        "aq/Wordle-v0",
        "aq_gym.envs.wordle:WordleEnv",
        60,
        title="find a word from the marks of guesses",
        skills=(3, 3, 1, 3, 1, 1),
        instances="7,268 words of 4 to 8 letters, easy and hard, hard mode",
    ),
    Row(
        "aq/2048-v0",
        "aq_gym.envs.game2048:Game2048Env",
        2_000,
        title="merge tiles until one has the value of the goal",
        skills=(1, 3, 2, 1, 1, 2),
        instances="any goal, 3x3 to 5x5",
        promises=Promises(expert_success=0.9),
    ),
    Row(
        "aq/BabyAI-text-v0",
        _BABYAI,
        100,
        title="carry out a mission in a grid world",
        skills=(1, 2, 2, 2, 2, 2),
        instances="all 96 levels of minigrid's BabyAI, each also as "
        "`aq/BabyAI-text-<Level>-v0`",
        requires=("minigrid",),
    ),
    *(
        Row(
            f"aq/BabyAI-text-{level}-v0",
            _BABYAI,
            100,
            title=f"BabyAI's level {level}",
            skills=(1, 2, 2, 2, 2, 2),
            # The version of an id is that of the level, as in minigrid's own ids.
            kwargs={"level": f"{level}-v0"},
            family=True,
            requires=("minigrid",),
        )
        for level in _BABYAI_LEVELS
    ),
    Row(
        "aq/PDDL-v0",
        "aq_gym.envs.pddl:PDDLEnv",
        100,
        title="reach a planning goal",
        skills=(2, 3, 1, 3, 3, 1),
        instances="blocksworld, gripper, barman, tyreworld and more, or your own "
        "PDDL files",
    ),
    Row(
        "aq/ALFWorld-v0",
        "aq_gym.envs.alfworld:AlfworldEnv",
        60,
        title="find, clean, heat, cool and place things in a household",
        skills=(1, 1, 3, 3, 2, 2),
        instances="endless generated ones, or the official games",
    ),
    Row(
        "aq/Jericho-v0",
        "aq_gym.envs.jericho:JerichoEnv",
        120,
        title="play interactive fiction",
        skills=(1, 3, 3, 1, 1, 2),
        instances="eight adventures of our own, or your story files",
    ),
    Row(
        "aq/Cipher-v0",
        "aq_gym.envs.cipher:CipherEnv",
        60,
        title="find the text behind a ciphertext",
        skills=(1, 3, 1, 3, 1, 1),
        instances="six ciphers, easy and hard keys, 3.4 * 10^9 sentences",
    ),
    Row(
        "aq/Mystery-v0",
        "aq_gym.envs.mystery:MysteryEnv",
        60,
        title="find out by yes/no questions what happened",
        skills=(3, 3, 2, 2, 2, 1),
        instances="endless generated stories, or your own puzzles judged by a model",
    ),
    Row(
        "aq/ScienceWorld-v0",
        "aq_gym.envs.scienceworld:ScienceWorldEnv",
        250,
        title="do an experiment of elementary science",
        skills=(2, 2, 3, 2, 3, 2),
        instances="30 tasks in 7,207 variations (extra `scienceworld`)",
        extra="scienceworld",
        requires=("scienceworld",),
        promises=Promises(expert_success=0.9),
    ),
)


def register_all() -> None:
    """Register every id that Gymnasium does not know yet."""
    import gymnasium as gym
    from gymnasium.envs.registration import EnvSpec

    for row in TABLE:
        if row.id not in gym.registry:
            # gym.register compares each new id with every other: 8 ms for a hundred.
            gym.registry[row.id] = EnvSpec(
                row.id,
                row.entry_point,
                # TextEnv makes both checks itself: each wrapper is a call more a step.
                order_enforce=False,
                disable_env_checker=True,
                max_episode_steps=row.max_episode_steps,
                kwargs=dict(row.kwargs),
                vector_entry_point=f"aq_gym.vector:{row.id}",
            )
