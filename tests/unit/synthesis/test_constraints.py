import asyncio
from collections.abc import Callable
from random import Random

import pytest

from misstep.core.objective import ExpectedCall, ExpectedChange
from misstep.core.words import words
from misstep.synthesis.composing import compose
from misstep.synthesis.constraints import Constrained, Constraint, Kind, between, constrained_tasks
from misstep.synthesis.ground import ground_of
from misstep.synthesis.limiting import limited, scope
from misstep.synthesis.task import Item, Step, Task
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


@pytest.fixture
def constrained(grounds, tasks, shop):
    async def found():
        ground = await grounds(list(tasks.values()))
        return ground, await constrained_tasks(shop, list(tasks.values()), ground, seed=2)

    return asyncio.run(found())


def test_families_give_constraints_of_every_kind(constrained):
    _, found = constrained
    assert {each.constraint.kind for each in found} == {"exclusion", "limit", "budget"}
    assert {each.task.tool for each in found} == {"refund_order", "cancel_order"}
    assert len({each.task.id for each in found}) == len(found)


def test_a_right_plan_exists_and_those_that_break_the_constraint_fail(constrained, shop, met):
    ground, found = constrained
    for each in found:
        made = compose([each], {"constraint": each.constraint.kind}, seed=1, ground=ground)
        assert asyncio.run(met(shop, made.scenario, made.plan.steps, made.plan.tells)) == (), each.task.id
        names = [control.name for control in made.plan.controls]
        assert "takes no notice of the constraint" in names
        for control in made.plan.controls:
            assert asyncio.run(met(shop, made.scenario, control.steps, control.tells)), (each.task.id, control.name)


def test_taking_what_had_to_be_left_breaks_the_constraint_and_nothing_else_is_forbidden(constrained):
    _, found = constrained
    for each in found:
        rule = each.constraint.forbidden[0]
        left = rule.arguments["order_id"]["any_of"]
        taken = {step.arguments["order_id"] for step in each.task.steps if step.role == "act"}
        assert left
        assert taken
        assert taken.isdisjoint(left)


def test_nobody_says_the_id_of_one_record_when_several_are_meant(constrained):
    _, found = constrained
    for each in found:
        assert {item.name for item in each.task.items} <= {"name", "postcode", "reason"}


@pytest.mark.parametrize(
    ("low", "high", "number"), [(12.9, 164.0, 100), (58.0, 63.9, 60), (3, 4, 3.5), (0.2, 0.25, None)]
)
def test_a_bound_is_a_round_number_between_two_values(low, high, number):
    assert low < between(low, high) < high
    assert number is None or between(low, high) == number


def test_a_sum_is_said_to_be_one_of_that_field_and_not_of_what_somebody_pays() -> None:
    for seed in range(40):
        text = limited(Constraint(kind="budget", field="weight in kg", bound=50.0), (), Random(seed)).text
        assert "50" in text
        assert "weight in kg" in text
        assert not {"pay", "spend", "cost", "budget"} & set(words(text))


def yard() -> list[Callable[..., object]]:
    jobs: dict[str, dict[str, object]] = {
        number: {"job_id": number, "title": title, "fee": fee, "year": year, "height_cm": height, "yard": "North"}
        for number, title, fee, year, height in (
            ("J-1", "Mast", 40.5, 1990, 300),
            ("J-2", "Keel", 80.0, 2004, 120),
            ("J-3", "Rudder", 150.0, 1987, 90),
        )
    }

    def jobs_of(yard: str) -> list[dict[str, object]]:
        """All jobs of a yard."""
        return [dict(each) for each in jobs.values() if each["yard"] == yard]

    def approve_job(job_id: str) -> dict[str, object]:
        """Approve a job."""
        jobs[job_id]["state"] = "approved"
        return dict(jobs[job_id])

    def rename_job(job_id: str, title: str) -> dict[str, object]:
        """Give a job another title."""
        jobs[job_id]["title"] = title
        return dict(jobs[job_id])

    def discount_job(job_id: str) -> dict[str, object]:
        """Take a tenth off the fee of a job."""
        jobs[job_id]["fee"] = round(float(str(jobs[job_id]["fee"])) * 0.9, 2)
        return dict(jobs[job_id])

    return [jobs_of, approve_job, rename_job, discount_job]


def of_jobs(tool: str, **content: str) -> tuple[Constrained, ...]:
    steps = (
        Step(tool="jobs_of", arguments={"yard": "North"}, role="look-up"),
        Step(tool=tool, arguments={"job_id": "J-1", **content}, role="act", after=(0,)),
    )
    items = [Item(name="yard", value="North", role="key")]
    items += [Item(name=name, value=value, role="content", argument=name) for name, value in content.items()]
    change = ExpectedChange(table="jobs", key="J-1")
    call = ExpectedCall(tool=tool, arguments=dict(steps[1].arguments))
    task = Task(id=tool, kind="act", tool=tool, steps=steps, items=tuple(items), calls=(call,), changes=(change,))
    make = asyncio.run(held(as_toolbox(yard))).make
    assert make is not None

    async def found() -> tuple[Constrained, ...]:
        ground = await ground_of(lambda seed: make(), [task])
        return await constrained_tasks(lambda seed: make(), [task], ground, seed=2)

    return asyncio.run(found())


def test_only_amounts_are_bounded_and_added_up() -> None:
    found = of_jobs("approve_job")
    assert {each.constraint.kind for each in found} == {"exclusion", "limit", "budget"}
    assert {each.constraint.field for each in found if each.constraint.kind != "exclusion"} == {"fee"}


@pytest.mark.parametrize(("tool", "content"), [("rename_job", {"title": "Deck"}), ("discount_job", {})])
def test_no_amount_is_bounded_that_the_act_has_nothing_to_do_with_or_changes_itself(
    tool: str, content: dict[str, str]
) -> None:
    assert {each.constraint.kind for each in of_jobs(tool, **content)} == {"exclusion"}


@pytest.mark.parametrize("kind", ["exclusion", "limit", "budget"])
def test_a_constraint_says_what_it_limits(kind: Kind) -> None:
    for most in (0, 2) if kind == "limit" else (0,):
        constraint = Constraint(kind=kind, field="fee", value="Mast", bound=50.0, most=most, noun="job")
        for seed in range(30):
            text = limited(constraint, ["approve the job"], Random(seed)).text
            assert "approve the job" in text, text
            assert "{" not in text


def test_an_exception_says_what_is_not_to_be_done_to_it() -> None:
    constraint = Constraint(kind="exclusion", field="job", value="J-3", noun="job")
    said = {limited(constraint, ["approve the job"], Random(seed)).text for seed in range(60)}
    assert "Don't approve the job J-3." in said
    assert "When you approve the jobs, leave out the job J-3." in said


@pytest.mark.parametrize("grouped", [True, False])
def test_who_means_all_says_of_what(grouped: bool) -> None:
    constraint = Constraint(kind="exclusion", field="colour", value="red", noun="kite")
    for seed in range(20):
        said = scope(constraint, Random(seed), grouped=grouped)
        assert "kite" in said
        assert "them" not in said
        assert ("possible" in said or "can be done" in said) != grouped


def test_a_constraint_stands_behind_its_own_request_or_says_that_it_is_for_later(grounds, tasks) -> None:
    ground = asyncio.run(grounds(list(tasks.values())))
    main = Constrained(tasks["refund"], Constraint(kind="limit", field="total", bound=40, noun="order"))
    for seed in range(20):
        row = {"constraint": "limit", "goals": 2, "patience": 6}
        opening = compose([main, tasks["status"]], row, seed=seed, ground=ground).scenario.user.opening
        assert opening.index("40") < opening.index("W-26159")
        far = compose([main, tasks["status"]], {**row, "distance": 2}, seed=seed, ground=ground).scenario.user
        assert "later" in far.opening
        assert "refund" in far.opening
