"""Run N samples with one tool call each on Inspect AI's mock model, log on disk, and print the seconds it took as JSON.

Runs in an environment of its own, that has inspect-ai and not Misstep; `trials.py` starts it.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import Tool, tool


@tool
def find_order() -> Tool:
    async def execute(order_id: str) -> str:
        """Find an order by its id.

        Args:
            order_id: The order's id.
        """
        return json.dumps({"order_id": order_id, "status": "shipped"})

    return execute


def instant_model(messages: list[ChatMessage], *_: object) -> ModelOutput:
    if messages[-1].role == "tool":
        output = ModelOutput.from_content("mockllm", "Order A-1 is shipped.")
    else:
        output = ModelOutput.for_tool_call("mockllm", "find_order", {"order_id": "A-1"})
    # Given, so that the mock model has no reason to count tokens: that would need a download.
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def run(samples: int, log_dir: Path) -> float:
    dataset = MemoryDataset([Sample(input="Where is my order A-1?", target="shipped", id=n) for n in range(samples)])
    task = Task(dataset=dataset, solver=[use_tools(find_order()), generate()], scorer=includes())
    model = get_model("mockllm/model", custom_outputs=instant_model, memoize=False)
    started = time.perf_counter()
    [log] = inspect_ai.eval(
        task, model=model, log_dir=str(log_dir), display="none", max_samples=32, max_connections=32, score_display=False
    )
    took_s = time.perf_counter() - started
    scores = log.results.scores[0].metrics["accuracy"].value if log.results else 0.0
    if log.status != "success" or scores != 1.0:
        raise SystemExit(f"Inspect's side did not do its job: {log.status}, accuracy {scores}, {log.error}")
    return took_s


def main() -> None:
    samples = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        run(10, Path(folder) / "warm-up")
        took_s = run(samples, Path(folder) / "measured")
    print(json.dumps({"version": inspect_ai.__version__, "trials": samples, "took_s": took_s}))


if __name__ == "__main__":
    main()
