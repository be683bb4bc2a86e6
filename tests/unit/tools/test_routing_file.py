"""Accepting a routing adds to a settings file, and changes nothing that somebody wrote there."""

import tomllib

import pytest

from misstep.core.errors import UsageError
from misstep.tools.routing import RouteRule, routing_from
from misstep.tools.routing_file import with_rules

RULE = RouteRule("read_file", "real", "ab12")
LINE = '"read_file" = { route = "real", digest = "ab12" }'


def test_a_file_without_a_routing_gets_one() -> None:
    assert with_rules("", [RULE]) == f"[routing]\n{LINE}\n"
    assert with_rules('tools = "mcp.json"\n', [RULE]) == f'tools = "mcp.json"\n\n[routing]\n{LINE}\n'


def test_comments_other_rules_and_other_tables_stay() -> None:
    text = '# mine\n[routing] # by hand\n# never\n"delete_*" = "denied" # really\n\n[chat]\nrounds = 3 # few\n'
    made = with_rules(text, [RULE])
    assert made == text.replace("# really\n", f"# really\n{LINE}\n")


def test_an_older_rule_for_the_same_name_is_replaced_where_it_stood() -> None:
    text = '[routing]\nread_file = { route = "simulated", digest = "00" } # once\n"a*" = "denied"\n'
    assert with_rules(text, [RULE]) == f'[routing]\n{LINE} # once\n"a*" = "denied"\n'


def test_a_table_in_another_tables_file_is_written_under_its_own_name() -> None:
    text = '[tool.misstep]\ntools = "mcp.json"\n\n[tool.other]\nx = 1\n'
    made = with_rules(text, [RULE], table="tool.misstep.routing")
    assert tomllib.loads(made)["tool"]["misstep"]["routing"]["read_file"]["route"] == "real"
    assert made.startswith(text)


@pytest.mark.parametrize("text", ['routing = { a = "real" }\n', 'routing.a = "real"\n', "x = \n"])
def test_a_layout_that_cannot_be_added_to_is_left_alone_with_the_lines_to_write(text: str) -> None:
    with pytest.raises(UsageError, match="read_file"):
        with_rules(text, [RULE])


@pytest.mark.parametrize("name", ['a"b', "a\nb", "\x1b[31m", "\u202eabc", "😀", "\x7f", "a\\b", "*"])
def test_whatever_a_tool_is_called_its_rule_is_read_as_it_was_written(name: str) -> None:
    made = with_rules("", [RouteRule(name, "simulated", "ab")])
    assert routing_from(tomllib.loads(made)["routing"], place="x").rules == (RouteRule(name, "simulated", "ab"),)
    assert made.replace("\n", "").isprintable()
