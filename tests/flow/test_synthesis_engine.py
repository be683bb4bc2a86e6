"""Tools by others → tasks: a file server, a memory, a tracker, plain functions, and schemas of every odd kind."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from misstep.core.roles import Toolbox
from misstep.core.scenario import Scenario
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Effect, Tool
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.checking import met, objective_of
from misstep.synthesis.tasks.controls import told_values
from misstep.synthesis.tasks.tasking import Tasks, tasks_of
from misstep.tools.functions import Functions, tool
from misstep.tools.simulators import simulator_for

TEXT: dict[str, JSON] = {"type": "string"}


def made(name: str, effect: Effect, properties: dict[str, Any], optional: Sequence[str] = ()) -> Tool:
    required = [each for each in properties if each not in optional]
    return Tool(name, "", {"type": "object", "properties": properties, "required": required}, effect=effect)


def listed(item: JSON) -> dict[str, JSON]:
    return {"type": "array", "items": item}


def shaped(**properties: JSON) -> dict[str, JSON]:
    return {"type": "object", "properties": properties, "required": list(properties)}


FILES = [
    made("read_text_file", "reads", {"path": TEXT, "head": {"type": "number"}}, ["head"]),
    made("write_file", "destroys", {"path": TEXT, "content": TEXT}),
    made("edit_file", "destroys", {"path": TEXT, "edits": listed(shaped(oldText=TEXT, newText=TEXT))}),
    made("create_directory", "writes", {"path": TEXT}),
    made("list_directory", "reads", {"path": TEXT}),
    made("move_file", "destroys", {"source": TEXT, "destination": TEXT}),
]
ENTITY = shaped(name={**TEXT, "description": "The name of the entity"}, entityType=TEXT, observations=listed(TEXT))
RELATION = shaped(**{"from": TEXT, "to": TEXT}, relationType=TEXT)
WHOLE = shaped(entities=listed(ENTITY), relations=listed(RELATION))
MEMORY = [
    made("create_entities", "writes", {"entities": listed(ENTITY)}),
    made("create_relations", "writes", {"relations": listed(RELATION)}),
    made("add_observations", "writes", {"observations": listed(shaped(entityName=TEXT, contents=listed(TEXT)))}),
    made("delete_entities", "destroys", {"entityNames": listed(TEXT)}),
    Tool("read_graph", "", shaped(), WHOLE, "reads"),
    Tool("search_nodes", "", shaped(query=TEXT), WHOLE, "reads"),
    Tool("open_nodes", "", shaped(names=listed(TEXT)), WHOLE, "reads"),
]
NUMBER: dict[str, JSON] = {"type": "integer"}
STATE: dict[str, JSON] = {"type": "string", "enum": ["open", "closed"]}
TRACKER = [  # Nobody says what these do: all count as destroying.
    made("createIssue", "destroys", {"title": TEXT, "body": TEXT}, ["body"]),
    made("getIssue", "destroys", {"issue_number": NUMBER}),
    made("listIssues", "destroys", {"state": STATE}, ["state"]),
    made("searchIssues", "destroys", {"query": TEXT}),
    made("updateIssue", "destroys", {"issue_number": NUMBER, "title": TEXT, "state": STATE}, ["title", "state"]),
    made("closeIssue", "destroys", {"issue_number": NUMBER}),
    made("deleteIssue", "destroys", {"issue_number": NUMBER}),
    made("addComment", "destroys", {"issue_number": NUMBER, "body": TEXT}),
    made("listComments", "destroys", {"issue_number": NUMBER}),
]


def simulated(tools: Sequence[Tool], records: int = 3) -> Callable[[int], Toolbox]:
    return lambda seed: simulator_for(tools, seed=seed, records=records)


async def proven(make: Callable[[int], Toolbox], tasks: Sequence[Task]) -> None:
    """Each task is met by its plan on a toolbox of its own, and by none of its controls."""
    for task in tasks:
        scenario = Scenario(name=task.id, seed=task.seed, given=task.given, objective=objective_of(task))
        scene = make(task.seed)
        assert not [each for each in task.given if (await scene.call(each.tool, each.arguments)).is_error], task.id
        assert await met(make, scenario, task.steps, told_values(task)) == (), task.id
        for control in task.controls:
            assert await met(make, scenario, control.steps, control.tells), (task.id, control.name)


def synthesized(make: Callable[[int], Toolbox], count: int = 60) -> Tasks:
    found = asyncio.run(tasks_of(make, seed=0, count=count))
    asyncio.run(proven(make, found.tasks))
    return found


@pytest.mark.parametrize(
    ("tools", "records"),
    [(FILES, 3), (MEMORY, 3), (MEMORY, 0), (TRACKER, 3), (TRACKER, 0)],
    ids=["files", "memory", "empty-memory", "tracker", "empty-tracker"],
)
def test_tools_by_others_are_reached_and_their_tasks_proven(tools: list[Tool], records: int) -> None:
    found = synthesized(simulated(tools, records=records))
    assert len(found.tasks) >= 30
    assert len(found.unreached) <= 1, found.unreached


def test_there_are_dependent_chains_where_tools_feed_each_other() -> None:
    for tools in (MEMORY, TRACKER):
        tasks = synthesized(simulated(tools)).tasks
        assert sum(any(step.after for step in task.steps) for task in tasks) >= 5


LOOKING = [made("search_files", "reads", {"path": TEXT, "pattern": TEXT})]


def test_a_path_that_is_searched_for_goes_into_the_tools_that_take_one() -> None:
    tasks = synthesized(simulated([*FILES, *LOOKING])).tasks
    chains = [task for task in tasks if any(step.after for step in task.steps)]
    assert {task.steps[-1].tool for task in chains} >= {"read_text_file", "move_file"}
    assert all(task.steps[0].tool == "search_files" for task in chains)


COMMITS = {
    "9f2c1ab": ("Mira Holt", "2026-03-01", "Add the parser"),
    "4be77d0": ("Jon Abel", "2026-03-04", "Fix the lexer"),
    "c01d5e2": ("Mira Holt", "2026-03-09", "Drop the old index"),
    "77aa310": ("Ada Vik", "2026-03-12", "Rename the tables"),
}


@tool(effect="reads")
def git_log() -> str:
    """Shows the commit logs."""
    blocks = [
        f"Commit: '{key}'\nAuthor: {who}\nDate: {day}\nMessage: {what}" for key, (who, day, what) in COMMITS.items()
    ]
    return "Commit history:\n" + "\n\n".join(blocks)


@tool(effect="reads")
def git_show(revision: str) -> dict[str, JSON]:
    """Shows how many lines a commit changes."""
    return {"revision": revision, "lines": 17 * list(COMMITS).index(revision) + 12}


def test_a_hash_in_the_text_of_a_log_goes_into_the_tool_that_shows_a_commit() -> None:
    tasks = synthesized(lambda seed: Functions([git_log, git_show]), count=30).tasks
    assert any([step.tool for step in task.steps] == ["git_log", "git_show"] for task in tasks)


def test_what_sets_the_scene_does_not_stand_in_its_own_way() -> None:
    tasks = synthesized(lambda seed: simulator_for(FILES, seed=seed, roots=["/data"])).tasks
    assert any(len({each.tool for each in task.given}) == 2 for task in tasks)


def test_a_toolbox_that_starts_empty_is_given_something_to_work_on() -> None:
    found = synthesized(simulated(TRACKER, records=0))
    closing = [task for task in found.tasks if task.tool == "closeIssue"]
    assert closing
    assert all(task.given and {each.tool for each in task.given} == {"createIssue"} for task in closing)


BOOKS = [{"book_id": f"B-{at}", "title": f"Volume {at * at}", "author_id": f"A-{at % 4}"} for at in range(16)]


@tool(effect="reads")
def authors() -> list[dict[str, str]]:
    """The authors that there are."""
    return [
        {"author_id": f"A-{at}", "name": name} for at, name in enumerate(("Ada Vik", "Bo Lund", "Cy Moss", "Di Ek"))
    ]


@tool(effect="reads")
def books(author_id: str) -> list[dict[str, str]]:
    """The books of an author."""
    return [book for book in BOOKS if book["author_id"] == author_id]


@tool(effect="reads")
def price_abroad(euros: float, currency: str) -> float:
    """What a price in euros is elsewhere."""
    return round(euros * (2 + len(currency)), 2)


@tool(effect="writes")
def order(book_id: str, copies: int) -> None:
    """Order copies of a book."""
    raise AssertionError(f"{copies} of {book_id} were ordered, and nobody can take that back")


def test_functions_without_a_state_are_only_read_and_still_make_tasks() -> None:
    found = synthesized(lambda _: Functions([authors, books, price_abroad, order]), count=40)
    assert found.unreached == {}
    orders = [task for task in found.tasks if task.tool == "order"]
    assert {len(task.steps) for task in orders} & {2, 3}
    assert not any(task.stateful for task in found.tasks)


def odd_tools() -> list[Tool]:
    node = shaped(label=TEXT, children=listed({"$ref": "#/$defs/node"}))
    deep = shaped(a=shaped(b=shaped(c=listed({"type": "object", "properties": {"d": {"oneOf": [TEXT, NUMBER]}}}))))
    odd: list[Tool] = []
    for at in range(60):
        properties: dict[str, JSON] = {
            f"名前{at % 7}": TEXT,
            "größe": {"anyOf": [NUMBER, {"type": "null"}]},
            "tree": {"$ref": "#/$defs/node"},
            "deep": deep,
        }
        required = [f"名前{at % 7}", "deep", *(["tree"] if at % 3 == 0 else [])]
        schema: dict[str, JSON] = {
            "type": "object",
            "$defs": {"node": node},
            "properties": properties,
            "required": required,
        }
        odd.append(Tool(f"ツール_{at}", "", schema))
    odd += [Tool(f"bare_{at}") for at in range(20)]
    maybe: dict[str, JSON] = {"type": ["string", "null"]}
    odd += [made(f"open_{at}", "reads", {"x": {"description": "Any text."}, "y": maybe}, ["y"]) for at in range(20)]
    odd += [made(f"untold_{at}", "reads", {"x": True, "y": maybe}, ["y"]) for at in range(20)]
    return odd


def test_a_hundred_odd_tools_are_survived_and_reached_where_there_is_a_plan() -> None:
    found = asyncio.run(tasks_of(simulated(odd_tools()), seed=0, count=160))
    assert len(found.tasks) == 160
    assert {name.partition("_")[0] for name in found.unreached} == {"bare", "untold"}


INNS = (
    ("Oak Inn", "Graz", 80.0),
    ("Elm House", "Graz", 95.0),
    ("Ash Lodge", "Linz", 70.0),
    ("Fir Court", "Linz", 60.0),
)
GUESTS = ("Ada Vik", "Bo Lund", "Cy Moss")


class Inns:
    """Answers in texts, bare values and objects under what was asked; its lists are kept by place."""

    def __init__(self) -> None:
        inns = [{"name": name, "town": town, "price": price} for name, town, price in INNS]
        self._state: dict[str, dict[str, Mapping[str, JSON]]] = {
            "inns": {str(at): inn for at, inn in enumerate(inns)},
            "guests": {str(at): {"value": guest} for at, guest in enumerate(GUESTS)},
            "events": {"E-1": {"event_id": "E-1", "title": "Choir", "starts": "2025-05-02T18:00:00"}},
            "stays": {},
        }

    async def tools(self) -> Sequence[Tool]:
        when: dict[str, JSON] = {**TEXT, "description": "When it starts. Must be in format YYYY-MM-DD HH:MM."}
        return [
            made("balance", "reads", {}),
            made("list_guests", "reads", {}),
            made("inns_in_town", "reads", {"town": TEXT}),
            made("get_inn_prices", "reads", {"inn_names": listed(TEXT)}),
            made("book_inn", "writes", {"inn": TEXT, "guest": TEXT, "start": when}),
        ]

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        inns = list(self._state["inns"].values())
        guests = [row["value"] for row in self._state["guests"].values()]
        match tool:
            case "balance":
                return Answer(1810.0)
            case "list_guests":
                return Answer(guests)
            case "inns_in_town":
                named = [str(inn["name"]) for inn in inns if inn["town"] == arguments["town"]]
                return Answer("\n".join(["Inns:", *named]))
            case "get_inn_prices":
                return Answer({inn["name"]: inn["price"] for inn in inns if inn["name"] in arguments["inn_names"]})
            case _:
                return self._booked(arguments, guests)

    def _booked(self, arguments: Mapping[str, Any], guests: Sequence[JSON]) -> Answer:
        if arguments["guest"] not in guests:
            return Answer(f"Guest {arguments['guest']} is not in the list of guests", is_error=True)
        if not re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", arguments["start"]):
            return Answer(f"{arguments['start']} does not match format '%Y-%m-%d %H:%M'", is_error=True)
        key = f"S-{len(self._state['stays']) + 1}"
        self._state = {**self._state, "stays": {**self._state["stays"], key: {"stay_id": key, **arguments}}}
        return Answer("Booked.")

    def snapshot(self) -> State:
        return self._state

    def restore(self, state: State) -> None:
        self._state = {table: dict(rows) for table, rows in state.items()}


def test_bare_values_texts_and_lists_by_place_are_asked_about_and_lead_to_acts() -> None:
    found = synthesized(lambda _: Inns(), count=60)
    assert found.unreached == {}
    asked = {task.tool: task for task in found.tasks if task.kind == "question"}
    assert (asked["balance"].wants, told_values(asked["balance"])) == ("balance", (1810.0,))
    assert set(told_values(asked["list_guests"])) == set(GUESTS)
    plans = {tuple(step.tool for step in task.steps) for task in found.tasks if task.tool == "book_inn"}
    assert ("inns_in_town", "get_inn_prices", "book_inn") in plans
    assert all(task.tool != "book_inn" for task in found.tasks if task.kind == "question")
