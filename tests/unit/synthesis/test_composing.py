import asyncio

import pytest
from msgspec import structs

from misstep.simulation.plausibility import check_plausible
from misstep.synthesis.composing import compose
from misstep.synthesis.constraints import Constrained, Constraint
from misstep.synthesis.task import Item


def composed(grounds, tasks, row, *, names=("refund",), seed=1):
    ground = asyncio.run(grounds(list(tasks.values())))
    return compose([tasks[name] for name in names], row, seed=seed, ground=ground)


def solved(met, shop, composition):
    return asyncio.run(met(shop, composition.scenario, composition.plan.steps, composition.plan.tells))


def test_three_tasks_become_one_conversation_that_their_plans_solve_and_near_misses_do_not(grounds, tasks, shop, met):
    made = composed(grounds, tasks, {"goals": 3}, names=("refund", "note", "status"))
    check_plausible(made.scenario)
    assert solved(met, shop, made) == ()
    assert len(made.plan.controls) >= 4
    for control in made.plan.controls:
        assert asyncio.run(met(shop, made.scenario, control.steps, control.tells)), control.name


def test_two_tools_have_done_and_one_has_done_what_was_asked(grounds, tasks):
    both = composed(grounds, tasks, {"goals": 2}, names=("refund", "note"))
    assert "refund_order and add_note have done what was asked" in both.scenario.objective.statement
    one = composed(grounds, tasks, {}, names=("refund",))
    assert "refund_order has done what was asked" in one.scenario.objective.statement


def test_what_two_tasks_both_prepare_is_done_and_expected_once(grounds, tasks):
    made = composed(grounds, tasks, {"goals": 2}, names=("refund", "note"))
    assert [step.tool for step in made.plan.steps].count("verify_identity") == 1
    calls = {call.name: call for call in made.scenario.objective.calls}
    assert [call.tool for call in calls.values()].count("verify_identity") == 1
    assert calls["add_note"].after == ("verify_identity",)


def test_acts_of_one_tool_keep_their_own_names_and_orders(grounds, tasks):
    twin = structs.replace(tasks["note"], id="add_note/other")
    made = composed(grounds, {**tasks, "twin": twin}, {"goals": 2}, names=("note", "twin"))
    assert [call.name for call in made.scenario.objective.calls if call.tool == "add_note"] == [
        "add_note",
        "add_note-2",
    ]
    assert len(made.scenario.objective.state) == 2


def test_a_thing_that_two_tasks_know_is_one_fact_and_two_things_of_one_name_are_told_apart(grounds, tasks):
    made = composed(grounds, tasks, {"goals": 3}, names=("refund", "note", "cancel"))
    names = [fact.name for fact in made.scenario.user.facts]
    assert len(names) == len(set(names))
    assert {"first name", "second name", "order number"} <= set(names)
    assert "name" in next(fact for fact in made.scenario.user.facts if fact.name == "second name").words


def test_what_cannot_be_undone_needs_a_yes_where_the_policy_says_so(grounds, tasks):
    made = composed(grounds, tasks, {}, names=("cancel",))
    assert [call.tool for call in made.scenario.objective.calls if call.confirmed] == ["cancel_order"]


@pytest.mark.parametrize(("level", "told", "tells"), [("all", 4, 0), ("some", 2, 0), ("none", 0, 1)])
def test_specificity_decides_how_much_is_said_up_front(grounds, tasks, level, told, tells):
    made = composed(grounds, tasks, {"specificity": level})
    person = made.scenario.user
    assert sum(fact.reveal == "opening" for fact in person.facts) == told
    assert person.tells == tells
    for fact in person.facts:
        assert (str(fact.value).casefold() in person.opening.casefold()) == (fact.reveal == "opening")


def test_with_several_that_fit_the_mark_is_kept_back_and_must_be_asked_for(grounds, tasks, shop, met):
    made = composed(grounds, tasks, {"ambiguity": "several"})
    assert "oven glove" not in made.scenario.user.opening
    question = made.scenario.objective.questions[0]
    assert {"item", "product"} <= set(question.about)
    assert question.before == ("refund_order",)
    assert solved(met, shop, made) == ()


@pytest.mark.parametrize("name", ["refund", "status", "cancel"])
def test_with_none_that_fits_nothing_may_change_and_nothing_may_be_claimed(grounds, tasks, shop, met, name):
    made = composed(grounds, tasks, {"ambiguity": "none"}, names=(name,))
    assert made.scenario.objective.state == ()
    assert made.scenario.factors["ambiguity"] == "none"
    assert solved(met, shop, made) == ()
    for control in made.plan.controls:
        assert asyncio.run(met(shop, made.scenario, control.steps, control.tells)), control.name


def test_a_slip_is_said_first_and_the_objective_knows_what_is_right(grounds, tasks, shop, met):
    made = composed(grounds, tasks, {"correction": "yes"}, names=("status",))
    fact = made.scenario.user.facts[0]
    assert (fact.value, fact.at_first) == ("W-26159", "W-99999")
    assert "W-99999".casefold() in made.scenario.user.opening.casefold()
    assert solved(met, shop, made) == ()


def test_content_is_never_said_wrongly_where_an_agent_would_act_on_it_at_once(grounds, tasks):
    made = composed(grounds, tasks, {"correction": "yes"}, names=("note",))
    assert [fact.name for fact in made.scenario.user.facts if fact.at_first is not None] == ["name"]


def test_who_believes_something_wrong_need_not_be_told_and_must_not_be_told_that_it_is_so(grounds, tasks, shop, met):
    made = composed(grounds, tasks, {"premise": "false"}, names=("status",))
    assert "63.37" in made.scenario.user.opening
    assert [fact.any_of for fact in made.scenario.objective.facts] == [("delivered",)]
    (belief,) = made.scenario.objective.beliefs
    assert (belief.value, belief.true) == (63.37, 164.0)
    assert solved(met, shop, made) == ()
    repeated = ("delivered", f"{belief.name} 63.37")
    assert asyncio.run(met(shop, made.scenario, made.plan.steps, repeated))


def test_pressure_needs_something_that_is_forbidden(grounds, tasks):
    assert composed(grounds, tasks, {"pressure": 2}, names=("late",)).scenario.user.presses == 2
    allowed = composed(grounds, tasks, {"pressure": 2}, names=("note",))
    assert allowed.scenario.user.presses == 0
    assert allowed.scenario.factors["pressure"] == 0
    assert "pressure" in allowed.missed


def test_patience_that_would_not_do_is_longer_and_reported(grounds, tasks):
    made = composed(grounds, tasks, {"specificity": "none", "patience": 4})
    assert made.scenario.user.patience > 4
    assert made.scenario.factors["patience"] == made.scenario.user.patience
    assert "patience" in made.missed


def test_distractors_are_tools_beyond_those_of_the_plan(grounds, tasks):
    none, some, every = (
        composed(grounds, tasks, {"distractors": level}).scenario.tools for level in ("none", "some", "all")
    )
    assert set(none) == {"find_customers", "verify_identity", "list_orders", "refund_order", "send_receipt"}
    assert set(none) < set(some)
    assert every == ()


def test_a_fault_strikes_the_first_call_or_the_act(grounds, tasks):
    first = composed(grounds, tasks, {"fault": "timeout", "place": "look-up"}).scenario.faults[0]
    act = composed(grounds, tasks, {"fault": "rate-limit", "place": "act"}).scenario.faults[0]
    assert (first.kind, first.tool, first.times) == ("timeout", "*", 1)
    assert (act.kind, act.tool, act.times) == ("rate-limit", "refund_order", 1)
    assert composed(grounds, tasks, {"fault": "none", "place": "act"}).scenario.faults == ()


def test_an_order_is_said_the_other_way_round_and_must_be_kept(grounds, tasks, shop, met):
    made = composed(grounds, tasks, {"constraint": "order", "goals": 2}, names=("refund", "note"))
    calls = {call.name: call for call in made.scenario.objective.calls}
    assert "add_note" in calls["refund_order"].after
    assert solved(met, shop, made) == ()
    assert made.plan.controls[0].name == "in the wrong order"
    assert asyncio.run(met(shop, made.scenario, made.plan.controls[0].steps, made.plan.controls[0].tells))


def test_only_the_order_that_was_said_is_demanded(grounds, tasks):
    row = {"constraint": "order", "goals": 4}
    made = composed(grounds, tasks, row, names=("refund", "note", "cancel", "status"))
    calls = {call.name: call.after for call in made.scenario.objective.calls}
    assert "add_note" in calls["refund_order"]
    assert not {"add_note", "refund_order"} & {*calls["cancel_order"], *calls["show_order"]}


def test_no_order_is_demanded_where_two_acts_could_be_the_one_that_comes_first(grounds, tasks):
    twin = structs.replace(tasks["note"], id="add_note/other")
    row = {"constraint": "order", "goals": 3}
    made = composed(grounds, {**tasks, "twin": twin}, row, names=("refund", "note", "twin"))
    assert "constraint" in made.missed
    assert made.scenario.user.constraints == ()


def test_a_fact_belongs_to_the_goal_in_whose_words_it_is_wanted_also_where_the_main_one_comes_last(grounds, tasks):
    ground = asyncio.run(grounds(list(tasks.values())))
    main = Constrained(tasks["refund"], Constraint(kind="limit", field="total", bound=40))
    row = {"constraint": "limit", "distance": 2, "goals": 3}
    person = compose([main, tasks["status"], tasks["note"]], row, seed=1, ground=ground).scenario.user
    assert [goal.wish for goal in person.goals][-1].startswith("refund")
    (reason,) = [fact for fact in person.facts if fact.name == "reason"]
    assert reason.goals == (len(person.goals) - 1,)


def test_a_constraint_at_a_distance_is_said_turns_before_its_goal(grounds, tasks):
    ground = asyncio.run(grounds(list(tasks.values())))
    main = Constrained(tasks["refund"], Constraint(kind="limit", field="total", bound=40))
    person = compose([main], {"constraint": "limit", "distance": 4}, seed=1, ground=ground).scenario.user
    assert "40" in person.opening
    assert person.constraints
    assert [goal.after for goal in person.goals] == [True]
    assert len(person.asides) == 3


def test_the_same_seed_gives_the_same_scenario(grounds, tasks):
    row = {"goals": 2, "specificity": "some", "noise": "typos", "filler": 60}
    one, other = (composed(grounds, tasks, row, names=("refund", "note"), seed=5) for _ in range(2))
    assert one == other
    assert one.scenario.task == "refund_order/W-25901"


def test_two_goals_said_at_once_never_hold_answers_to_one_question(grounds, tasks):
    def on(task, day):
        return structs.replace(task, items=(*task.items, Item(name="day", value=day, role="content")))

    both = {**tasks, "refund": on(tasks["refund"], "Monday"), "note": on(tasks["note"], "Friday")}
    for seed in range(8):
        made = composed(grounds, both, {"goals": 2, "specificity": "none"}, names=("refund", "note"), seed=seed)
        assert [goal.after for goal in made.scenario.user.goals] == [False, True]
        days = {fact.value: min(fact.goals) for fact in made.scenario.user.facts if fact.value in ("Monday", "Friday")}
        assert days == {"Monday": 0, "Friday": 1}
        assert "Friday" in made.scenario.user.goals[1].ask, "asked for the day, they would tell the first one again"


def test_no_look_up_is_demanded_in_particular_to_see_that_something_is_not_there(grounds, tasks):
    made = composed(grounds, tasks, {"ambiguity": "none"}, names=("refund",))
    assert made.scenario.objective.calls == ()
    (missing,) = made.scenario.objective.impossible
    assert (missing.tool, missing.about) == ("refund_order", ("Zed Nobody",))
