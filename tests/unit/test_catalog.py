"""Names become things, or an error that says what to do next."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from misstep.catalog import Settings, agent_named, scenarios_at, settings_in, toolbox_named
from misstep.catalog.modules import code_digest
from misstep.core.errors import UsageError
from misstep.core.tape import Tape

Own = Callable[[str], str]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Own]:
    """Write a module of a user's own in the working folder; gives its name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    name = f"mine_{tmp_path.name}".replace("-", "_").replace(".", "_")

    def write(code: str) -> str:
        (tmp_path / f"{name}.py").write_text(code)
        return name

    yield write
    sys.modules.pop(name, None)


def complaint(named: Callable[[str], object], spec: str) -> str:
    with pytest.raises(UsageError) as raised:
        named(spec)
    return str(raised.value)


AGENTS = """
class Fine:
    async def respond(self, message, tools):
        return "fine"

def factory(seed):
    return Fine()

async def plain(message, tools):
    return "plain"

def no_wait(message, tools):
    return "no wait"

class Nested:
    Inner = Fine

made = Fine()
number = 3

def needs(model):
    return Fine()

"""


@pytest.mark.parametrize("name", ["Fine", "factory", "plain", "no_wait", "Nested.Inner"])
def test_classes_factories_and_functions_make_agents(own: Own, name: str) -> None:
    agent = agent_named(f"{own(AGENTS)}:{name}").make(policy=None, tape=Tape(), seed=1)
    tools = toolbox_named("world:shop").make(0)
    assert asyncio.run(agent.respond("hello", tools)) in ("fine", "plain", "no wait")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Fin", "Did you mean 'Fine'?"),
        ("made", "fresh one"),
        ("number", "it is an int"),
        ("needs", "it needs 'model'"),
    ],
)
def test_what_makes_no_agent_says_why(own: Own, name: str, told: str) -> None:
    assert told in complaint(agent_named, f"{own(AGENTS)}:{name}")


def test_a_typo_in_the_module_offers_the_nearest_file(own: Own) -> None:
    name = own(AGENTS)
    assert f"Did you mean {name!r}?" in complaint(agent_named, f"{name}x:Fine")


def test_a_file_instead_of_a_module_is_put_right(own: Own) -> None:
    name = own(AGENTS)
    assert f"write '{name}:Fine'" in complaint(agent_named, f"{name}.py:Fine")


def test_an_import_that_raises_is_shown_with_its_place(own: Own) -> None:
    name = own("x = 1\nraise RuntimeError('no key')\n")
    told = complaint(agent_named, f"{name}:Fine")
    assert "RuntimeError: no key" in told
    assert f"{name}.py, line 2" in told


def test_an_import_that_does_not_parse_is_shown_with_its_place(own: Own) -> None:
    name = own("def f(:\n")
    assert "line 1" in complaint(agent_named, f"{name}:Fine")


def test_a_module_that_needs_another_names_that_one(own: Own) -> None:
    name = own("import surely_not_installed\n")
    told = complaint(agent_named, f"{name}:Fine")
    assert "'surely_not_installed'" in told
    assert "Install" in told


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("zoo:sond", "Did you mean 'sound'?"),
        ("cmd:./agent", "Is it installed"),
        ("https://example.org/v1", "model"),
        ("agent", "module:factory"),
        ("world:shop", "names tools"),
        (":x", "module:factory"),
    ],
)
def test_a_name_that_is_no_agents_says_what_is(spec: str, told: str) -> None:
    assert told in complaint(agent_named, spec)


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("world:shp", "Did you mean 'shop'?"),
        ("mcp.json", "cannot be read"),
        ("zoo:sound", "names an agent"),
        ("tools", "module:name"),
    ],
)
def test_a_name_that_is_no_tools_says_what_is(spec: str, told: str) -> None:
    assert told in complaint(toolbox_named, spec)


TOOLS = '''
def look(order: str) -> str:
    """Look at an order."""
    return order

listed = [look]

def fresh():
    seen = []

    def count() -> int:
        """Count the calls."""
        seen.append(1)
        return len(seen)

    return [count]

number = 3
'''


def test_functions_in_a_list_are_tools(own: Own) -> None:
    named = toolbox_named(f"{own(TOOLS)}:listed")
    assert [tool.name for tool in asyncio.run(named.make(0).tools())] == ["look"]
    assert named.scenarios is None


def test_a_factory_gives_every_trial_tools_of_its_own(own: Own) -> None:
    named = toolbox_named(f"{own(TOOLS)}:fresh")
    answers = [asyncio.run(named.make(seed).call("count", {})).content for seed in (0, 1)]
    assert answers == [1, 1]


def test_what_gives_no_tools_says_so(own: Own) -> None:
    assert "gives no tools" in complaint(toolbox_named, f"{own(TOOLS)}:number")


def test_a_world_comes_with_scenarios() -> None:
    named = toolbox_named("world:shop")
    assert named.scenarios is not None
    assert len(named.scenarios()) >= 30


def test_a_changed_file_has_another_digest(own: Own) -> None:
    name = own(AGENTS)
    agent_named(f"{name}:Fine")
    before = code_digest(f"{name}:Fine")
    assert code_digest(f"{name}:Fine") == before
    own(AGENTS + "# changed\n")
    assert code_digest(f"{name}:Fine") != before


def test_scenarios_are_read_in_order_of_their_files(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text('name = "first"\n')
    (tmp_path / "a.toml").write_text('summary = "named after its file"\n')
    assert [scenario.name for scenario in scenarios_at(tmp_path)] == ["a", "first"]
    assert [scenario.name for scenario in scenarios_at(tmp_path / "b.toml")] == ["first"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = \nseed = 1", "line 1"),
        ('nme = "x"', "nme"),
        ("seed = 'x'", "$.seed"),
        ('name = "a/b"', "'a/b'"),
        ('format = "misstep.scenario/2"', "misstep.scenario/2"),
    ],
)
def test_a_bad_scenario_is_named_with_its_file_and_place(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(UsageError) as raised:
        scenarios_at(tmp_path)
    assert "bad.toml" in str(raised.value)
    assert told in str(raised.value)


def test_two_scenarios_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('name = "same"')
    (tmp_path / "b.toml").write_text('name = "same"')
    with pytest.raises(UsageError, match=r"a\.toml and .*b\.toml"):
        scenarios_at(tmp_path)


def test_an_empty_folder_and_a_missing_one_are_refused(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    with pytest.raises(UsageError, match=r"no \.toml file"):
        scenarios_at(tmp_path / "scenarios")
    with pytest.raises(UsageError, match="Did you mean 'scenarios'"):
        scenarios_at(tmp_path / "scenaros")


def test_settings_come_from_either_file_and_the_own_one_wins(tmp_path: Path) -> None:
    assert settings_in(tmp_path) == Settings()
    (tmp_path / "pyproject.toml").write_text('[tool.other]\nx = 1\n[tool.misstep]\nagent = "a:b"\ntrials = 5\n')
    assert settings_in(tmp_path) == Settings(agent="a:b", trials=5)
    (tmp_path / "misstep.toml").write_text('tools = "c:d"\n')
    assert settings_in(tmp_path) == Settings(tools="c:d")


@pytest.mark.parametrize(
    ("text", "told"), [("agnt = 'a:b'", "Did you mean 'agent'?"), ("trials = 'x'", "trials"), ("trials\n", "line 1")]
)
def test_a_setting_that_makes_no_sense_is_named(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "misstep.toml").write_text(text)
    with pytest.raises(UsageError) as raised:
        settings_in(tmp_path)
    assert told in str(raised.value)
    assert "misstep.toml" in str(raised.value)


def test_a_toolbox_class_gives_every_trial_its_own_toolbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
class Box:
    async def tools(self): return ()
    async def call(self, tool, arguments): raise NotImplementedError
"""
    (tmp_path / "own_box.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    named = toolbox_named("own_box:Box")
    assert named.make(0) is not named.make(0)
