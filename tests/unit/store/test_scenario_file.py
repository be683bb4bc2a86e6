"""Scenarios as TOML files."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from misstep.catalog import scenarios_at
from misstep.core.errors import FormatError, UsageError
from misstep.core.objective import ExpectedCall, ExpectedChange, ExpectedFact, Objective
from misstep.core.scenario import Fact, Fault, Given, Goal, Person, Scenario, scenario_from
from misstep.store.scenario_file import scenario_text, write_scenarios
from misstep.worlds import world_named

_TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
_SCALARS = st.one_of(_TEXT, st.integers(-(2**62), 2**62), st.floats(allow_nan=False), st.booleans())
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3), max_leaves=8
)


def _back(text: str) -> Scenario:
    return scenario_from(tomllib.loads(text), place="a test")


@pytest.mark.parametrize("world", ["shop", "desk", "shop-renamed"])
def test_every_scenario_of_a_world_reads_back_as_it_was(world: str) -> None:
    for scenario in world_named(world).scenarios():
        assert _back(scenario_text(scenario)) == scenario


@given(value=_VALUES, said=_TEXT, key=_TEXT)
@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_whatever_stands_in_a_scenario_reads_back_as_it_was(value: object, said: str, key: str) -> None:
    scenario = Scenario(
        name="x",
        given=(Given("make", {key: value}),),
        user=Person(opening=said, facts=(Fact(name=said, value=said),), goals=(Goal(ask=said, after=True),)),
        faults=(Fault(kind="timeout", arguments={key: value}),),
        objective=Objective(
            calls=(ExpectedCall(tool="t", arguments={key: value}),),
            state=(ExpectedChange(table=said, fields={key: value}),),
            facts=(ExpectedFact(said, (said,)),),
        ),
        factors={key: said},
    )
    assert _back(scenario_text(scenario)) == scenario


def test_an_empty_list_of_changes_is_not_lost(tmp_path: Path) -> None:
    scenario = Scenario(name="x", objective=Objective(state=()))
    write_scenarios([scenario], tmp_path / "new")
    assert scenarios_at(tmp_path / "new") == (scenario,)


def test_a_null_is_refused_with_its_place() -> None:
    scenario = Scenario(name="x", objective=Objective(calls=(ExpectedCall(tool="t", arguments={"when": None}),)))
    with pytest.raises(FormatError, match=r"arguments\.when is null"):
        scenario_text(scenario)


def test_what_was_made_before_makes_room_and_what_somebody_changed_stays(tmp_path: Path) -> None:
    write_scenarios([Scenario(name="old"), Scenario(name="kept"), Scenario(name="renamed")], tmp_path)
    (tmp_path / "kept.toml").write_text((tmp_path / "kept.toml").read_text() + "# mine now\n")
    (tmp_path / "renamed.toml").rename(tmp_path / "another.toml")
    write_scenarios([Scenario(name="new")], tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {"kept.toml", "another.toml", "new.toml"}
    with pytest.raises(UsageError, match="somebody's own"):
        write_scenarios([Scenario(name="kept")], tmp_path)


def test_an_interrupted_writing_leaves_what_was_there(tmp_path: Path) -> None:
    write_scenarios([Scenario(name="old")], tmp_path)

    def scenarios() -> Iterator[Scenario]:
        yield Scenario(name="new")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_scenarios(scenarios(), tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["old.toml"]


def test_what_somebody_killed_left_behind_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "half.toml.part").write_text("name = ")
    write_scenarios([Scenario(name="new")], tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["new.toml"]
