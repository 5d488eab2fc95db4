"""NeMo Gym: write the folder of a server of resources that plays a suite.

Run it in a checkout of NeMo Gym:

    python nemo_resources.py resources_servers/my_games quick
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aq_gym.evaluation import Suite, Task
from aq_gym.integrations.shared import begin_episode

SERVER = Path(__file__).with_name("nemo_server.py")
CONFIG = """\
{name}:
  resources_servers:
    {name}: {{entrypoint: app.py, domain: games, verified: false}}
{name}_agent:
  responses_api_agents:
    gymnasium_agent:
      entrypoint: app.py
      resources_server: {{type: resources_servers, name: {name}}}
      model_server: {{type: responses_api_models, name: policy_model}}
      max_steps: {steps}
      datasets:
      - {{name: tasks, type: example, jsonl_fpath: {folder}/data/tasks.jsonl}}
"""


def write_resources(folder: Path, tasks: Sequence[Task], **how: Any) -> None:
    """Write the folder of a server that plays tasks.

    Args:
        folder: The folder, such as ``resources_servers/my_games``.
        tasks: The tasks of the rows.
        **how: Further arguments of ``aq_gym.Episode``.
    """
    lines = []
    for task in tasks:
        with begin_episode(task.to_record(), **how) as episode:
            first = [dict(one) for one in episode.messages[:-1]]
        agent = {"type": "responses_api_agents", "name": f"{folder.name}_agent"}
        row = {"responses_create_params": {"input": first}, "agent_ref": agent}
        lines.append(json.dumps({**row, "task": task.to_record(), "episode": how}))
    steps = max(task.cap or 50 for task in tasks)
    config = CONFIG.format(name=folder.name, folder=folder, steps=steps)
    (folder / "configs").mkdir(parents=True)
    (folder / "data").mkdir()
    (folder / "app.py").write_text(SERVER.read_text())
    (folder / "requirements.txt").write_text("-e nemo-gym[dev] @ ../../\naq-gym\n")
    (folder / "configs" / f"{folder.name}.yaml").write_text(config)
    (folder / "data" / "tasks.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write_resources(Path(sys.argv[1]), Suite.load(sys.argv[2]).tasks)
