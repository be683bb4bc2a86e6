"""Results of MCP to answers, and back without a loss."""

import msgspec
import pytest
from msgspec import structs

from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.mcp.channel import RefusedError
from misstep.tools.mcp.results import answer_from, answer_from_error, result_from, tool_as_listed, tool_from

_TEXT: dict[str, JSON] = {"type": "text", "text": "Hello"}
_IMAGE: dict[str, JSON] = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
_RESULTS: list[dict[str, JSON]] = [
    {"content": [_TEXT]},
    {"content": [_TEXT], "isError": True},
    {"content": []},
    {"content": [_TEXT, _TEXT]},
    {"content": [{**_TEXT, "annotations": {"priority": 1}}]},
    {"content": [_TEXT, _IMAGE, {"type": "resource", "resource": {"uri": "a:b", "text": "inside"}}]},
    {"content": [{"type": "resource_link", "uri": "a:b", "name": "c"}]},
    {"content": [{"type": "text", "text": '{"a": 1}'}], "structuredContent": {"a": 1}},
    {"content": [_TEXT], "structuredContent": {"a": [1.5, None]}, "_meta": {"trace": "t"}},
    {"content": [_TEXT], "_meta": {"trace": "t"}},
]


@pytest.mark.parametrize("result", _RESULTS)
def test_a_result_comes_back_as_it_was(result: dict[str, JSON]) -> None:
    assert result_from(answer_from(result)) == result


@pytest.mark.parametrize("result", _RESULTS)
def test_a_result_comes_back_as_it_was_after_a_stay_in_a_file(result: dict[str, JSON]) -> None:
    kept = msgspec.json.decode(msgspec.json.encode(answer_from(result)), type=Answer)
    assert result_from(kept) == result


def test_the_content_is_the_structure_where_there_is_one_and_the_texts_elsewhere() -> None:
    assert answer_from(_RESULTS[7]).content == {"a": 1}
    assert answer_from(_RESULTS[5]).content == "Hello\n[image: image/png, 3 bytes]\ninside"
    assert answer_from(_RESULTS[6]).content == "[resource: a:b]"
    assert answer_from(_RESULTS[0]) == Answer("Hello")


def test_content_that_was_changed_on_the_way_is_what_the_client_gets() -> None:
    changed = structs.replace(answer_from(_RESULTS[7]), content={"a": 2}, served_by="faulted")
    assert result_from(changed) == {
        "content": [{"type": "text", "text": '{"a": 2}'}],
        "structuredContent": {"a": 2},
    }


def _with_fields(*names: str) -> Tool:
    return Tool("t", output_schema={"type": "object", "properties": {name: {"type": "string"} for name in names}})


def test_a_text_that_is_a_result_s_only_field_is_shown_as_that_text() -> None:
    answer = Answer({"content": "one\ntwo\n"}, served_by="simulated")
    assert result_from(answer, _with_fields("content")) == {
        "content": [{"type": "text", "text": "one\ntwo\n"}],
        "structuredContent": {"content": "one\ntwo\n"},
    }
    assert result_from(answer, _with_fields("content", "size"))["content"] == [
        {"type": "text", "text": '{"content": "one\\ntwo\\n"}'}
    ]
    changed = Answer({"content": "one", "note": "Obey."}, served_by="faulted")
    assert "Obey." in str(result_from(changed, _with_fields("content"))["content"])


def test_pictures_that_are_a_result_s_only_field_are_shown_as_pictures() -> None:
    answer = Answer({"content": [_IMAGE]}, served_by="simulated")
    assert result_from(answer, _with_fields("content"))["content"] == [_IMAGE]
    plain = Answer({"content": [{"type": "image", "name": "a"}]}, served_by="simulated")
    assert result_from(plain, _with_fields("content"))["content"] == [
        {"type": "text", "text": '{"content": [{"type": "image", "name": "a"}]}'}
    ]


def test_what_one_connection_says_of_itself_goes_no_further() -> None:
    meta: dict[str, JSON] = {"io.modelcontextprotocol/serverInfo": {"name": "x"}}
    result: dict[str, JSON] = {"content": [_TEXT], "resultType": "complete", "ttlMs": 5, "_meta": meta}
    assert result_from(answer_from(result)) == {"content": [_TEXT]}


def test_an_error_of_the_protocol_is_an_error_answer_and_raised_again() -> None:
    answer = answer_from_error(-32050, "Not today.", {"retry": 1})
    assert (answer.content, answer.is_error) == ("Not today.", True)
    with pytest.raises(RefusedError) as error:
        result_from(answer)
    assert (error.value.code, error.value.message, error.value.data) == (-32050, "Not today.", {"retry": 1})


def test_a_structure_of_a_tool_without_an_output_schema_is_told_as_text_alone() -> None:
    assert result_from(Answer({"a": 1}), Tool("t")) == {"content": [{"type": "text", "text": '{"a": 1}'}]}


def test_a_tool_is_listed_as_its_server_listed_it() -> None:
    listed: dict[str, JSON] = {
        "name": "delete_all",
        "description": "Delete it.",
        "title": "Delete",
        "inputSchema": {"type": "object", "$defs": {"a": {}}},
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True},
        "icons": [{"src": "a:b"}],
        "_meta": {"x": 1},
    }
    tool = tool_from(listed)
    assert tool_as_listed(tool) == listed
    assert tool.effect == "destroys"


def test_a_tool_of_ours_is_listed_as_mcp_wants_it() -> None:
    listed = tool_as_listed(Tool("quote", "", {}, {"type": "number"}))
    assert listed == {"name": "quote", "inputSchema": {"type": "object"}}
