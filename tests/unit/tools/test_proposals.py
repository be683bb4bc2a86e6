"""What is proposed is safe, keeps servers whole, and leaves alone what a person has said."""

from misstep.core.tool import JSON, Tool
from misstep.tools.proposals import accepted, propose
from misstep.tools.routing import Route, RouteRule, Routing, digest_of, routing_from

TEXT: JSON = {"type": "string"}
READ, LIST = Tool("read_file", effect="reads"), Tool("list_notes", effect="reads")
WRITE, SEND = Tool("write_file", effect="writes"), Tool("send_mail", effect="reaches-outside")
SHELL = Tool("run_command", "Run a shell command.", {"properties": {"command": TEXT}, "required": ["command"]})


def routes(servers: dict[str, list[Tool]], routing: Routing | None = None) -> dict[str, Route]:
    owners = {tool.name: server for server, tools in servers.items() for tool in tools}
    tools = [tool for each in servers.values() for tool in each]
    return {each.tool.name: each.route for each in propose(tools, routing or Routing(), {}, owners)}


def test_only_what_reads_and_reaches_nowhere_is_proposed_as_real() -> None:
    assert routes({"a": [READ, SEND]}) == {"read_file": "real", "send_mail": "simulated"}
    assert routes({"a": [WRITE]}) == {"write_file": "simulated"}


def test_a_server_that_also_writes_is_not_split_in_two() -> None:
    assert routes({"a": [READ, WRITE, SEND], "b": [LIST]}) == {
        "read_file": "overlay",
        "write_file": "overlay",
        "send_mail": "simulated",
        "list_notes": "real",
    }


def test_what_runs_whatever_it_is_given_is_never_laid_over_what_is_real() -> None:
    assert routes({"a": [READ, SHELL]}) == {"read_file": "overlay", "run_command": "simulated"}


def test_what_a_person_wrote_is_kept_and_not_written_again() -> None:
    routing = routing_from({"write_*": "denied", "read_file": "overlay"}, place="x")
    found = propose([READ, WRITE, LIST], routing, {}, {})
    assert [(each.route, each.decided) for each in found] == [("overlay", True), ("denied", True), ("overlay", False)]
    assert [rule.pattern for rule in accepted(found)] == ["list_notes"]


def test_what_was_accepted_of_an_older_tool_is_proposed_anew_unless_it_was_denied() -> None:
    old = "0" * 32
    routing = Routing((RouteRule("read_file", "real", old), RouteRule("list_notes", "denied", old)))
    found = propose([READ, LIST], routing, {}, {})
    assert [(each.now, each.route, each.decided) for each in found] == [
        ("simulated", "real", False),
        ("denied", "denied", True),
    ]
    assert accepted(found) == (RouteRule("read_file", "real", digest_of(READ)),)
