import io

import pytest
from rich.console import Console
from rich.text import Text

from misstep.reporting.tables import Column, Trimmed, table

COLUMNS = (Column("Name"), Column("n", right=True), Column("extra", drop=1), Column("why", least=10))
ROWS = [[Text("a-long-name"), Text("12"), Text("something"), Text("because of this and that")], [Text("b"), Text("3")]]


def printed(width: int) -> str:
    out = io.StringIO()
    Console(file=out, width=width).print(Trimmed(table(COLUMNS, ROWS)))
    return out.getvalue()


def test_all_columns_stand_side_by_side_where_there_is_room():
    assert printed(80).splitlines()[1] == "a-long-name  12  something  because of this and that"


def test_a_long_column_is_folded_before_another_drops_out():
    text = printed(42)
    assert "something" in text
    assert max(map(len, text.splitlines())) <= 42


def test_the_column_that_matters_least_drops_out_first():
    text = printed(30)
    assert "something" not in text
    assert "because" in text


@pytest.mark.parametrize("width", [14, 20])
def test_rows_are_stacked_where_nothing_more_can_drop_out(width):
    lines = printed(width).splitlines()
    assert lines[:2] == ["Name", "a-long-name"]
    assert lines[2].startswith("  n 12")
    assert max(map(len, lines)) <= width
