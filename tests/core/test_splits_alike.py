"""``split`` means the same on every generated id."""

from typing import get_args

import gymnasium as gym
import pytest

from aq_gym.core.splits import Split
from aq_gym.registration import TABLE


@pytest.mark.parametrize(
    "env_id",
    [
        pytest.param(
            row.id, marks=pytest.mark.needs(*(f"module:{n}" for n in row.requires))
        )
        for row in TABLE
        if not row.family
    ],
)
def test_every_id_has_the_splits(env_id):
    ids = {}
    for split in get_args(Split):
        env = gym.make(env_id, split=split)
        ids[split] = {env.reset(seed=seed)[1]["task_id"] for seed in range(8)}
        env.close()
    assert not ids["train"] & ids["test"]
    env = gym.make(env_id)
    assert {env.reset(seed=seed)[1]["task_id"] for seed in range(8)} == ids["all"]
    env.close()
