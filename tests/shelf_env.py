"""A small environment with tools: a shelf of books to be sorted."""

from __future__ import annotations

from typing import Literal

from aq_gym import Start
from aq_gym.tools import Toolbox, ToolError
from aq_gym.tools.env import ToolEnv

TITLES = ("Alpha", "Beta", "Gamma", "Delta")


class Shelf:
    """Books that are on the shelf or not."""

    def __init__(self, placed=(), finished=False):
        self.placed = set(placed)
        self.finished = finished

    def find_book(self, title: str, limit: int = 3) -> list[str]:
        """Find books whose title begins with a text.

        Args:
            title: The beginning of the title.
            limit: The largest number of results.
        """
        found = [one for one in TITLES if one.lower().startswith(title.lower())]
        if not found:
            raise ToolError(f"There is no book {title!r}.")
        return found[:limit]

    def place_book(self, title: str, side: Literal["left", "right"] = "left") -> str:
        """Place a book that find_book found.

        Args:
            title: The whole title.
            side: The side of the shelf.
        """
        if title not in TITLES:
            raise ToolError(f"There is no book {title!r}.")
        self.placed.add(title)
        return f"{title} is on the {side}."

    def finish(self) -> str:
        """End the episode."""
        self.finished = True
        return "The end."


TOOLS = Toolbox([Shelf.find_book, Shelf.place_book, Shelf.finish])


class ShelfEnv(ToolEnv):
    """Put the books of the task on the shelf, then finish."""

    toolbox = TOOLS

    def __init__(self, books: int = 2, **shared):
        super().__init__(**shared)
        self._books = books

    def _reset(self, options):
        task = options.get("task_id", str(int(self.np_random.integers(len(TITLES)))))
        if task not in ("0", "1", "2", "3"):
            raise ValueError(f"task_id={task!r}: give a number below {len(TITLES)}")
        self.begin_tools(task)
        self._begin(task)
        self.world = Shelf()
        goal = f"Place {' and '.join(self._wanted)}, then finish."
        opening = f"{goal}\n{self.tools.text()}" if self.instructions else goal
        return Start(opening, goal, task)

    def _begin(self, task):
        self._task = task
        turned = TITLES[int(task) :] + TITLES[: int(task)]
        self._wanted = turned[: self._books]

    def subgoals(self):
        done = {f"book {k}": t in self.world.placed for k, t in enumerate(self._wanted)}
        return {**done, "finished": self.world.finished and all(done.values())}

    def success(self):
        return all(self.subgoals().values())

    def over(self):
        return self.world.finished

    def admissible_actions(self):
        finds = (self.write_call("find_book", title=one) for one in TITLES)
        places = (self.write_call("place_book", title=one) for one in TITLES)
        return (*finds, *places, self.write_call("finish"))

    def expert_action(self):
        for title in self._wanted:
            if title not in self.world.placed:
                return self.write_call("place_book", title=title)
        return self.write_call("finish")

    def _get_world(self):
        return self._task, tuple(sorted(self.world.placed)), self.world.finished

    def _set_world(self, world):
        task, placed, finished = world
        self._begin(task)
        self.world = Shelf(placed, finished)
