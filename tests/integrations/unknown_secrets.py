"""What an agent must not know of an instance, to be searched in what servers tell."""

import contextlib
import json

from aq_gym.registration import TABLE
from aq_gym.testing import Case
from aq_gym.testing.case import inner
from aq_gym.testing.shown import _boilerplate

SEED = 3
# The words of an agent that has not solved anything yet.
ACTIONS = ("check valid actions", "", "fly to the moon", "\x00", '{"name": "x"}')
IDS = [row.id for row in TABLE if not row.family and not row.missing()]


def secrets_of(env_id):
    """Return the secrets of an instance that no text of another instance has."""
    env, other = inner(Case(env_id).make()), inner(Case(env_id).make())
    env.reset(seed=SEED)
    plain = _boilerplate(other, env.secrets(), SEED)
    return [secret for secret in env.secrets() if secret not in plain]


def check_nothing_is_told(env_id, answers):
    """Check that no answer, by the route it comes from, has a secret."""
    secrets = secrets_of(env_id)
    for route, answer in answers.items():
        text = "\n".join(texts_of(answer))
        for secret in secrets:
            assert secret not in text, f"{env_id}: {route} tells {secret!r}"


def texts_of(value):
    """Yield every text in a value of JSON, also those that are JSON themselves."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from texts_of(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts_of(one)
    else:
        yield value if isinstance(value, str) else json.dumps(value)
        with contextlib.suppress(TypeError, ValueError):
            inside = json.loads(value)
            if isinstance(inside, dict | list):
                yield from texts_of(inside)
