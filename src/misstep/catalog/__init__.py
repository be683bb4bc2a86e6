"""Names → things: agents, toolboxes, scenarios and the settings file; the only place where names become objects."""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, cast

import msgspec
from msgspec import Struct, structs

from misstep.agents.calling import MakeAgent, maker_of
from misstep.agents.chat import ChatSettings, chat_agents
from misstep.agents.command import command_agents
from misstep.agents.zoo import zoo_named
from misstep.catalog.modules import NotFoundError, attribute_named
from misstep.core.errors import FormatError, StartError, UsageError, suggestion
from misstep.core.player import Player
from misstep.core.roles import Toolbox
from misstep.core.scenario import FORMAT, Scenario, scenario_from
from misstep.core.tool import JSON, Effect, Tool
from misstep.core.waiting import awaited
from misstep.core.words import joined
from misstep.effects.guessing import sure_effect
from misstep.llm import Model, ModelSettings, model_named
from misstep.store.run_folder import holds_a_run, open_run
from misstep.tools.answering import Answering, demand_tools
from misstep.tools.emulated import Manner
from misstep.tools.fronting import Lazily
from misstep.tools.functions import Functions, as_toolbox
from misstep.tools.held import Holding, held, writers_in
from misstep.tools.listing import listed
from misstep.tools.mcp.file import servers_in
from misstep.tools.mcp_server import serving_http
from misstep.tools.recorded import read_recording
from misstep.tools.routing import RouteRule, Routing, routing_from
from misstep.tools.routing_file import with_rules
from misstep.tools.simulated import Behaviour
from misstep.worlds import world_named

_AGENTS = "`module:factory` for your own, or `zoo:sound` for the embedded one"
_TOOLS = "`module:name` for your own functions, or `world:shop` for the embedded world"


class NamedAgent(Struct, frozen=True):
    """A maker of agents, and the name it was found by."""

    spec: str
    make: MakeAgent


class NamedTools(Struct, frozen=True):
    """A maker of toolboxes from seeds, the name it was found by, and the scenarios that come with it, if any."""

    spec: str
    make: Callable[[int], Toolbox]
    scenarios: Callable[[], tuple[Scenario, ...]] | None = None
    missing: tuple[str, ...] = ()
    """For a person to read: why a server's tools are not among them; what the settings say of tools there aren't."""
    beyond: str = ""
    """What functions can reach besides data of their own, so that they are not tried out."""
    owners: tuple[str, ...] | None = None
    """Whose their records are, as far as the functions say it: see `Settings.owners`."""


class ToolModelSettings(ModelSettings, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What the table `[model]` may say of a model that plays tools."""

    manner: Manner = "typical"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What `misstep.toml`, or `[tool.misstep]` in `pyproject.toml`, may say; a flag of the same name wins."""

    agent: str | None = None
    tools: str | None = None
    scenarios: str | None = None
    trials: int | None = None
    seed: int | None = None
    workers: int | None = None
    timeout: float | None = None
    user: Player | None = None
    """Who plays the persons of scenarios."""
    out: str | None = None
    owners: tuple[str, ...] | None = None
    """Whose records are: tables of persons, `customers`, and fields that name one, `parcels.recipient`."""
    routing: dict[str, JSON] = {}
    """Which tools behind MCP servers are more than simulated."""
    recording: str | None = None
    """The file that answers for the tools whose route is `recorded`."""
    behaviours: dict[str, str] = {}
    """How simulated tools behave that schemas say too little of: a tool's name → `module:function`."""
    model: ToolModelSettings = ToolModelSettings()
    """Plays the tools whose route is `emulated`."""
    users: ModelSettings = ModelSettings()
    """Plays the persons of scenarios, unless `user` says otherwise."""
    judge: ModelSettings = ModelSettings()
    """Looks for the failure modes that code cannot decide."""
    chat: ChatSettings = ChatSettings()
    """For an agent that is a model."""


def agent_named(spec: str) -> NamedAgent:
    """`zoo:NAME`, `module:factory`, `cmd:COMMAND`, `http://HOST/v1#MODEL`; UsageError says what to do about others."""
    scheme, _, name = spec.partition(":")
    if scheme == "zoo":
        return NamedAgent(spec, maker_of(zoo_named(name)))
    if scheme in ("cmd", "cmd-text"):
        return NamedAgent(spec, command_agents(name, text=scheme == "cmd-text", serve=serving_http))
    if scheme in ("http", "https"):
        chat = settings_in(Path.cwd()).chat
        return NamedAgent(spec, chat_agents(structs.replace(chat, name=spec), folder=Path.cwd()))
    if scheme == "world":
        raise UsageError(f"{spec} names tools, no agent. As an agent, write {_AGENTS}.")
    try:
        return NamedAgent(spec, maker_of(attribute_named(spec, "agent", _AGENTS)))
    except (NotFoundError, StartError):
        raise
    except UsageError as error:
        raise UsageError(f"{spec} makes no agent: {error}.") from None


def toolbox_named(spec: str) -> NamedTools:
    """`world:NAME`, `module:name`, or an `mcpServers` file. Raises UsageError that says what to do."""
    scheme, _, name = spec.partition(":")
    if scheme == "world":
        kind = world_named(name)
        return NamedTools(spec, kind.make, kind.scenarios)
    if spec.endswith(".json"):
        return _behind_mcp(spec)
    if scheme == "zoo":
        raise UsageError(f"{spec} names an agent, no tools. As tools, write {_TOOLS}.")
    thing = attribute_named(spec, "tools", _TOOLS)
    try:
        toolbox = as_toolbox(thing)
    except StartError:
        raise
    except UsageError as error:
        raise UsageError(f"{spec} gives no tools: {error}") from None
    owners = toolbox.owners if isinstance(toolbox, Functions) else None
    holding = awaited(held(toolbox))
    if (make := holding.make) is not None:
        return NamedTools(spec, lambda seed: make(), beyond=_beyond(holding), owners=owners)
    beyond = _beyond(holding)
    if isinstance(thing, type) or (callable(thing) and not isinstance(thing, Toolbox)):
        # A factory: a fresh toolbox for every trial. A marked function comes here too, and is made anew for nothing.
        return NamedTools(spec, lambda seed: _reaching(as_toolbox(thing), holding), beyond=beyond, owners=owners)
    toolbox = _reaching(toolbox, holding)
    return NamedTools(spec, lambda seed: toolbox, beyond=beyond, owners=owners)


def _reaching(toolbox: Toolbox, holding: Holding) -> Toolbox:
    return toolbox.reaching(holding.beyond) if isinstance(toolbox, Functions) else toolbox


def _beyond(holding: Holding) -> str:
    """For a person to read."""
    if holding.uncopied:
        return f"their data cannot be copied ({holding.uncopied})"
    return joined(f"{tool!r} can reach {what}" for tool, what in holding.beyond.items())


def served_named(spec: str) -> NamedTools:
    """As `toolbox_named`, for clients that nobody knows: functions too are simulated until a routing says otherwise."""
    named = toolbox_named(spec)
    if spec.startswith("world:") or spec.endswith(".json"):
        return named  # simulated by nature, or behind a routing already
    tools = awaited(listed_in(named.make(0)))
    answering = _answering(tools)
    return NamedTools(
        spec,
        lambda seed: answering.front(tools, named.make(seed), seed=seed, servers={}),
        missing=answering.remarks(tools),
    )


async def listed_in(toolbox: Toolbox) -> tuple[Tool, ...]:
    """Tools of one's own as a stranger is shown them: only what was declared to read counts as reading, or what says so
    and whose code changes nothing."""
    writers = writers_in(toolbox)

    def effect_of(tool: Tool) -> Effect:
        effect = sure_effect(tool)
        return "writes" if effect == "reads" and tool.name in writers else effect

    return tuple(structs.replace(tool, effect=effect_of(tool)) for tool in await toolbox.tools())


def routing_in(folder: Path) -> Routing:
    """What has been accepted in a folder."""
    return routing_from(settings_in(folder).routing, place="[routing] in the settings")


def accept_routing(folder: Path, rules: Sequence[RouteRule]) -> Path:
    """Add rules to the settings, where they are; all that somebody wrote there stays. Gives the file."""
    own, project = folder / "misstep.toml", folder / "pyproject.toml"
    shared = not own.is_file() and project.is_file() and settings_in(folder) != Settings()
    file = project if shared else own
    text = file.read_text("utf-8") if file.is_file() else ""
    file.write_text(with_rules(text, rules, table="tool.misstep.routing" if shared else "routing"), "utf-8")
    return file


def _behind_mcp(spec: str) -> NamedTools:
    """Tools behind the servers of a file: asked once for their list, simulated anew for each trial unless accepted."""
    servers = servers_in(spec)
    real = Lazily(servers)
    folders = [word for server in servers for word in server.args if Path(word).is_dir()] or None
    found = awaited(listed(servers, routing_in(Path.cwd())))
    answering = _answering(found.tools)
    # A rule that speaks of no tool may speak of one that is missing.
    missing = tuple(found.failed.values()) or answering.remarks(found.tools)
    return NamedTools(
        spec,
        lambda seed: answering.front(found.tools, real, seed=seed, servers=found.servers, roots=folders),
        missing=missing,
    )


def _answering(tools: Sequence[Tool]) -> Answering:
    """Who answers these tools, by the settings."""
    settings = settings_in(Path.cwd())
    demand_tools(settings.behaviours, tools)
    return Answering(
        routing=routing_in(Path.cwd()),
        tapes=read_recording(Path(settings.recording)) if settings.recording else None,
        model=model_named(settings.model, folder=Path.cwd()) if settings.model.name else None,
        manner=settings.model.manner,
        behaviours={name: _behaviour(name, at) for name, at in settings.behaviours.items()},
    )


def _behaviour(tool: str, at: str) -> Behaviour:
    place = f"[behaviours] in the settings, {tool!r}: "
    try:
        thing = attribute_named(at, "behaviour", "`module:function` for a function of your own")
    except UsageError as error:
        raise UsageError(f"{place}{error}") from None
    if not callable(thing):
        raise UsageError(f"{place}{at} is no function. docs/simulated-tools.md shows how one is written.")
    return cast("Behaviour", thing)


def scenarios_at(path: Path) -> tuple[Scenario, ...]:
    """The scenarios of a TOML file, of every one in a folder, in order of the files' names, or of a run's folder."""
    if not path.exists():
        raise UsageError(f"There is no file or folder {path} to read scenarios from.{_neighbour(path)}")
    if holds_a_run(path):
        return open_run(path).scenarios
    files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    if not files:
        raise UsageError(
            f"{path} holds no scenario: there is no .toml file in it. docs/scenarios.md shows how to write one."
        )
    found: dict[str, Path] = {}
    scenarios: list[Scenario] = []
    for file in files:
        scenario = _scenario_in(file)
        if scenario.name in found:
            raise UsageError(
                f"{found[scenario.name]} and {file} both hold a scenario named {scenario.name!r}. Rename one of them."
            )
        found[scenario.name] = file
        scenarios.append(scenario)
    return tuple(scenarios)


def settings_in(folder: Path) -> Settings:
    """What the settings file of a folder says; nothing where there is none."""
    own, project = folder / "misstep.toml", folder / "pyproject.toml"
    if own.is_file():
        return _settings(_toml_in(own), own.name)
    if project.is_file():
        section = msgspec.convert(_toml_in(project), _Project).tool.misstep
        return _settings(section, f"[tool.misstep] in {project.name}")
    return Settings()


def model_in(folder: Path, table: Literal["users", "judge"]) -> Model | None:
    """The model that plays the persons, or looks for failures; none unless the settings name one."""
    every = settings_in(folder)
    settings = every.users if table == "users" else every.judge
    return model_named(settings, folder=folder) if settings.name else None


def users_model_in(folder: Path, user: Player | None = None) -> ModelSettings | None:
    """The model that is to play the persons: where the choice falls on it, and by itself where one is named."""
    settings = settings_in(folder)
    user = user or settings.user
    if user == "modelled" and not settings.users.name:
        raise UsageError(
            "A model is to play the users, and none is named. Give the table [users] in misstep.toml a `name`, such as "
            "'http://127.0.0.1:8000/v1#qwen3' (docs/models.md), or take --user plain."
        )
    return settings.users if settings.users.name and user != "plain" else None


def _neighbour(path: Path) -> str:
    if not path.parent.is_dir():
        return ""
    return suggestion(path.name, _shown(each.name for each in path.parent.iterdir()))


def _shown(names: Iterable[str]) -> list[str]:
    return [name for name in names if not name.startswith(".")]


def _scenario_in(file: Path) -> Scenario:
    data = _toml_in(file)
    try:
        return scenario_from({"format": FORMAT, "name": file.stem, **data}, place=str(file))
    except FormatError as error:
        raise UsageError(f"{error} docs/scenarios.md shows what may stand where.") from None


def _toml_in(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file} is no TOML: {error}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is no TOML: it is not written in UTF-8.") from None
    except RecursionError:
        raise UsageError(f"{file} is nested too deeply to be read.") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}.") from None


class _Tool(Struct, frozen=True):
    misstep: dict[str, object] = {}


class _Project(Struct, frozen=True):
    tool: _Tool = _Tool()


_TABLES: Mapping[str, type[Struct]] = {
    "model": ToolModelSettings,
    "users": ModelSettings,
    "judge": ModelSettings,
    "chat": ChatSettings,
}


def _settings(data: dict[str, object], place: str) -> Settings:
    known = Settings.__struct_fields__
    for key in data:
        if key not in known:
            raise UsageError(f"{place} has a key {key!r} that Misstep does not know.{suggestion(key, known)}")
    for table, kind in _TABLES.items():
        inner = data.get(table)
        for key, value in cast("dict[str, object]", inner).items() if isinstance(inner, dict) else ():
            if key not in kind.__struct_fields__:
                raise UsageError(f"[{table}] in {place} has no key {key!r}.{suggestion(key, kind.__struct_fields__)}")
            if isinstance(value, int | float) and value < 0:
                raise UsageError(f"[{table}] in {place} has {key} = {value}, which must not be less than nothing.")
    try:
        return msgspec.convert(data, Settings)
    except msgspec.ValidationError as error:
        raise UsageError(f"{place} cannot be used: {error}.") from None
