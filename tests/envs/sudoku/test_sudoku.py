"""Sudoku: its rules, texts and arguments."""

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sudoku_judge import board_of

import aq_gym  # noqa: F401  registers the ids
from aq_gym.envs.sudoku.game import layout
from aq_gym.envs.sudoku.solver import grade

PUZZLE = "123.........3.1."
SOLUTION = "1234432121433412"
LARGE = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
BOARD = (
    "Column  1 2   3 4\n"
    "      +-----+-----+\n"
    "Row 1 | 1 2 | 3 . |\n"
    "Row 2 | . . | . . |\n"
    "      +-----+-----+\n"
    "Row 3 | . . | . . |\n"
    "Row 4 | 3 . | 1 . |\n"
    "      +-----+-----+"
)


@pytest.fixture
def env():
    return _small()


def _small(**kwargs):
    env = gym.make("aq/Sudoku-v0", box=2, puzzle=PUZZLE, **kwargs)
    env.reset(seed=0)
    return env


def _blocks(env, action):
    """Take a step and return what was said before the board, and the rest."""
    observation, reward, terminated, truncated, info = env.step(action)
    assert board_of(observation) == "".join(env.unwrapped.get_state().world[2])
    said = observation.split("\nColumn", 1)[0]
    return said, reward, terminated, truncated, info


def test_progress_counts_right_digits_that_are_not_given(env):
    said, reward, *_, info = _blocks(env, "Row: 1, Column: 4, Value: 4")
    assert said == "Row 1, column 4 is now 4. There are 10 cells left."
    assert info["agentquest_progress"] == 6 / 16
    assert info["progress"] == info["best_progress"] == reward == 1 / 11
    assert info["subgoals"]["row 1"]
    assert sum(info["subgoals"].values()) == 1


def test_a_wrong_digit_that_breaks_no_rule_is_accepted_and_earns_nothing(env):
    said, reward, terminated, _, info = _blocks(env, "2 1 2")
    assert said.startswith("2 can't go in row 2, column 1: its box already has one.")
    said, reward, terminated, _, info = _blocks(env, "3 1 4")
    assert said == "Row 3, column 1 is now 4. There are 10 cells left."
    assert (reward, terminated, info["progress"]) == (0.0, False, 0.0)
    assert info["action_valid"]


def test_progress_falls_and_reward_does_not(env):
    env.step("r1c4=4")
    said, reward, *_, info = _blocks(env, "clear r1c4")
    assert said == "Row 1, column 4 is now empty. There are 11 cells left."
    assert (reward, info["progress"], info["best_progress"]) == (0.0, 0.0, 1 / 11)
    assert not info["subgoals"]["row 1"]


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("1 1 4", "Row 1, column 1 can't be changed: its 1 was given at the start."),
        (
            "clear 1 1",
            "Row 1, column 1 can't be changed: its 1 was given at the start.",
        ),
        ("clear 1 4", "Row 1, column 4 is already empty."),
        ("3 1 4", "Row 3, column 1 already holds 4."),
        ("0 1 4", "There is no row 0: rows go from 1 to 4."),
        ("1 5 4", "There is no column 5: columns go from 1 to 4."),
        ("1 4 5", "There is no value 5: values go from 1 to 4."),
        ("1 4 0", "There is no value 0: values go from 1 to 4."),
        ("1 4 3", "3 can't go in row 1, column 4: row 1 and its box already have one."),
        (
            "2 1 1",
            "1 can't go in row 2, column 1: column 1 and its box already have one.",
        ),
        ("2 2 4", "4 can't go in row 2, column 2: "),
        ("two", "'two' is not a move. To put a digit in a cell: Row: 1, Column: 3, "),
    ],
)
def test_what_cannot_be_done_is_explained_and_changes_nothing(env, action, reason):
    env.step("3 1 4")
    env.step("2 4 4")
    before = env.unwrapped.get_state()
    said, reward, terminated, _, info = _blocks(env, action)
    assert said.startswith(reason)
    assert info["feedback"] == said
    assert not info["action_valid"]
    assert (reward, terminated) == (0.0, False)
    assert env.unwrapped.get_state() == before


def test_conflicts_are_accepted_on_demand():
    env = _small(allow_conflicts=True)
    told, refused = env.reset(seed=0)[0], _small().reset(seed=0)[0]
    assert "are accepted, but" in told and "is refused" in refused
    said, *_, info = _blocks(env, "1 4 3")
    assert said == "Row 1, column 4 is now 3. There are 10 cells left."
    assert info["action_valid"]
    assert not info["subgoals"]["row 1"]
    said, *_ = _blocks(env, "1 1 3")
    assert "given" in said


def test_a_full_wrong_board_can_be_corrected():
    env = _small(allow_conflicts=True)
    for cell, digit in enumerate(SOLUTION[:-1] + "3"):
        if PUZZLE[cell] == ".":
            said, _, terminated, _, info = _blocks(
                env, f"{cell // 4 + 1} {cell % 4 + 1} {digit}"
            )
    assert said == (
        "Row 4, column 4 is now 3. "
        "The board is full but breaks the rules: change or clear digits."
    )
    assert not terminated
    assert info["progress"] == 10 / 11
    said, *_ = _blocks(env, "clear 4 4")
    assert said == "Row 4, column 4 is now empty. There is 1 cell left."
    said, _, terminated, _, info = _blocks(env, "4 4 2")
    assert said == "Solved! Every row, column and box holds each digit exactly once."
    assert terminated
    assert info["success"]
    assert all(info["subgoals"].values())


def test_help_lists_what_can_be_done(env):
    env.step("1 4 4")
    env.step("2 3 2")
    said, *_, info = _blocks(env, "check valid actions")
    assert said == (
        "To put a digit in a cell: Row: 1, Column: 3, Value: 4 (or 1 3 4, or r1c3=4). "
        "To empty a cell that you filled: clear r1c3\n"
        "Digits that can be put now: r2c1=4, r2c2=3/4, r2c4=1, "
        "r3c1=2/4, r3c2=1/4, r3c3=4, r3c4=2/3, r4c2=4, r4c4=2\n"
        "Cells that can be cleared now: r1c4, r2c3"
    )
    assert info["action_valid"]


def test_every_listed_action_is_valid_and_nothing_else():
    env = _small()
    rng = np.random.default_rng(0)
    for _ in range(30):
        listed = env.unwrapped.admissible_actions()
        state = env.unwrapped.get_state()
        moves = [
            f"Row: {r}, Column: {c}, Value: {v}"
            for r in range(1, 5)
            for c in range(1, 5)
            for v in range(1, 5)
        ]
        moves += [f"clear r{r}c{c}" for r in range(1, 5) for c in range(1, 5)]
        for move in moves:
            assert env.step(move)[4]["action_valid"] == (move in listed)
            env.unwrapped.set_state(state)
        env.step(listed[int(rng.integers(len(listed)))])


@pytest.mark.parametrize("allow_conflicts", [False, True])
@pytest.mark.parametrize("difficulty", ["easy", "hard"])
def test_the_expert_corrects_random_moves(difficulty, allow_conflicts):
    env = gym.make(
        "aq/Sudoku-v0",
        difficulty=difficulty,
        allow_conflicts=allow_conflicts,
        max_episode_steps=500,
    )
    env.reset(seed=1)
    rng = np.random.default_rng(2)
    for _ in range(60):
        env.step(env.unwrapped.sample_action(rng))
    terminated = False
    while not terminated:
        *_, terminated, truncated, info = env.step(env.unwrapped.expert_action())
        assert info["action_valid"]
        assert not truncated
    assert info["success"]


def test_a_users_puzzle():
    env = gym.make("aq/Sudoku-v0", puzzle=LARGE.replace(".", "0"))
    observation, info = env.reset()
    assert board_of(observation) == LARGE
    assert (info["task_id"], info["difficulty"]) == (LARGE, "easy")
    again, _ = env.reset(options={"task_id": LARGE})
    assert again == observation
    with pytest.raises(ValueError, match="is not one of the puzzle given"):
        env.reset(options={"task_id": "9x9-easy-0-0"})


ROWS = [LARGE[start : start + 9] for start in range(0, 81, 9)]
BANDS = ["\n".join(ROWS[start : start + 3]) for start in range(0, 9, 3)]


@pytest.mark.parametrize(
    "text",
    [
        f"{LARGE}\n",
        f"{LARGE[:40]}\n{LARGE[40:]}",
        "\n".join(ROWS),
        "\r\n".join(ROWS),
        "\n\n".join(BANDS),
        "\n".join(" ".join(row) for row in ROWS).replace(".", "0"),
        "\n------+------+------\n".join(BANDS),
        "\n".join(f"| {row[:3]} | {row[3:6]} | {row[6:]} |" for row in ROWS),
        "\n".join(f"║{row[:3]}│{row[3:6]}│{row[6:]}║" for row in ["═" * 9, *ROWS]),
        "\ufeff" + "\n".join(",".join(row) for row in ROWS),
        str([[int(cell) for cell in row.replace(".", "0")] for row in ROWS]),
    ],
)
def test_a_users_puzzle_may_be_in_lines(text):
    """Whatever separates the cells, the puzzle and its id are the same."""
    observation, info = gym.make("aq/Sudoku-v0", puzzle=text).reset()
    assert board_of(observation) == LARGE
    assert info["task_id"] == LARGE


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        (
            {"puzzle": LARGE[:-1]},
            "has 80 characters: give 81 cells, each a digit from 1 to 9, or 0 or . if "
            "it is empty",
        ),
        ({"puzzle": LARGE[:-1] + "x"}, "has 81 characters: give 81 cells"),
        ({"puzzle": "5" + LARGE}, "has 82 characters: give 81 cells"),
        ({"puzzle": LARGE.replace(".", "-")}, "or 0 or . if it is empty"),
        ({"puzzle": ""}, "has 0 characters"),
        (
            {"puzzle": LARGE, "box": 2},
            "give 16 cells, each a digit from 1 to 4, or 0 or . if it is empty",
        ),
        ({"puzzle": "55" + LARGE[2:]}, "has no solution: give one with exactly one"),
        ({"puzzle": "." * 81}, "has more than one solution"),
        ({"puzzle": SOLUTION, "box": 2}, "has no empty cell"),
        ({"puzzle": LARGE, "split": "test"}, "split='test'"),
        ({"box": 4}, "box=4: choose 2 for 4x4 boards or 3 for 9x9 boards"),
        ({"difficulty": "expert"}, "difficulty='expert': choose one of easy, medium"),
        ({"box": 2, "difficulty": "hard"}, "difficulty='hard': with box=2"),
        ({"split": "val"}, "split='val'"),
        ({"givens": 20}, "givens=20: easy puzzles with box=3 have 36 to 80"),
        ({"givens": 81}, "givens=81: easy puzzles with box=3 have 36 to 80"),
        ({"givens": 8, "box": 2, "split": "test"}, "givens=8 needs box=3"),
    ],
)
def test_arguments_without_a_game_are_refused(kwargs, message):
    with pytest.raises(ValueError) as raised:
        gym.make("aq/Sudoku-v0", **kwargs)
    assert message in str(raised.value)


def test_more_givens_are_cells_of_the_solution():
    env = gym.make("aq/Sudoku-v0", difficulty="hard", givens=60)
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        board, task_id = board_of(observation), info["task_id"]
        assert board.count(".") == 81 - 60
        assert "-givens60-" in task_id
        assert info["difficulty"] == grade(layout(3), board)
        assert env.reset(options={"task_id": task_id})[0] == observation
        whole = {"task_id": task_id.replace("-givens60", "")}
        fewer, _ = gym.make("aq/Sudoku-v0", difficulty="hard").reset(options=whole)
        pairs = zip(board_of(fewer), board, strict=True)
        assert all(given in (".", now) for given, now in pairs)


@pytest.mark.parametrize(
    "task_id",
    [
        "",
        5,
        "9x9-hard-0-0",
        "9x9-easy-0",
        "9x9-easy-1000-0",
        "9x9-easy-0-1218998108160",
        "9x9-easy--1-0",
        "9x9-easy-0-0\n",
        LARGE,
    ],
)
def test_unknown_task_ids_are_refused(task_id):
    env = gym.make("aq/Sudoku-v0")
    with pytest.raises(ValueError, match="is not in split='all'"):
        env.reset(options={"task_id": task_id})


def test_a_puzzle_is_in_one_split_with_all_its_images():
    packaged = {}
    for split in ("train", "test"):
        env = gym.make("aq/Sudoku-v0", split=split)
        ids = [env.reset(seed=seed)[1]["task_id"] for seed in range(200)]
        packaged[split] = {task_id.rsplit("-", 1)[0] for task_id in ids}
    assert packaged["train"].isdisjoint(packaged["test"])
    other = gym.make("aq/Sudoku-v0", split="test")
    with pytest.raises(ValueError, match="not in split='test'"):
        other.reset(options={"task_id": f"{min(packaged['train'])}-0"})


FORMS = {
    "Row: 1, Column: 3, Value: 4": [
        "row 1, column 3, value 4", "Row: 1, Column: 3, Digit: 4.",
        '  "ROW:1,  COLUMN:3,\nVALUE:4"  ', "row=1; col=3; value=4", "1 3 4", "1,3,4",
        "1, 3, 4", "r1c3=4", "R1C3 = 4", "r1 c3 4", "r1c3: 4", "`r1c3=4`",
        "(1, 3, 4)", "(1, 3) = 4", "put 4 in row 1 column 3",
        "Put the digit 4 in row 1, column 3.", "place 4 at r1c3",
        "write 4 into cell (1, 3)", "set row 1 column 3 to 4",
    ],
    "clear r1c3": [
        "Clear R1C3.", "clear 1 3", "clear row 1, column 3", "clear: r1c3",
    ],
    "": [
        "", "134", "1 34", "r1c34", "r13=4", "1 3", "1 3 4 5", "r1c3=-4", "-1 3 4",
        "1.0 3 4", "clear", "clear r1", "clearr1c3", "clear r1c3=4",
        "I would play r1c3=4", "(1, 3, 4", "put 4 in row 1",
        "put 4 in row 1 column 3 or column 5", "set r1c3", "r1c3=4 r1c4=5",
        "Column: 3, Row: 1, Value: 4", "r1c3=1234", "r1c3=" + "9" * 5000,
        "r\u0661c3=4", "r1c3=\u00b2",
    ],
}  # fmt: skip


@pytest.mark.parametrize("action", FORMS)
def test_moves_are_read_tolerantly(action):
    env = gym.make("aq/Sudoku-v0").unwrapped
    for text in [action, *FORMS[action]]:
        assert env.understands(text) is bool(action), text
        assert env.canonical_action(text) == (action or text)


def test_the_first_observation_is_pinned():
    env = gym.make("aq/Sudoku-v0", puzzle=LARGE)
    observation, info = env.reset()
    goal = (
        "Fill the 9x9 board so that every row, every column and every 3x3 box holds "
        "each digit from 1 to 9 exactly once."
    )
    assert info["goal"] == goal
    assert observation == (
        f"Let us play Sudoku. {goal} Rows are numbered 1 to 9 from top to bottom, "
        "columns 1 to 9 from left to right, and a dot is an empty cell. There is "
        "exactly one solution.\n"
        "The digits given at the start can't be changed; those that you put can be "
        "changed and cleared. A digit that already stands in the same row, column or "
        "box is refused; one that is accepted can still be wrong.\n"
        "To put a digit in a cell: Row: 1, Column: 3, Value: 4 (or 1 3 4, or r1c3=4). "
        "To empty a cell that you filled: clear r1c3\n"
        "There are 51 cells to fill.\n"
        "Column  1 2 3   4 5 6   7 8 9\n"
        "      +-------+-------+-------+\n"
        "Row 1 | 5 3 . | . 7 . | . . . |\n"
        "Row 2 | 6 . . | 1 9 5 | . . . |\n"
        "Row 3 | . 9 8 | . . . | . 6 . |\n"
        "      +-------+-------+-------+\n"
        "Row 4 | 8 . . | . 6 . | . . 3 |\n"
        "Row 5 | 4 . . | 8 . 3 | . . 1 |\n"
        "Row 6 | 7 . . | . 2 . | . . 6 |\n"
        "      +-------+-------+-------+\n"
        "Row 7 | . 6 . | . . . | 2 8 . |\n"
        "Row 8 | . . . | 4 1 9 | . . 5 |\n"
        "Row 9 | . . . | . 8 . | . 7 9 |\n"
        "      +-------+-------+-------+"
    )
    small = gym.make("aq/Sudoku-v0", box=2, puzzle=PUZZLE, instructions=False)
    assert small.reset()[0] == f"There are 11 cells to fill.\n{BOARD}"


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))))
def test_answers_depend_on_the_solution_only_when_it_is_found(moves):
    one, other = _small(), _small()
    other.unwrapped._game.solution = "x" * 16
    for move in moves:
        told = [env.step("{} {} {}".format(*move))[0] for env in (one, other)]
        if one.unwrapped.success():
            break
        assert told[0] == told[1]
