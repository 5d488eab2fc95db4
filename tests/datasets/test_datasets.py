"""Datasets from runs and experts: round trips, filters, and splits that never mix."""

import csv
import json
import re
import shutil
from itertools import pairwise

import gymnasium as gym
import pytest
from scripted_server import ScriptedServer, answer
from toy_envs import ToyAgent

import aq_gym
from aq_gym.agents import requests_of
from aq_gym.cli import main
from aq_gym.datasets import (
    chat_record,
    corrections,
    demonstrations,
    played_episodes,
    step_rows,
    write,
)
from aq_gym.datasets.played import sft_rows
from aq_gym.datasets.write import STEP_COLUMNS
from aq_gym.envs.sudoku.env import SudokuEnv
from aq_gym.evaluation import METRICS, Suite, Task, load_run, run, score
from aq_gym.trajectory import iter_trajectories

SUDOKU = "aq/Sudoku-v0"
PARQUET = pytest.mark.needs("module:pyarrow")
SUITE = Suite(
    "three",
    (
        *(Task("aq/Mastermind-v0", seed, max_steps=8) for seed in range(5)),
        Task("aq/Sudoku-v0", 1, max_steps=5),
    ),
)


@pytest.fixture(scope="module")
def random_run(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "random"
    run(SUITE, out, "random")
    return out


@pytest.fixture(scope="module")
def llm_run(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "llm"
    texts = [
        "Thought: hm.\nAction: Guess: 1234",
        "\ud83d",
        "<think>x</think>Guess: 5618",
    ]
    server = ScriptedServer(*map(answer, texts))
    task = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=8)
    params = {"model": "m", "base_url": server.url, "prompting": "react"}
    run(Suite("one", (task,)), out, "llm", params)
    server.close()
    return out


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_chat_has_what_was_sent_and_what_was_played(llm_run, tmp_path):
    out = tmp_path / "chat.jsonl"
    assert write(played_episodes(llm_run), "chat", out) == {"train": 1}
    (chat,) = lines(out)
    (played,) = iter_trajectories(llm_run / "trajectories")
    requests = requests_of(played)
    assert chat["messages"][: chat["prompt_length"]] == requests[0][0]
    said = [m["content"] for m in chat["messages"] if m["role"] == "assistant"][-3:]
    assert said[0] == "Thought: hm.\nAction: Guess: 1234"
    assert said[2] == "<think>x</think>Guess: 5618"
    assert chat["messages"][-1]["role"] == "assistant"
    assert chat["actions"][::2] == ["Guess: 1234", "Guess: 5618"]
    assert chat["rewards"] == [step["reward"] for step in played.steps]
    assert chat["progress"] == [step["info"]["progress"] for step in played.steps]
    assert chat["valid"] == [True, False, True]
    assert chat["final_observation"] == played.steps[-1]["observation"]
    assert (chat["success"], chat["progress_rate"], chat["steps"]) == (True, 1.0, 3)


def test_a_sample_is_a_completion_and_what_came_before(llm_run, tmp_path):
    out = tmp_path / "sft.jsonl"
    assert write(played_episodes(llm_run), "sft", out) == {"train": 1}
    samples = lines(out)
    (played,) = iter_trajectories(llm_run / "trajectories")
    assert [one["completion"] for one in samples] == [
        [{"role": "assistant", "content": text}]
        for text in (
            "Thought: hm.\nAction: Guess: 1234",
            "?",
            "<think>x</think>Guess: 5618",
        )
    ]
    assert samples[0]["prompt"] == requests_of(played)[0][0]
    for (one, following), step in zip(pairwise(samples), played.steps, strict=False):
        seen = {"role": "user", "content": step["observation"]}
        assert following["prompt"] == [*one["prompt"], *one["completion"], seen]
    assert [one["t"] for one in samples] == [1, 2, 3]
    assert [one["valid"] for one in samples] == [True, False, True]


@pytest.fixture
def native_run(tmp_path):
    guesses = [
        {"name": "act", "arguments": json.dumps({"action": f"Guess: {code}"})}
        for code in ("1234", "5618")
    ]
    server = ScriptedServer(
        *(
            answer(
                "Hm.",
                "tool_calls",
                reasoning_content="Long.",
                tool_calls=[{"id": f"c{n}", "type": "function", "function": guess}],
            )
            for n, guess in enumerate(guesses)
        )
    )
    task = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=8)
    params = {"model": "m", "base_url": server.url, "tools": "native"}
    run(Suite("one", (task,)), tmp_path / "native", "llm", params)
    server.close()
    return tmp_path / "native"


def test_reasoning_and_calls_are_written_as_messages(native_run, tmp_path):
    write(played_episodes(native_run), "sft", tmp_path / "sft.jsonl")
    write(played_episodes(native_run), "chat", tmp_path / "chat.jsonl")
    _, last = lines(tmp_path / "sft.jsonl")
    (chat,) = lines(tmp_path / "chat.jsonl")
    said, seen = last["prompt"][-2:]
    assert (said["content"], said["reasoning_content"]) == ("Hm.", "Long.")
    assert said["tool_calls"][0]["function"]["name"] == "act"
    assert (seen["role"], seen["tool_call_id"]) == ("tool", said["tool_calls"][0]["id"])
    assert chat["messages"] == [*last["prompt"], *last["completion"]]
    tools = json.loads(last["tools"])
    assert chat["tools"] == last["tools"]
    assert [one["function"]["name"] for one in tools] == ["act", "check_valid_actions"]


def test_a_damaged_call_is_named(native_run):
    (path,) = (native_run / "trajectories").rglob("*.jsonl")
    text = path.read_text("utf-8").replace('"id":"c0"', '"idea":"c0"')
    path.write_text(re.sub(r',"crc":"\w{8}"}\n', "}\n", text), "utf-8")
    with pytest.raises(ValueError, match=r"jsonl, step 1: damaged in the 'tool_calls'"):
        list(played_episodes(native_run))


@pytest.mark.parametrize("example", [False, True])
def test_other_agents_get_the_prompt_that_a_model_would_get(random_run, example):
    for played in played_episodes(random_run, prompting="act", example=example):
        kwargs = {"max_steps": len(played.turns) + 1, "example": example}
        with aq_gym.Episode(played.env, seed=played.seed, **kwargs) as episode:
            assert list(played.prompt) == episode.messages


def test_steps_follow_each_other(random_run):
    for played in played_episodes(random_run):
        rows = list(step_rows(played))
        assert [row["t"] for row in rows] == list(range(1, len(rows) + 1))
        assert rows[0]["observation"] == played.observation
        for before, after in pairwise(rows):
            assert before["next_observation"] == after["observation"]
            assert not (before["terminated"] or before["truncated"])
        assert rows[-1]["terminated"] or rows[-1]["truncated"]
        assert sum(row["reward"] for row in rows) == pytest.approx(played.progress_rate)


def test_filters(random_run):
    rows = load_run(random_run).episodes
    everything = list(played_episodes(random_run))
    assert [played.episode for played in everything] == [row.task for row in rows]
    some = list(played_episodes(random_run, min_progress=0.3))
    assert {p.episode for p in some} == {r.task for r in rows if r.progress_rate >= 0.3}
    assert len(some) < len(everything)
    solved = list(played_episodes(random_run, success=True))
    assert {p.episode for p in solved} == {r.task for r in rows if r.success}
    tests = list(played_episodes(random_run, split="test"))
    assert {p.split for p in everything} == {"train", "test"}
    assert tests == [played for played in everything if played.split == "test"]


def test_the_page_has_the_schema_of_the_steps(root):
    page = (root / "docs" / "datasets.md").read_text(encoding="utf-8")
    table = page.partition("## Steps")[2].partition("## Reading")[0]
    rows = re.findall(r"^\| (`.*?`) \| (\w+) \|", table, re.MULTILINE)
    found = {
        name: kind for names, kind in rows for name in re.findall(r"`(\w+)`", names)
    }
    assert found == STEP_COLUMNS


@PARQUET
def test_parquet_round_trip(random_run, tmp_path):
    from pyarrow import parquet

    out = tmp_path / "steps.parquet"
    write(played_episodes(random_run, split="train"), "parquet", out)
    expected = [
        row
        for played in played_episodes(random_run, split="train")
        for row in step_rows(played)
    ]
    assert parquet.read_table(out).to_pylist() == expected


@PARQUET
def test_a_folder_has_a_file_for_each_split(random_run, tmp_path):
    from pyarrow import parquet

    out = tmp_path / "hf"
    counts = write(played_episodes(random_run), "hf", out)
    for split, number in counts.items():
        chats = parquet.read_table(out / "chat" / f"{split}.parquet").to_pylist()
        assert len(chats) == number
        assert chats == [
            chat_record(played) for played in played_episodes(random_run, split=split)
        ]
        steps = parquet.read_table(out / "steps" / f"{split}.parquet").to_pylist()
        assert {row["split"] for row in steps} == {split}
    assert "chat/train.parquet" in (out / "README.md").read_text()


@pytest.mark.needs("module:pyarrow", "module:datasets")
@pytest.mark.slow
def test_load_dataset_reads_the_folder(random_run, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    out = tmp_path / "hf"
    counts = write(played_episodes(random_run), "hf", out)
    cache = str(tmp_path / "cache")
    for config in ("chat", "steps"):
        loaded = datasets.load_dataset(str(out), config, cache_dir=cache)
        assert set(loaded) == set(counts)
    assert {k: len(v) for k, v in datasets.load_dataset(
        str(out), cache_dir=cache).items()} == counts  # fmt: skip


@pytest.mark.needs("module:minari", "module:h5py")
def test_minari_round_trip(llm_run, tmp_path, monkeypatch):
    import minari

    out = tmp_path / "minari"
    write(played_episodes(llm_run), "minari", out)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(out))
    # The name that docs/datasets.md gives.
    dataset = minari.load_dataset("aq/Mastermind_v0/train-v0")
    (expected,) = played_episodes(llm_run)
    (episode,) = dataset.iterate_episodes()
    assert episode.actions == [turn.action for turn in expected.turns]
    assert episode.observations == [
        expected.observation, *(turn.observation for turn in expected.turns)
    ]  # fmt: skip
    assert list(episode.rewards) == [turn.reward for turn in expected.turns]
    assert all(dataset.action_space.contains(action) for action in episode.actions)
    assert dataset.spec.env_spec.id == "aq/Mastermind-v0"


@pytest.mark.parametrize("to", ["chat", "sft", "csv", "csv-steps"])
def test_each_row_names_its_split(random_run, tmp_path, capsys, to):
    out = tmp_path / "out"
    assert main(["export", str(random_run), "--to", to, "--out", str(out)]) == 0
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file) if "csv" in to else map(json.loads, file))
    assert {row["split"] for row in rows} == {"train", "test"}
    warned = "several splits: for training" in capsys.readouterr().err
    assert warned == ("csv" not in to)


def test_a_table_has_the_values_and_no_formula(tmp_path):
    suite = Suite("one", (Task("aq/Mastermind-v0", 0, max_steps=3),))
    run(suite, tmp_path / "run", f"{__name__}:SaysFormula")
    for to in ("csv", "csv-steps"):
        write(played_episodes(tmp_path / "run"), to, tmp_path / to)
    with (tmp_path / "csv").open(newline="") as file:
        (episode,) = csv.DictReader(file)
    assert (episode["env"], episode["steps"]) == ("aq/Mastermind-v0", "3")
    with (tmp_path / "csv-steps").open(newline="") as file:
        steps = list(csv.DictReader(file))
    assert [step["t"] for step in steps] == ["1", "2", "3"]
    assert {step["action"] for step in steps} == {"'=1+1"}
    assert "\n" in steps[0]["observation"]


class SaysFormula(ToyAgent):
    """An agent whose actions are the formula of a spreadsheet."""

    def act(self, observation, info):
        return "=1+1"


def test_demonstrations_are_deduplicated():
    kwargs = {"code_length": 1, "symbols": "0123456789"}
    episodes = list(demonstrations("aq/Mastermind-v0", 3, "train", kwargs))
    assert {one.source for one in episodes} == {"generated"}
    assert len({one.digest for one in episodes}) == 3
    with pytest.raises(ValueError, match=r"gave \d different demonstrations"):
        list(demonstrations("aq/Mastermind-v0", 11, "train", kwargs))


def test_demonstrations_that_differ_in_their_last_observation_are_duplicates():
    # The other objects of the two rooms come into view with the last action.
    first, second = (
        next(iter(demonstrations("aq/BabyAI-text-GoToRedBall-v0", 1, seed=seed)))
        for seed in (332, 702)
    )
    records = chat_record(first), chat_record(second)
    assert records[0]["final_observation"] != records[1]["final_observation"]
    assert records[0]["messages"] == records[1]["messages"]
    assert first.digest == second.digest


def test_demonstrations_are_the_same_again():
    first, again = (
        list(demonstrations("aq/Sudoku-v0", 2, "test", {"box": 2})) for _ in range(2)
    )
    assert first == again


def test_the_expert_is_asked_where_the_agent_was(random_run, tmp_path, capsys):
    out = tmp_path / "dagger.jsonl"
    command = ["demonstrations", "--from", str(random_run), "--to", "sft"]
    assert main([*command, "--split", "all", "--out", str(out)]) == 0
    samples = lines(out)
    assert {sample["agent"] for sample in samples} == {"expert"}
    episodes = {one.episode: one for one in played_episodes(random_run)}
    assert len(samples) == sum(len(one.turns) for one in episodes.values())
    assert f" of split train: {out}" in capsys.readouterr().out
    for sample in samples:
        name, step = sample["episode"].rsplit("/", 1)
        visited = list(sft_rows(episodes[name]))[int(step) - 1]
        # What the agent saw is kept; what it wrote next is not.
        for key in ("prompt", "t", "setting", "split", "task_id"):
            assert sample[key] == visited[key]


def test_the_experts_step_is_played_in_a_copy(random_run):
    found = list(corrections(random_run, None))
    assert {one.split for one in corrections(random_run)} == {"train"}
    visited = {one.episode: one for one in played_episodes(random_run)}
    for one in found:
        (turn,) = one.turns
        earlier = visited[one.episode.rsplit("/", 1)[0]].turns[: one.first - 1]
        assert one.success == (turn.progress == 1.0)
        assert turn.repeated == (turn.action in {past.action for past in earlier})
        assert chat_record(one)["prompt_length"] == len(one.prompt)
    # A copy that was lost or not set back would repeat the first state's action.
    sudoku = [one for one in found if one.env == SUDOKU]
    env = gym.make(SUDOKU)
    env.reset(seed=1)
    for one, played in zip(sudoku, visited[sudoku[0].episode[:-2]].turns, strict=True):
        assert one.turns[0].action == env.get_wrapper_attr("expert_action")()
        env.step(played.action)


def test_an_action_that_the_agent_took_before_is_repeated(tmp_path):
    task = Task("aq/BabyAI-text-UnlockPickup-v0", 2)
    run(Suite("one", (task,)), tmp_path / "run", "expert")
    told = [one.turns[0] for one in corrections(tmp_path / "run", None)]
    acted = [turn.action for turn in told]
    expected = [action in acted[:place] for place, action in enumerate(acted)]
    assert [turn.repeated for turn in told] == expected
    assert {True, False} <= set(expected)


def test_thoughts_are_not_corrected(llm_run):
    with pytest.raises(ValueError, match="prompting='react', whose answers have"):
        corrections(llm_run)


def test_calls_are_corrected_by_calls(native_run):
    played = next(iter(corrections(native_run, None)))
    (message,) = played.turns[0].messages[:1]
    assert message["tool_calls"][0]["function"]["name"] == "act"


def test_states_where_the_expert_gives_up_are_counted(random_run, monkeypatch):
    real = SudokuEnv.expert_action
    monkeypatch.setattr(
        SudokuEnv, "expert_action", lambda env: real(env) if env.progress() else None
    )
    found = corrections(random_run, None)
    with pytest.warns(UserWarning, match=r"of \d+ states are left out, because"):
        assert {one.env for one in found} >= {"aq/Mastermind-v0"}


def test_the_commands_write(random_run, tmp_path, capsys):
    out = tmp_path / "new" / "demos.jsonl"
    arguments = [
        "demonstrations",
        "--env",
        "aq/Mastermind-v0?code_length=3",
        "--episodes",
        "3",
    ]
    assert main([*arguments, "--split", "test", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"3 episodes of split test: {out}\n"
    assert [chat["split"] for chat in lines(out)] == ["test"] * 3
    assert main([*arguments, "--out", str(out)]) == 1
    assert "exists: name a new file" in capsys.readouterr().err
    out = tmp_path / "export.jsonl"
    command = ["export", str(random_run), "--split", "test", "--out", str(out)]
    assert main(command) == 0
    assert {chat["agent"] for chat in lines(out)} == {"random"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["demonstrations", "--env", "aq/Sudoku-v0?split=test", "--episodes", "1"],
            "--split",
        ),
        (["demonstrations", "--env", "aq/Nope-v0", "--episodes", "1"], "Nope"),
        (["export", "nowhere"], "is not a run"),
        (
            ["demonstrations", "--env", "FrozenLake-v1", "--episodes", "1"],
            "no argument split",
        ),
        (["demonstrations", "--env", SUDOKU], "give --episodes N"),
        (
            ["demonstrations", "--env", SUDOKU, "--split", "all", "--episodes", "1"],
            "train or test",
        ),
        (["demonstrations", "--from", "{run}", "--seed", "0"], "--seed is for --env"),
        (["export", "{run}", "--min-progress", "2"], "min_progress=2.0 must be from"),
        (["export", "{run}", "--split", "dev"], "split='dev': the episodes are of '"),
        (["export", "{run}", "--min-progress", "1"], "the filters leave none"),
    ],
)
def test_mistakes_are_named(random_run, tmp_path, capsys, arguments, message):
    arguments = [one.format(run=random_run) for one in arguments]
    out = tmp_path / "out.jsonl"
    assert main([*arguments, "--out", str(out)]) == 1
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (demonstrations, {"env_id": 3, "episodes": 1}, "env_id=3 must be a str"),
        (demonstrations, {"env_id": SUDOKU, "episodes": 0}, "episodes=0 must be at"),
        (
            demonstrations,
            {"env_id": SUDOKU, "episodes": "1"},
            "episodes='1' must be an",
        ),
        (
            demonstrations,
            {"env_id": SUDOKU, "episodes": 1, "seed": -1},
            "seed=-1 must be at least 0",
        ),
        (
            demonstrations,
            {"env_id": SUDOKU, "episodes": 1, "kwargs": {"boxes": 2}},
            "has no argument boxes: did you mean 'box'",
        ),
        (played_episodes, {"run": "r", "min_progress": -1.0}, "min_progress=-1.0 must"),
        (played_episodes, {"run": "r", "prompting": "x"}, "prompting='x': choose one"),
    ],
)
def test_a_developers_mistake_is_named_at_once(function, arguments, message):
    # Not with the first episode, which may be asked for elsewhere.
    with pytest.raises((TypeError, ValueError), match=message):
        function(**arguments)


def test_a_run_of_an_unknown_environment_is_refused(llm_run, monkeypatch):
    monkeypatch.delitem(gym.registry, "aq/Mastermind-v0")
    with pytest.raises(ValueError, match="is not registered here"):
        list(played_episodes(llm_run))


def test_steps_have_their_cost_once_it_is_counted(random_run, tmp_path):
    copied = tmp_path / "run"
    shutil.copytree(random_run, copied)
    before = [row for one in played_episodes(copied) for row in step_rows(one)]
    names = ("steps_to_go", "regret", "determined")
    assert {row[name] for row in before for name in names} == {None}
    score(copied, [metric for metric in METRICS.values() if metric.replayed])
    episodes = {row.task: row for row in load_run(copied).episodes}
    for played in played_episodes(copied):
        steps = episodes[played.episode].steps_to_go
        secrets = episodes[played.episode].secrets_left
        rows = list(step_rows(played))
        assert [row["steps_to_go"] for row in rows] == steps[1:]
        determined = [n == 1 for n in secrets[1:]] or [None] * len(rows)
        assert [row["determined"] for row in rows] == determined
        for row, sample in zip(rows, sft_rows(played), strict=True):
            now, last = steps[row["t"]], steps[row["t"] - 1]
            cost = None if -1 in (now, last) else now + 1 - last
            assert row["regret"] == cost
            assert all(sample[name] == row[name] for name in names)
        chat = chat_record(played)
        assert all(chat[name] == [row[name] for row in rows] for name in names)
