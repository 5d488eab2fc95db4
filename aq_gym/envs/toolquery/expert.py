"""The reference policy: it follows the route of the question."""

from __future__ import annotations

from collections.abc import Collection

from aq_gym.envs.toolquery.logic.question import Question, Step


def next_step(question: Question, seen: Collection[str]) -> Step | None:
    """Return the next call of the route, or None if every fact is found."""
    for step in question.route:
        if not set(step.facts) <= set(seen):
            return step
    return None
