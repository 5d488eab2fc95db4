"""Stories of other people, some of them damaged or hostile."""

import pickle

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401
from aq_gym.envs.jericho import session_manager
from aq_gym.envs.jericho.games import find_game
from aq_gym.envs.jericho.moment import StoryFailedError
from aq_gym.envs.jericho.session_manager import Cache

pytestmark = pytest.mark.slow
ID = "aq/Jericho-v0"

TEXT, PARSE, OBJECTS, GLOBALS, DICTIONARY, CODE = (
    0x300,
    0x380,
    0x40,
    0x100,
    0x400,
    0x410,
)
READ = bytes([0xE4, 0x0F, *TEXT.to_bytes(2, "big"), *PARSE.to_bytes(2, "big"), 0x10])
LOOP_FOREVER = bytes([0x8C, 0xFF, 0xFF])
NOP = bytes([0xB4])
QUIT = bytes([0xBA])
ILLEGAL = bytes([0x00, 0x00, 0x00])
SAVE_TO_FILE = bytes([0xBE, 0x00, 0xFF, 0x11]) + READ + QUIT
TRANSCRIPT = bytes([0xF3, 0x7F, 0x02]) + READ + QUIT
PLAYBACK = bytes([0xF4, 0x7F, 0x01]) + READ + QUIT
# Sets the bit of the header that begins a transcript.
FLAG = bytes([0xE2, 0x57, 0x00, 0x11, 0x01]) + READ + QUIT
UNDERFLOW = bytes([0xB8]) * 40


def story(*code, first=READ):
    """Assemble a version 5 story that reads a line and then runs the code."""
    data = bytearray(0x800)
    data[0] = 5
    for place, address in (
        (0x04, 0x400), (0x06, CODE), (0x08, DICTIONARY), (0x0A, OBJECTS),
        (0x0C, GLOBALS), (0x0E, 0x400), (0x1A, len(data) // 4),
    ):  # fmt: skip
        data[place : place + 2] = address.to_bytes(2, "big")
    data[TEXT], data[PARSE] = 100, 5
    data[DICTIONARY : DICTIONARY + 4] = bytes([0, 9, 0, 0])
    program = NOP + first + b"".join(code)
    data[CODE : CODE + len(program)] = program
    data[0x1C:0x1E] = (sum(data[0x40:]) & 0xFFFF).to_bytes(2, "big")
    return bytes(data)


@pytest.fixture
def make(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = []

    def make(*code, first=READ, **arguments):
        path = tmp_path / "unknown.z5"
        path.write_bytes(story(*code, first=first))
        made.append(gym.make(ID, game=str(path), **arguments))
        return made[-1]

    yield make
    for env in made:
        env.close()
    assert [path.name for path in tmp_path.iterdir()] == ["unknown.z5"]


def test_an_unknown_story_is_played_to_its_end(make):
    env = make(READ, QUIT)
    _, info = env.reset(seed=1)
    assert info["subgoals"] == {"the story is won": False}
    assert not env.step("hello")[2]
    _, _, terminated, truncated, info = env.step("bye")
    assert terminated
    assert not truncated
    assert not info["success"]


def test_a_story_that_hangs_is_stopped_after_the_same_instruction(make):
    env = make(LOOP_FOREVER)
    ends = []
    for seed in (1, 2):
        env.reset(seed=seed)
        ends.append(env.step("hello")[:4])
    assert ends[0] == ends[1]
    assert "instruction budget" in ends[0][0]
    assert ends[0][1:] == (0.0, True, False)


def test_a_story_that_hangs_before_it_begins_is_an_error(make):
    env = make(first=LOOP_FOREVER)
    with pytest.raises(StoryFailedError, match="instruction budget"):
        env.reset(seed=1)


@pytest.mark.parametrize("code", [ILLEGAL, UNDERFLOW], ids=["illegal", "underflow"])
def test_a_command_that_breaks_a_story_ends_it_as_it_stands(make, code):
    env = make(code)
    env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step("hello")
    assert "The game broke" in observation
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert "error" not in info
    env.reset(seed=1)


@pytest.mark.parametrize(
    "code",
    [SAVE_TO_FILE, TRANSCRIPT, FLAG, PLAYBACK],
    ids=["save", "script", "flag", "playback"],
)
def test_a_story_reaches_no_file_by_itself(make, code):
    env = make(code)
    env.reset(seed=1)
    assert not env.step("hello")[2]
    assert env.step("owned")[2]


def test_a_story_that_is_over_at_its_start_is_an_error(make):
    env = make(QUIT, first=NOP)
    env.reset(seed=1)
    _, reward, _, truncated, info = env.step("look")
    assert truncated
    assert "over before it began" in info["error"]
    assert reward == 0.0


def test_a_bad_file_is_refused_by_name(tmp_path):
    (tmp_path / "unknown.z5").write_bytes(story(READ, QUIT)[:500])
    with pytest.raises(ValueError, match=r"unknown\.z5"):
        gym.make(ID, game=str(tmp_path / "unknown.z5"))


def test_a_list_that_costs_too_much_is_called_partial(monkeypatch):
    monkeypatch.setattr("aq_gym.envs.jericho.admissible.BUDGET", 300_000)
    monkeypatch.setattr(session_manager, "_ADMISSIBLE", Cache())
    env = gym.make(ID, game="lighthouse")
    env.reset(seed=11)
    first = env.step("help")[0]
    assert "The list is partial" in first
    assert "east" in first
    env.reset(seed=11)
    assert env.step("help")[0] == first
    env.close()


def test_a_state_of_another_file_under_the_name_is_refused(make):
    env = make(READ, QUIT)
    env.reset(seed=1)
    state = env.unwrapped.get_state()
    other = make(QUIT)
    other.reset(seed=1)
    with pytest.raises(ValueError, match="different story file"):
        other.unwrapped.set_state(state)


def test_a_copy_is_refused_where_the_file_has_become_another(make):
    env = make(READ, QUIT)
    env.reset(seed=1)
    kept = pickle.dumps(env.unwrapped)
    make(NOP, READ, QUIT)
    with pytest.raises(ValueError, match="a different file than before"):
        pickle.loads(kept)


def test_a_copy_is_made_in_another_working_folder(tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    (tmp_path / "some.z5").write_bytes(story(READ, QUIT))
    monkeypatch.chdir(tmp_path)
    env = gym.make(ID, game="some.z5")
    _, info = env.reset(seed=1)
    monkeypatch.chdir(tmp_path / "other")
    twin = pickle.loads(pickle.dumps(env.unwrapped))
    assert info["task_id"].startswith("some-")
    assert twin.step("look") == env.unwrapped.step("look")
    twin.close()
    env.close()


def test_an_unknown_inform_story_has_admissible_actions(tmp_path):
    story = bytearray(find_game("lighthouse").story)
    # Another release has another hash; the checksum does not include the release.
    story[3] += 1
    path = tmp_path / "other.z5"
    path.write_bytes(story)
    env = gym.make(ID, game=str(path))
    env.reset(seed=1)
    env.step("east")
    assert "take can of oil" in env.unwrapped.admissible_actions()
    assert not env.step("frobnicate")[4]["action_valid"]
    env.close()
