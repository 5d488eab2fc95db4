"""The same completions, played by ``aq-gym run`` and by another framework."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from scripted_server import ScriptedServer, answer

from aq_gym import trajectory
from aq_gym.evaluation import Suite, Task, run
from aq_gym.registration import TABLE

# One that is invalid everywhere, one that repeats it, and two that are read.
COMPLETIONS = (
    "Thought: hm.\nAction: nothing like this",
    "nothing like this",
    "<think>Which one?</think>Action: check valid actions",
    "",
)
TASKS = [
    Task(row.id, 3, max_steps=len(COMPLETIONS))
    for row in TABLE
    if not row.family and not row.missing()
]


def next_completion(roles):
    """Return the next completion, by the roles of the messages without an example."""
    return COMPLETIONS[sum(role == "assistant" for role in roles)]


def steps_of(played):
    """Return the steps of a trajectory without what differs between two runs."""
    return [
        {name: value for name, value in step.items() if name != "notes"}
        for step in played.steps
    ]


@cache
def evaluated(task_name):
    """Return the steps and the figures of a task in ``aq-gym run --agent llm``."""
    (task,) = (task for task in TASKS if task.name == task_name)
    server = ScriptedServer(*map(answer, COMPLETIONS))
    params = {"model": "m", "base_url": server.url, "example": False}
    with TemporaryDirectory() as folder:
        try:
            (figures,) = run(Suite("one", (task,)), folder, "llm", params)
        finally:
            server.close()
        (played,) = trajectory.iter_trajectories(Path(folder) / "trajectories")
        return steps_of(played), figures
