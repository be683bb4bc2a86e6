"""Names that several servers share."""

import pytest

from misstep.core.errors import UsageError
from misstep.tools.mcp.names import fits_template, merged, told_apart


def test_a_name_that_one_server_has_stays_as_it_is() -> None:
    assert told_apart([("files", "read"), ("web", "fetch")]) == {"read": ("files", "read"), "fetch": ("web", "fetch")}


def test_a_name_that_two_servers_have_is_joined_to_each_servers() -> None:
    assert told_apart([("a", "read"), ("a", "write"), ("my server", "read")]) == {
        "a__read": ("a", "read"),
        "write": ("a", "write"),
        "my_server__read": ("my server", "read"),
    }


def test_a_joined_name_that_meets_another_is_told_apart_again() -> None:
    shown = told_apart([("a", "read"), ("b", "read"), ("c", "a__read")])
    assert shown == {"a__read": ("a", "read"), "b__read": ("b", "read"), "c__a__read": ("c", "a__read")}


def test_a_name_that_a_server_lists_twice_counts_once() -> None:
    assert list(told_apart([("a", "read"), ("a", "read")])) == ["read"]


def test_servers_whose_names_cannot_be_told_apart_are_named() -> None:
    offers = [("a b", "read"), ("a_b", "read")]
    with pytest.raises(UsageError, match="'a b' and 'a_b' both come to offer 'a_b__read'"):
        told_apart(offers)


@pytest.mark.parametrize(
    ("template", "uri", "fitting"),
    [
        ("test://{id}/data", "test://1/data", True),
        ("test://{id}/data", "test://1/2/data", False),
        ("file:///{+path}", "file:///a/b/c", True),
        ("test://a.b", "test://axb", False),
    ],
)
def test_an_address_fits_a_template_or_not(template: str, uri: str, fitting: bool) -> None:
    assert fits_template(template, uri) is fitting


def test_capabilities_are_what_any_server_can() -> None:
    whole = merged([{"tools": {"listChanged": False}}, {"tools": {"listChanged": True}, "logging": {}}])
    assert whole == {"tools": {"listChanged": True}, "logging": {}}
