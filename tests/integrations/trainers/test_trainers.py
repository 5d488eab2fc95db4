"""Episodes in the interfaces of trainers, with their own classes and loops."""

import asyncio
import json

import pytest

from aq_gym import Episode
from aq_gym.evaluation import Task

TASK = Task("aq/Mastermind-v0", 3, {"code_length": 4}, 3)
GUESSES = ["Guess: 1234", "no guess", "Guess: 0011"]


def known(task=TASK, **how):
    """What an Episode gives for the guesses: replies, rewards and metrics."""
    with Episode(task.id, task.kwargs, task.seed, task.max_steps, **how) as episode:
        first = episode.messages
        played = [episode.step(guess) for guess in GUESSES]
        return first, played, episode.metrics


@pytest.fixture
def tokenizer():
    pytest.importorskip("torch", reason="needs torch, as in .ci/integrations")
    from integrations.tiny_model import tiny_tokenizer

    return tiny_tokenizer()


def ids_of(tokenizer, text):
    return [*tokenizer.encode(text, add_special_tokens=False), tokenizer.eos_token_id]


def test_skyrl():
    pytest.importorskip("skyrl_gym", reason="needs skyrl-gym, as in .ci/integrations")
    import skyrl_gym

    place = "trainers.skyrl_env:SkyRLEnv"
    skyrl_gym.register("aq_gym", place)
    env = skyrl_gym.make(
        "aq_gym", env_config={"prompting": "chat"}, extras={"task": TASK.to_record()}
    )
    first, played, metrics = known(prompting="chat")
    assert env.init([])[0] == first
    assert env.max_turns == 3
    for guess, (reply, reward, done) in zip(GUESSES, played, strict=True):
        step = env.step(guess)
        assert (step["reward"], step["done"]) == (reward, done)
        assert step["observations"] == ([] if done else [reply])
    found = env.get_metrics()
    assert found["progress_rate"] == metrics["progress_rate"]
    assert found["grounding"] == pytest.approx(2 / 3)
    assert env.aggregate_metrics([found, found])
    env.close()


def test_gem():
    gem = pytest.importorskip("gem", reason="needs gem-llm, as in .ci/integrations")
    place = "trainers.gem_env:GemEnv"
    gem.register("aq:Mastermind", place, id="aq/Mastermind-v0", max_steps=3)
    env = gem.make("aq:Mastermind", kwargs={"code_length": 4})
    first, played, metrics = known()
    observation, _ = env.reset(seed=3)
    assert observation == "\n\n".join(one["content"] for one in first)
    env.step(GUESSES[0])
    fork = env.spawn(same_state=True)
    for one in (env, fork):
        for guess, (reply, reward, done) in list(zip(GUESSES, played, strict=True))[1:]:
            found = one.step(guess)
            assert found[:4] == (reply["content"], reward, False, done)
        assert found[4]["progress_rate"] == metrics["progress_rate"]
    # Without a seed, another episode; the sequence is that of the last seed.
    again = [env.reset(seed=3)[0], env.reset()[0], env.reset()[0]]
    assert again == [env.reset(seed=3)[0], env.reset()[0], env.reset()[0]]
    with pytest.raises(RuntimeError, match="reset"):
        env.spawn().step("1234")


@pytest.mark.filterwarnings("ignore")
def test_nemo(tmp_path):
    pytest.importorskip("resources_servers", reason="needs nemo-gym (Python 3.13.14)")
    from unittest.mock import MagicMock

    from nemo_gym.base_resources_server import BaseResourcesServerConfig
    from nemo_gym.openai_utils import NeMoGymResponse
    from nemo_gym.server_utils import ServerClient
    from trainers.nemo_resources import write_resources
    from trainers.nemo_server import NemoServer

    write_resources(tmp_path / "my_games", [TASK], prompting="chat")
    row = json.loads((tmp_path / "my_games/data/tasks.jsonl").read_text())
    config = BaseResourcesServerConfig(host="", port=0, entrypoint="", name="my_games")
    server = NemoServer(config=config, server_client=MagicMock(spec=ServerClient))
    first, played, metrics = known(prompting="chat")
    said, _ = asyncio.run(server.reset(row, "session"))
    begin = row["responses_create_params"]["input"]
    assert [*begin, {"role": "user", "content": said}] == first
    fields = {"id": "r", "created_at": 0.0, "model": "m", "object": "response"}
    fields |= {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    for guess, (reply, reward, done) in zip(GUESSES, played, strict=True):
        part = {"annotations": [], "text": guess, "type": "output_text"}
        message = {"id": "m", "content": [part], "role": "assistant", "type": "message"}
        output = [{**message, "status": "completed"}]
        answer = NeMoGymResponse(**fields, output=output)
        found = asyncio.run(server.step(answer, row, "session"))
        assert found[:4] == (None if done else reply["content"], reward, False, done)
    assert found[4]["progress_rate"] == metrics["progress_rate"]


def test_tinker(tokenizer):
    reason = "needs tinker-cookbook, as in .ci/integrations"
    pytest.importorskip("tinker_cookbook", reason=reason)
    from tinker_cookbook.completers import TokensWithLogprobs
    from tinker_cookbook.rl.rollouts import do_single_rollout
    from trainers.tinker_env import TinkerGroup

    requests = []

    async def policy(model_input, stop, *, max_tokens=None):
        requests.append(model_input.to_ints())
        assert stop == [tokenizer.eos_token_id]
        ids = ids_of(tokenizer, GUESSES[(len(requests) - 1) % 3])
        return TokensWithLogprobs(ids, [0.0] * len(ids))

    async def play():
        envs = await TinkerGroup(TASK.to_record(), tokenizer, size=2).make_envs()
        return [await do_single_rollout(policy, env) for env in envs]

    _, played, metrics = known(max_tokens=512)
    for trajectory in asyncio.run(play()):
        rewards = [one.reward for one in trajectory.transitions]
        assert rewards == [reward for _, reward, _ in played]
        last = trajectory.transitions[-1].metrics
        assert last["progress_rate"] == metrics["progress_rate"]
    # Each request begins with the one before and what was sampled.
    for before, after, guess in zip(requests[:2], requests[1:3], GUESSES, strict=False):
        start = [*before, *ids_of(tokenizer, guess)]
        assert after[: len(start)] == start


class Engine:
    """Answers as the engine of OpenRLHF."""

    def __init__(self, tokenizer):
        self.tokenizer, self.requests = tokenizer, []

    async def generate(self, tokens, sampling_params, multi_modal_data=None):
        self.requests.append(tokens)
        ids = ids_of(self.tokenizer, GUESSES[len(self.requests) - 1])
        answer = type("Answer", (), {})()
        answer.token_ids, answer.finish_reason = ids, "stop"
        answer.text = self.tokenizer.decode(ids, skip_special_tokens=False)
        return type("Output", (), {"outputs": [answer]})()


@pytest.mark.filterwarnings("ignore")
def test_openrlhf(tokenizer):
    pytest.importorskip("openrlhf", reason="needs openrlhf, as in .ci/integrations")
    from trainers.openrlhf_agent import agent_executor

    engine = Engine(tokenizer)
    sampling = type("Sampling", (), {"max_tokens": 512, "logprobs": None})()
    label = json.dumps(TASK.to_record())
    executor = agent_executor(tokenizer)()
    found = asyncio.run(
        executor.execute("unused", label, sampling, 8192, tokenizer, engine)
    )
    _, played, metrics = known(max_tokens=512)
    assert found["reward"] == pytest.approx(sum(reward for _, reward, _ in played))
    assert found["scores"] == pytest.approx(metrics["progress_rate"])
    said = [found["observation_tokens"][a:b] for a, b in found["action_ranges"]]
    assert said == [ids_of(tokenizer, guess) for guess in GUESSES]
    text = tokenizer.decode(found["observation_tokens"], skip_special_tokens=False)
    for reply, _, done in played:
        assert done or reply["content"] in text


@pytest.mark.filterwarnings("ignore")
def test_verl(tokenizer):
    pytest.importorskip("verl", reason="needs verl, as in .ci/integrations")
    import hydra
    from omegaconf import OmegaConf
    from verl.experimental.agent_loop.agent_loop import DictConfigWrap
    from verl.workers.rollout.replica import TokenOutput

    requests = []

    class Server:
        async def generate(self, request_id, *, prompt_ids, sampling_params):
            requests.append(prompt_ids)
            assert sampling_params == {"temperature": 1.0, "max_tokens": 64}
            ids = ids_of(tokenizer, GUESSES[len(requests) - 1])
            return TokenOutput(token_ids=ids, log_probs=[-0.5] * len(ids))

    async def play(prompt_length=4096):
        rollout = {"prompt_length": prompt_length, "response_length": 4096}
        config = OmegaConf.create({"actor_rollout_ref": {"rollout": rollout}})
        place = "trainers.verl_loop.VerlAgentLoop"
        # As verl's worker makes it from the YAML of the page.
        loop = hydra.utils.instantiate(
            {"_target_": place, "max_tokens": 64},
            trainer_config=DictConfigWrap(config),
            server_manager=Server(),
            tokenizer=tokenizer,
            processor=None,
            hf_model_type=None,
            dataset_cls=None,
            data_config=DictConfigWrap(OmegaConf.create({})),
            tools=None,
        )
        task = {"task": TASK.to_record()}
        return await loop.run({"temperature": 1.0}, extra_info=task)

    found = asyncio.run(play())
    _, played, metrics = known(max_tokens=64)
    assert found.prompt_ids == requests[0]
    assert found.reward_score == metrics["progress_rate"]
    assert found.extra_fields["turn_scores"] == [reward for _, reward, _ in played]
    said = [one for guess in GUESSES for one in ids_of(tokenizer, guess)]
    pairs = zip(found.response_ids, found.response_mask, strict=True)
    assert [token for token, mask in pairs if mask] == said
    values = zip(found.response_logprobs, found.response_mask, strict=True)
    assert all((logprob == -0.5) == bool(mask) for logprob, mask in values)
    assert found.num_turns == 7
    assert found.as_dict()["responses"].shape == (len(found.response_ids),)
    with pytest.raises(ValueError, match="max_prompt_length"):
        asyncio.run(play(prompt_length=10))
