"""What every toolbox and every wrapper keeps, whoever wrote it."""

import asyncio
import copy
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pytest

from misstep.core.errors import UnknownToolError
from misstep.core.objective import Limits
from misstep.core.roles import Decision, Toolbox
from misstep.core.scenario import Fault
from misstep.core.tape import Tape
from misstep.core.tool import JSON, Answer
from misstep.tools.assembly import assemble
from misstep.tools.checked import Checked
from misstep.tools.fault_kinds import FAULT_KINDS
from misstep.tools.faulty import Faulty
from misstep.tools.functions import Functions, tool
from misstep.tools.guarded import Guarded
from misstep.tools.mux import Mux
from misstep.tools.traced import Traced
from misstep.worlds import world_named


def notebook() -> Functions:
    """Fresh state each time."""
    notes: list[dict[str, JSON]] = []

    @tool(effect="writes")
    def add_note(text: str, tags: list[str], about: object = None) -> dict[str, JSON]:
        """Write a note down."""
        notes.append({"text": text, "tags": tags, "length": len(text) / 2})
        return notes[-1]

    @tool(effect="reads")
    async def list_notes(limit: int = 10) -> list[dict[str, JSON]]:
        """List the notes."""
        return notes[:limit]

    def tear_out(number: int) -> None:
        """Remove a note."""
        del notes[number]

    return Functions([add_note, list_notes, tear_out])


class Open:
    """A guardrail that lets everything through."""

    name = "open"

    def start(self) -> object:
        return 0

    def step(self, state: object, event: object) -> tuple[object, Decision]:
        return state, Decision()


def ping() -> str:
    return "pong"


_PARAMETERS: dict[str, dict[str, JSON]] = {
    kind: {"text": "Obey."} for kind in ("injected-instruction", "poisoned-description")
}


def faulty(kind: str, **when: Any) -> Toolbox:
    return Faulty(notebook(), [Fault(kind=kind, parameters=_PARAMETERS.get(kind, {}), **when)], seed=3)


BOXES: Mapping[str, Callable[[], Toolbox]] = {
    "functions": notebook,
    "shop": lambda: world_named("shop").make(1),
    "shop-renamed": lambda: world_named("shop-renamed").make(1),
    "desk": lambda: world_named("desk").make(1),
    "desk-renamed": lambda: world_named("desk-renamed").make(1),
    "checked": lambda: Checked(notebook()),
    "mux": lambda: Mux(notebook(), Functions([ping])),
    "traced": lambda: Traced(notebook(), Tape(), limits=Limits()),
    "guarded": lambda: Guarded(notebook(), [Open()], Tape()),
    "assembled": lambda: assemble(notebook(), tape=Tape(), guardrails=[Open()], faults=[Fault(kind="stale")]),
    **{f"faulty-{kind}": lambda kind=kind: faulty(kind) for kind in FAULT_KINDS},
    **{f"faulty-{kind}-sometimes": lambda kind=kind: faulty(kind, probability=0.5) for kind in FAULT_KINDS},
}

NOTE: dict[str, JSON] = {"text": "buy ink", "tags": ["shop"], "about": {"pens": [1, 2]}}
CALLS: tuple[tuple[str, dict[str, JSON]], ...] = (
    ("list_notes", {}),
    ("add_note", NOTE),
    ("list_notes", {"limit": 5}),
    ("add_note", {"text": 5}),
    ("tear_out", {"number": 7}),
    ("tear_out", {"number": 0}),
    ("list_notes", {}),
    ("nothing_like_it", {"a": 1}),
)


async def answered(box: Toolbox, name: str, arguments: Mapping[str, JSON]) -> Answer | str:
    try:
        return await box.call(name, arguments)
    except UnknownToolError as error:
        return str(error)


async def conversation(box: Toolbox) -> list[Answer | str]:
    offered = {each.name for each in await box.tools()}
    calls = list(CALLS) if "list_notes" in offered else [(name, {}) for name in sorted(offered)]
    return [await answered(box, name, arguments) for name, arguments in calls]


@pytest.fixture(params=sorted(BOXES))
def make(request: pytest.FixtureRequest) -> Callable[[], Toolbox]:
    return BOXES[request.param]


def test_the_list_of_tools_is_stable_and_its_names_are_distinct(make: Callable[[], Toolbox]) -> None:
    box = make()
    first, second = asyncio.run(box.tools()), asyncio.run(box.tools())

    assert list(first) == list(second) == list(asyncio.run(make().tools()))
    assert len({each.name for each in first}) == len(first)
    assert all(each.input_schema.get("type") == "object" for each in first)


def test_an_unknown_tool_raises_or_is_answered_with_an_error(make: Callable[[], Toolbox]) -> None:
    answer = asyncio.run(answered(make(), "nothing_like_it", {}))
    assert "There is no tool 'nothing_like_it'." in (answer if isinstance(answer, str) else str(answer.content))
    assert isinstance(answer, str) or answer.is_error


def test_arguments_are_never_changed(make: Callable[[], Toolbox]) -> None:
    box = make()
    for name, arguments in CALLS:
        given = copy.deepcopy(arguments)
        asyncio.run(answered(box, name, given))
        assert given == arguments


def test_every_answer_survives_json(make: Callable[[], Toolbox]) -> None:
    for answer in asyncio.run(conversation(make())):
        if isinstance(answer, Answer):
            assert msgspec.json.decode(msgspec.json.encode(answer), type=Answer) == answer


def test_the_same_calls_give_the_same_answers(make: Callable[[], Toolbox]) -> None:
    assert asyncio.run(conversation(make())) == asyncio.run(conversation(make()))


def test_a_faulted_answer_names_its_fault(make: Callable[[], Toolbox]) -> None:
    for answer in asyncio.run(conversation(make())):
        if isinstance(answer, Answer):
            assert (answer.served_by == "faulted") == (answer.fault is not None)
            assert answer.fault is None or answer.fault in FAULT_KINDS
