"""Tools → what is wrong with the tools themselves: rejected docs, answers off their schema, mute errors, twins."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, cast

import jsonschema_rs
import msgspec
from msgspec import Struct

from misstep.core.roles import Stateful, Toolbox
from misstep.core.state import State, difference
from misstep.core.tool import JSON, Answer, Tool
from misstep.core.words import STOPWORDS, content_stems, joined, split_identifier, stem, words
from misstep.synthesis.task import Step
from misstep.synthesis.tasks.executing import irrevocable_in
from misstep.tools.checked import problem
from misstep.tools.plain import described

Flaw = Literal[
    "rejects-its-own-example",
    "breaks-its-output-schema",
    "error-names-no-cause",
    "reads-and-writes",
    "never-works",
    "twins",
]

_ABSENT = re.compile(
    r"\b(?:not found|no such|unknown|does(?:n't| not) exist|nothing|missing|empty"
    r"|no \w+ (?:with|of|for|named|called|has|is))\b",
    re.I,
)
_QUOTED = re.compile(
    r"(?:e\.g\.|for example|for instance|example:|such as|like)\s{0,20}[:,]?\s{0,20}[`'\"]([^`'\"]{1,80})[`'\"]", re.I
)
_GENERIC = frozenset(
    stem(word)
    for word in """error errors failed failure fail invalid request bad internal server exception unexpected occurred
    something went wrong unable cannot could not can process processing operation try again later please code status
    null none undefined ok true false tool call result response unknown oops sorry an a the with your was is for to of
    in""".split()
)
_NOWHERE = "zz-0-nowhere"
_ALIKE = 0.85
_LONGEST = 200


class ToolFinding(Struct, frozen=True, kw_only=True):
    """A flaw of a tool that an agent would stumble over; the blame is the tool's."""

    tool: str
    flaw: Flaw
    because: str
    arguments: dict[str, JSON] | None = None
    """Of the call that shows it."""
    answer: str = ""


async def tool_findings(
    make_toolbox: Callable[[int], Toolbox],
    *,
    seed: int = 0,
    known: Iterable[Step] = (),
    idle: Mapping[str, str] | None = None,
    by_the_by: Collection[str] = (),
) -> tuple[ToolFinding, ...]:
    """What the tools' own words, some wrong calls and the `known` right ones bring to light; `idle` never worked.

    What changes in tables that are `by_the_by`, such as a log of who looked, is nobody's flaw.
    A toolbox with a state is put back after each call; of one without, only what says that it reads is called.
    """
    toolbox = make_toolbox(seed)
    tools = tuple(await toolbox.tools())
    probe = _Probe(toolbox, tools, by_the_by)
    found = [*_twins(tools)]
    found += [ToolFinding(tool=tool, flaw="never-works", because=why) for tool, why in (idle or {}).items()]
    for tool in tools:
        found += [*await _documented(probe, tool), *await _mute_errors(probe, tool)]
    for step in known:
        await probe.answer(step.tool, step.arguments)
    return tuple(_first_of_each([*found, *probe.found]))


class _Probe:
    """Makes calls that leave nothing behind, and checks every answer on the way."""

    def __init__(self, toolbox: Toolbox, tools: Sequence[Tool], by_the_by: Collection[str]) -> None:
        self._by_the_by = frozenset(by_the_by)
        self.found: list[ToolFinding] = []
        self._toolbox = toolbox
        self._stateful = toolbox if isinstance(toolbox, Stateful) else None
        self._irrevocable = irrevocable_in(toolbox)
        self._tools = {tool.name: tool for tool in tools}

    async def answer(self, name: str, arguments: Mapping[str, JSON]) -> Answer | None:
        """None where the call cannot be tried without leaving a mark, or does not come back with an answer."""
        tool = self._tools[name]
        if tool.effect != "reads" and (self._stateful is None or name in self._irrevocable):
            return None
        before = self._stateful.snapshot() if self._stateful else None
        try:
            answer = await self._toolbox.call(name, arguments)
        except Exception:  # noqa: BLE001 - foreign code, which may raise whatever it likes on a wrong call
            return None
        finally:
            if self._stateful is not None and before is not None:
                if tool.effect == "reads" and (changed := self._changed(before, self._stateful.snapshot())):
                    because = f"It says that it only reads, and changed {joined(changed)}."
                    self._note(tool, "reads-and-writes", because, arguments, None)
                self._stateful.restore(before)
        if not answer.is_error and tool.output_schema and (wrong := _off_schema(tool, answer.content)):
            self._note(tool, "breaks-its-output-schema", wrong, arguments, answer)
        return answer

    def _changed(self, before: State, after: State) -> list[str]:
        """The tables, without those that go by the by."""
        return sorted({change.table for change in difference(before, after)} - self._by_the_by)

    def _note(self, tool: Tool, flaw: Flaw, because: str, arguments: Mapping[str, JSON], answer: Answer | None) -> None:
        shown = described(answer.content)[:_LONGEST] if answer else ""
        self.found.append(
            ToolFinding(tool=tool.name, flaw=flaw, because=because, arguments=dict(arguments), answer=shown)
        )


async def _documented(probe: _Probe, tool: Tool) -> list[ToolFinding]:
    """Calls that the docs spell out and the tool turns down, unless it only lacks the record that they speak of."""
    found: list[ToolFinding] = []
    for arguments in _examples(tool):
        answer = await probe.answer(tool.name, arguments)
        said = described(answer.content) if answer is not None and answer.is_error else ""
        wrong = problem(tool, arguments) or (said if said and not _ABSENT.search(said) else None)
        if wrong:
            because = f"Its own documentation gives these arguments, and it rejects them: {wrong[:_LONGEST]}"
            found.append(
                ToolFinding(
                    tool=tool.name,
                    flaw="rejects-its-own-example",
                    because=because,
                    arguments=dict(arguments),
                    answer=said[:_LONGEST],
                )
            )
    return found


def _examples(tool: Tool) -> Iterator[Mapping[str, JSON]]:
    """Whole calls in the description or the schema, then one of examples for every argument that is needed."""
    fields = _fields(tool)
    for text in re.findall(r"\{[^{}]{2,300}\}", tool.description):
        try:
            call = json.loads(text)
        except ValueError:
            continue
        if isinstance(call, dict) and call and cast("dict[str, JSON]", call).keys() <= fields.keys():
            yield cast("dict[str, JSON]", call)
    for call in _listed(tool.input_schema.get("examples")):
        if isinstance(call, Mapping):
            yield cast("Mapping[str, JSON]", call)
    required = [name for name in _listed(tool.input_schema.get("required")) if isinstance(name, str)]
    single = {name: _example(fields.get(name, {})) for name in required}
    if single and all(len(each) > 0 for each in single.values()):
        yield {name: each[0] for name, each in single.items()}


def _example(schema: Mapping[str, JSON]) -> Sequence[JSON]:
    for listed in ("examples", "enum"):
        if values := _listed(schema.get(listed)):
            return values
    for alone in ("const", "default"):
        if schema.get(alone) is not None:
            return (schema[alone],)
    if schema.get("type") == "string" and (quoted := _QUOTED.search(str(schema.get("description", "")))):
        return (quoted[1],)
    return ()


async def _mute_errors(probe: _Probe, tool: Tool) -> list[ToolFinding]:
    """Wrong calls whose error helps nobody to a right one."""
    fields = _fields(tool)
    texts = [name for name, schema in fields.items() if schema.get("type") == "string" and "enum" not in schema]
    required = [str(name) for name in _listed(tool.input_schema.get("required"))]
    wrong_calls: list[tuple[str, dict[str, JSON]]] = [("without any argument", {})] if required else []
    if required and set(required) <= set(texts):
        wrong_calls.append(("with values that are nowhere", dict.fromkeys(required, _NOWHERE)))
    for how, arguments in wrong_calls:
        answer = await probe.answer(tool.name, arguments)
        if answer is None or not answer.is_error:
            continue
        said = described(answer.content)
        if not _names_a_cause(said, tool):
            because = f"Called {how}, it answers with an error that names no cause: {said[:_LONGEST]!r}."
            return [
                ToolFinding(
                    tool=tool.name,
                    flaw="error-names-no-cause",
                    because=because,
                    arguments=arguments,
                    answer=said[:_LONGEST],
                )
            ]
    return []


def _names_a_cause(said: str, tool: Tool) -> bool:
    if _NOWHERE in said or _ABSENT.search(said):
        return True
    own = {stem(word) for word in split_identifier(tool.name)}
    return any(stem(word) not in _GENERIC | own and not word.isdigit() for word in words(said))


def _twins(tools: Sequence[Tool]) -> Iterator[ToolFinding]:
    """Pairs that take the same arguments and say the same of themselves."""
    alike: dict[frozenset[str], list[tuple[Tool, frozenset[str]]]] = {}
    for tool in tools:
        said = frozenset(content_stems(tool.description)) - STOPWORDS or frozenset(
            stem(word) for word in split_identifier(tool.name)
        )
        rivals = alike.setdefault(frozenset(_fields(tool)), [])
        for other, theirs in rivals:
            if said and len(said & theirs) >= _ALIKE * len(said | theirs):
                because = f"Its description and arguments fit {other.name!r} as well: nothing says which one to take."
                yield ToolFinding(tool=tool.name, flaw="twins", because=because)
                break
        rivals.append((tool, said))


@lru_cache(maxsize=1024)
def _validator(schema: bytes) -> jsonschema_rs.Validator | str:
    try:
        return jsonschema_rs.validator_for(msgspec.json.decode(schema), offline=True)
    except ValueError as error:
        return f"Its output schema is no JSON Schema: {error}"[:_LONGEST]


def _off_schema(tool: Tool, content: JSON) -> str | None:
    validator = _validator(msgspec.json.encode(tool.output_schema))
    if isinstance(validator, str):
        return validator
    try:
        error = next(iter(validator.iter_errors(content)), None)
    except ValueError as wrong:
        return f"Its answer is no JSON: {wrong}"[:_LONGEST]
    if error is None:
        return None
    place = ".".join(str(part) for part in error.instance_path) or "the whole"
    return f"Its answer breaks its output schema at {place}: {error.message[:_LONGEST]}"


def _first_of_each(findings: Iterable[ToolFinding]) -> Iterator[ToolFinding]:
    seen: set[tuple[str, str]] = set()
    for finding in findings:
        if (finding.tool, finding.flaw) not in seen:
            seen.add((finding.tool, finding.flaw))
            yield finding


def _fields(tool: Tool) -> Mapping[str, Mapping[str, JSON]]:
    fields = tool.input_schema.get("properties")
    if not isinstance(fields, Mapping):
        return {}
    return {
        name: cast("Mapping[str, JSON]", schema) if isinstance(schema, Mapping) else {}
        for name, schema in cast("Mapping[str, JSON]", fields).items()
    }


def _listed(value: JSON) -> Sequence[JSON]:
    return cast("Sequence[JSON]", value) if isinstance(value, (list, tuple)) else ()
