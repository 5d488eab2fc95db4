"""Made-up logs in the formats of other frameworks: one failed call, one repetition."""

import json
import zipfile

import pytest

ASKED = "Make a file."
GUESSES = ({"x": -1}, {"x": 2}, {"x": 2})


def atif():
    steps = [{"step_id": 1, "source": "user", "message": ASKED}]
    for number, arguments in enumerate(GUESSES):
        call = {
            "tool_call_id": f"c{number}",
            "function_name": "try",
            "arguments": arguments,
        }
        result = {"source_call_id": f"c{number}", "content": f"seen {number}"}
        steps.append(
            {
                "step_id": number + 2,
                "source": "agent",
                "message": "I try.",
                "tool_calls": [call],
                "observation": {"results": [result]},
                "metrics": {
                    "prompt_tokens": 10,
                    "completion_tokens": 5,
                    "cost_usd": 0.5,
                },
            }
        )
    steps.append({"step_id": 5, "source": "agent", "message": "Done."})
    agent = {"name": "terminus", "version": "1", "model_name": "m"}
    return {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": agent} | {
        "steps": steps
    }


def messages(call, error):
    """The same episode as messages; CALL and ERROR give the format's own fields."""
    found = [{"role": "user", "content": [{"type": "text", "text": ASKED}]}]
    for number, arguments in enumerate(GUESSES):
        found += [
            {"role": "assistant", "content": "I try.", "tool_calls": [call(arguments)]},
            {"role": "tool", "content": f"seen {number}", **error(arguments["x"] < 0)},
        ]
    return [*found, {"role": "assistant", "content": "Done."}]


def tau2():
    said = messages(
        lambda arguments: {"id": "c", "name": "try", "arguments": arguments},
        lambda failed: {"id": "c", "requestor": "assistant", "error": failed},
    )
    for one in said:
        if one["role"] == "assistant":
            one["usage"] = {"prompt_tokens": 10, "completion_tokens": 5}
    # What the user does with tools of its own.
    own = {"role": "tool", "requestor": "user", "content": "hidden", "error": True}
    said.insert(3, own)
    simulations = [
        {
            "id": str(trial),
            "task_id": "7",
            "trial": trial,
            "reward_info": {"reward": reward},
            "messages": said,
        }
        for trial, reward in enumerate((1.0, 0.0))
    ]
    info = {
        "environment_info": {"domain_name": "airline"},
        "agent_info": {"implementation": "llm_agent", "llm": "m"},
    }
    return {"info": info, "tasks": [], "simulations": simulations}


def inspect_samples():
    said = messages(
        lambda arguments: {"id": "c", "function": "try", "arguments": arguments},
        lambda failed: (
            {"error": {"type": "unknown", "message": "no"}} if failed else {}
        ),
    )
    usage = {"m": {"input_tokens": 30, "output_tokens": 15, "total_tokens": 45}}
    common = {"epoch": 1, "messages": said, "model_usage": usage}
    return [
        {"id": name, "scores": {"match": {"value": value}}, **common}
        for name, value in (("a", "C"), ("b", "I"))
    ]


def inspect_json():
    header = {"version": 2, "status": "success", "eval": {"task": "sums", "model": "m"}}
    return {**header, "samples": inspect_samples()}


@pytest.fixture
def logs(tmp_path):
    """The paths of a log of each format."""
    trial = tmp_path / "job" / "trial"
    (trial / "agent").mkdir(parents=True)
    (trial / "agent" / "trajectory.json").write_text(json.dumps(atif()))
    rewards = {"verifier_result": {"rewards": {"reward": 1.0}}}
    named = {"task_name": "make-file", "source": "terminal"}
    (trial / "result.json").write_text(json.dumps({**named, **rewards}))
    for name, log in {"tau2": tau2(), "inspect": inspect_json()}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(log))
    header = inspect_json()
    samples = header.pop("samples")
    with zipfile.ZipFile(tmp_path / "inspect.eval", "w") as archive:
        archive.writestr("header.json", json.dumps(header))
        for sample in samples:
            name = f"samples/{sample['id']}_epoch_1.json"
            archive.writestr(name, json.dumps(sample))
    return {
        "atif": tmp_path / "job",
        "tau2": tmp_path / "tau2.json",
        "inspect": tmp_path / "inspect.json",
        "eval": tmp_path / "inspect.eval",
    }
