"""AgentQuest's protocol: its rules, in our words and in those of a made-up checkout."""

import copy
import json

import gymnasium as gym
import numpy as np
import pytest
from made_agentquest import write_checkout
from protocol_contract import hold_contract

from aq_gym.papers import agentquest
from aq_gym.support.user_files import UserFileError
from aq_gym.testing import Case
from aq_gym.wrappers import ExtractAction

GAMES = {
    "Mastermind": {},
    "Sudoku": {},
    "Hangman": {},
    "Wordle": {},
    "Cipher": {"threshold": 0.95},
    "2048": {"goal": 16},
    "ALFWorld": {},
}
DRIVER = '''
class Utils:
    def get_initial_instructions():
        """Not this."""
        message = "The rules of it.\\n" "In two lines.\\n"
        return message

    def parse_agent_output(text):
        pattern = r"guess: is not a text of it"
        raise ValueError("Not read: Guess: <number>")

class Driver:
    def reset(self):
        return Utils.get_initial_instructions() + f"Now {self.count} digits."

    def step(self, action):
        if action["the value"] == "a comparison":
            return "Found it!"
        return (f"{1} good {'digit'} on {'position'}, " f"{2} good {3} off {4}")
'''


def begun(name, **kwargs):
    env = gym.make(f"aq/{name}-v0", protocol="agentquest", **kwargs)
    return env, *env.reset(seed=0)


@pytest.fixture
def driver(tmp_path, monkeypatch):
    """Return a function that writes Mastermind's driver into a checkout."""

    def write(code):
        file = tmp_path / "agentquest" / "benchmarks" / "mastermind" / "driver.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code)
        monkeypatch.setenv("AGENTQUEST_DATA", str(tmp_path))
        return tmp_path

    return write


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kwargs"), GAMES.items())
def test_the_contract_holds_but_for_its_words(name, kwargs, tmp_path, monkeypatch):
    write_checkout(tmp_path)
    monkeypatch.setenv("AGENTQUEST_DATA", str(tmp_path))
    case = Case(f"aq/{name}-v0", {**kwargs, "protocol": "agentquest"})
    # It always has instructions, and names the word that was not found.
    broken = {"check_first_observation": "the first observation is"}
    if name in ("Hangman", "Wordle"):
        broken["check_secrets"] = r"step \d+: observation"
    hold_contract(case, broken)
    env, *_ = begun(name, **kwargs)
    assert not env.step("check valid actions")[4]["action_valid"]
    assert not any(env.unwrapped.understands(text) for text in ("", "help", "7"))


def test_the_words_are_the_checkouts(driver):
    root = driver(DRIVER)
    env, observation, _ = begun("Mastermind", code="1234")
    assert observation == "The rules of it.\nIn two lines.\nNow 4 digits."
    assert env.step("none")[0] == "Not read: Guess: <number>"
    said = "1 good digit on position, 2 good digits off positions"
    assert env.step("I say GUESS:  1325!")[0] == said
    assert env.step("Guess: 12345")[0] == "Found it!"
    driver(DRIVER.replace("Found it!", "{}"))
    with pytest.raises(UserFileError, match=r"step has \[7\] parts"):
        gym.make("aq/Mastermind-v0", protocol="agentquest")
    for code in ("def (", "\0", "-" * 100_000 + "1"):
        driver(code)
        with pytest.raises(UserFileError, match="is not AgentQuest's"):
            agentquest.words("mastermind", {})
    with pytest.raises(UserFileError, match="is not AgentQuest's"):
        agentquest.words("hangman", {})
    assert agentquest.chat("agents/none.ipynb") is None
    deep = {"cells": [{"cell_type": "code", "source": "x = " + "-" * 90_000 + "1"}]}
    (root / "deep.ipynb").write_text(json.dumps(deep))
    with pytest.raises(UserFileError, match="is not AgentQuest's"):
        agentquest.chat("deep.ipynb")
    (root / "one.ipynb").write_text('{"cells": 1}')
    with pytest.raises(UserFileError, match="is not AgentQuest's"):
        agentquest.chat("one.ipynb")


@pytest.mark.parametrize(
    ("answer", "played"),
    [
        ("Perhaps Guess: 12, no.\nAction: Guess: 34", "Guess: 12"),
        ("<think>Guess: 12?</think>\n**Guess: 34**", "Guess: 12"),
        ('{"action": "Guess: 1234"}\nObservation: no\nGuess: 5', "Guess: 1234"),
        ("Thought: not Guess: 12\nAction: x\nAction: Guess: 34", "Guess: 34"),
        ("I pass.\nAction: 1234", "I pass.\nAction: 1234"),
    ],
)
def test_answers_are_read_as_its_parser_reads_them(answer, played):
    env = ExtractAction(gym.make("aq/Mastermind-v0", protocol="agentquest"))
    env.reset(seed=0)
    info = env.step(answer)[4]
    assert info["extracted_action"] == played
    assert info["action_valid"] is played.startswith("Guess")
    copy.deepcopy(env).step("Guess: 1")
    # Without the protocol ExtractAction decides.
    assert (
        ExtractAction(gym.make("aq/Mastermind-v0")).unwrapped.published_action("x")
        is None
    )


def test_mastermind_guesses_are_numbers():
    env, _, info = begun("Mastermind", code="2001")
    assert info["agentquest_progress"] == 0.5 and info["progress"] == 0
    info = env.step("Guess: 0102")[4]
    # 102 is compared with the first three digits.
    assert info["action_valid"] and info["agentquest_progress"] == 0.25
    assert len(env.unwrapped.expert_action()) == len("Guess: 2001")
    # The expert's own guess, since it does not begin with 0.
    assert (
        begun("Mastermind", code="2001")[0].unwrapped.expert_action() == "Guess: 1234"
    )
    canonical = env.unwrapped.canonical_action
    assert (
        canonical("guess:0102") == canonical("Guess: 102") != canonical("Guess: 1024")
    )
    assert not any(a.endswith("0102") for a in env.unwrapped.admissible_actions())
    # A guess of zeros alone is the number 0.
    assert canonical("Guess: 0000") == "Guess: 0"
    answer, *_, info = env.step("Guess: 0000")
    assert info["action_valid"] and answer.startswith("No. 0 correct")
    assert not env.step("Guess: none")[4]["action_valid"]
    drawn = begun("Mastermind")[0]
    ids = [drawn.reset(seed=seed)[1]["task_id"] for seed in range(50)]
    assert not any(task_id.startswith("0") for task_id in ids)
    with pytest.raises(ValueError, match=r"'0123'.*the first not 0"):
        gym.make("aq/Mastermind-v0", protocol="agentquest", code="0123")
    with pytest.raises(ValueError, match="symbols and repeats"):
        gym.make("aq/Mastermind-v0", protocol="agentquest", repeats=False)


def test_sudoku_counts_from_0_and_ends_with_a_full_board():
    cells = begun("Sudoku")[0].unwrapped.secrets()[0]
    env, observation, info = begun("Sudoku", puzzle=f"{cells[:-1]}.")
    assert "'*']]" in observation and info["agentquest_progress"] == 80 / 81
    assert "already" in env.step(f"Row: 8, Column: 8, Value: {cells[79]}")[0]
    for bad in ("Row: 8, Column: 9, Value: 1", "Row: 9, Column: 8, Value: 1"):
        assert env.step(bad)[4]["feedback"] == "rows and columns go from 0 to 8"
    for bad in ("Row: 1, Column: 1, Value: 0", "Row: 1, Column: 1, Value: 10"):
        assert env.step(bad)[4]["feedback"] == "values go from 1 to 9"
    _, _, over, _, info = env.step(f"row: 8, column: 8, value: 0{cells[80]}")
    assert over and info["success"]
    with pytest.raises(ValueError, match="box=3"):
        gym.make("aq/Sudoku-v0", protocol="agentquest", box=2)


def test_a_full_board_that_is_wrong_is_lost():
    env, _, _ = begun("Sudoku")
    game = env.unwrapped._game
    first, *_ = blanks = [k for k, cell in enumerate(game.cells) if cell == "."]
    free = {
        f"Row: {cell // 9}, Column: {cell % 9}, Value: {digit}"
        for cell in blanks
        for digit in "123456789"
        if not game.breaks_rule(cell, digit)
    }
    assert set(env.unwrapped.admissible_actions()) == free
    for cell in blanks[1:]:
        game.put(cell, game.solution[cell])
    game.solution = game.solution[:first] + "0" + game.solution[first + 1 :]
    (action,) = env.unwrapped.admissible_actions()
    answer, _, over, _, info = env.step(action)
    assert over and not info["success"] and answer == "The board is full, but wrong."


def test_hangman_has_letters_alone():
    env, _, _ = begun("Hangman", word="apple")
    assert not env.step("Letter: 1")[4]["action_valid"]
    observation, *_, info = env.step("LETTER:Pears")
    assert "Word: ?pp??" in observation and info["lives"] == 6
    assert not env.step("Letter: p")[4]["action_valid"]
    # Every guess is listed, not only the wrong ones.
    observation, *_, info = env.step("Letter: t")
    assert "\nTried: p, t\n" in observation and info["lives"] == 5
    env, _, _ = begun("Hangman", word="planet")
    # Where the expert would guess a word, it guesses the next letter of it.
    guessed = []
    while not env.unwrapped.success():
        guessed.append(env.unwrapped.expert_action())
        assert env.step(guessed[-1])[4]["action_valid"]
    assert guessed[-3:] == ["Letter: p", "Letter: a", "Letter: n"]
    env, _, _ = begun("Hangman", word="apple")
    for letter in "zyxwvu":
        observation, _, over, _, info = env.step(f"Letter: {letter}")
    assert over and not info["success"] and "apple" in observation
    with pytest.raises(ValueError, match="lives=6"):
        gym.make("aq/Hangman-v0", protocol="agentquest", lives=5)


def test_cipher_compares_all_characters():
    text = "The Cat sat. It was fine."
    env, observation, _ = begun(
        "Cipher", plaintext=text, cipher="adfgvx", difficulty="hard", threshold=0.85
    )
    # Two signs for each of 18 letters fill six rows of six.
    assert len(env.unwrapped._game.ciphertext) == 36
    assert env.unwrapped._game.ciphertext in observation
    rng = np.random.default_rng(0)
    drawn = [env.unwrapped.sample_action(rng) for _ in range(20)]
    assert all(env.unwrapped.canonical_action(action) for action in drawn)
    info = env.step("Plain Text: the cat")[4]
    assert info["agentquest_progress"] == round(2 * 5 / (7 + len(text)), 3)
    _, _, over, _, info = env.step(f"Plain Text: {text}\nor not")
    # The three capitals differ.
    assert over and info["success"] and info["agentquest_progress"] == 22 / 25


def test_2048_shows_the_board_before_the_last_tile():
    env, observation, _ = begun("2048", goal=8)
    assert observation.count("\u2551") == 20
    env.unwrapped._game.board = ((1, 0, 0, 0), (2, 0, 0, 0), (0,) * 4, (0,) * 4)
    shown, *_, info = env.step("I pass")
    assert "\u2551  2   \u2551      \u2551" in shown and not info["action_valid"]
    over = False
    while not over:
        observation, _, over, _, info = env.step(env.unwrapped.expert_action())
    shown = sum(character.isdigit() for character in observation)
    assert info["success"]
    assert shown < sum(map(bool, sum(env.unwrapped._game.board, ())))
    env, _, _ = begun("2048")
    env.unwrapped._game.board = ((3, 4, 5, 0), (6, 7, 8, 9), (3, 4, 5, 6), (6, 7, 8, 9))
    answer, _, over, *_ = env.step(env.unwrapped.expert_action())
    assert over and answer.startswith("You have lost")
    with pytest.raises(ValueError, match="size=4"):
        gym.make("aq/2048-v0", protocol="agentquest", size=3, goal=16)


def test_household_lists_its_commands():
    env, observation, _ = begun("ALFWorld")
    first = env.unwrapped.admissible_actions()[0]
    assert first.startswith("Action: ") and f"['{first[8:]}'" in observation
    answer, *_, info = env.step("Action: dance")
    assert answer.startswith("Nothing happens.\nCommands:\n[")
    assert not info["action_valid"]
    assert env.step("look")[0].startswith("That is not a command.")
