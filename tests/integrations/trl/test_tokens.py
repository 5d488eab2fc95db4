"""An episode as tokens, with the templates of real models: those that TRL packages."""

import json
from pathlib import Path

import pytest

pytest.importorskip("trl", reason="needs trl, as in .ci/integrations")
import itertools

import trl
from integrations.tiny_model import tiny_tokenizer

from aq_gym import Episode
from aq_gym.integrations.tokens import TokenEpisode

MASTERMIND = {"id": "aq/Mastermind-v0", "kwargs": {"code": "5618"}, "max_steps": 4}
COMPLETIONS = ("Guess: 1234", "<think>\nHm.\n</think>\n\n Guess: 5671", "Guess: 5618")
# The file of the template, and the token that ends an answer.
TEMPLATES = {
    "qwen2_5": "<|im_end|>",
    "qwen3": "<|im_end|>",
    "llama3": "<|eot_id|>",
    "llama3_1": "<|eot_id|>",
    "gemma3": "<end_of_turn>",
    "gemma4": "<turn|>",
    "deepseekv3": "<\uff5cend\u2581of\u2581sentence\uff5c>",
    "deepseek_r1_distill": "<\uff5cend\u2581of\u2581sentence\uff5c>",
    "phi3": "<|end|>",
    "mistral": "</s>",
}
# No package has it: the instructions in brackets, and the system's in the last of them,
# where the tools stand, too.
MISTRAL = (
    "{{ bos_token }}{% for m in messages if m['role'] != 'system' %}"
    "{% if m['role'] == 'tool' %}[TOOL_RESULTS]{{ m['content'] | tojson }}"
    "[/TOOL_RESULTS]{% elif m['tool_calls'] %}[TOOL_CALLS]"
    "{{ m['tool_calls'] | map(attribute='function') | list | tojson }}{{ eos_token }}"
    "{% elif m['role'] == 'assistant' %}{{ ' ' + m['content'] + eos_token }}"
    "{% else %}{% if loop.last and tools %}[AVAILABLE_TOOLS]{{ tools | tojson }}"
    "[/AVAILABLE_TOOLS]{% endif %}"
    "[INST] {% if loop.last and messages[0]['role'] == 'system' %}"
    "{{ messages[0]['content'] }}\n\n{% endif %}{{ m['content'] }}[/INST]{% endif %}"
    "{% endfor %}"
)
# They move the system prompt, or leave out where an earlier answer began to think.
CHANGING = {"mistral", "deepseekv3", "deepseek_r1_distill"}
WITH_TOOLS = (
    *("qwen2_5", "qwen3", "llama3_1"),
    *("gemma4", "deepseekv3", "mistral"),
)
# The token that ends a call, where it is another one than that of an answer.
CALL_END = {"gemma4": "<|tool_response>"}


def tokenizer_of(name):
    folder = Path(trl.__file__).parent / "chat_templates"
    template = MISTRAL if name == "mistral" else (folder / f"{name}.jinja").read_text()
    tokenizer = tiny_tokenizer(template)
    end = TEMPLATES[name]
    tokenizer.add_special_tokens({"eos_token": end, "bos_token": "<s>"})
    return tokenizer


def begin(name, episode, **params):
    params = {"context": 8000, "max_tokens": 200, **params}
    return TokenEpisode(episode, tokenizer_of(name), **params)


def sampled(tokens, text, ended=True):
    """Return a completion as a model would have sampled it."""
    ids = tokens._tokenizer.encode(text, add_special_tokens=False)
    return [*ids, tokens._tokenizer.eos_token_id] if ended else ids


def written(tokens):
    """Return the tokens that the mask covers, and the others, as texts."""
    pairs = list(zip(tokens.completion_ids, tokens.mask, strict=True))
    return [
        tokens._tokenizer.decode([one for one, mask in pairs if mask == which])
        for which in (1, 0)
    ]


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_mask_covers_what_was_sampled(name):
    with Episode(**MASTERMIND, keep_reasoning=True) as episode:
        tokens = begin(name, episode)
        requests = [tokens.request]
        for text in COMPLETIONS:
            ids = sampled(tokens, text)
            tokens.play(ids, [-1.0] * len(ids))
            requests.append(tokens.request)
    assert tokens.over and not tokens.cut and episode.metrics["success"]
    model, world = written(tokens)
    end = TEMPLATES[name]
    assert model == "".join(f"{text}{end}" for text in COMPLETIONS)
    # Each observation stands between two completions, in what opens and closes a turn.
    for step in episode.trajectory.steps[:-1]:
        assert step["observation"].strip() in world
    assert len(tokens.logprobs) == len(tokens.mask)
    assert tokens.rewards == [step["reward"] for step in episode.trajectory.steps]
    for turn, (before, after) in enumerate(itertools.pairwise(requests)):
        assert after[: len(before)] == before
        said = tokens.completion_ids[: tokens.turn_ends[turn]]
        assert tokens._tokenizer.decode(said).endswith(f"{COMPLETIONS[turn]}{end}")


@pytest.mark.parametrize("name", sorted(set(TEMPLATES) - CHANGING))
def test_the_request_is_what_the_template_makes_of_the_messages(name):
    with Episode(**MASTERMIND) as episode:
        tokens = begin(name, episode)
        for ended in (True, False):
            tokens.play(sampled(tokens, "Guess: 1234", ended))
        expected = tokens._tokenizer.apply_chat_template(
            episode.messages, tokenize=False, add_generation_prompt=True
        )
        assert tokens._tokenizer.decode(tokens.request) == expected


def parse(text):
    """Read a call as the template of Qwen writes it."""
    call = json.loads(text.removeprefix("<tool_call>").removesuffix("</tool_call>"))
    function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
    return "", [{"id": "c", "type": "function", "function": function}]


@pytest.mark.parametrize("name", WITH_TOOLS)
def test_the_results_of_calls_are_between_them(name):
    with Episode(**MASTERMIND, tools="native", example=False) as episode:
        tokenizer = tokenizer_of(name)
        tokenizer.add_tokens([CALL_END.get(name, TEMPLATES[name])], special_tokens=True)
        end = tokenizer.convert_tokens_to_ids(CALL_END.get(name, TEMPLATES[name]))
        params = {"context": 8000, "max_tokens": 200, "parse": parse}
        tokens = TokenEpisode(
            episode, tokenizer, end_ids=[tokenizer.eos_token_id, end], **params
        )
        # DeepSeek's template leaves the tools to the system prompt.
        offered = "check_valid_actions" in tokens._tokenizer.decode(tokens.prompt_ids)
        assert offered == (name != "deepseekv3")
        for code in ("1234", "5671", "5618"):
            call = {"name": "act", "arguments": {"action": f"Guess: {code}"}}
            text = f"<tool_call>{json.dumps(call)}</tool_call>"
            tokens.play([*sampled(tokens, text, ended=False), end])
    assert episode.metrics["success"] and tokens.drift == 0
    model, world = written(tokens)
    assert model.count("Guess: ") == 3
    # Nothing is left of the call that stood for the completion.
    assert "aq-gym" not in world and not world.lstrip().startswith(("}", '"', '<|"|>'))
    for step in episode.trajectory.steps[:-1]:
        assert json.dumps(step["observation"])[1:20] in world or (
            step["observation"].strip() in world
        )


def test_drift_is_counted_and_sampled_ids_are_kept():
    with Episode(**MASTERMIND) as episode:
        tokens = begin("qwen3", episode)
        tokenizer = tokens._tokenizer
        tokenizer.add_tokens(["Guess"])
        whole = sampled(tokens, "Guess: 1234")
        # The word letter by letter, as a model can sample it.
        letters = [tokenizer.convert_tokens_to_ids(one) for one in "Guess"]
        tokens.play([*letters, *whole[1:]])
        assert tokens.drift == 1
        assert tokens.completion_ids[:5] == letters
        tokens.play(whole)
    assert tokens.drift == 1
    assert [step["action"] for step in episode.trajectory.steps] == ["Guess: 1234"] * 2


def test_the_trajectory_can_have_the_tokens():
    with Episode(**MASTERMIND) as episode:
        tokens = begin("llama3", episode, record=True)
        ids = sampled(tokens, "Guess: 5618")
        tokens.play(ids, [-0.5] * len(ids))
    (step,) = episode.trajectory.steps
    assert step["notes"]["token_ids"] == ids
    assert step["notes"]["logprobs"] == [-0.5] * len(ids)


def test_an_episode_that_does_not_fit_is_cut():
    with Episode(**MASTERMIND, example=False) as episode:
        tokens = begin("phi3", episode, longest=250, max_tokens=150)
        while not tokens.over:
            tokens.play(sampled(tokens, "Guess: 1234"))
    assert tokens.cut and tokens.mask[-1] == 1
    assert len(tokens.completion_ids) <= 250


def test_an_unknown_end_of_calls_is_refused():
    with Episode(**MASTERMIND, tools="native", example=False) as episode:
        tokens = begin("gemma4", episode, parse=parse)
        call = '{"name": "act", "arguments": {"action": "Guess: 1234"}}'
        with pytest.raises(ValueError, match="ends a tool call with none of them"):
            tokens.play(sampled(tokens, f"<tool_call>{call}</tool_call>"))


def test_a_template_without_answers_is_refused():
    tokenizer = tiny_tokenizer("{{ messages[0]['content'] }}")
    with Episode(**MASTERMIND) as episode:
        tokens = TokenEpisode(episode, tokenizer, context=8000, max_tokens=99)
        with pytest.raises(ValueError, match="leaves out a completion"):
            tokens.play(tokenizer.encode("Guess: 1234"))
