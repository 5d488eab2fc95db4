"""AgentBoard's protocol, on a small graph of our own in its form."""

import json

import gymnasium as gym
import pytest

PAPERS = {
    "Lazy Maps": {
        "attributes": {"year": 2001, "venue": "Ember", "n_citation": 3},
        "edges": {"Fast Rules": {"weight": 1}, "Refinished Oak": {"weight": 2}},
    },
    "Fast Rules": {"attributes": {"year": 1999}, "edges": {}},
    "Refinished Oak": {"attributes": {"year": 1998}, "edges": {}},
}
AUTHORS = {
    "Ada Moor": {
        "attributes": {"name": "Ada Moor", "org": "Here"},
        "edges": {"Bo Field": {"collaborative_papers": ["Lazy Maps"]}},
    },
    "Bo Field": {
        "attributes": {"name": "Bo Field", "org": "There"},
        "edges": {"Ada Moor": {"collaborative_papers": ["Lazy Maps"]}},
    },
}
QUESTION = {
    "goal": "In which year was Lazy Maps published?",
    "subgoals": ["PaperNet is loaded.", PAPERS["Lazy Maps"]["attributes"], 2001],
    "difficulty": "easy",
    "additional_info": {"answer": 2001, "tool": "academia"},
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "academia" / "raw").mkdir(parents=True)
    graphs = {"PaperNet": PAPERS, "AuthorNet": AUTHORS}
    (tmp_path / "academia" / "graphs.json").write_text(json.dumps(graphs))
    other = {**QUESTION, "additional_info": {"answer": 1, "tool": "movie"}}
    lines = map(json.dumps, (other, QUESTION))
    (tmp_path / "test.jsonl").write_text("\n".join(lines))
    return str(tmp_path)


def started(folder, **kwargs):
    given = {"world": "academia", "protocol": "agentboard", "data_dir": folder}
    env = gym.make("aq/ToolQuery-v0", **given, **kwargs)
    env.reset(seed=0)
    return env


def call(tool, **arguments):
    return f"Action: {tool} with Action Input: {json.dumps(arguments)}"


def rewards(env, *actions):
    return [env.step(action)[4]["agentboard_reward"] for action in actions]


def test_only_questions_about_academia_are_read(folder):
    env = started(folder)
    _, info = env.reset(options={"task_id": "agentboard-academia-1"})
    assert (info["goal"], info["difficulty"]) == (QUESTION["goal"], "easy")
    assert (info["source"], info["agentboard_reward"]) == ("published", 0.0)
    with pytest.raises(ValueError, match="1, such as 'agentboard-academia-1'"):
        env.reset(options={"task_id": "agentboard-academia-0"})


def test_results_are_written_as_python_writes_them(folder):
    env = started(folder)
    node = call("paperNodeCheck", node="Lazy Maps")
    assert env.step(node)[0] == "Please load the PaperNet first."
    assert env.step(call("loadPaperNet"))[0] == "PaperNet is loaded."
    assert env.step(node)[0] == str(PAPERS["Lazy Maps"]["attributes"])
    listed = call("neighbourCheck", graph="PaperNet", node="Lazy Maps")
    assert env.step(listed)[0] == "['Fast Rules', 'Refinished Oak']"
    env.step(call("loadAuthorNet"))
    edge = {"node1": "Ada Moor", "node2": "Bo Field"}
    found = env.step(call("authorEdgeCheck", **edge))[0]
    assert found == "{'collaborative_papers': ['Lazy Maps']}"
    edge = {"node1": "Fast Rules", "node2": "Lazy Maps"}
    answer, *_, info = env.step(call("paperEdgeCheck", **edge))
    assert answer == "There is no edge between Fast Rules and Lazy Maps."
    assert info["action_valid"]
    assert "no node named Oak in" in env.step(call("paperNodeCheck", node="Oak"))[0]


def test_the_task_is_solved_with_every_subgoal_and_finish(folder):
    env = started(folder)
    node = call("paperNodeCheck", node="Lazy Maps")
    found = rewards(env, call("loadPaperNet"), call("loadPaperNet"), node)
    assert found == [1 / 3, 1 / 3, 2 / 3]
    *_, terminated, _, info = env.step(call("finish", answer=2001))
    assert terminated and info["success"] and info["agentboard_reward"] == 1.0


def test_the_word_finish_ends_the_episode(folder):
    env = started(folder)
    env.step(call("loadPaperNet"))
    env.step(call("paperNodeCheck", nodes="Refinished Oak"))
    assert env.unwrapped.world.finished is False
    _, _, terminated, _, info = env.step(call("paperNodeCheck", node="Refinished Oak"))
    assert terminated and not info["success"]
    env.reset(seed=0)
    assert env.step(call("finished"))[2]


def test_the_expert_finds_every_subgoal(folder):
    env, over = started(folder), False
    while not over:
        *_, over, _, info = env.step(env.unwrapped.expert_action())
    assert info["success"]


def test_pickles_are_never_loaded(folder, tmp_path):
    (tmp_path / "academia" / "graphs.json").unlink()
    (tmp_path / "academia" / "raw" / "paper_net.pkl").write_bytes(b"cos\nsystem\n")
    with pytest.raises(ValueError, match=r"graphs.json; the pickles .* are not loaded"):
        started(folder)


@pytest.mark.parametrize("line", ["", "{}", "[]", '{"additional_info": 3}'])
def test_damaged_questions_are_refused(folder, tmp_path, line):
    (tmp_path / "test.jsonl").write_text(f"{json.dumps(QUESTION)}\n{line}\n")
    with pytest.raises(ValueError, match="line 2"):
        started(folder)


def test_the_prompt_describes_these_tools(folder):
    prompt = started(folder).get_wrapper_attr("task_prompt")()
    assert "graphs" in prompt.system and prompt.example is None


@pytest.mark.parametrize(
    "kwargs",
    [
        {"world": "movies", "data_dir": "x"},
        {"world": "academia"},
        {"world": "academia", "data_dir": "x", "split": "test"},
        {"world": "academia", "data_dir": "x", "unanswerable": 0.5},
    ],
    ids=str,
)
def test_what_the_protocol_lacks_is_refused(kwargs):
    with pytest.raises(ValueError, match="protocol='agentboard'"):
        gym.make("aq/ToolQuery-v0", protocol="agentboard", **kwargs)


def test_data_without_the_protocol_are_refused():
    with pytest.raises(ValueError, match="data_dir='x'"):
        gym.make("aq/ToolQuery-v0", data_dir="x")
