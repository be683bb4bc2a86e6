"""Tools → the best simulation there is of each: files and shell on one tree, SQL on tables, the rest by its schemas."""

from collections.abc import Mapping, Sequence

from misstep.core.errors import UnknownToolError
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.disk import shell
from misstep.tools.disk.files import HOME, Files, starting_tree
from misstep.tools.disk.roles import file_tools
from misstep.tools.disk.shell import Shell, shell_tools
from misstep.tools.disk.tree import TABLE as TREE
from misstep.tools.records import sql_tables
from misstep.tools.records.sql_tables import SqlTables, sql_tools
from misstep.tools.simulated import Behaviour, Simulated

_Part = Files | Shell | SqlTables | Simulated


class Simulators:
    """Several simulations as one toolbox with one state."""

    def __init__(self, tools: Sequence[Tool], parts: Mapping[str, _Part]) -> None:
        self._tools = tuple(tools)
        self._parts = dict(parts)

    async def tools(self) -> Sequence[Tool]:
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        part = self._parts.get(tool)
        if part is None:
            raise UnknownToolError(tool, self._parts)
        return await part.call(tool, arguments)

    def snapshot(self) -> State:
        whole: dict[str, Mapping[str, Mapping[str, JSON]]] = {}
        for part in self._each():
            whole |= part.snapshot()
        return whole

    def restore(self, state: State) -> None:
        for part in self._each():
            own = {name: table for name, table in state.items() if _owner(name) is type(part)}
            if isinstance(part, Shell):
                own |= {name: state[name] for name in (TREE,) if name in state}
            part.restore(own)

    def _each(self) -> list[_Part]:
        return list({id(part): part for part in self._parts.values()}.values())


def _owner(table: str) -> type[_Part]:
    if table == TREE:
        return Files
    if table == shell.TABLE:
        return Shell
    return SqlTables if table.startswith(sql_tables.PREFIX) else Simulated


def simulator_for(
    tools: Sequence[Tool],
    *,
    seed: int = 0,
    behaviours: Mapping[str, Behaviour] | None = None,
    roots: Sequence[str] | None = None,
    records: int = 3,
) -> Simulators:
    """A toolbox that plays all of them. `roots` are the folders that file tools may use, where that is known;
    `records` is how many made-up things of each kind there are at the start.
    """
    own = behaviours or {}
    free = [tool for tool in tools if tool.name not in own]
    tree = starting_tree(roots)
    on_disk, on_shell, on_tables = file_tools(free), shell_tools(free), sql_tools(free)
    files = [tool for tool in free if tool.name in on_disk]
    runs = [tool for tool in free if tool.name in on_shell and tool.name not in on_disk]
    asks = [tool for tool in free if tool.name in on_tables and tool.name not in {*on_disk, *on_shell}]
    taken = {tool.name for tool in (*files, *runs, *asks)}
    rest = [tool for tool in tools if tool.name not in taken]
    parts: dict[str, _Part] = {}
    made: list[tuple[list[Tool], _Part]] = []
    if files:
        made.append((files, Files(files, seed=seed, roots=roots, tree=tree)))
    if runs:
        made.append((runs, Shell(runs, seed=seed, tree=tree, folder=roots[0] if roots else HOME)))
    if asks:
        made.append((asks, SqlTables(asks, seed=seed)))
    if rest:
        made.append((rest, Simulated(rest, seed=seed, behaviours=own, records=records)))
    for served, part in made:
        parts |= {tool.name: part for tool in served}
    return Simulators(tools, parts)
