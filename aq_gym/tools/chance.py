"""Random choices made by hashing, without a generator."""

from __future__ import annotations

import hashlib


def is_fault(seed: int, number: int, share: float) -> bool:
    """Return whether a call fails with "temporarily unavailable".

    A hash decides, so that a call which turns out to be invalid draws no random number
    and leaves the state of the episode as it was.

    Args:
        seed: The seed of the episode's faults.
        number: The number of valid calls before this one.
        share: The share of calls that fail, 0.0 to 1.0.
    """
    digest = hashlib.blake2b(b"%d %d" % (seed, number), digest_size=8).digest()
    return int.from_bytes(digest, "big") < share * 2**64


def seed_of(task_id: str) -> int:
    """Return a seed for a task, at least 0 and below 2**32."""
    data = task_id.encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=4).digest(), "big")
