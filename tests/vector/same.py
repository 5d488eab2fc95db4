"""Compare what two vector environments return."""

import numpy as np


def same(one, other, where="result"):
    """Assert that two results are equal, to the types of arrays and of their items."""
    assert type(one) is type(other), where
    if isinstance(one, dict):
        assert set(one) == set(other), where
        for key in one:
            same(one[key], other[key], f"{where}[{key!r}]")
    elif isinstance(one, tuple | list):
        assert len(one) == len(other), where
        for index, pair in enumerate(zip(one, other, strict=True)):
            same(*pair, f"{where}[{index}]")
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), where
        for mine, yours in zip(one.tolist(), other.tolist(), strict=True):
            same(mine, yours, where)
    else:
        assert one == other or one != one, where
