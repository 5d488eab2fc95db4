"""A network that scores the admissible actions of a step from its graph of texts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from text_graph_agent.graph import AGES, KINDS, POSITIONS, VOCABULARY, Graph


@dataclass
class Batch:
    """A batch of graphs, joined into one graph of tensors."""

    ngrams: Tensor
    offsets: Tensor
    kinds: Tensor
    ages: Tensor
    words: Tensor
    edges: Tensor
    owners: Tensor  # for each sentence, its graph
    actions: Tensor  # the sentences that are actions
    columns: Tensor  # for each action, its number in its graph
    size: int

    @classmethod
    def of(cls, graphs: Sequence["Packed"]) -> "Batch":
        """Join graphs."""
        sentences = np.array([len(graph.kinds) for graph in graphs])
        words = np.array([len(graph.words) for graph in graphs])
        first, first_word = np.cumsum(sentences) - sentences, np.cumsum(words) - words
        edges = np.concatenate(
            [
                graph.edges + np.array([[a], [b], [0]])
                for graph, a, b in zip(graphs, first, first_word, strict=True)
            ],
            axis=1,
        )
        lengths = np.concatenate([graph.lengths for graph in graphs])
        counts = np.array([graph.actions for graph in graphs])
        columns = np.concatenate([np.arange(count) for count in counts])
        ends = np.repeat(first + sentences - counts, counts)
        return cls(
            ngrams=torch.from_numpy(np.concatenate([g.ngrams for g in graphs])),
            offsets=torch.from_numpy(np.cumsum(lengths) - lengths),
            kinds=torch.from_numpy(np.concatenate([g.kinds for g in graphs])),
            ages=torch.from_numpy(np.concatenate([g.ages for g in graphs])),
            words=torch.from_numpy(np.concatenate([g.words for g in graphs])),
            edges=torch.from_numpy(edges),
            owners=torch.from_numpy(np.repeat(np.arange(len(graphs)), sentences)),
            actions=torch.from_numpy(ends + columns),
            columns=torch.from_numpy(columns),
            size=len(graphs),
        )


class Packed:
    """A graph as arrays."""

    def __init__(self, graph: Graph) -> None:
        self.ngrams = np.array([row for rows in graph.ngrams for row in rows], np.int64)
        self.lengths = np.array([len(rows) for rows in graph.ngrams], np.int64)
        self.kinds = np.array(graph.kinds, np.int64)
        self.ages = np.array(graph.ages, np.int64)
        self.words = np.array(graph.words, np.int64)
        self.edges = np.array(graph.edges, np.int64).reshape(-1, 3).T
        self.actions = graph.actions


class Round(nn.Module):
    """One round of message passing between sentences and words."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.to_words = nn.Linear(width, width)
        self.to_sentences = nn.Linear(width, width)
        self.to_all = nn.Linear(width, width)
        self.roles = nn.Embedding(2 * POSITIONS, 2 * width)
        self.words = Update(2 * width, width)
        self.sentences = Update(3 * width, width)

    def forward(
        self, sentences: Tensor, words: Tensor, batch: Batch
    ) -> tuple[Tensor, Tensor]:
        """Return the sentences and words after the round."""
        source, target, position = batch.edges
        up, down = self.roles.weight.chunk(2, dim=1)
        sent = (self.to_words(sentences)[source] + up[position]).relu()
        words = self.words(words, torch.zeros_like(words).index_add(0, target, sent))
        sent = (self.to_sentences(words)[target] + down[position]).relu()
        received = torch.zeros_like(sentences).index_add(0, source, sent)
        shared = mean_of(self.to_all(sentences).relu(), batch)[batch.owners]
        return self.sentences(sentences, received, shared), words


class Update(nn.Module):
    """Update a node from itself and its messages."""

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.inner = nn.Sequential(
            nn.LayerNorm(inputs),
            nn.Linear(inputs, width),
            nn.ReLU(),
            nn.Linear(width, width),
        )

    def forward(self, nodes: Tensor, *messages: Tensor) -> Tensor:
        """Return the updated nodes."""
        change: Tensor = self.inner(torch.cat([nodes, *messages], dim=1))
        return nodes + change


def mean_of(sentences: Tensor, batch: Batch) -> Tensor:
    """Return the mean over the sentences of each graph."""
    total = sentences.new_zeros(batch.size, sentences.shape[1])
    counts = torch.bincount(batch.owners, minlength=batch.size)
    return total.index_add(0, batch.owners, sentences) / counts[:, None]


class Scorer(nn.Module):
    """Scores actions, and estimates the return of a step."""

    def __init__(self, width: int = 48, rounds: int = 4) -> None:
        super().__init__()
        self.ngrams = nn.EmbeddingBag(VOCABULARY, width, mode="mean")
        self.words = nn.Embedding(VOCABULARY, width)
        self.kinds = nn.Embedding(len(KINDS), width)
        self.ages = nn.Embedding(AGES, width)
        self.rounds = nn.ModuleList(Round(width) for _ in range(rounds))
        self.score = nn.Sequential(
            nn.LayerNorm(2 * width),
            nn.Linear(2 * width, width),
            nn.ReLU(),
            nn.Linear(width, 1),
        )
        self.value = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1)
        )

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the log-probabilities of the actions, padded, and the values."""
        sentences = self.ngrams(batch.ngrams, batch.offsets)
        sentences = sentences + self.kinds(batch.kinds) + self.ages(batch.ages)
        words = self.words(batch.words)
        for one_round in self.rounds:
            sentences, words = one_round(sentences, words, batch)
        whole, owners = mean_of(sentences, batch), batch.owners[batch.actions]
        scores = self.score(torch.cat([sentences[batch.actions], whole[owners]], dim=1))
        padded = scores.new_full((batch.size, int(batch.columns.max()) + 1), -1e9)
        padded[owners, batch.columns] = scores.squeeze(1)
        return padded.log_softmax(dim=1), self.value(whole).squeeze(1)
