"""Mystery with a user's puzzles: a scripted endpoint judges, verdicts are kept."""

import json
import pickle

import gymnasium as gym
import pytest
from scripted_server import ScriptedServer, answer, raw

from aq_gym import trajectory
from aq_gym.envs.mystery.judge import Judge, VerdictFile
from aq_gym.envs.mystery.puzzles import Puzzle
from aq_gym.testing import CHECKS, Case
from aq_gym.wrappers import TrajectoryLogger

PUZZLE = {
    "story": "A man pushes his car to a hotel and loses his fortune.",
    "answer": "He is playing a board game about property.",
    "keys": ["He is playing a game.", "The car is a token."],
}
SECRET = "sk-very-secret-key"


def made(puzzles, **arguments):
    return gym.make("aq/Mystery-v0", puzzles=str(puzzles), judge_model="m", **arguments)


@pytest.fixture
def puzzles(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps([PUZZLE]))
    return path


@pytest.fixture
def judge(monkeypatch):
    """Make a scripted judge the configured endpoint."""
    servers = []
    for name in ("AQ_GYM_JUDGE_BASE_URL", "AQ_GYM_JUDGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    def configured(*script):
        server = ScriptedServer(*script)
        servers.append(server)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", SECRET)
        return server

    yield configured
    for server in servers:
        server.close()


@pytest.fixture
def unconfigured(monkeypatch):
    for name in ("BASE_URL", "API_KEY"):
        monkeypatch.delenv(f"OPENAI_{name}", raising=False)
        monkeypatch.delenv(f"AQ_GYM_JUDGE_{name}", raising=False)


def test_the_first_observation_is_pinned(puzzles, judge):
    judge(answer("yes"))
    observation, info = made(puzzles).reset(seed=0)
    assert observation == FIRST
    assert (info["judge"], info["source"]) == ("", "user")
    assert info["subgoals"] == {"key 1": False, "key 2": False, "the story": False}
    assert made(puzzles, instructions=False).reset()[0] == PUZZLE["story"]


FIRST = """\
Solve a mystery. You are told how a story ended, and you find out what happened by \
asking questions that can be answered with yes or no, one at a time. I answer 'Yes.', \
'No.' or 'Irrelevant.'. When you know what happened, tell the story.
The story has 2 key facts; it is told when your questions and your telling cover them \
all.
Ask a question that can be answered with yes or no, as: Was it an accident?
Tell the story in the form: Story: <what happened>
A man pushes his car to a hotel and loses his fortune."""


def test_an_episode_is_judged(puzzles, judge):
    server = judge(
        answer("irrelevant"),
        answer("No."), 
        answer("Yes"), answer("yes"), answer("no"),
        answer("no"),
        answer("YES"),
    )  # fmt: skip
    env = made(puzzles)
    env.reset(seed=0)
    assert env.step("Was it raining?")[0] == "Irrelevant."
    assert env.step("Did he die?")[0] == "No."
    observation, reward, _, _, info = env.step("Is it a game?")
    assert (observation, reward) == ("Yes.", pytest.approx(1 / 3))
    assert info["subgoals"] == {"key 1": True, "key 2": False, "the story": False}
    observation, _, terminated, _, info = env.step("Story: He plays.")
    assert observation == "That is not the whole story yet. Keep asking."
    assert not terminated and info["subgoals"]["key 1"]
    observation, _, terminated, _, info = env.step("Story: He moves a token.")
    assert observation == "That is the whole story!"
    assert terminated
    assert info["success"]
    assert info["progress"] == 1.0
    sent = json.loads(server.requests[-1]["messages"][1]["content"])
    assert sent == {
        "told": PUZZLE["story"],
        "truth": PUZZLE["answer"],
        "fact": "The car is a token.",
        "player": "He moves a token.",
    }
    assert len(server.requests) == 7


def test_an_endpoint_that_fails_is_an_error_and_no_score(puzzles, judge):
    judge(raw(400, f'{{"error": "no {SECRET}"}}'))
    env = made(puzzles)
    env.reset()
    _, _, _, truncated, info = env.step("Did he die?")
    assert truncated
    assert "the judge failed" in info["error"]
    assert SECRET not in info["error"]


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("yes", "yes"), (" **No**.", "no"), ("Irrelevant!", "irrelevant"),
        ("<think>yes or no?</think>\nno", "no"), ("The answer is: no.", "no"),
        ('{"verdict": "yes"}', "yes"), ("Yes, but not in the way ...", "yes"),
    ],
)  # fmt: skip
def test_a_verdict_is_read_as_models_write_it(puzzles, judge, said, verdict):
    judge(answer(said), answer("no"))
    env = made(puzzles)
    env.reset()
    assert env.step("Did he die?")[0] == f"{verdict.capitalize()}."


def test_an_answer_without_a_verdict_is_asked_for_again(puzzles, judge):
    server = judge(answer("It may be yes or no."), answer(""), answer("no"))
    env = made(puzzles)
    env.reset()
    info = env.step("Did he die?")[4]
    assert "none of yes, no, irrelevant" in info["error"]
    reminder = server.requests[1]["messages"][1]["content"]
    assert reminder.endswith("nothing else: yes, no, irrelevant")
    assert len(server.requests) == 2
    env.reset()
    assert env.step("Did he die?")[0] == "No."


def test_a_failing_judge_gives_up_no_key(puzzles, judge):
    """A key that was found before the endpoint failed is still found."""
    judge(answer("yes"), answer("yes"), answer("no"), answer("hm"))
    env = made(puzzles)
    env.reset()
    env.step("Is it a game?")
    info = env.step("Is it a token?")[4]
    assert info["error"]
    assert info["subgoals"]["key 1"]


def test_splits_are_disjoint(tmp_path, judge):
    judge(answer("no"))
    path = tmp_path / "many.json"
    path.write_text(json.dumps([{**PUZZLE, "story": f"Case {i}."} for i in range(40)]))
    ids = {}
    for split in ("all", "train", "test"):
        env = made(path, split=split)
        ids[split] = {env.reset(seed=s)[1]["task_id"] for s in range(300)}
    assert not ids["train"] & ids["test"]
    assert ids["train"] | ids["test"] == ids["all"]
    assert len(ids["all"]) == 40


def test_puzzles_need_a_model(puzzles):
    with pytest.raises(ValueError, match="give judge_model="):
        gym.make("aq/Mystery-v0", puzzles=str(puzzles))


def test_verdicts_are_kept_where_they_should_be(puzzles, judge, tmp_path):
    judge(answer("no"))
    file = tmp_path / "run" / "verdicts.jsonl"
    env = made(puzzles, verdicts=str(file))
    env.reset()
    env.step("Did he die?")
    line = file.read_text().strip()
    record = json.loads(line)
    assert len(record.pop("key")) == 64
    assert record == {
        "verdict": "no", "model": "m", "kind": "question", "text": "Did he die?"
    }  # fmt: skip
    assert SECRET not in line
    default = made(puzzles)
    default.reset()
    default.step("Did he live?")
    assert puzzles.with_name("mine.json.verdicts.jsonl").exists()


def test_the_key_is_in_no_file_and_no_spec(puzzles, judge, tmp_path):
    judge(answer("no"))
    env = TrajectoryLogger(made(puzzles), tmp_path / "log")
    env.reset(seed=0)
    env.step("Did he die?")
    env.close()
    assert SECRET not in env.spec.to_json()
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path
    assert SECRET.encode() not in pickle.dumps(env.unwrapped)


def test_a_trajectory_is_executed_again_without_an_endpoint(
    puzzles, judge, tmp_path, monkeypatch
):
    judge(answer("yes"), answer("yes"), answer("no"), answer("yes"))
    verdicts = tmp_path / "run" / "verdicts.jsonl"
    env = TrajectoryLogger(made(puzzles, verdicts=str(verdicts)), tmp_path / "log")
    env.reset(seed=0)
    played = [env.step(a) for a in ("Is it a game?", "Story: He moves a token.")]
    env.close()
    assert json.loads(played[0][4]["judge"])[0]["verdict"] == "yes"
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name)

    def replayed():
        again = made(puzzles, verdicts=str(verdicts))
        again.reset(seed=0)
        return [again.step(a) for a in ("Is it a game?", "Story: He moves a token.")]

    assert replayed() == played
    logged = list((tmp_path / "log").rglob("*.jsonl"))
    report = trajectory.replay(logged[0], trust=True)
    assert report.identical and report.steps == 2, report.difference
    # It names files, which is allowed only in a trusted trajectory.
    with pytest.raises(Exception, match="trust"):
        trajectory.replay(logged[0])


@pytest.mark.usefixtures("unconfigured")
def test_a_verdict_that_is_missing_offline_ends_the_episode_with_an_error(puzzles):
    file = puzzles.with_name("v.jsonl")
    file.write_text(json.dumps({"key": "0" * 64, "verdict": "no"}) + "\n")
    env = made(puzzles, verdicts=str(file))
    env.reset()
    _, reward, _, truncated, info = env.step("Did he die?")
    assert truncated
    assert reward == 0.0
    assert "no endpoint is configured" in info["error"]


def test_a_file_of_something_else_is_not_written_to(puzzles, judge, tmp_path):
    judge(answer("no"))
    other = tmp_path / "notes.jsonl"
    other.write_text("my notes\n")
    with pytest.raises(ValueError, match="is not a file of verdicts"):
        made(puzzles, verdicts=str(other))
    with pytest.raises(ValueError, match=r"must end in '.jsonl'"):
        made(puzzles, verdicts=str(tmp_path / ".profile"))
    assert other.read_text() == "my notes\n"


def test_torn_lines_are_sealed_and_left_out(tmp_path):
    path = tmp_path / "v.jsonl"
    file = VerdictFile(path)
    assert file.put("a" * 64, "yes", {}) == "yes"
    with path.open("a") as torn:
        torn.write('{"key": "')
    assert file.put("b" * 64, "no", {"text": "\u00e9" * 9_000}) == "no"
    again = VerdictFile(path)
    assert [again.get(key * 64) for key in "abc"] == ["yes", "no", ""]


def test_the_first_of_two_verdicts_counts_for_everybody(tmp_path):
    path = tmp_path / "v.jsonl"
    one, other = VerdictFile(path), VerdictFile(path)
    assert one.put("a" * 64, "yes", {}) == "yes"
    assert other.put("a" * 64, "no", {}) == "yes"
    assert VerdictFile(path).get("a" * 64) == "yes"


@pytest.mark.parametrize(
    "line", ["", "[]", "{}", "[" * 100_000, '{"key": "a", "verdict": "no"}',
             json.dumps({"key": "a" * 64, "verdict": "maybe"})], ids=range(6),
)  # fmt: skip
def test_other_lines_are_no_verdicts(tmp_path, line):
    path = tmp_path / "v.jsonl"
    good = json.dumps({"key": "b" * 64, "verdict": "no"})
    path.write_text(f"{line}\n{good}\n")
    assert VerdictFile(path).get("b" * 64) == "no"
    assert VerdictFile(path).get("a" * 64) == ""


def test_a_judge_of_another_model_has_verdicts_of_its_own(puzzles, judge):
    server = judge(answer("no"))
    env = made(puzzles)
    env.reset()
    env.step("Did he die?")
    again = made(puzzles)
    again.reset()
    again.step("Did he die?")
    other = gym.make("aq/Mystery-v0", puzzles=str(puzzles), judge_model="other")
    other.reset()
    other.step("Did he die?")
    assert [request["model"] for request in server.requests] == ["m", "other"]


def test_verdicts_are_those_of_the_step(puzzles, judge):
    judge(answer("no"))
    env = made(puzzles)
    env.reset()
    assert json.loads(env.step("Did he die?")[4]["judge"])[0]["verdict"] == "no"
    for action in ("help", "He died.", "Why?"):
        assert env.step(action)[4]["judge"] == ""


@pytest.fixture
def verdict(tmp_path):
    """Return a function that asks one judge."""
    judges = []

    def ask(question="Is it?"):
        judges.append(judges[0] if judges else Judge("m", tmp_path / "v.jsonl"))
        puzzle = Puzzle("It ended.", "It began.", ("It is old.",))
        return judges[0].on_question(puzzle, question).verdict

    return ask


def test_a_temperature_that_is_refused_is_left_out(judge, verdict):
    refusal = raw(400, '{"error": {"message": "unsupported value: temperature"}}')
    server = judge(refusal, answer("yes"))
    assert [verdict(), verdict("Was it?")] == ["yes", "yes"]
    assert ["temperature" in request for request in server.requests] == [
        True, False, False
    ]  # fmt: skip


def test_the_judges_own_variables_come_first(judge, verdict, monkeypatch):
    judge(answer("no"))
    other = ScriptedServer(answer("yes"))
    monkeypatch.setenv("AQ_GYM_JUDGE_BASE_URL", other.url)
    assert verdict() == "yes"
    other.close()


def test_without_an_endpoint_the_constructor_says_what_to_set(puzzles, unconfigured):
    with pytest.raises(ValueError, match="set OPENAI_API_KEY for OpenAI, or OPENAI_BA"):
        made(puzzles)


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """Puzzles of the user's, and a judge that always says yes."""
    path = tmp_path_factory.mktemp("own") / "mine.json"
    path.write_text(
        json.dumps(
            [
                {
                    "story": f"Story {i}: somebody laughs.",
                    "answer": f"Number {i} saw it all.",
                    "keys": [f"Somebody saw number {i}.", "Somebody laughed."],
                }
                for i in range(60)
            ]
        )
    )
    server = ScriptedServer(answer("yes"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AQ_GYM_JUDGE_BASE_URL", server.url)
        yield Case("aq/Mystery-v0", {"puzzles": str(path), "judge_model": "m"})
    server.close()


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract_with_puzzles(own, check):
    check(own)
