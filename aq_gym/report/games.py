"""Games that a person plays in the browser; each is a run of one episode."""

from __future__ import annotations

import copy
import re
import secrets
import shutil
import threading
import time
from itertools import islice
from pathlib import Path
from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import load_env_creator

from aq_gym import trajectory
from aq_gym.evaluation import Suite, Task
from aq_gym.evaluation.episode import recorded_episode
from aq_gym.evaluation.manifest import run_manifest
from aq_gym.evaluation.store import RunDirectory
from aq_gym.evaluation.summary import summary_record
from aq_gym.evaluation.task import wrap_env
from aq_gym.registration import rows
from aq_gym.report.folder import report_link
from aq_gym.selection import parse_env, shown_arguments
from aq_gym.support.escaping import visible
from aq_gym.support.json_files import write_json
from aq_gym.trajectory.reader import find
from aq_gym.trajectory.trust import untrusted

_MOST_GAMES = 20
_MOST_ACTIONS = 40


class Games:
    """The games of a server; the oldest one ends when there are too many.

    Args:
        directory: The directory of their runs.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._games: dict[str, _Game] = {}
        self._lock = threading.Lock()

    def __contains__(self, name: str) -> bool:
        return name in self._games

    @staticmethod
    def ids() -> list[str]:
        """Return the ids that can be played."""
        return [row.id for row in rows() if not row.family and not row.missing()]

    @classmethod
    def arguments(cls, env: str) -> str | None:
        """Return an environment's arguments, one a line; None if it is unknown.

        Args:
            env: One of :meth:`ids`.
        """
        if env not in cls.ids():
            return None
        return "\n".join(
            shown_arguments(load_env_creator(str(gym.spec(env).entry_point)))
        )

    def begin(
        self, env: object, seed: object, arguments: object = ""
    ) -> dict[str, Any] | None:
        """Begin a game, and return its view; None for an unknown environment.

        Args:
            env: One of :meth:`ids`.
            seed: The seed; a random one if it is not an int.
            arguments: The environment's arguments, as ``key=value&key=value``.

        Raises:
            gymnasium.error.Error: If the environment cannot be made.
            ImportError: If it needs a package that is missing.
            OSError: If the game cannot be written.
            TypeError: If an argument has a wrong type.
            ValueError: If an argument is unknown or wrong, names a file, or is
                ``render_mode``, which can open a window.
        """
        if env not in self.ids():
            return None
        asked = f"{env}?{arguments}" if arguments else str(env)
        kwargs = parse_env(asked)[1]
        if "render_mode" in kwargs:
            raise ValueError("a game has its own picture: leave render_mode out")
        most = kwargs.pop("max_episode_steps", None)
        spec = copy.copy(gym.spec(str(env)))
        spec.kwargs = {**spec.kwargs, **kwargs}
        if problem := untrusted(spec):
            raise ValueError(f"{problem} can be played by aq-gym play alone")
        known = (
            isinstance(seed, int) and not isinstance(seed, bool) and 0 <= seed < 2**31
        )
        number = int(str(seed)) if known else secrets.randbelow(10_000)
        game = _Game(
            asked, Task(str(env), number, kwargs, max_steps=most), self._directory
        )
        with self._lock:
            self._games[game.name] = game
            if len(self._games) > _MOST_GAMES:
                self._games.pop(next(iter(self._games))).close()
        return game.shown()

    def open(self) -> list[dict[str, Any]]:
        """Return the views of the games that have not ended."""
        games = list(self._games.values())
        return [view for view in map(_Game.shown, games) if not view["over"]]

    def shown(self, name: str) -> dict[str, Any]:
        """Return the view of a game."""
        return self._games[name].shown()

    def act(self, name: str, action: object) -> dict[str, Any] | None:
        """Play an action, and return the view; None if there is no such game.

        Args:
            name: The name of the game.
            action: Any text.
        """
        game = self._games.get(name)
        if game is None or not isinstance(action, str):
            return None
        game.act(action)
        return game.shown()

    def close(self) -> None:
        """End all games."""
        for game in self._games.values():
            game.close()


class _Game:
    def __init__(self, title: str, task: Task, directory: Path) -> None:
        self.name = secrets.token_hex(8)
        self._lock = threading.Lock()
        self._task = task
        self._suite = Suite("game", (task,))
        env = task.make()
        slug = re.sub("[^A-Za-z0-9]+", "-", task.id.rpartition("/")[2])
        moment = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        self._store = RunDirectory(
            directory / f"{slug}-seed{task.seed}-{moment}-{self.name[:4]}",
            run_manifest(self._suite, "human", {}),
            {"tasks": 1},
        )
        self._env = wrap_env(
            env, self._store.trajectories, task.name, "human", extract=False
        )
        self._steps: list[dict[str, Any]] = []
        self._over = False
        try:
            self._observation, self._info = self._env.reset(seed=task.seed)
        except BaseException:
            self.close()
            raise
        self._begun = {
            "game": self.name,
            "title": visible(f"{title}, seed {task.seed}"),
            "rules": visible(self._observation),
            "goal": visible(self._info["goal"]),
        }

    def act(self, action: str) -> None:
        with self._lock:
            if self._over:
                return
            before = self._info["subgoals"]
            seen, _, ended, cut, self._info = self._env.step(action)
            feedback = self._info["feedback"]
            told = "" if feedback in seen else f"\n({feedback})"
            self._observation = f"{seen}{told}"
            self._over = ended or cut
            if self._over:
                self._finish()
            now = self._info["subgoals"]
            self._steps.append(
                {
                    "action": visible(action),
                    "observation": visible(self._observation),
                    "valid": self._info["action_valid"],
                    "repeated": self._info["action_repeated"],
                    "progress": self._info["progress"],
                    "reached": [n for n in now if now[n] and not before.get(n)],
                }
            )

    def _finish(self) -> None:
        played = trajectory.read(find(self._store.trajectories, self._task.name))
        row = self._store.add(recorded_episode(self._task, played))
        summary = summary_record(self._suite, [row], [])
        write_json(self._store.path / "summary.json", summary)

    def shown(self) -> dict[str, Any]:
        with self._lock:
            held = sum(self._info["subgoals"].values())
            drawing = self._env.get_wrapper_attr("drawing")()
            spec = self._env.spec
            return {
                **self._begun,
                "observation": visible(self._observation),
                "picture": drawing.svg("auto") if drawing else "",
                "actions": [] if self._over else self._actions(),
                "steps": self._steps,
                "most": spec.max_episode_steps if spec else None,
                "progress": self._info["progress"],
                "best": self._info["best_progress"],
                "subgoals": f"{held} of {len(self._info['subgoals'])} subgoals",
                "over": self._over,
                "success": self._info["success"],
                **(self._end() if self._over else {}),
            }

    def _end(self) -> dict[str, str]:
        """Return the report of a finished game, and the answer if it is unsolved."""
        path = self._store.path
        solution = self._env.get_wrapper_attr("solution")
        return {
            "report": report_link([f"{path.parent.name}/{path.name}"]),
            "answer": "" if self._info["success"] else visible(solution()),
        }

    def _actions(self) -> list[str]:
        """Return the first admissible actions; none if actions are calls of tools."""
        try:
            listed = self._env.get_wrapper_attr("iter_admissible_actions")()
            return list(islice(listed, _MOST_ACTIONS))
        except (NotImplementedError, ValueError):
            return []

    def close(self) -> None:
        with self._lock:
            self._over = True
            self._env.close()
            self._store.__exit__()
            if not self._steps:
                shutil.rmtree(self._store.path, ignore_errors=True)
