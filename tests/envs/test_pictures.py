"""What the pictures of environments show, and what they keep to themselves."""

import re
from dataclasses import replace

import gymnasium as gym
import pytest
from gymnasium.envs.registration import load_env_creator

from aq_gym.core.drawing import INK, PAPER, Circle, Line, Polygon, Rect, Text
from aq_gym.core.maps import RoomMap, draw_map, walked
from aq_gym.envs.mystery.puzzles import Puzzle
from aq_gym.envs.mystery.user_puzzles import Confirmed, PuzzleGame, PuzzleProtocol
from aq_gym.envs.pddl.picture import draw
from aq_gym.envs.tooloperation.logic.todo import Project, Task
from aq_gym.registration import TABLE
from aq_gym.tools.picture import Looked, Seen, read
from aq_gym.tools.picture import draw as draw_calls


def made(env_id, *actions, seed=0, **kwargs):
    env = gym.make(env_id, **kwargs).unwrapped
    env.reset(seed=seed)
    for action in actions:
        env.step(action)
    return env


def texts(drawing):
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def fill_at(drawing, text):
    """Return the colours of the text and of the shape under it."""
    (at,) = (
        i
        for i, shape in enumerate(drawing.shapes)
        if isinstance(shape, Text) and shape.text == text
    )
    return drawing.shapes[at - 1].fill, drawing.shapes[at].fill


def test_every_environment_has_pictures():
    for row in TABLE:
        if not row.family and not row.missing():
            made = load_env_creator(gym.spec(row.id).entry_point)
            assert "rgb_array" in made.metadata["render_modes"], row.id


def test_mastermind_has_a_peg_for_each_symbol_and_no_code():
    env = made("aq/Mastermind-v0", "1123", "4567", code="1234")
    drawing = env.drawing()
    circles = [one for one in drawing.shapes if isinstance(one, Circle)]
    pegs = [one.fill for one in circles if one.radius == 24]
    assert len(pegs) == 12
    assert sum(one.radius == 6 for one in circles) == 5 * 4, "holes for later guesses"
    assert pegs[4] == pegs[5]
    keys = [one.fill for one in circles if one.radius == 9]
    assert keys == [INK, PAPER, PAPER, PAPER]
    assert {"right place", "wrong place"} < set(texts(drawing))


def test_mastermind_shows_the_last_guesses():
    guesses = [f"{i:04}" for i in (*range(20), 19)]
    env = made("aq/Mastermind-v0", *guesses, code="9876")
    shown = texts(env.drawing())
    assert "00180019" in "".join(shown) and "0012" not in "".join(shown)
    # The number of a guess is not that of a step.
    assert "different guesses: 20" in shown and not {"14", "20", "21"} & {*shown}


def test_sudoku_prints_givens_bold_and_conflicts_red():
    env = made("aq/Sudoku-v0", seed=3, allow_conflicts=True)
    game = env._game
    row = next(r for r in range(9) if "." in game.cells[9 * r : 9 * r + 9])
    column = game.cells[9 * row : 9 * row + 9].index(".")
    given = next(one for one in game.cells[9 * row : 9 * row + 9] if one != ".")
    before = [one for one in env.drawing().shapes if isinstance(one, Text)]
    assert {one.bold for one in before if one.size > 20} == {True}
    env.step(f"{row + 1} {column + 1} {given}")
    after = [one for one in env.drawing().shapes if isinstance(one, Text)]
    (placed,) = (one for one in after if one.size > 20 and not one.bold)
    assert placed.text == given
    fills = [one.fill for one in env.drawing().shapes if isinstance(one, Rect)]
    assert fills.count("#fbd5cc") >= 2


def test_wordle_colours_tiles_and_keys_as_the_marks_say():
    env = made("aq/Wordle-v0")
    answer = env._game.answer
    guess = next(
        word
        for word in env.protocol.guesses(env._game)
        if word[0] == answer[0] != word[1]
    )
    env.step(guess)
    tile, *_ = (
        one for one in env.drawing().shapes if isinstance(one, Rect) and one.width == 50
    )
    assert tile.fill == "#2f855a"
    assert answer.upper() not in "".join(texts(env.drawing()))


@pytest.mark.parametrize("lives", [1, 6, 26])
def test_hangman_is_complete_when_lost(lives):
    env = made("aq/Hangman-v0", lives=lives)
    whole = len(_figure(env))
    for letter in "qzxjkvwypbfhmgculdrnstioae":
        if letter not in env._game.word and env._game.lives:
            env.step(letter)
    if env._game.lost:
        assert len(_figure(env)) == whole + 6


def _figure(env):
    return [one for one in env.drawing().shapes if isinstance(one, Line | Circle)]


def test_2048_shows_every_tile():
    env = made("aq/2048-v0")
    tiles = [str(1 << level) for row in env._game.board for level in row if level]
    assert [text for text in texts(env.drawing()) if text.isdecimal()] == tiles


def test_babyai_draws_what_is_visible_and_nothing_else():
    env = made("aq/BabyAI-text-v0", level="BossLevel", seed=4)
    sizes = [one[2:4] for one in env.drawing().shapes if isinstance(one, Rect)]
    assert sizes.count((56, 56)) == len(env._game.scene.view.slots) + 1
    assert sum(isinstance(one, Polygon) for one in env.drawing().shapes) == 1


TOWER = [("on", "b", "a"), ("on-table", "a"), ("on-table", "c"), ("clear", "b")]


def test_blocks_stand_on_what_they_are_on():
    kinds = dict.fromkeys("abc", "block")
    drawing = draw(TOWER, {"on", "on-table"}, kinds, ["b is on a", "c is on b"], [1, 0])
    at = {one.text: one for one in drawing.shapes if isinstance(one, Text)}
    assert at["a"].x == at["b"].x != at["c"].x
    assert at["b"].y == at["a"].y - 40
    assert at["a"].y == at["c"].y
    assert "1 of 2 conditions hold" in at
    assert at["1 of 2 conditions hold"].x - at["c"].x < 60, "next to the goals"
    held = draw([*TOWER, ("holding", "d")], {"on", "on-table"}, kinds, [], []).shapes
    assert all(one.y1 for one in held if isinstance(one, Line)), "not at the top edge"


def test_long_conditions_are_written_smaller_and_not_cut():
    env = made("aq/PDDL-v0", domain="logistics", problem="easy-0")
    conditions = [name for name in env.subgoals() if name in texts(env.drawing())]
    assert conditions == list(env.subgoals())
    drawing = made("aq/PDDL-v0", domain="sokoban", problem="easy-0").drawing()
    # The goals are beside the walls, which a dark page leaves as they are.
    assert f'width="{drawing.width - 300:g}" height="392" fill="#616e7c"' in (
        drawing.svg("dark")
    )


def test_a_cycle_of_containers_ends():
    facts = [("in", "a", "b"), ("in", "b", "a"), ("at", "c", "d")]
    assert draw(facts, {"in", "at"}, dict.fromkeys("abcd", "box"), [], []).shapes


def test_an_unknown_domain_is_a_graph():
    kinds = {"a": "node", "b": "node"}
    drawing = draw([("linked", "a", "b"), ("lit", "a")], {"linked"}, kinds, [], [])
    assert {"a", "b", "linked", "lit"} <= set(texts(drawing))


def test_a_household_hides_what_was_not_seen():
    env = made("aq/ALFWorld-v0", seed=0)
    house = env.household
    shown = " ".join(texts(env.drawing()))
    assert shown.count("?") == len(house.receptacles)
    assert not any(name in shown for name in house.object_names)
    for receptacle, inside in enumerate(house.start.contents):
        if inside and receptacle not in house.openable:
            break
    env.step(f"go to {house.receptacle_names[receptacle]}")
    shown = " ".join(texts(env.drawing()))
    assert house.object_names[min(inside)] in shown
    known = {house.object_names[one] for one in inside}
    assert not [one for one in set(house.object_names) - known if one in shown]


def test_a_closed_receptacle_stays_unknown_until_it_is_opened():
    env = made("aq/ALFWorld-v0", seed=5)
    house = env.household
    closed = max(house.openable, key=lambda i: len(house.start.contents[i]))
    name = house.receptacle_names[closed]
    env.step(f"go to {name}")
    assert "closed, ?" in texts(env.drawing())
    env.step(f"open {name}")
    # All of it is told here.
    things = sorted(house.start.contents[closed])
    inside = ", ".join(house.object_names[thing] for thing in things)
    assert inside in " ".join(texts(env.drawing()))
    # What was seen is remembered, also in a restored state.
    env.step(f"close {name}")
    other = made("aq/ALFWorld-v0", seed=1)
    other.set_state(env.get_state())
    assert inside in " ".join(texts(other.drawing()))
    assert other.drawing() == env.drawing()


def test_a_map_follows_the_directions_walked():
    rooms = RoomMap()
    for key, action in [("Hall (1)", ""), ("Attic (2)", "go north"), ("Den (3)", "e")]:
        rooms = walked(rooms, key, key, action)
    hall, attic, den = rooms.rooms
    assert (attic.x - hall.x, attic.y - hall.y) == (0, -1)
    assert (den.x - attic.x, den.y - attic.y) == (1, 0)
    assert rooms.ways == ((0, 1), (1, 2))
    back = walked(rooms, "Hall (1)", "Hall", "teleport")
    assert back.here == 0
    assert len(back.rooms) == 3
    # The same room again changes nothing.
    assert walked(back, "Hall (1)", "Hall", "wait") is back


def test_a_map_names_no_room_in_the_dark():
    dark = walked(RoomMap(), "Secret Vault (9)", "It is pitch dark.", "")
    assert "Secret" not in draw_map(dark, "Find it.").svg()
    lit = walked(dark, "Secret Vault (9)", "Secret Vault\nGold.", "light lamp")
    assert "Secret" in draw_map(lit, "Find it.").svg()


def test_rooms_never_share_a_place():
    rooms = RoomMap()
    for number in range(60):
        rooms = walked(rooms, f"Maze ({number})", "Maze", "nesw"[number % 4])
    assert len({(room.x, room.y) for room in rooms.rooms}) == 60


def test_cipher_writes_the_last_attempt_below_the_ciphertext():
    env = made("aq/Cipher-v0", cipher="caesar", plaintext="Hello there", seed=1)
    opening = env.drawing().svg()
    env.step("frequencies")
    assert env.drawing().svg() == opening
    env.step("Plain text: jello where")
    assert {"jello where", "below each line: your last solution is not the text"} < (
        {*texts(env.drawing())}
    )
    env.step("shift 1")
    shown = texts(env.drawing())
    assert "below each line: shift 1 gives this" in shown
    assert "jello where" not in shown
    env = made("aq/Cipher-v0", seed=1)
    hidden = env._game.ciphertext
    lines = [one for one in texts(env.drawing()) if one in hidden and one[9:]]
    assert " ".join(map(str.rstrip, lines)) == hidden and lines[1]


def test_mystery_marks_what_the_answers_exclude():
    env = made("aq/Mystery-v0", facts=1, seed=2)
    while not env._game.solved:
        fits = sum(mask.bit_count() for mask in env._game.state.possible) - 5
        lines = [s for s in env.drawing().shapes if isinstance(s, Line)]
        assert len(lines) == 48 - 5 - fits
        env.step(env.expert_action())
    assert "solved" in texts(env.drawing())


def test_a_users_puzzle_shows_the_confirmed_questions_and_not_the_answer():
    puzzle = Puzzle("A man fell.", "He was pushed.", ("he was pushed",))
    game = PuzzleGame(puzzle, Confirmed(("Was it at night?",), (False,)))
    drawing = PuzzleProtocol.draw(None, game)
    assert texts(drawing) == ["A man fell.", "✓", "Was it at night?"]


def test_a_question_marks_the_answers_given_and_not_the_right_one():
    env = made("aq/MMLU-v0", retries=2)
    plain = texts(env.drawing())
    right = env._question.letter
    wrong = next(one for one in "ABCD" if one != right)
    assert not {"✓", "✗"} & {*plain}
    env.step(wrong)
    assert [one for one in texts(env.drawing()) if one in "✓✗" and one] == ["✗"]
    env.step(right)
    assert {"✓", "✗"} < {*texts(env.drawing())}


def test_what_calls_returned_is_joined_by_ids():
    looked = [
        Looked("find_person", {"name": "A"}, [{"person_id": "1", "name": "Ann"}]),
        Looked("get_age", {"person_id": "1"}, 36),
        Looked("calculate", {"expression": "6*7"}, "42"),
        Looked("list_files", {}, "a.txt\nb.txt"),
        Looked("finish", {}, "It was recorded."),
    ]
    shown = texts(draw_calls(Seen("Do.", "finish()", "Yes."), looked))
    joined = ["person", "person id", "name", "age", "1", "Ann", "36"]
    assert [one for one in shown if one in joined] == joined
    assert {"calculate", "expression", "result", "6*7", "42"} < {*shown}
    picture = draw_calls(Seen("Do.", "finish()", "Yes."), looked[:1])
    assert picture.height < 200, "as high as what is drawn"
    assert "It was recorded." not in shown
    assert "a.txt" in shown and "list files" not in shown, "once, as a text"


DEEP = "[" * 700 + "]" * 700


@pytest.mark.parametrize(
    "result",
    ["[]", "{}", "3", "[1]", "[[", "[{}]", "x" * 9_999, DEEP, f'[{{"a":{DEEP}}}]'],
)
def test_any_result_is_drawn(result):
    seen = Seen("Do.", "call()", result)
    assert "> call()" in texts(draw_calls(seen, [Looked("call", {}, read(result))]))


def test_a_list_shows_what_was_listed_and_what_was_changed():
    env = made("aq/ToolOperation-v0", seed=1, distractors=16)
    records = env.world.data.records
    (project, *_), (task, *_) = (
        [key for key, one in records.items() if isinstance(one, kind)]
        for kind in (Project, Task)
    )
    env.step(f'complete_task(task_id="{task}")')
    # A tool of no world returns what the agent wrote.
    env.step(f"""reverse_text(text='{f'[{{"task_id": "{task}"}}]'[::-1]}')""")
    env.step("prime_factors(number=12)")
    assert env._memory.calls[-2][1].startswith('[{"task_id"')
    assert records[task].content not in " ".join(texts(env.drawing()))
    env.step("find_projects()")
    assert f"{records[project].name} · ?" in texts(env.drawing())
    project = records[task].project_id
    env.step(f'get_tasks(project_id="{project}")')
    other = env.world.data.children[project][-1]
    shown = texts(env.drawing())
    assert records[other].content in " ".join(shown) and "☑" not in shown
    env.step(f'complete_task(task_id="{other}")')
    assert "☑" in texts(env.drawing())
    env.step(f'delete_task(task_id="{other}")')
    assert [one for one in env.drawing().shapes if isinstance(one, Line)]


def test_a_sheet_shows_the_cells_that_are_known():
    env = made("aq/ToolOperation-v0", world="sheet", seed=8)
    name = next(iter(env.world.data.values())).name
    assert "nothing seen yet" in texts(env.drawing()) and env.drawing().height < 240
    env.step(f'get_cell(sheet="{name}", cell="A2")')
    env.step(f'set_note(sheet="{name}", cell="A3", note="n")')
    cells = next(iter(env.world.data.values())).cells
    drawing = env.drawing()
    assert cells[2, 1] in texts(drawing) and cells[3, 1] not in texts(drawing)
    # Unknown cells come with the rows that move.
    env.step(f'sort_rows(sheet="{name}", column="A", order="descending")')
    assert cells[2, 1] not in texts(env.drawing())
    env.step(f'get_values(sheet="{name}")')
    env.step(f'set_cell(sheet="{name}", cell="B2", value="=Other!A1")')
    assert {cells[3, 1], "=…"} <= {*texts(env.drawing())}
    env.step(f'rename_sheet(sheet="{name}", name="New")')
    assert {"New", cells[3, 1]} <= {*texts(env.drawing())}
    env.step('delete_sheet(sheet="New")')
    env.step("list_sheets()")
    second = next(iter(env.world.book.grids.values()))
    env.step(f'rename_sheet(sheet="{second.name}", name="New")')
    assert not {*map(str, second.cells.values())} & {*texts(env.drawing())} - {
        *map(str, range(30))
    }


def test_a_shop_page_shows_what_was_chosen():
    env = made("aq/WebShop-v0", seed=5)
    for _ in range(3):
        env.step(env.expert_action())
    # A header of ink would become the brightest bar of a dark page.
    for text in ("WebShop", env._game.view.options[0][1]):
        assert fill_at(env.drawing(), text) == ("#0072b2", "#ffffff")
    assert re.search(r"\$\d", " ".join(texts(env.drawing())))


def test_what_was_seen_does_not_tell_states_apart():
    state = made("aq/ALFWorld-v0", seed=2).get_state()
    other = replace(state, memory=frozenset({1}))
    assert (state, hash(state), state.key) == (other, hash(other), other.key)
