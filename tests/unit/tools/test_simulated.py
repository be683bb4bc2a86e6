"""Tools played from nothing but their schemas remember, stay true and never answer outside their schema."""

import asyncio
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from misstep.core.errors import InvalidTrialError, UnknownToolError
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.simulated import Simulated

TEXT: JSON = {"type": "string"}
WHOLE: JSON = {"type": "integer"}
STATE: JSON = {"type": "string", "enum": ["open", "closed"]}


def made(name: str, given: Mapping[str, JSON], *, optional: Mapping[str, JSON] | None = None, told: Any = None) -> Tool:
    properties = {**given, **(optional or {})}
    return Tool(name, "", {"type": "object", "properties": properties, "required": list(given)}, told)


TRACKER = [
    made("trk__createIssue", {"title": TEXT}, optional={"body": TEXT}),
    made("trk__getIssue", {"issue_number": WHOLE}),
    made("trk__listIssues", {}, optional={"state": STATE, "limit": WHOLE}),
    made("trk__searchIssues", {"query": TEXT}),
    made("trk__updateIssue", {"issue_number": WHOLE}, optional={"title": TEXT, "state": STATE}),
    made("trk__closeIssue", {"issue_number": WHOLE}),
    made("trk__deleteIssue", {"issue_number": WHOLE}),
    made("trk__addComment", {"issue_number": WHOLE, "body": TEXT}),
    made("trk__listComments", {"issue_number": WHOLE}),
]

THING: Any = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "The name of the node"},
        "kind": TEXT,
        "tags": {"type": "array", "items": TEXT},
    },
    "required": ["name", "kind", "tags"],
    "additionalProperties": False,
}
LINK: Any = {
    "type": "object",
    "properties": {
        "from": {**TEXT, "description": "The name of the node"},
        "to": {**TEXT, "description": "The name of the node"},
    },
    "required": ["from", "to"],
    "additionalProperties": False,
}


def listed(**kinds: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "array", "items": kind} for name, kind in kinds.items()},
        "required": list(kinds),
        "additionalProperties": False,
    }


DONE: Any = {
    "type": "object",
    "properties": {"success": {"type": "boolean"}, "count": WHOLE},
    "required": ["success", "count"],
    "additionalProperties": False,
}
GRAPH = [
    made("create_nodes", {"nodes": {"type": "array", "items": THING}}, told=listed(nodes=THING)),
    made("create_links", {"links": {"type": "array", "items": LINK}}, told=listed(links=LINK)),
    made(
        "add_tags",
        {
            "tags": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"nodeName": TEXT, "values": {"type": "array", "items": TEXT}},
                },
            }
        },
    ),
    made("delete_nodes", {"nodeNames": {"type": "array", "items": TEXT}}, told=DONE),
    made("read_all", {}, told=listed(nodes=THING, links=LINK)),
    made("open_nodes", {"names": {"type": "array", "items": TEXT}}, told=listed(nodes=THING, links=LINK)),
]


def run(box: Simulated, *calls: tuple[str, dict[str, JSON]]) -> list[Answer]:
    async def all_of_them() -> list[Answer]:
        return [await box.call(name, arguments) for name, arguments in calls]

    return asyncio.run(all_of_them())


def one(box: Simulated, name: str, **arguments: JSON) -> Any:
    [answer] = run(box, (name, arguments))
    assert not answer.is_error, answer.content
    assert answer.served_by == "simulated"
    return answer.content


def test_what_is_created_can_be_read_listed_found_changed_and_deleted() -> None:
    box = Simulated(TRACKER, seed=1)
    number = one(box, "trk__createIssue", title="Lamp is broken")["issue_number"]

    assert one(box, "trk__getIssue", issue_number=number)["title"] == "Lamp is broken"
    assert number in [each["issue_number"] for each in one(box, "trk__listIssues")["issues"]]
    assert [each["issue_number"] for each in one(box, "trk__searchIssues", query="lamp is")["issues"]] == [number]
    one(box, "trk__updateIssue", issue_number=number, title="Lamp works")
    assert one(box, "trk__getIssue", issue_number=number)["title"] == "Lamp works"
    one(box, "trk__deleteIssue", issue_number=number)
    assert run(box, ("trk__getIssue", {"issue_number": number}))[0].is_error
    assert number not in [each["issue_number"] for each in one(box, "trk__listIssues")["issues"]]


def test_there_is_something_to_work_with_at_the_start_and_it_stays_true() -> None:
    box = Simulated(TRACKER, seed=1)
    issues = one(box, "trk__listIssues")["issues"]

    assert len(issues) == 3
    assert [one(box, "trk__getIssue", issue_number=each["issue_number"]) for each in issues] == issues


def test_an_id_that_was_never_told_is_the_tools_own_error() -> None:
    for tool in ("getIssue", "updateIssue", "closeIssue", "deleteIssue"):
        [answer] = run(Simulated(TRACKER, seed=1), (f"trk__{tool}", {"issue_number": 7}))
        assert answer.is_error
        assert answer.content == "Issue '7' not found."


def test_a_verb_leaves_a_thing_in_the_state_that_its_schema_has_a_word_for() -> None:
    box = Simulated(TRACKER, seed=1)
    number = one(box, "trk__createIssue", title="a")["issue_number"]
    one(box, "trk__closeIssue", issue_number=number)

    assert one(box, "trk__getIssue", issue_number=number)["state"] == "closed"
    assert number in [each["issue_number"] for each in one(box, "trk__listIssues", state="closed")["issues"]]
    assert number not in [each["issue_number"] for each in one(box, "trk__listIssues", state="open")["issues"]]


def test_what_belongs_to_a_missing_thing_cannot_be_created() -> None:
    box = Simulated(TRACKER, seed=1)
    [answer] = run(box, ("trk__addComment", {"issue_number": 7, "body": "x"}))
    assert answer.is_error

    number = one(box, "trk__createIssue", title="a")["issue_number"]
    one(box, "trk__addComment", issue_number=number, body="mine")
    assert [each["body"] for each in one(box, "trk__listComments", issue_number=number)["comments"]] == ["mine"]


def test_a_failed_call_changes_nothing() -> None:
    box = Simulated(TRACKER, seed=1)
    before = box.snapshot()
    run(box, ("trk__getIssue", {"issue_number": 7}), ("trk__createIssue", {"title": 3}))
    assert box.snapshot() == before


def test_arguments_that_break_the_schema_are_refused() -> None:
    [answer] = run(Simulated(TRACKER, seed=1), ("trk__getIssue", {"issue_number": "seven"}))
    assert answer.is_error
    assert "must be a whole number" in str(answer.content)


def test_several_things_at_once_are_kept_by_their_names() -> None:
    box = Simulated(GRAPH, seed=1, records=0)
    lamp: JSON = {"name": "lamp", "kind": "light", "tags": []}
    one(box, "create_nodes", nodes=[lamp, {"name": "desk", "kind": "furniture", "tags": []}])
    one(box, "create_links", links=[{"from": "lamp", "to": "desk"}])
    one(box, "add_tags", tags=[{"nodeName": "lamp", "values": ["old"]}])

    assert one(box, "open_nodes", names=["lamp", "nothing"]) == {
        "nodes": [{"name": "lamp", "kind": "light", "tags": ["old"]}],
        "links": [{"from": "lamp", "to": "desk"}],
    }
    assert one(box, "create_nodes", nodes=[lamp]) == {"nodes": []}
    assert one(box, "delete_nodes", nodeNames=["lamp", "desk"]) == {"success": True, "count": 2}
    assert one(box, "read_all")["nodes"] == []


@pytest.mark.parametrize("seed", range(6))
def test_no_answer_is_outside_the_output_schema(seed: int) -> None:
    box = Simulated(GRAPH, seed=seed)
    calls: list[tuple[str, dict[str, JSON]]] = [
        ("read_all", {}),
        ("open_nodes", {"names": ["x"]}),
        ("create_nodes", {"nodes": [{"name": "x", "kind": "k", "tags": ["t"]}]}),
        ("create_links", {"links": [{"from": "x", "to": "y"}]}),
        ("delete_nodes", {"nodeNames": ["x"]}),
        ("read_all", {}),
    ]
    schemas = {tool.name: tool.output_schema for tool in GRAPH}
    for (name, _), answer in zip(calls, run(box, *calls), strict=True):
        assert not answer.is_error
        jsonschema_rs.validator_for(schemas[name]).validate(answer.content)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    def told(seed: int) -> bytes:
        box = Simulated(TRACKER, seed=seed)
        return msgspec.json.encode(
            run(box, ("trk__listIssues", {}), ("trk__createIssue", {"title": "a"}), ("trk__listIssues", {}))
        )

    assert told(1) == told(1)
    assert told(1) != told(2)


def test_a_state_that_is_put_back_is_the_state_again() -> None:
    box = Simulated(TRACKER, seed=1)
    before = box.snapshot()
    number = one(box, "trk__createIssue", title="a")["issue_number"]
    assert box.snapshot() != before

    box.restore(before)
    assert box.snapshot() == before
    assert run(box, ("trk__getIssue", {"issue_number": number}))[0].is_error


def test_a_question_that_no_tool_tells_of_always_gets_the_same_answer() -> None:
    box = Simulated([made("get_weather", {"city": TEXT}), made("convert", {"amount": WHOLE, "to": TEXT})], seed=1)
    assert one(box, "get_weather", city="Cork") == one(box, "get_weather", city="Cork")
    assert one(box, "get_weather", city="Cork") != one(box, "get_weather", city="Ghent")


def test_what_there_is_one_of_can_be_read_and_changed() -> None:
    box = Simulated([made("get_settings", {}), made("update_settings", {}, optional={"theme": TEXT})], seed=1)
    one(box, "update_settings", theme="dark")
    assert one(box, "get_settings")["theme"] == "dark"


def test_what_was_sent_is_among_what_can_be_listed() -> None:
    tools = [
        made("sendEmail", {"to": TEXT, "subject": TEXT}),
        made("listEmails", {}),
        made("getEmail", {"emailId": TEXT}),
    ]
    box = Simulated(tools, seed=1)
    sent = one(box, "sendEmail", to="ada@mail.example", subject="Hi")

    assert sent["status"] == "sent"
    assert one(box, "getEmail", emailId=sent["emailId"])["subject"] == "Hi"
    assert sent["emailId"] in [each["emailId"] for each in one(box, "listEmails")["emails"]]


def test_an_answer_to_a_message_is_a_message_of_its_own_and_needs_the_first() -> None:
    tools = [
        made("send_mail", {"text": TEXT}),
        made("reply_to_mail", {"mail_id": TEXT, "text": TEXT}),
        made("read_mail", {"mail_id": TEXT}),
    ]
    box = Simulated(tools, seed=1)
    first = one(box, "send_mail", text="Hi")["mail_id"]
    answer = one(box, "reply_to_mail", mail_id=first, text="Hi yourself")["mail_id"]

    assert answer != first
    assert one(box, "read_mail", mail_id=answer)["text"] == "Hi yourself"
    assert run(box, ("reply_to_mail", {"mail_id": "nobody's", "text": ""}))[0].is_error


def test_what_is_saved_again_is_overwritten_and_what_is_created_again_is_refused() -> None:
    for verb, refused in (("save", False), ("create", True)):
        tools = [made(f"{verb}_page", {"page_name": TEXT, "text": TEXT}), made("get_page", {"page_name": TEXT})]
        box = Simulated(tools, seed=1)
        one(box, f"{verb}_page", page_name="a", text="first")
        [again] = run(box, (f"{verb}_page", {"page_name": "a", "text": "second"}))
        assert again.is_error is refused
        assert one(box, "get_page", page_name="a")["text"] == ("first" if refused else "second")


def test_a_behaviour_of_ones_own_is_a_few_lines() -> None:
    def close(state: Any, arguments: dict[str, Any]) -> object:
        record = state["issue"][str(arguments["issue_number"])]
        if record["title"] == "locked":
            raise ValueError("This one is locked.")
        state["issue"][str(arguments["issue_number"])] = {**record, "state": "closed", "by": "me"}
        return {"closed": True}

    box = Simulated(TRACKER, seed=1, behaviours={"trk__closeIssue": close})
    free, locked = (one(box, "trk__createIssue", title=title)["issue_number"] for title in ("free", "locked"))
    assert one(box, "trk__closeIssue", issue_number=free) == {"closed": True}
    assert one(box, "trk__getIssue", issue_number=free)["by"] == "me"
    [answer] = run(box, ("trk__closeIssue", {"issue_number": locked}))
    assert (answer.is_error, answer.content) == (True, "This one is locked.")


def test_a_behaviour_for_a_tool_that_is_not_there_is_said() -> None:
    with pytest.raises(UnknownToolError, match="closeIssu"):
        Simulated(TRACKER, seed=1, behaviours={"trk__closeIssu": lambda state, arguments: None})


def test_a_behaviour_that_returns_no_json_is_our_error() -> None:
    box = Simulated(TRACKER, seed=1, behaviours={"trk__listIssues": lambda state, arguments: object()})
    with pytest.raises(InvalidTrialError) as caught:
        run(box, ("trk__listIssues", {}))
    assert caught.value.blame == "tool-simulator"


def test_a_tool_that_is_not_there_is_unknown() -> None:
    with pytest.raises(UnknownToolError):
        run(Simulated(TRACKER, seed=1), ("nothing_like_it", {}))


def test_a_behaviour_that_breaks_the_output_schema_is_our_error() -> None:
    schema: dict[str, JSON] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    box = Simulated([Tool("count_things", "Count.", {}, schema)], seed=1, behaviours={"count_things": lambda _, __: {}})
    with pytest.raises(InvalidTrialError, match=r"output schema does not allow: \{\}"):
        asyncio.run(box.call("count_things", {}))
