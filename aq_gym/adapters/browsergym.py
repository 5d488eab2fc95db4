"""Environments of BrowserGym: tasks on web pages, such as WebArena's."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import gymnasium as gym

from aq_gym.adapters.foreign import ForeignEnv, Reply


class BrowserGymAdapter(ForeignEnv):
    """Turns the dict observations of a BrowserGym environment into text.

    An observation has the goal, the open pages, the accessibility tree of the active
    one with the numbers of its elements, and the error of the last action; the first
    one describes the actions too. Actions are BrowserGym's, such as ``click('12')``.
    Info is BrowserGym's ``task_info``, with additions. On reset and step: ``success:
    bool``, whether the episode ended with a reward of at least 1. On step:
    ``action_valid: bool``, whether the action was carried out without an error, and
    ``feedback: str``, the error.

    The environment is not deterministic, because loading times vary and sites change.
    Times are left out of info. Some limits remain: BrowserGym keeps one Playwright for
    the whole process, which belongs to the thread that used it first; the environment
    can be neither copied nor pickled; and pages can reach every address that this
    computer can reach.

    Args:
        env: The environment, as ``gymnasium.make`` returns it.

    Raises:
        ValueError: If ``env`` would execute any text as Python.
    """

    deterministic = False

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        inner: Any = env.unwrapped
        if inner.action_mapping is None:
            raise ValueError(
                f"{env} has action_mapping=None, which executes any text as Python: "
                "omit that argument"
            )
        super().__init__()
        self._env = env
        self._actions: Any = getattr(inner.action_mapping, "__self__", None)

    def _begin(self, seed: int) -> tuple[str, dict[str, Any]]:
        seen, info = self._env.reset(seed=seed)
        described = ""
        if hasattr(self._actions, "describe"):
            described = f"{self._actions.describe(with_long_description=False)}\n\n"
        return described + _text(seen), {**info["task_info"], "success": False}

    def _play(self, action: str) -> Reply:
        seen, given, terminated, truncated, info = self._env.step(action)
        reward, error = float(given), seen["last_action_error"]
        added = {
            "success": bool(terminated) and reward >= 1.0,
            "action_valid": not error,
            "feedback": error,
        }
        info = {**info["task_info"], **added}
        return Reply(_text(seen), reward, bool(terminated), bool(truncated), info)

    def close(self) -> None:
        """Close the browser."""
        self._env.close()


def _text(seen: dict[str, Any]) -> str:
    """Return an observation of BrowserGym as text."""
    flatten = import_module("browsergym.utils.obs").flatten_axtree_to_str
    titles = zip(seen["open_pages_titles"], seen["open_pages_urls"], strict=True)
    pages = "\n".join(f"{title} ({url})" for title, url in titles)
    text = f"Goal: {seen['goal']}\n\nOpen pages:\n{pages}\n\n"
    text += f"Active page: {seen['url']}\n{flatten(seen['axtree_object'])}"
    error = seen["last_action_error"]
    return f"{text}\n\nThe last action failed: {error}" if error else text
