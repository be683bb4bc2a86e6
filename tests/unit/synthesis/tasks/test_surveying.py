"""Records are found in the state or in what reading tools show, and are related by codes, not by small numbers."""

import asyncio
from random import Random
from typing import Any

from misstep.synthesis.tasks.executing import bench_for
from misstep.synthesis.tasks.surveying import Field, Row, Survey, survey_of
from misstep.tools.functions import Functions, tool

PEOPLE = [{"person_id": f"P-{at}", "name": name} for at, name in enumerate(("Ada Vik", "Bo Lund", "Cy Moss"))]
LOANS = [{"loan_id": f"L-{at}", "person_id": f"P-{at % 3}", "days": at} for at in range(6)]


def rows(table: str, records: list[dict[str, Any]], key: str) -> list[Row]:
    return [Row(table, str(record[key]), record) for record in records]


def test_records_that_share_a_code_are_near_each_other() -> None:
    survey = Survey([*rows("people", PEOPLE, "person_id"), *rows("loans", LOANS, "loan_id")])
    person = survey.tables["people"][1]
    near = survey.near(person, Random(0))
    assert {row.key for row in near if row.table == "loans"} == {"L-1", "L-4"}


def test_a_small_number_names_a_record_only_under_a_name_that_says_so() -> None:
    issues = rows("issue", [{"issue_number": at, "votes": 3 - at} for at in range(4)], "issue_number")
    survey = Survey(issues)
    assert [row.key for row in survey.refers("issue_number", 2)] == ["2"]
    assert survey.refers("votes", 2) == []
    assert survey.near(issues[1], Random(0)) == []


def test_the_path_of_a_key_is_found_and_a_key_that_no_record_holds_is_a_field_of_its_own() -> None:
    files = [Row("files", f"/a/{at}", {"text": f"line {at}"}) for at in range(3)]
    survey = Survey([*rows("people", PEOPLE, "person_id"), *files])
    assert survey.key_paths == {"people": "person_id", "files": ""}
    assert Field("files", "") in survey.fields
    assert survey.values(Field("files", "")) == ("/a/0", "/a/1", "/a/2")


def test_without_a_state_records_are_what_reading_tools_show() -> None:
    @tool(effect="reads")
    def people() -> list[dict[str, Any]]:
        return PEOPLE

    @tool(effect="reads")
    def loans(person_id: str) -> list[dict[str, Any]]:
        return [loan for loan in LOANS if loan["person_id"] == person_id]

    @tool(effect="writes")
    def lend(person_id: str) -> None:
        raise AssertionError(f"must not be called with {person_id}")

    async def surveyed() -> Survey:
        return await survey_of(await bench_for(lambda _: Functions([people, loans, lend]), seed=0), Random(0))

    survey = asyncio.run(surveyed())
    assert {row.key for row in survey.tables["people"]} == {"P-0", "P-1", "P-2"}
    assert {row.key for row in survey.tables["loans"]} == {f"L-{at}" for at in range(6)}


def test_another_value_of_a_field_is_never_the_same_one() -> None:
    survey = Survey(rows("people", PEOPLE, "person_id"))
    random = Random(0)
    assert all(survey.another(Field("people", "name"), "Bo Lund", random) != "Bo Lund" for _ in range(20))
    assert survey.another(Field("people", "height"), 3, random) is None


def test_records_that_are_kept_by_their_place_go_by_a_name_of_their_own() -> None:
    rows = [Row("rooms", str(at), {"floor": "first", "name": name}) for at, name in enumerate(["Oak", "Elm"])]
    survey = Survey(rows)
    [oak] = survey.named_by("Oak")
    assert (oak.kept, survey.key_of(oak), survey.key_paths["rooms"]) == (("rooms", "0"), "Oak", "name")
    assert not survey.named_by("0")
    assert Survey([Row("rooms", "7", {"name": "Oak"})]).named_by("7")
