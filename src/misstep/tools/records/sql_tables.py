"""Tools that take SQL → a Toolbox that runs it on a database in memory; the only door here to one, and to no file."""

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal, cast

from msgspec import Struct

from misstep.core.errors import UnknownToolError
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.core.words import split_identifier
from misstep.tools.checked import problem
from misstep.tools.records.entities import properties
from misstep.tools.records.making_up import completed

PREFIX = "sql:"
_SCHEMA = f"{PREFIX}schema"
_NOW = "2026-01-05 09:00:00"
_MOST_ROWS = 1000
_LONGEST = 10_000_000
_MOST_STEPS = 20_000
"""Each of a thousand instructions: a query that never ends is ended."""

STARTING = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, city TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), item TEXT, amount REAL,
  status TEXT DEFAULT 'open');
INSERT INTO customers VALUES (1, 'Ada Costa', 'ada.costa@mail.example', 'Cork'),
  (2, 'Bruno Meyer', 'bruno.meyer@mail.example', 'Ghent'), (3, 'Ines Park', 'ines.park@mail.example', 'Bergen');
INSERT INTO orders VALUES (1, 1, 'desk lamp', 39.9, 'sent'), (2, 1, 'notebook', 4.5, 'open'),
  (3, 3, 'kettle', 28.0, 'open');
"""

SqlRole = Literal["run", "tables", "describe"]
_TEXTS = frozenset("sql query statement queries statements".split())


class SqlTool(Struct, frozen=True):
    """A tool of a database, and the parameter that takes its SQL, or the name of a table."""

    tool: Tool
    role: SqlRole
    parameter: str | None


def sql_tools(tools: Sequence[Tool]) -> dict[str, SqlTool]:
    """Those of the tools that take SQL, and those beside them that list and describe tables."""
    found: dict[str, SqlTool] = {}
    for tool in tools:
        told = " ".join([tool.name, tool.description[:300], *properties(tool.input_schema)]).lower()
        text = next((each for each in properties(tool.input_schema) if set(split_identifier(each)) & _TEXTS), None)
        demanded = set(cast("list[str]", tool.input_schema.get("required") or []))
        if text and re.search(r"sql|postgres|duckdb|\bselect\b", told) and demanded <= {text}:
            found[tool.name] = SqlTool(tool, "run", text)
    if not found:
        return {}
    for tool in tools:
        named = set(split_identifier(tool.name))
        table = next((each for each in properties(tool.input_schema) if "table" in split_identifier(each)), None)
        if tool.name not in found and named & {"tables", "table", "schema"}:
            if table and named & {"describe", "schema", "get", "show", "info", "columns"}:
                found[tool.name] = SqlTool(tool, "describe", table)
            elif named & {"list", "show", "get"} and not tool.input_schema.get("required"):
                found[tool.name] = SqlTool(tool, "tables", None)
    return found


class SqlTables:
    """An SQLite in memory. It opens no file, whatever it is told: attaching and writing out are refused."""

    def __init__(self, tools: Sequence[Tool], *, seed: int = 0, start: str = STARTING) -> None:
        self._known = sql_tools(tools)
        self._tools = tuple(tool for tool in tools if tool.name in self._known)
        self._seed = seed
        self._chance = Random(seed)
        self._database = self._opened()
        self._database.executescript(start)
        self._database.set_authorizer(_allowed)

    async def tools(self) -> Sequence[Tool]:
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        found = self._known.get(tool)
        if found is None:
            raise UnknownToolError(tool, self._known)
        if wrong := problem(found.tool, arguments):
            return Answer(wrong, is_error=True, served_by="simulated")
        given = str(arguments.get(found.parameter)) if found.parameter else ""
        try:
            content = self._done(found, given)
        except sqlite3.Error as error:
            return Answer(f"Error: {error}", is_error=True, served_by="simulated")
        if found.tool.output_schema:
            random = Random(f"{self._seed}/{given}")
            return Answer(completed(found.tool.output_schema, _named(found, content), random), served_by="simulated")
        return Answer(content, served_by="simulated")

    def _done(self, found: SqlTool, given: str) -> JSON:
        if found.role == "tables":
            return self._table_names()
        if found.role == "describe":
            columns = self._rows(
                f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{given.replace(chr(39), chr(39) * 2)}')"
            )
            if not columns:
                raise sqlite3.OperationalError(f"no such table: {given}")
            return columns
        return self._rows(given)

    def _rows(self, statement: str, *values: str) -> JSON:
        """The rows of a query as records; of anything else, how many rows it changed."""
        self._steps = 0
        before = self._database.total_changes
        try:
            cursor = self._database.execute(statement, values)
            if cursor.description is None:
                self._database.commit()
                return {"affected_rows": self._database.total_changes - before}
            columns = [str(each[0]) for each in cursor.description]
            rows = [dict(zip(columns, map(_plain, row), strict=True)) for row in cursor.fetchmany(_MOST_ROWS)]
            self._database.commit()
        except sqlite3.Error:
            self._database.rollback()
            raise
        return cast("JSON", rows)

    def _table_names(self) -> list[JSON]:
        rows = self._database.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        return [str(row[0]) for row in rows]

    def snapshot(self) -> State:
        made = self._database.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' "
            "ORDER BY type = 'table' DESC, rowid"
        ).fetchall()
        state: dict[str, dict[str, dict[str, JSON]]] = {
            _SCHEMA: {str(name): {"type": kind, "sql": sql} for kind, name, sql in made}
        }
        for name in [str(name) for kind, name, _ in made if kind == "table"]:
            cursor = self._database.execute(f"SELECT * FROM {_quoted(name)}")
            columns = [str(each[0]) for each in cursor.description]
            state[f"{PREFIX}{name}"] = {
                str(number): dict(zip(columns, map(_plain, row), strict=True)) for number, row in enumerate(cursor, 1)
            }
        return state

    def restore(self, state: State) -> None:
        database = self._opened()
        for name, made in state.get(_SCHEMA, {}).items():
            database.execute(str(made["sql"]))
            for row in state.get(f"{PREFIX}{name}", {}).values() if made["type"] == "table" else ():
                columns = ", ".join(_quoted(column) for column in row)
                marks = ", ".join("?" * len(row))
                values = [_stored(value) for value in row.values()]
                database.execute(f"INSERT INTO {_quoted(name)} ({columns}) VALUES ({marks})", values)
        database.commit()
        database.set_authorizer(_allowed)
        self._database.close()
        self._database = database

    def _opened(self) -> sqlite3.Connection:
        """With a clock that stands still and chance that comes from the seed, and an end to what does not end."""
        database = sqlite3.connect(":memory:", check_same_thread=False)
        clock = sqlite3.connect(":memory:", check_same_thread=False)
        self._steps = 0
        database.execute("PRAGMA temp_store = MEMORY")
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        database.set_progress_handler(self._tick, 1000)
        database.create_function("random", 0, lambda: self._chance.getrandbits(63))
        database.create_function("randomblob", 1, self._random_bytes)
        for name in ("date", "time", "datetime", "julianday", "strftime", "unixepoch"):
            database.create_function(name, -1, _at_rest(clock, name))
        for name in ("timestamp", "date", "time"):
            at = _at_rest(clock, "datetime" if name == "timestamp" else name)
            database.create_function(f"current_{name}", 0, at)
        return database

    def _random_bytes(self, count: int) -> bytes:
        return self._chance.randbytes(max(1, min(count, _LONGEST)))

    def _tick(self) -> int:
        self._steps += 1
        return self._steps > _MOST_STEPS


def _at_rest(clock: sqlite3.Connection, name: str) -> Callable[..., str | float | None]:
    """A function of time for which it is always the same moment."""
    form = ["%s"] if name == "strftime" else []

    def at(*given: str | float | None) -> str | float | None:
        values = [_NOW if isinstance(each, str) and each.lower() == "now" else each for each in given or (*form, "now")]
        if name == "strftime" and len(values) == 1:
            values.append(_NOW)
        return clock.execute(f"SELECT {name}({', '.join('?' * len(values))})", values).fetchone()[0]

    return at


_REFUSED = {sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH}
_PRAGMAS = frozenset("table_info table_xinfo table_list foreign_keys foreign_key_list index_list index_info".split())


def _allowed(action: int, first: str | None, second: str | None, *_: object) -> int:
    """No file is opened: not by attaching one, by a pragma or by a function."""
    if action in _REFUSED or (action == sqlite3.SQLITE_PRAGMA and str(first).lower() not in _PRAGMAS):
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and re.search(r"load_extension|readfile|writefile", str(second).lower()):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _plain(value: object) -> JSON:
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def _stored(value: JSON) -> str | int | float | bytes | None:
    if isinstance(value, Mapping):
        return bytes.fromhex(str(cast("Mapping[str, JSON]", value)["hex"]))
    return cast("str | int | float | None", value)


def _named(found: SqlTool, content: JSON) -> JSON:
    """The rows under the name that the output schema has for a list, a text or a count."""
    named = properties(found.tool.output_schema or {})
    if isinstance(content, dict):
        counts = {
            name: cast("dict[str, JSON]", content)["affected_rows"] for name in named if _kind(named[name]) == "integer"
        }
        return counts or cast("JSON", content)
    lists = [name for name in named if _kind(named[name]) == "array"]
    texts = [name for name in named if _kind(named[name]) == "string"]
    if lists:
        return {lists[0]: content}
    return {texts[0]: str(content)} if texts else {next(iter(named), "result"): content}


def _kind(schema: JSON) -> JSON:
    return cast("Mapping[str, JSON]", schema).get("type") if isinstance(schema, Mapping) else None
