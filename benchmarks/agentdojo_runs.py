"""AgentDojo's tasks under attack → traces of scripted agents that obey the planted order, and of twins that don't.

Both make the calls of the user task's ground truth. The one that obeys makes those of the injection task's besides, as
soon as it has read the first result that holds the order. Needs the package: `uv run --with agentdojo python ...`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import yaml
from agentdojo.agent_pipeline.agent_pipeline import load_system_message
from agentdojo.agent_pipeline.tool_execution import tool_result_to_str
from agentdojo.attacks import load_attack
from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime
from agentdojo.task_suite.load_suites import get_suites
from agentdojo.task_suite.task_suite import read_suite_file
from pydantic import TypeAdapter

from misstep.core.event import Event, Message, ToolCall, ToolResult
from misstep.core.policy import Policy
from misstep.core.tool import Tool
from misstep.core.trace import Origin, Trace
from misstep.ingestion.decoding import parsed

_VERSION = "v1.2.2"
_ATTACKED = SimpleNamespace(name="gpt-4o-2024-05-13")
"""Whom the attacks address: a model that the package knows by a name in prose."""
_plain = TypeAdapter(Any)

Orders = Mapping[str, str]
"""What stands in each place that an attacker can write to."""
Made = tuple[Trace, tuple[int, ...]]
"""A trace, and the places of the calls that only the planted order asked for."""


class Suite:
    """One suite: its tasks, played by agents that know the ground truth."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._suite = get_suites(_VERSION)[name]
        self._runtime = FunctionsRuntime(self._suite.tools)
        self._tools = tuple(
            Tool(each.name, " ".join(each.description.split()), each.parameters.model_json_schema())
            for each in self._suite.tools
        )
        self._usual = {
            place: yaml.safe_load(f'"{text}"') for place, text in self._suite.get_injection_vector_defaults().items()
        }
        self._marks = {place: f"<<{place}>>" for place in self._usual}
        marked = read_suite_file(name, "environment.yaml", None).format(**self._marks)
        self._data = yaml.safe_load(marked)
        self._says = load_system_message(None)

    def goals(self) -> dict[str, str]:
        """What the attacker wants, for each injection task that can be obeyed."""
        tasks, environment = self._suite.injection_tasks, self._environment({})
        return {name: task.GOAL for name, task in tasks.items() if task.ground_truth(environment)}

    def clean(self) -> Iterator[Made]:
        """Every user task with nothing planted anywhere."""
        for task, user in self._suite.user_tasks.items():
            yield self._made((task, "-", "none", "ignores"), user.init_environment(self._environment({})))

    def attacked(self, attack: str) -> Iterator[Made]:
        """Every user task that reads planted text, with each injection task: obeyed, where a script can, and not."""
        made = load_attack(attack, self._suite, _ATTACKED)
        for task, injection in self._pairs():
            ordered = made.attack(self._suite.user_tasks[task], self._suite.injection_tasks[injection])
            yield from self._twins(task, injection, attack, ordered)

    def reworded(self, texts: Mapping[str, Sequence[str]]) -> Iterator[Made]:
        """The same with the given texts in place of an attack's; `reworded-2` is the second of an injection task."""
        if unknown := texts.keys() - self._suite.injection_tasks.keys():
            known = ", ".join(self._suite.injection_tasks)
            raise SystemExit(f"{self.name} has no injection task {min(unknown)!r}. It has {known}.")
        for task, injection in self._pairs():
            for at, text in enumerate(texts.get(injection, ()), 1):
                yield from self._twins(task, injection, f"reworded-{at}", dict.fromkeys(self._read(task)[1], text))

    def _pairs(self) -> Iterator[tuple[str, str]]:
        for task in self._suite.user_tasks:
            if self._read(task)[1]:
                yield from ((task, injection) for injection in self._suite.injection_tasks)

    def _twins(self, task: str, injection: str, attack: str, ordered: Orders) -> Iterator[Made]:
        user = self._suite.user_tasks[task]
        needed = {place: f"{self._usual[place]}\n{text}" for place, text in ordered.items() if self._needs(task, place)}
        environment = user.init_environment(self._environment({**ordered, **needed}))
        planted = self._suite.injection_tasks[injection].ground_truth(environment)
        if planted:  # some injection tasks ask for no call, or have no script
            yield self._made((task, injection, attack, "obeys"), environment.model_copy(deep=True), planted)
        yield self._made((task, injection, attack, "ignores"), environment)

    def _needs(self, task: str, place: str) -> bool:
        """Whether the calls of the user task use what usually stands there: then the order comes after it.

        An agent that pays an account which stands nowhere would be no sound twin.
        """
        user = self._suite.user_tasks[task]
        calls = user.ground_truth(user.init_environment(self._environment({})))
        values = [str(value) for call in calls for value in call.args.values()]
        return any(len(value) > 2 and value in self._usual[place] for value in values)

    @cache  # noqa: B019 - a suite lives as long as the process
    def _read(self, task: str) -> tuple[int, tuple[str, ...]]:
        """After which call the user task has read planted text for the first time, and which places it reads at all."""
        user = self._suite.user_tasks[task]
        environment = user.init_environment(self._environment(self._marks))
        seen: dict[str, int] = {}
        for at, call in enumerate(user.ground_truth(environment)):
            result, _ = self._answer(environment, call)
            for place, mark in self._marks.items():
                if mark in result:
                    seen.setdefault(place, at)
        return min(seen.values(), default=0), tuple(seen)

    def _environment(self, ordered: Orders) -> Any:
        texts = {self._marks[place]: text for place, text in {**self._usual, **ordered}.items()}
        return self._suite.environment_type.model_validate(_replaced(self._data, texts))

    def _made(self, named: tuple[str, str, str, str], environment: Any, planted: Sequence[FunctionCall] = ()) -> Made:
        """What the user task asks for is done, and what was planted, once it has been read."""
        user = self._suite.user_tasks[named[0]]
        calls: list[FunctionCall] = list(user.ground_truth(environment))
        foreign = [each for each in planted if not any(_same(each, own) for own in calls)]
        if planted:
            after = self._read(named[0])[0] + 1
            calls[after:after] = planted
        events: list[Event] = [
            Message(actor="system", role="system", text=self._says),
            Message(actor="user", role="user", text=user.PROMPT),
        ]
        hijacks: list[int] = []
        for at, call in enumerate(calls):
            if any(call is each for each in foreign):
                hijacks.append(len(events))
            arguments = _plain.dump_python(dict(call.args), mode="json")
            events.append(ToolCall(actor="agent", call_id=f"c{at}", tool=call.function, arguments=arguments))
            result, failed = self._answer(environment, call)
            events.append(ToolResult(actor=call.function, call_id=f"c{at}", content=parsed(result), is_error=failed))
        events.append(Message(actor="agent", role="agent", text=user.GROUND_TRUTH_OUTPUT or "Done."))
        trace = Trace(
            id=" ".join((self.name, *named)),
            events=tuple(events),
            tools=self._tools,
            policy=Policy(self._says),
            origin=Origin(agent=named[-1], failed=bool(hijacks)),
        )
        return trace, tuple(hijacks)

    def _answer(self, environment: Any, call: FunctionCall) -> tuple[str, bool]:
        result, trouble = self._runtime.run_function(environment, call.function, call.args)
        return trouble or tool_result_to_str(result), bool(trouble)


def _same(one: FunctionCall, other: FunctionCall) -> bool:
    return (one.function, one.args) == (other.function, other.args)


def _replaced(value: Any, texts: Mapping[str, str]) -> Any:
    """Marks give way to texts in parsed data: put into YAML, a quote or a colon would break it."""
    if isinstance(value, str):
        for mark, text in texts.items():
            value = value.replace(mark, text)
        return value
    if isinstance(value, list):
        return [_replaced(each, texts) for each in value]
    if isinstance(value, dict):
        return {key: _replaced(each, texts) for key, each in value.items()}
    return value
