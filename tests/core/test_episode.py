"""Episode: training sees the same messages as the evaluation of a model."""

import copy
import gc
import json
import os
import pickle
from pathlib import Path

import gymnasium as gym
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_server import ScriptedServer, answer, raw

import aq_gym
from aq_gym import trajectory
from aq_gym.agents import requests_of
from aq_gym.evaluation import Suite, Task, run
from aq_gym.registration import TABLE

COMPLETIONS = (
    "check valid actions",
    "<think>Which one?</think>Action: check valid actions",
    "x" * 300,
    "Thought: hm.\nAction: Guess: 1234",
    "<think>only this</think>",
    "check valid actions",
    "half a pair: \ud83d",
    "",
)
MASTERMIND = {"id": "aq/Mastermind-v0", "kwargs": {"code": "5618"}}


def evaluate(out, task, completions, *failures, **params):
    """Run a task with a scripted model; return the messages, trajectory and episode."""
    replies = [one if callable(one) else answer(one) for one in completions]
    server = ScriptedServer(*failures, *replies)
    params = {"model": "m", "base_url": server.url, **params}
    try:
        episodes = run(Suite("one", (task,)), out, "llm", params, executor="threads")
    finally:
        server.close()
    played = next(trajectory.iter_trajectories(out / "trajectories"))
    return [one["messages"] for one in server.requests], played, episodes[0]


def sendable(messages):
    return json.loads(json.dumps(messages))


@pytest.mark.parametrize(
    ("env_id", "prompting"),
    [
        *(("aq/Mastermind-v0", name) for name in ("act", "memory", "chat")),
        *(
            pytest.param(
                row.id,
                "react",
                marks=pytest.mark.needs(*(f"module:{n}" for n in row.requires)),
            )
            for row in TABLE
            if not row.family
        ),
    ],
)
def test_training_sees_what_evaluation_sees(env_id, prompting, tmp_path):
    task = Task(env_id, 3, max_steps=6)
    sent, evaluated, figures = evaluate(
        tmp_path, task, COMPLETIONS, prompting=prompting, context=3_000
    )
    shown, replies, rewards = [], [], []
    with aq_gym.Episode(
        env_id, seed=3, max_steps=6, prompting=prompting, context=3_000
    ) as episode:
        for completion in COMPLETIONS:
            shown.append(sendable(episode.messages))
            message, reward, done = episode.step(completion)
            replies.append(message)
            rewards.append(reward)
            assert episode.messages[-1]["role"] == "user"
            if done:
                break
        metrics = episode.metrics
    assert shown == sent
    assert [request for step in requests_of(evaluated) for request in step] == sent
    assert requests_of(episode.trajectory) == requests_of(evaluated)
    own, other = episode.trajectory.steps, evaluated.steps
    for step in (*own, *other):
        del step["notes"]
    assert own == other
    assert sum(rewards) == metrics["return"] == pytest.approx(metrics["progress_rate"])
    assert {name: metrics[name] for name in ("steps", "success", "ended")} == {
        name: getattr(figures, name) for name in ("steps", "success", "ended")
    }
    assert metrics["repetition_rate"] == figures.repetition_rate


def test_a_request_is_rebuilt_after_the_messages_were_shortened(tmp_path):
    too_long = raw(400, '{"error": {"message": "maximum context length is 9"}}')
    task = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=4)
    completions = [answer("Guess: 1234"), too_long, *[answer("Guess: 1234")] * 2]
    sent, played, _ = evaluate(tmp_path, task, ["y" * 900], *completions)
    del sent[1]  # refused, and so not answered
    assert len(sent[0]) > len(sent[1])
    assert [request for step in requests_of(played) for request in step] == sent


THOUGHTS = [("Guess: 1234", "Hm."), ("guess: 1234.", "Hm!\ud83d"), ("Guess: 4321", "")]


@pytest.mark.parametrize("prompting", ["act", "memory"])
@pytest.mark.parametrize("keep", [False, True])
def test_separate_reasoning_stays_in_the_messages_if_it_is_kept(
    tmp_path, prompting, keep
):
    params = {"prompting": prompting, "keep_reasoning": keep}
    task = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=3)
    replies = [answer(text, reasoning_content=why) for text, why in THOUGHTS]
    sent, played, _ = evaluate(tmp_path, task, replies, **params)
    assert [request for step in requests_of(played) for request in step] == sent
    shown = [one["reasoning_content"] for one in sent[-1] if "reasoning_content" in one]
    assert shown == (["Hm.", "Hm!?"] if keep else [])
    noted = [step["notes"].get("reasoning") for step in played.steps]
    assert noted[0] == "Hm."
    with aq_gym.Episode(**MASTERMIND, max_steps=3, **params) as episode:
        for request, (text, why) in zip(sent, THOUGHTS, strict=False):
            assert sendable(episode.messages) == request
            episode.step(text, why)


def test_reasoning_that_does_not_fit_is_left_out_first(tmp_path):
    task = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=2)
    replies = [answer("Guess: 1234", reasoning_content="Hm. " * 3_000)]
    params = {"context": 2_000, "max_tokens": 100, "keep_reasoning": True}
    sent, played, _ = evaluate(tmp_path, task, replies, **params)
    assert sent[1][-2] == {"role": "assistant", "content": "Guess: 1234"}
    assert [request for step in requests_of(played) for request in step] == sent


def test_memory_records_both_completions(tmp_path):
    completions = ["Guess: 1234", "guess: 1234.", "Guess: 4321"]
    task = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=2)
    _, played, _ = evaluate(tmp_path, task, completions, prompting="memory")
    first, second = (step["notes"] for step in played.steps)
    assert "completions" not in first
    assert second["completions"] == completions[1:]
    with aq_gym.Episode(**MASTERMIND, max_steps=2, prompting="memory") as episode:
        results = [episode.step(completion) for completion in completions]
    assert [done for *_, done in results] == [False, False, True]
    assert "You have tried" in results[1][0]["content"]
    assert requests_of(episode.trajectory) == requests_of(played)
    assert episode.trajectory.steps[1]["notes"]["completions"] == completions[1:]


@settings(max_examples=40)
@given(
    st.lists(
        st.text(max_size=20) | st.sampled_from(COMPLETIONS) | st.just("y" * 2_000),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from(["act", "memory"]),
    st.integers(101, 1_200),
    st.booleans(),
)
def test_requests_are_rebuilt_whatever_the_model_writes(
    texts, prompting, context, keep
):
    sent = []
    with aq_gym.Episode(
        **MASTERMIND, prompting=prompting, context=context, max_tokens=100,
        keep_reasoning=keep,
    ) as episode:  # fmt: skip
        for text in texts:
            sent.append(episode.messages)
            reply, _, done = episode.step(text)
            assert reply == episode.reply
            if done:
                break
            if len(sent) == 3:
                episode.shrink()
    rebuilt = [request for step in requests_of(episode.trajectory) for request in step]
    # A last request that was sent back has no step.
    assert rebuilt == sent[: len(rebuilt)]
    assert len(sent) - len(rebuilt) <= 1


def test_an_episode_without_notes_is_refused(tmp_path):
    task = Task("aq/Mastermind-v0", 0, max_steps=2)
    run(Suite("one", (task,)), tmp_path, "random")
    played = next(trajectory.iter_trajectories(tmp_path / "trajectories"))
    with pytest.raises(ValueError, match="does not have the notes"):
        requests_of(played)


def test_the_trajectory_is_kept_where_it_is_asked_for(tmp_path):
    with aq_gym.Episode(**MASTERMIND, directory=tmp_path) as episode:
        episode.step("Guess: 5618")
    assert episode.done
    assert episode.metrics["success"]
    (file,) = tmp_path.iterdir()
    assert trajectory.replay(file).identical
    with pytest.raises(FileExistsError, match=episode.task.name):
        aq_gym.Episode(**MASTERMIND, directory=tmp_path)


def test_another_system_prompt_is_sent_and_recorded():
    with aq_gym.Episode(**MASTERMIND, system_prompt="Play well.") as episode:
        sent = episode.messages
        episode.step("Guess: 1234")
    assert sent[0] == {"role": "system", "content": "Play well."}
    assert requests_of(episode.trajectory) == [[sent]]
    header = episode.trajectory.header
    assert header["agent"]["params"]["system_prompt"] == "Play well."


def test_the_metrics_can_have_another_measure_of_progress():
    other = aq_gym.Episode(**MASTERMIND, progress="reward_share")
    with other, pytest.raises(ValueError, match="'reward_share' is not a key of info"):
        other.step("Guess: 5618")
    with aq_gym.Episode(**MASTERMIND, progress="repetition_rate") as episode:
        for _ in range(2):
            episode.step("Guess: 1234")
    assert episode.metrics["progress_rate"] == 1.0
    assert episode.metrics["return"] < 1.0


def test_a_temporary_trajectory_is_removed_with_its_episode():
    episode = aq_gym.Episode(**MASTERMIND)
    folder = Path(episode.trajectory.path).parent
    episode.close()
    assert not episode.trajectory.steps
    del episode
    gc.collect()
    assert not folder.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": -1}, "seed=-1 must be at least 0"),
        ({"max_steps": 0}, "max_steps=0 must be at least 1"),
        ({"prompting": "shout"}, "prompting='shout': choose one of act"),
        ({"context": 100}, "context=100 must be more than max_tokens=1024"),
        ({"kwargs": "code=1"}, "kwargs='code=1' must be a dict or None"),
        ({"example": 1}, "example=1 must be a bool"),
        ({"directory": 3}, "directory=3 must be a path or None"),
        ({"kwargs": {"cod": "12"}}, "has no argument cod: did you mean 'code'"),
        ({"kwargs": {1: 2, "cod": "12"}}, "has no argument 1, cod: it has code_length"),
        ({"kwargs": {"code_length": "4"}}, "code_length='4' must be an int"),
    ],
)
def test_a_developers_mistake_is_named(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        aq_gym.Episode("aq/Mastermind-v0", **arguments)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: gym.make("FrozenLake-v1"),
            r"type int, which must be str.*aq_gym\.adapt",
        ),
        (
            lambda: aq_gym.adapt(gym.make("FrozenLake-v1")),
            r"no progress, best_progress, success in info.*SubgoalProgress",
        ),
    ],
)
def test_an_environment_that_cannot_be_played_is_refused_at_once(
    make, message, tmp_path, monkeypatch
):
    monkeypatch.setattr(gym.Wrapper, "close", lambda self: closed.append(self))
    closed = []
    gym.register("test/Lake-v0", make)
    with pytest.raises(
        (TypeError, ValueError), match=f"id='test/Lake-v0' has.*{message}"
    ):
        aq_gym.Episode("test/Lake-v0", directory=tmp_path)
    assert closed
    assert not list(tmp_path.iterdir())
    del gym.registry["test/Lake-v0"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_error_of_the_environment_ends_it(error, monkeypatch):
    def step(self, action):
        raise error("the disk has died")

    with aq_gym.Episode(**MASTERMIND) as episode:
        episode.step("Guess: 1234")
        monkeypatch.setattr("aq_gym.envs.mastermind.env.MastermindEnv.step", step)
        with pytest.raises(error, match="the disk has died"):
            episode.step("Guess: 4321")
        assert episode.done
        assert episode.metrics["steps"] == 1
        with pytest.raises(gym.error.ResetNeeded, match="make another Episode"):
            episode.step("Guess: 4321")


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_it_is_not_copied(duplicate):
    # A copy would share the file of the trajectory.
    with (
        aq_gym.Episode(**MASTERMIND) as episode,
        pytest.raises(TypeError, match=r"cannot be pickled: .* its method fork"),
    ):
        duplicate(episode)


@pytest.mark.parametrize("prompting", ["act", "memory"])
def test_a_fork_continues_on_its_own(prompting):
    with aq_gym.Episode(**MASTERMIND, prompting=prompting) as episode:
        episode.step("Guess: 1234")
        left, right = episode.fork(), episode.fork()
        assert left.trajectory.path == episode.trajectory.path
        given = ["Guess: 1234", "Guess: 1235", "Guess: 5618"]
        played = [[one.step(text) for text in given] for one in (left, episode)]
        assert played[0] == played[1]
        assert left.messages == episode.messages
        assert left.metrics == episode.metrics
        assert left.done and not right.done
        assert right.metrics["steps"] == 1
        assert right.step("Guess: 5618")[1:] == (1.0, True)
        assert len(right.messages) == len(episode.messages) - 2 * (len(given) - 1)
    with pytest.raises(gym.error.ResetNeeded, match="before its last step"):
        right.fork()


def test_the_file_of_a_fork_names_the_step_that_it_continues():
    with aq_gym.Episode(**MASTERMIND) as episode:
        episode.step("Guess: 1234")
        fork = episode.fork()
        fork.step("Guess: 5618")
        written = fork.trajectory
    assert written.header["parent"] == {"file": episode.task.name, "step": 1}
    assert [step["action"] for step in written.steps] == ["Guess: 5618"]
    assert written.end["reason"] == "terminated"
    del episode
    gc.collect()
    assert fork.trajectory.steps, "the fork keeps the directory"


def test_a_fork_writes_nothing_until_something_keeps_it(tmp_path):
    with aq_gym.Episode(**MASTERMIND, directory=tmp_path) as episode:
        episode.step("Guess: 1234")
        forks = [episode.fork() for _ in range(300)]
        for fork in forks:
            fork.step("Guess: 1235")
        assert len(os.listdir(tmp_path)) == 1
        # It ends, it is closed, or its trajectory is read.
        forks[0].step("Guess: 5618")
        forks[1].close()
        kept = forks[2].trajectory
        assert len(os.listdir(tmp_path)) == 4
        assert [step["action"] for step in kept.steps] == ["Guess: 1235"]
        # Then its steps are written, and its forks name its file.
        forks[2].step("Guess: 1236")
        again = forks[2].fork()
        again.step("Guess: 1237")
        assert again.trajectory.header["parent"] == {"file": kept.name, "step": 3}
        forks[3].fork().close()
    assert len(os.listdir(tmp_path)) == 6
    read = {one.name: one for one in aq_gym.trajectory.iter_trajectories(tmp_path)}
    reasons = [read[f"{episode.task.name}-copy-{n}"].end["reason"] for n in (1, 2)]
    assert reasons == ["terminated", "closed"]
    for one in read.values():
        assert aq_gym.trajectory.replay(one.path).identical


@pytest.mark.parametrize("directory", [None, "given"])
def test_a_long_chain_of_forks_has_one_file(tmp_path, monkeypatch, directory):
    monkeypatch.chdir(tmp_path)
    episode = last = aq_gym.Episode(**MASTERMIND, max_steps=100, directory=directory)
    episode.step("Guess: 1234")
    for number in range(60):
        last = last.fork()
        last.step(f"Guess: {number:04}")
    written = last.trajectory
    assert len(os.listdir(Path(written.path).parent)) == 2
    assert written.header["parent"] == {"file": episode.task.name, "step": 1}
    assert len(written.steps) == 60 and last.metrics["steps"] == 61
    assert aq_gym.trajectory.replay(written.path).identical
    episode.close()


def test_an_error_ends_a_fork_that_holds_its_steps(tmp_path, monkeypatch):
    episode = aq_gym.Episode(**MASTERMIND, directory=tmp_path)
    fork = episode.fork()
    broken = type(fork._env.unwrapped)
    monkeypatch.setattr(broken, "success", lambda self: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        fork.step("Guess: 1234")
    monkeypatch.undo()
    assert fork.trajectory.end["reason"] == "error"
    assert fork.trajectory.header["parent"] == {"file": episode.task.name, "step": 0}
    episode.close()


def test_an_instance_can_be_named(tmp_path):
    for code in ("5618", "0123"):
        given = {"id": MASTERMIND["id"], "task_id": code, "directory": tmp_path}
        with aq_gym.Episode(**given) as episode:
            assert episode.metrics["task_id"] == code
            assert episode.step(f"Guess: {code}")[2]
            assert episode.trajectory.header["options"] == {"task_id": code}
    with pytest.raises(ValueError, match="task_id='x'"):
        aq_gym.Episode(MASTERMIND["id"], task_id="x")


def test_it_ends():
    episode = aq_gym.Episode(**MASTERMIND)
    with pytest.raises(TypeError, match="completion=5618 must be a str"):
        episode.step(5618)
    episode.step("Guess: 5618")
    with pytest.raises(gym.error.ResetNeeded, match="the episode is over"):
        episode.step("Guess: 5618")
    episode.close()
