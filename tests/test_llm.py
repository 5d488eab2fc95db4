"""The agent that asks a model, against a server that does what a test says."""

import json
import threading

import gymnasium as gym
import pytest
from scripted_server import ScriptedServer, answer, drop, hang, raw

from aq_gym import trajectory
from aq_gym.agents import LLMAgent
from aq_gym.evaluation import LimitReached, Suite, Task, load_run, run

TASK = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=4)
SUITE = Suite("one", (TASK,))


@pytest.fixture
def serve():
    """Start a server with a script."""
    servers = []

    def start(*script):
        servers.append(ScriptedServer(*script))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def play(server, out, suite=SUITE, **params):
    """Run the suite and return its episodes and the first one's steps."""
    params = {"model": "m", "base_url": server.url, "timeout": 1, **params}
    episodes = run(suite, out, "llm", params, engine="threads", workers=1)
    file = next(trajectory.iter(out / "trajectories"))
    return episodes, file.steps


def test_it_sees_observations_and_nothing_else(serve, tmp_path):
    server = serve(answer("Guess: 1234"))
    play(server, tmp_path)
    sent = json.dumps(server.requests)
    for secret in ("5618", "position 1", "task_id", "reward", "best_progress"):
        assert secret not in sent
    first, *_, last = [request["messages"] for request in server.requests]
    assert [message["role"] for message in first] == ["system", "user"]
    assert first[1]["content"].startswith("Let us play Mastermind.")
    assert last[:2] == first
    assert [message["role"] for message in last[2:]] == ["assistant", "user"] * 3
    assert server.requests[0]["temperature"] == 0.0


def test_usage_is_noted_in_each_step(serve, tmp_path):
    server = serve(answer("Guess: 1234", "length"))
    (episode,), steps = play(server, tmp_path, price=(10.0, 30.0))
    for step in steps:
        notes = step["notes"]
        assert (notes["prompt_tokens"], notes["completion_tokens"]) == (100, 7)
        assert notes["cost"] == pytest.approx((100 * 10 + 7 * 30) / 1e6)
        assert notes["finish_reason"] == "length"
        assert notes["latency"] > 0
    assert episode.usage["tokens"] == 4 * 107
    assert "finish_reason" not in episode.usage


def test_react_thinks_before_it_acts(serve, tmp_path):
    server = serve(answer("Thought: why not?\nAction: Guess: 5618"))
    (episode,), steps = play(server, tmp_path, prompting="react")
    assert "Thought:" in server.requests[0]["messages"][0]["content"]
    assert steps[0]["info"]["extracted_action"] == "Guess: 5618"
    assert episode.success


def test_memory_sends_a_tried_action_back_once(serve, tmp_path):
    server = serve(
        answer("Guess: 1234"), answer("guess: 1234."), answer("Guess: 4321"),
        answer("Guess: 1234"),
    )  # fmt: skip
    (episode,), steps = play(server, tmp_path, prompting="memory")
    assert [step["action"] for step in steps[:2]] == ["Guess: 1234", "Guess: 4321"]
    assert "You have tried" in server.requests[2]["messages"][-1]["content"]
    assert [step["notes"]["calls"] for step in steps] == [1, 2, 2, 2]
    assert episode.repetitions == 2


@pytest.mark.parametrize(
    "failure",
    [
        raw(429, "{}", Retry_After="0"), raw(500, "{}"), raw(503, "oh"), hang, drop,
    ],
    ids=["429", "500", "503", "hang", "drop"],
)  # fmt: skip
def test_a_passing_failure_is_tried_again(serve, tmp_path, failure):
    server = serve(failure, answer("Guess: 5618"))
    (episode,), _ = play(server, tmp_path)
    assert episode.success
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (raw(429, "{}", Retry_After="0"), "RateLimitError"),
        (raw(500, "{}"), "InternalServerError"),
        (raw(401, "{}"), "AuthenticationError"),
        (raw(200, '{"choices": ['), "JSONDecodeError"),
        (raw(200, "{}"), "MalformedAnswer"),
        (hang, "APITimeoutError"),
        (drop, "APIConnectionError"),
    ],
    ids=["429", "500", "401", "malformed", "empty object", "hang", "drop"],
)
def test_a_lasting_failure_is_an_error_and_no_score(serve, tmp_path, failure, error):
    server = serve(failure)
    (episode,), _ = play(server, tmp_path, max_retries=0)
    assert episode.error.startswith(error)
    assert episode.ended == "error"


@pytest.mark.parametrize("text", ["", "x" * 20_000, "\ud83d", "Action:"])
def test_any_answer_is_played(serve, tmp_path, text):
    server = serve(answer(text))
    (episode,), _ = play(server, tmp_path)
    assert (episode.steps, episode.grounding, episode.error) == (4, 0.0, "")


def test_the_window_slides_and_the_beginning_stays(serve, tmp_path):
    server = serve(answer("y" * 300))
    play(server, tmp_path, context=800, max_tokens=100)
    lengths = [len(request["messages"]) for request in server.requests]
    assert lengths == [2, 4, 6, 6]
    beginnings = {json.dumps(r["messages"][:2]) for r in server.requests}
    assert len(beginnings) == 1


def test_a_context_that_is_too_long_shrinks(serve, tmp_path):
    too_long = raw(400, '{"error": {"message": "maximum context length is 9"}}')
    server = serve(
        answer("Guess: 1234"), answer("Guess: 4321"), too_long, answer("Guess: 5618")
    )
    (episode,), _ = play(server, tmp_path, context=2_000)
    assert episode.success
    assert len(server.requests) == 4


def test_a_context_that_never_fits_is_an_error(serve, tmp_path):
    server = serve(raw(400, '{"error": {"message": "maximum context length is 9"}}'))
    (episode,), _ = play(server, tmp_path)
    assert episode.error.startswith("ContextTooLong")


def test_as_many_requests_are_in_flight_as_workers(serve, tmp_path):
    together = threading.Barrier(64)

    def wait_for_all(handler):
        together.wait(timeout=30)
        answer("Guess: 1234")(handler)

    server = serve(wait_for_all)
    tasks = tuple(Task("aq/Mastermind-v0", s, max_steps=1) for s in range(64))
    params = {"model": "m", "base_url": server.url}
    episodes = run(
        Suite("wide", tasks), tmp_path, "llm", params, engine="threads", workers=64
    )
    assert not any(episode.error for episode in episodes)


def test_no_key_is_written_anywhere(serve, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    play(serve(answer("Guess: 1234")), tmp_path)
    for file in tmp_path.rglob("*"):
        assert file.is_dir() or b"very-secret" not in file.read_bytes()


@pytest.mark.parametrize(
    ("params", "message"),
    [({"prompting": "shout"}, "prompting='shout'"), ({"context": 100}, "context=100")],
)
def test_a_developers_mistake_is_named(params, message):
    with pytest.raises(ValueError, match=message):
        LLMAgent(gym.make("aq/Mastermind-v0"), "m", **params)


def test_a_limit_stops_the_run_and_a_higher_one_continues_it(serve, tmp_path):
    server = serve(answer("Guess: 1234"))
    tasks = tuple(Task("aq/Mastermind-v0", s, max_steps=2) for s in range(4))
    arguments = [Suite("four", tasks), tmp_path, "llm"]
    params = {"model": "m", "base_url": server.url}
    with pytest.raises(LimitReached, match="tokens 428 has reached the limit 400"):
        run(*arguments, params, limits={"tokens": 400})
    assert len(load_run(tmp_path).episodes) == 2
    assert len(run(*arguments, params, limits={"tokens": 2_000})) == 4
    assert len(server.requests) == 8
