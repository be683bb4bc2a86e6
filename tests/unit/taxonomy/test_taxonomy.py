"""The failure modes as data."""

from pathlib import Path

import pytest

from misstep.core.errors import UsageError
from misstep.taxonomy import OWASP, VERSION, mode, modes, provoked_by
from misstep.taxonomy.markdown import pages
from misstep.tools.fault_kinds import FAULT_KINDS


def test_every_neighbour_is_a_mode_and_another_one() -> None:
    for each in modes().values():
        for neighbour in each.neighbours:
            assert neighbour.mode in modes()
            assert neighbour.mode != each.id


def test_every_mode_says_how_it_differs_from_something() -> None:
    assert [each.id for each in modes().values() if not each.neighbours] == []


def test_owasp_ids_are_those_of_the_list() -> None:
    assert {mapping.id for each in modes().values() for mapping in each.owasp} <= set(OWASP)
    assert len(OWASP) == 10


def test_every_risk_on_the_list_is_direct_for_a_mode_or_helped_along_by_one() -> None:
    assert {mapping.id for each in modes().values() for mapping in each.owasp} == set(OWASP)


def test_loops_are_not_forced_onto_the_list() -> None:
    assert [each.id for each in modes().values() if each.family == "loops" and each.owasp] == []


def test_a_cascade_within_one_run_is_not_the_risk_itself() -> None:
    assert mode("cascading-error").owasp[0].relation == "contributing"


def test_mast_ids_have_the_form_of_mast() -> None:
    for each in modes().values():
        for mapping in each.mast:
            assert mapping.id in {
                "FM-1.1", "FM-1.2", "FM-1.3", "FM-1.4", "FM-1.5", "FM-2.1", "FM-2.2", "FM-2.3", "FM-2.4", "FM-2.5",
                "FM-2.6", "FM-3.1", "FM-3.2", "FM-3.3",
            }  # fmt: skip


def test_a_name_that_is_no_mode_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="Did you mean 'goal-hijack'"):
        mode("goal-hijak")


def test_every_kind_of_fault_provokes_modes_that_exist() -> None:
    for kind in FAULT_KINDS:
        assert provoked_by(kind), kind
        assert set(provoked_by(kind)) <= set(modes()), kind


def test_a_kind_of_fault_that_is_not_known_provokes_nothing() -> None:
    assert provoked_by("meteor") == ()


def test_the_pages_of_the_modes_are_what_the_data_says(project: Path) -> None:
    written = {name: (project / "docs" / name).read_text("utf-8") for name in pages()}
    assert written == pages(), "write them anew: python -m misstep.taxonomy.writing docs"
    assert VERSION in written["modes.md"]


def test_no_page_is_left_of_a_mode_that_is_no_more(project: Path) -> None:
    assert {path.stem for path in (project / "docs" / "modes").glob("*.md")} == set(modes())
