"""SQL runs on tables in memory, and reaches no file."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.records.sql_tables import SqlTables, sql_tools

QUERY: dict[str, JSON] = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
TABLE: dict[str, JSON] = {
    "type": "object",
    "properties": {"table_name": {"type": "string"}},
    "required": ["table_name"],
}
TOOLS = [
    Tool("query", "Run SQL on the database.", QUERY),
    Tool("list_tables", "List the tables.", {"type": "object"}),
    Tool("describe_table", "The columns of a table.", TABLE),
]


def ask(box: SqlTables, statement: str) -> Answer:
    return asyncio.run(box.call("query", {"query": statement}))


def rows(box: SqlTables, statement: str) -> Any:
    answer = ask(box, statement)
    assert not answer.is_error, answer.content
    return answer.content


def test_what_was_inserted_is_selected_changed_and_deleted() -> None:
    box = SqlTables(TOOLS)
    rows(box, "CREATE TABLE pens (id INTEGER PRIMARY KEY, colour TEXT)")
    assert rows(box, "INSERT INTO pens (colour) VALUES ('red'), ('blue')") == {"affected_rows": 2}
    assert rows(box, "UPDATE pens SET colour = 'green' WHERE id = 1") == {"affected_rows": 1}
    assert rows(box, "SELECT * FROM pens") == [{"id": 1, "colour": "green"}, {"id": 2, "colour": "blue"}]
    assert rows(box, "DELETE FROM pens") == {"affected_rows": 2}


def test_there_are_tables_to_work_with_and_they_can_be_described() -> None:
    box = SqlTables(TOOLS)
    assert asyncio.run(box.call("list_tables", {})).content == ["customers", "orders"]
    columns: Any = asyncio.run(box.call("describe_table", {"table_name": "customers"})).content
    assert [column["name"] for column in columns] == ["id", "name", "email", "city"]
    assert asyncio.run(box.call("describe_table", {"table_name": "none"})).is_error


@pytest.mark.parametrize(
    "statement",
    [
        "ATTACH DATABASE '{}/x.db' AS x",
        "VACUUM INTO '{}/x.db'",
        "PRAGMA temp_store_directory = '{}'",
        "SELECT load_extension('{}/x')",
        "SELECT writefile('{}/x.db', 'a')",
    ],
)
def test_no_statement_reaches_a_file(statement: str, tmp_path: Path) -> None:
    assert ask(SqlTables(TOOLS), statement.format(tmp_path)).is_error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("statement", ["SELEC 1", "SELECT * FROM nothing", "INSERT INTO customers VALUES (1)", ""])
def test_what_is_no_sql_is_the_databases_own_error(statement: str) -> None:
    box = SqlTables(TOOLS)
    before = box.snapshot()
    answer = ask(box, statement)
    assert answer.is_error or answer.content == {"affected_rows": 0}
    assert box.snapshot() == before


def test_a_query_that_never_ends_is_ended() -> None:
    endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t"
    assert ask(SqlTables(TOOLS), endless).is_error


def test_time_stands_still_and_chance_comes_from_the_seed() -> None:
    statement = "SELECT CURRENT_TIMESTAMP AS a, date('now', '+1 day') AS b, time() AS c, random() AS d"
    first, again = rows(SqlTables(TOOLS, seed=4), statement), rows(SqlTables(TOOLS, seed=4), statement)
    assert first == again
    assert (first[0]["a"], first[0]["b"], first[0]["c"]) == ("2026-01-05 09:00:00", "2026-01-06", "09:00:00")
    assert rows(SqlTables(TOOLS, seed=5), statement) != first


def test_a_state_that_is_put_back_is_the_state_again() -> None:
    box = SqlTables(TOOLS)
    rows(box, "CREATE TABLE t (a BLOB, b REAL)")
    rows(box, "INSERT INTO t VALUES (x'00ff', 1.5)")
    before = box.snapshot()
    rows(box, "DROP TABLE customers")
    rows(box, "DELETE FROM t")
    box.restore(before)
    assert box.snapshot() == before
    assert rows(box, "SELECT hex(a) AS a, b FROM t") == [{"a": "00FF", "b": 1.5}]


def test_a_search_that_takes_a_query_is_no_sql_tool() -> None:
    assert sql_tools([Tool("search_issues", "Search issues by a query.", QUERY)]) == {}
