"""The table of benchmarks: their ids, classes, step caps and requirements."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

import gymnasium as gym

from aq_gym.support.extras import pip_command

__all__ = [
    "SKILLS",
    "TABLE",
    "Expectations",
    "Expert",
    "Row",
    "register",
    "register_all",
    "row_of",
    "rows",
]


# AgentBoard's sub-skills, in the order of its table.
SKILLS = (
    "memory",
    "planning",
    "world modeling",
    "self-reflection",
    "grounding",
    "spatial navigation",
)


class Expectations(NamedTuple):
    """What the tests require of an id.

    Attributes:
        deterministic: Whether the same seed and actions give the same episode.
        replayable: Whether a trajectory can be replayed from its header.
        expert_success: The expert's minimum success rate; 1.0 means every instance.
    """

    deterministic: bool = True
    replayable: bool = True
    expert_success: float = 1.0


class Expert(NamedTuple):
    """How to read the steps to go of an id, the actions that its expert needs.

    Attributes:
        steps_to_go: "optimal" if no fewer actions reach success; "upper bound" if fewer
            may; "estimate" if they also depend on the expert's luck with a secret;
            "none" if chance decides, so that ``aq-gym score`` does not count them.
        lost: "proven" if no action reaches success where the expert finds no way;
            "given up" if one may.
        privileged: Whether the expert knows something that the agent does not, so that
            an agent without a fault can need more actions.
    """

    steps_to_go: Literal["optimal", "upper bound", "estimate", "none"] = "estimate"
    lost: Literal["proven", "given up"] = "given up"
    privileged: bool = True

    def __str__(self) -> str:
        """Return the meaning in a few words."""
        if self.steps_to_go == "none":
            return "not counted, because chance decides"
        knows = "more than the agent" if self.privileged else "no more than the agent"
        return f"{self.steps_to_go}; lost: {self.lost}; the expert knows {knows}"


class Row(NamedTuple):
    """One registered id; strings only, so that no engine is imported.

    Attributes:
        id: What ``gymnasium.make`` takes.
        entry_point: ``module:Class``.
        max_episode_steps: The default cap, as ``TimeLimit`` counts it.
        title: The task in a few words.
        skills: The weight, 1 to 3, of each of :data:`SKILLS`; empty for an id that the
            sub-skill scores leave out.
        instances: Its instances in a few words.
        kwargs: The constructor arguments of the id.
        family: Whether the id is one of many variants of another row's id.
        extra: The extra that installs the engine, "" where none is needed.
        requires: The modules that the engine needs.
        expectations: What the tests require of it.
        expert: What the steps to go mean that :class:`aq_gym.wrappers.StepsToGo`
            counts.
        suite: Its rows in the suite ``full``: pairs of a number of episodes and the
            constructor arguments.
        shown: The arguments of the two episodes on its page of the documentation.
        download: ``module:NAME`` of the :class:`aq_gym.support.data.Download` that
            ``aq-gym download`` offers for it, "" where there is none.
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
    expectations: Expectations = Expectations()
    expert: Expert = Expert()
    suite: tuple[tuple[int, Mapping[str, Any]], ...] = ()
    shown: Mapping[str, Any] = {}
    download: str = ""

    def missing(self) -> str:
        """Return the names of missing modules, "" if there are none."""
        return ", ".join(name for name in self.requires if find_spec(name) is None)

    def hint(self) -> str:
        """Return how to install the missing modules."""
        return f"needs {self.missing()}: {pip_command(self.extra)}"


_BABYAI = "aq_gym.envs.babyai:BabyAITextEnv"
# minigrid's names, so that they are known without importing it.
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

# The names that PDDL, ALFWorld and Jericho can generate, for their suite rows.
_DOMAINS = (
    "barman", "blocksworld", "ferry", "gripper", "hanoi", "logistics", "sokoban",
    "tyreworld",
)  # fmt: skip
_TASK_TYPES = (
    "look_at_obj_in_light", "pick_and_place_simple", "pick_clean_then_place_in_recep",
    "pick_cool_then_place_in_recep", "pick_heat_then_place_in_recep",
    "pick_two_obj_and_place",
)  # fmt: skip
_STORIES = (
    "lighthouse", "keepsakes", "ferry", "clockwork", "museum", "mine", "bathyscaphe",
    "maze",
)  # fmt: skip
_GRADES = ("easy", "hard")

# The README of each benchmark gives the reasons for its skills.
TABLE: tuple[Row, ...] = (
    Row(
        "aq/Mastermind-v0",
        "aq_gym.envs.mastermind:MastermindEnv",
        60,
        title="guess a hidden code from feedback counts",
        skills=(3, 3, 1, 3, 1, 1),
        instances="any length, symbols, repeats",
        expert=Expert("estimate", "proven", privileged=False),
        suite=tuple((15, {"code_length": length}) for length in (4, 6)),
    ),
    Row(
        "aq/Sudoku-v0",
        "aq_gym.envs.sudoku:SudokuEnv",
        200,
        title="fill a board that has one solution",
        skills=(1, 3, 1, 2, 1, 2),
        instances="easy, medium, hard; 9x9 and 4x4",
        expert=Expert("upper bound", "proven", privileged=False),
        suite=(
            *((10, {"difficulty": grade}) for grade in ("easy", "medium", "hard")),
            (10, {"box": 2}),
        ),
    ),
    Row(
        "aq/Hangman-v0",
        "aq_gym.envs.hangman:HangmanEnv",
        60,
        title="find a word by its letters",
        skills=(1, 2, 1, 2, 1, 1),
        instances="37,753 words of 3 to 12 letters, easy and hard",
        expert=Expert("estimate", privileged=False),
        expectations=Expectations(expert_success=0.9),
        suite=tuple((12, {"difficulty": grade}) for grade in _GRADES),
    ),
    Row(
        "aq/Wordle-v0",
        "aq_gym.envs.wordle:WordleEnv",
        60,
        title="guess a word from coloured hints",
        skills=(3, 3, 1, 3, 1, 1),
        instances="7,268 words of 4 to 8 letters, hard mode",
        expert=Expert("estimate", privileged=False),
        suite=((24, {}), (6, {"hard_mode": True})),
    ),
    Row(
        "aq/2048-v0",
        "aq_gym.envs.game2048:Game2048Env",
        2_000,
        title="merge tiles until one has the value of the goal",
        skills=(1, 3, 2, 1, 1, 2),
        instances="any goal, 3x3 to 5x5",
        expert=Expert("none", privileged=False),
        expectations=Expectations(expert_success=0.9),
        suite=((10, {"goal": 128}), (10, {"goal": 512}), (4, {"goal": 2048})),
        shown={"goal": 128},
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
        expert=Expert("upper bound"),
        shown={"level": "UnlockPickup"},
    ),
    *(
        Row(
            f"aq/BabyAI-text-{level}-v0",
            _BABYAI,
            100,
            title=f"BabyAI's level {level}",
            skills=(1, 2, 2, 2, 2, 2),
            # The version in an id is the level's version, as in minigrid's own ids.
            kwargs={"level": f"{level}-v0"},
            family=True,
            suite=((2, {}),),
            requires=("minigrid",),
            expert=Expert("upper bound"),
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
        expert=Expert("upper bound", privileged=False),
        suite=tuple(
            (4, {"domain": domain, "difficulty": grade})
            for domain in _DOMAINS
            for grade in _GRADES
        ),
    ),
    Row(
        "aq/ALFWorld-v0",
        "aq_gym.envs.alfworld:AlfworldEnv",
        60,
        title="find, clean, heat, cool and place things in a household",
        skills=(1, 1, 3, 3, 2, 2),
        instances="endless generated ones, or the official games",
        expert=Expert("upper bound"),
        suite=tuple(
            (6, {"split": "generated_test", "task_type": name}) for name in _TASK_TYPES
        ),
        download="aq_gym.envs.alfworld.sources:DOWNLOAD",
    ),
    Row(
        "aq/Jericho-v0",
        "aq_gym.envs.jericho:JerichoEnv",
        120,
        title="play interactive fiction",
        skills=(1, 3, 3, 1, 1, 2),
        instances="eight original adventures, or your story files",
        expert=Expert("upper bound"),
        suite=tuple((3, {"game": story}) for story in _STORIES),
        download="aq_gym.envs.jericho.games:DOWNLOAD",
    ),
    Row(
        "aq/Cipher-v0",
        "aq_gym.envs.cipher:CipherEnv",
        60,
        title="find the text behind a ciphertext",
        skills=(1, 3, 1, 3, 1, 1),
        instances="six ciphers, easy and hard keys, 3.4 * 10^9 sentences",
        expert=Expert("optimal", "proven"),
        suite=(
            *((4, {"cipher": name}) for name in ("caesar", "atbash", "affine")),
            *(
                (2, {"cipher": name, "difficulty": grade})
                for name in ("vigenere", "railfence", "adfgvx")
                for grade in _GRADES
            ),
        ),
    ),
    Row(
        "aq/Mystery-v0",
        "aq_gym.envs.mystery:MysteryEnv",
        60,
        title="find out what happened by yes/no questions",
        skills=(3, 3, 2, 2, 2, 1),
        instances="endless generated stories, or your own puzzles judged by a model",
        expert=Expert("estimate", privileged=False),
        suite=tuple((12, {"facts": facts}) for facts in (3, 6)),
    ),
    Row(
        "aq/ToolQuery-v0",
        "aq_gym.envs.toolquery:ToolQueryEnv",
        40,
        title="answer questions about a database by calling tools",
        skills=(2, 2, 1, 1, 3, 1),
        instances="101 kinds of questions about generated databases of movies, "
        "weather, papers and a library",
        expert=Expert("upper bound", "proven"),
        suite=tuple(
            (6, {"world": world})
            for world in ("movies", "weather", "academia", "library")
        ),
    ),
    Row(
        "aq/ToolOperation-v0",
        "aq_gym.envs.tooloperation:ToolOperationEnv",
        40,
        title="change a to-do list or a workbook by calling tools",
        skills=(2, 2, 2, 2, 3, 1),
        instances="31 kinds of tasks in generated to-do lists and workbooks",
        expert=Expert("upper bound"),
        suite=tuple(
            (6, {"world": world, "difficulty": grade})
            for world in ("todo", "sheet")
            for grade in _GRADES
        ),
    ),
    Row(
        "aq/GSM8K-v0",
        "aq_gym.envs.gsm8k:GSM8KEnv",
        20,
        title="solve word problems with a calculator",
        skills=(1, 3, 1, 1, 1, 1),
        instances="67 original templates, or your GSM8K files",
        expert=Expert("upper bound", "proven"),
        suite=((24, {}),),
        download="aq_gym.envs.gsm8k.sources:DOWNLOAD",
    ),
    Row(
        "aq/WebShop-v0",
        "aq_gym.envs.webshop:WebShopEnv",
        50,
        title="find and buy the product that an instruction describes",
        skills=(1, 2, 1, 2, 3, 1),
        instances="goals in generated catalogues of 100 to 100,000 products, or the "
        "official products",
        expert=Expert("upper bound", "proven"),
        suite=((24, {}),),
    ),
    Row(
        "aq/GAIA-v0",
        "aq_gym.envs.gaia:GAIAEnv",
        40,
        title="answer questions with files and tools",
        skills=(2, 3, 1, 1, 3, 1),
        instances="20 original questions, or your GAIA files (extra `gaia`, except "
        'with `files="text"`)',
        expert=Expert("upper bound", "proven"),
        extra="gaia",
        requires=("docx", "openpyxl", "pptx", "pypdf"),
        # There are no more such questions.
        suite=((10, {"files": "text"}),),
        download="aq_gym.envs.gaia.sources:DOWNLOAD",
    ),
    Row(
        "aq/MMLU-v0",
        "aq_gym.envs.mmlu:MMLUEnv",
        20,
        title="answer a question with four options",
        instances="generated questions of 15 families, or the published ones of 57 "
        "subjects from your files",
        expert=Expert("optimal", "proven"),
        suite=tuple(
            (6, {"group": group}) for group in ("numbers", "measures", "logic", "texts")
        ),
        download="aq_gym.envs.mmlu.sources:DOWNLOAD",
    ),
    Row(
        "aq/ScienceWorld-v0",
        "aq_gym.envs.scienceworld:ScienceWorldEnv",
        250,
        title="do an experiment of elementary science",
        skills=(2, 2, 3, 2, 3, 2),
        instances="30 tasks in 7,207 variations (extra `scienceworld`)",
        expert=Expert("upper bound"),
        extra="scienceworld",
        requires=("scienceworld",),
        expectations=Expectations(expert_success=0.9),
    ),
)


_REGISTERED: list[Row] = []


def rows() -> tuple[Row, ...]:
    """Return the rows of all benchmarks: ours, and those that others registered."""
    return (*TABLE, *_REGISTERED)


def row_of(env_id: str) -> Row:
    """Return the row of an id, also as ``module:id``; an empty one if it has none."""
    name = env_id.rpartition(":")[2]
    return next((row for row in rows() if row.id == name), Row(name, "", 0))


def register(*rows: Row) -> None:
    """Register benchmarks of another package, in the same way as those of aq_gym.

    A package that names its module as an entry point of the group ``aq_gym.benchmarks``
    is found by the command line; otherwise the module has to be imported first.

    Args:
        *rows: Their rows. A row whose id is already registered replaces that
            registration.
    """
    for row in rows:
        if row.id.startswith("aq/"):
            raise ValueError(f"id={row.id!r}: the namespace aq/ belongs to aq_gym")
        _REGISTERED[:] = [*(one for one in _REGISTERED if one.id != row.id), row]
        gym.registry.pop(row.id, None)
        _register(row)


def register_all() -> None:
    """Register the ids of :data:`TABLE`."""
    for row in TABLE:
        _register(row)


def _register(row: Row) -> None:
    gym.register(
        row.id,
        row.entry_point,
        # TextEnv does the work of both wrappers itself, which saves two calls per step.
        order_enforce=False,
        disable_env_checker=True,
        max_episode_steps=row.max_episode_steps,
        kwargs=dict(row.kwargs),
    )
