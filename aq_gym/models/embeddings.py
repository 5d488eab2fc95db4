"""Embeddings of texts, computed by endpoints with OpenAI's API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aq_gym.models.client import ModelClient
from aq_gym.models.completion import Completion, objects, read_record
from aq_gym.models.messages import Message

_LARGEST = 1e100


class EmbeddingClient(ModelClient):
    """Requests embeddings of texts.

    The arguments are those of :class:`ModelClient`.
    """

    _path = "/embeddings"
    _own_fields = ("input", "model")
    _token_fields = ()

    def __init__(self, model: str, base_url: str | None = None, **options: Any) -> None:
        super().__init__(model, base_url, **{**options, "max_tokens": None})

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return a unit vector for each text: float64 of shape ``(len(texts), size)``.

        Args:
            texts: At least one text.

        Raises:
            MalformedAnswerError: If the answer does not have an embedding for each
                text.
            EndpointError: If the call failed, after all retries.
        """

        def read(data: bytes) -> np.ndarray:
            return _unit_vectors(data, len(texts))

        vectors, _ = self._send({"input": list(texts)}, read, {})
        return vectors

    def _body(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        raise NotImplementedError("an embedding model cannot chat")

    def _parse(self, data: bytes) -> Completion:
        raise NotImplementedError("an embedding model cannot chat")


def _unit_vectors(data: bytes, count: int) -> np.ndarray:
    """Read the body of an answer that has a number of embeddings."""
    rows = [one.get("embedding") for one in objects(read_record(data), "data")]
    try:
        vectors: np.ndarray = np.array(rows, dtype=float)
    except (OverflowError, TypeError) as error:
        raise ValueError(f"an embedding is not a list of numbers: {error}") from None
    # Also refuses NaN; the squares of larger numbers would overflow.
    if not (np.abs(vectors) < _LARGEST).all():
        raise ValueError(f"an embedding has numbers beyond {_LARGEST:g}")
    if len(rows) != count or vectors.ndim != 2:
        raise ValueError(f"it has {len(rows)} embeddings for {count} texts")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (lengths > 0).all():
        raise ValueError("an embedding is zero")
    return np.asarray(vectors / lengths)
