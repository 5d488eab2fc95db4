"""TRL's SFTTrainer on ``aq-gym export --to sft``: trained are the completions alone."""

import json

import pytest

pytest.importorskip("trl", reason="needs trl, as in .ci/integrations")
import torch
from datasets import Dataset
from integrations.tiny_model import tiny_model, tiny_tokenizer
from trl import SFTConfig, SFTTrainer

from aq_gym.datasets import demonstrations, write

# Warnings of the packages are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")
torch.set_num_threads(1)

# As the templates of these models are built: an end in or after the turn, another name
# of the role, a first token, reasoning that only the last turn keeps.
TEMPLATES = {
    "chatml": (
        "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}"
        "<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}",
        "{}<|im_end|>\n",
    ),
    "headers": (
        "<s>{% for m in messages %}[{{ m['role'] }}]\n\n{{ m['content'] | trim }}"
        "<|im_end|>{% endfor %}"
        "{% if add_generation_prompt %}[assistant]\n\n{% endif %}",
        "{}<|im_end|>",
    ),
    "instructions": (
        "<s>{% for m in messages %}{% if m['role'] == 'assistant' %}"
        "{{ m['content'] }}<|im_end|>{% else %}[INST]{{ m['content'] }}[/INST]"
        "{% endif %}{% endfor %}",
        "{}<|im_end|>",
    ),
    "model": (
        "{% for m in messages %}<turn>{{ 'model' if m['role'] == 'assistant' else "
        "'user' }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<turn>model\n{% endif %}",
        "{}<|im_end|>\n",
    ),
    "reasoning": (
        "{% for m in messages %}{% if m['role'] == 'assistant' %}<A>"
        "{{ m['content'].split('</think>')[-1] if not loop.last else m['content'] }}"
        "<|im_end|>{% else %}<U>{{ m['content'] }}{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<A>{% endif %}",
        "{}<|im_end|>",
    ),
}


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    path = tmp_path_factory.mktemp("sft") / "sft.jsonl"
    write(demonstrations("aq/Mastermind-v0", 2), "sft", path)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_completions_alone_are_trained(name, rows, tmp_path):
    template, said = TEMPLATES[name]
    tokenizer = tiny_tokenizer(template)
    trainer = SFTTrainer(
        tiny_model(),
        SFTConfig(
            output_dir=str(tmp_path),
            report_to=[],
            use_cpu=True,
            bf16=False,
            max_length=None,
            max_steps=1,
            per_device_train_batch_size=len(rows),
            disable_tqdm=True,
            save_strategy="no",
        ),
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
    )
    (batch,) = trainer.get_train_dataloader()
    trained = [
        tokenizer.decode([one for one in labels.tolist() if one != -100])
        for labels in batch["labels"]
    ]
    expected = [said.format(row["completion"][0]["content"]) for row in rows]
    assert sorted(trained) == sorted(expected)
    trainer.train()
