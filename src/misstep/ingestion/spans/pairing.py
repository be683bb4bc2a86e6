"""Which call that a model asked for was carried out by which tool's span."""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence

from misstep.ingestion.decoding import written
from misstep.ingestion.spans.runs import Run
from misstep.ingestion.spans.said import Call
from misstep.ingestion.spans.tree import Node
from misstep.ingestion.spans.values import text

_Key = tuple[object, ...]


def asked(node: Node) -> Iterator[tuple[int, Call]]:
    """The calls that a model asks for in what it says, numbered."""
    calls = (part for said in node.step.said for part in said.parts if isinstance(part, Call))
    return enumerate(calls)


class Pairs:
    """Calls asked for ↔ spans that carried them out, one to one."""

    def __init__(self, nodes: Sequence[Node], runs: Mapping[int, Run]) -> None:
        self.executor: dict[tuple[int, int], Node] = {}
        """By the model's place and the number of the call."""
        self.announcer: dict[int, tuple[Node, Call]] = {}
        """By the place of the tool's span."""
        self._runs = runs
        self._waiting: defaultdict[_Key, deque[Node]] = defaultdict(deque)
        tools = sorted(
            (node for node in nodes if node.step.kind == "tool"), key=lambda node: (node.start_ns, node.enter)
        )
        models = sorted(
            (node for node in nodes if node.step.kind == "model"), key=lambda node: (node.start_ns, node.enter)
        )
        for tool in tools:
            for key in self._keys_of(tool):
                self._waiting[key].append(tool)
        following = self._following(models)
        # A certain pair first: only what no id settles goes by likeness.
        for sure in (True, False):
            for model in models:
                for number, call in asked(model):
                    self._settle(model, number, call, sure=sure, until=following.get(model.enter))

    def _following(self, models: Sequence[Node]) -> dict[int, int]:
        """When the same run's next question to a model begins."""
        found: dict[int, int] = {}
        last: dict[object, Node] = {}
        for model in models:
            run = self._run(model)
            if run in last:
                found[last[run].enter] = model.start_ns
            last[run] = model
        return found

    def _run(self, node: Node) -> int:
        run = self._runs.get(node.enter)
        return run.node.enter if run is not None else 0

    def _keys_of(self, tool: Node) -> Iterator[_Key]:
        call = tool.step.call
        if call is None:
            return
        if call.id:
            yield ("id", call.id)
        else:
            told = call.malformed if call.malformed is not None else written(call.arguments)
            yield ("run", self._run(tool), call.name, told)
            yield ("any", call.name, told)
        yield ("name", self._run(tool), call.name)

    def _settle(self, model: Node, number: int, call: Call, *, sure: bool, until: int | None) -> None:
        place = (model.enter, number)
        if place in self.executor:
            return
        if sure:
            keys: list[_Key] = [("id", call.id)] if call.id else []
        else:
            told = call.malformed if call.malformed is not None else written(call.arguments)
            keys = [("run", self._run(model), call.name, told), ("any", call.name, told)]
        tool = next((found for key in keys if (found := self._next(key, model)) is not None), None)
        if tool is None and not sure:
            likely = self._next(("name", self._run(model), call.name), model)
            if likely is not None and (until is None or likely.start_ns < until) and self._may_be(likely, call):
                tool = likely
        if tool is not None:
            self.executor[place] = tool
            self.announcer[tool.enter] = (model, call)

    def _next(self, key: _Key, model: Node) -> Node | None:
        """The first that nobody has asked for yet, and that began no earlier than the model was asked."""
        queue = self._waiting.get(key)
        while queue and (queue[0].enter in self.announcer or queue[0].start_ns < model.start_ns):
            queue.popleft()
        return queue[0] if queue else None

    @staticmethod
    def _may_be(tool: Node, call: Call) -> bool:
        """Whether nothing that both of them say differs."""
        own = tool.step.call
        if own is None or (own.id and call.id):
            return False
        return not own.arguments or not call.arguments or _is_bare(own, call)


def _is_bare(own: Call, call: Call) -> bool:
    """Whether a span has the only argument without its name, as LangChain tells it."""
    given = list(call.arguments.values())
    return set(own.arguments) == {"input"} and len(given) == 1 and text(given[0]) == text(own.arguments["input"])
