"""Several toolboxes as one."""

import asyncio
from typing import Any

import pytest

from misstep.core.errors import UnknownToolError, UsageError
from misstep.tools.functions import Functions
from misstep.tools.mux import Mux


def greet(name: str) -> str:
    return f"Hello, {name}"


def test_each_name_goes_to_the_toolbox_that_serves_it(till: Any) -> None:
    box = Mux(till, Functions([greet]))

    assert [tool.name for tool in asyncio.run(box.tools())] == ["add_sale", "list_sales", "greet"]
    assert asyncio.run(box.call("greet", {"name": "Ada"})).content == "Hello, Ada"
    assert asyncio.run(box.call("add_sale", {"amount": 1})).content == {"id": "s1", "amount": 1}
    with pytest.raises(UnknownToolError, match="Did you mean 'greet'"):
        asyncio.run(box.call("gret", {}))


def test_a_name_that_two_toolboxes_serve_is_refused_with_both_named(till: Any) -> None:
    with pytest.raises(UsageError, match=r"'greet' is in both toolbox 1 \(Functions\) and toolbox 3 \(Functions\)"):
        asyncio.run(Mux(Functions([greet]), till, Functions([greet])).tools())
