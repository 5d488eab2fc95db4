"""What ``aq-gym run`` says of the suites of papers, whose data are the user's."""

from __future__ import annotations

from collections.abc import Iterator

from aq_gym.core import agentboard
from aq_gym.evaluation import Suite

__all__ = ["prompt_lines"]


def prompt_lines(suite: Suite) -> Iterator[str]:
    """Yield whose prompts a model will be sent in AgentBoard's protocol."""
    ids = {t.id for t in suite.tasks if t.kwargs.get("protocol") == "agentboard"}
    if not ids:
        return
    if agentboard.has_prompts():
        yield f"{', '.join(sorted(ids))}: AgentBoard's prompts, where it has some"
    else:
        yield (
            f"{', '.join(sorted(ids))}: the prompts are ours, not AgentBoard's: let "
            f"{agentboard.VARIABLE} name a checkout of its code "
            "(https://github.com/hkust-nlp/AgentBoard)"
        )
