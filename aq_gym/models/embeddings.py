"""Embeddings of texts, computed by endpoints with OpenAI's API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aq_gym.models.client import ModelClient
from aq_gym.models.completion import Completion
from aq_gym.models.errors import MalformedAnswerError
from aq_gym.models.json_answers import objects, parse_json
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
            MalformedAnswerError: If the answer does not have an embedding of each.
            EndpointError: If the call failed, after all retries.
        """
        data, _ = self._send({"input": list(texts)})
        try:
            rows = [one.get("embedding") for one in objects(parse_json(data), "data")]
            vectors: np.ndarray = np.array(rows, dtype=float)
            # Not NaN either; the squares of larger numbers overflow.
            if not (np.abs(vectors) < _LARGEST).all():
                raise ValueError(f"an embedding has numbers beyond {_LARGEST:g}")
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            if len(rows) != len(texts) or not (lengths > 0).all():
                raise ValueError(
                    f"it has {len(rows)} embeddings for {len(texts)} texts"
                )
        except (OverflowError, RecursionError, TypeError, ValueError) as error:
            raise MalformedAnswerError(self._endpoint.located(str(error))) from None
        return np.asarray(vectors / lengths)

    def _body(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        raise NotImplementedError("an embedding model cannot chat")

    def _parse(self, data: bytes) -> Completion:
        raise NotImplementedError("an embedding model cannot chat")
