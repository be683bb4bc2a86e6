"""AgentDojo's suites as toolboxes, for anyone who has the package: `--tools agentdojo_tools:banking`.

PYTHONPATH=benchmarks uv run --with agentdojo misstep synthesize --tools agentdojo_tools:banking --out /tmp/banking
"""

from collections.abc import Mapping, Sequence
from typing import Any

from agentdojo.functions_runtime import Function, FunctionsRuntime
from agentdojo.task_suite.load_suites import get_suites
from pydantic import TypeAdapter

from misstep.core.errors import UnknownToolError
from misstep.core.state import Record, State
from misstep.core.tool import JSON, Answer, Tool
from misstep.effects.guessing import guess_effect

_VERSION = "v1.2.1"
_plain = TypeAdapter(Any)


def banking() -> "Suite":
    return Suite("banking")


def slack() -> "Suite":
    return Suite("slack")


def travel() -> "Suite":
    return Suite("travel")


def workspace() -> "Suite":
    return Suite("workspace")


class _Kept(dict[str, Mapping[str, Record]]):
    """The tables of a state, and the environment that they were read from."""

    environment: Any = None


class Suite:
    """One suite: its tools on its own environment, which can be seen as tables, kept and put back."""

    def __init__(self, name: str) -> None:
        suite = get_suites(_VERSION)[name]
        self._tools = tuple(_tool(each) for each in suite.tools)
        self._runtime = FunctionsRuntime(suite.tools)
        self._environment = suite.load_and_inject_default_environment({})
        self._seen: _Kept | None = None
        """The state as it was last seen, where nothing has been called since."""

    async def tools(self) -> Sequence[Tool]:
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if all(each.name != tool for each in self._tools):
            raise UnknownToolError(tool, [each.name for each in self._tools])
        if self._seen is not None:  # what was handed out is nobody's to change
            self._environment, self._seen = self._environment.model_copy(deep=True), None
        result, error = self._runtime.run_function(self._environment, tool, dict(arguments))
        if error:
            return Answer(error, is_error=True, served_by="simulated")
        return Answer(_plain.dump_python(result, mode="json"), served_by="simulated")

    def snapshot(self) -> State:
        if self._seen is None:
            self._seen = _Kept(_tables(self._environment.model_dump(mode="json")))
            self._seen.environment = self._environment
        return self._seen

    def restore(self, state: State) -> None:
        assert isinstance(state, _Kept), "only what snapshot() gave can be put back"
        self._environment, self._seen = state.environment, state


def _tool(function: Function) -> Tool:
    schema = function.parameters.model_json_schema()
    said = " ".join(function.description.split())
    return Tool(function.name, said, schema, effect=guess_effect(function.name, said))


def _tables(dump: Mapping[str, Any]) -> dict[str, dict[str, Record]]:
    """Lists and maps of records are tables of their own; what is left of a part is one record of it."""
    tables: dict[str, dict[str, Record]] = {}
    for part, content in dump.items():
        rest: dict[str, JSON] = {}
        for name, value in content.items() if isinstance(content, dict) else [(part, content)]:
            rows = _rows(value)
            if rows is None:
                rest[name] = value
            else:
                tables[f"{part}.{name}"] = rows
        tables[part] = {part: rest}
    return tables


def _rows(value: Any) -> dict[str, Record] | None:
    if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        return {str(each.get("id_", each.get("id", at))): each for at, each in enumerate(value)}
    if isinstance(value, dict):
        if all(isinstance(each, dict) for each in value.values()):
            return dict(value)
        return {key: {"value": each} for key, each in value.items()}
    if isinstance(value, list) and value:
        return {str(at): {"value": each} for at, each in enumerate(value)}
    return None
