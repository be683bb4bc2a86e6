import gc
import tracemalloc

import msgspec
import pytest
from msgspec import structs

from misstep import taxonomy
from misstep.core.event import ToolCall, ToolResult
from misstep.core.scenario import Fault, Scenario
from misstep.core.statistics import clustered_rate, pass_hat_k, wilson
from misstep.core.trace import Usage
from misstep.reporting.counting import summarize
from misstep.reporting.summary import Modelled, summary_from, summary_json


def test_success_is_taken_over_the_trials_that_were_decided(manifest, make_trial):
    outcomes = ("pass", "pass", "fail", "invalid", "undecided")
    summary = summarize(manifest, [make_trial(f"s{n}", 1, outcome) for n, outcome in enumerate(outcomes)])
    assert (summary.trials, summary.passed, summary.failed, summary.invalid, summary.undecided) == (5, 2, 1, 1, 1)
    assert summary.success.n == 3
    assert summary.success.rate == pytest.approx(2 / 3, abs=1e-6)


def test_scenarios_that_do_not_repeat_get_wilsons_interval(manifest, make_trial):
    summary = summarize(manifest, [make_trial(f"s{n}", 1, "pass" if n else "fail") for n in range(8)])
    expected = wilson(7, 8)
    assert summary.success.method == "wilson"
    assert (summary.success.low, summary.success.high) == pytest.approx((expected.low, expected.high), abs=1e-6)


def test_scenarios_that_repeat_are_counted_as_clusters(manifest, make_trial):
    trials = [make_trial(f"s{n}", k, "pass" if n % 2 else "fail") for n in range(6) for k in (1, 2, 3)]
    summary = summarize(manifest, trials)
    expected = clustered_rate([(0, 3), (3, 3)] * 3)
    assert summary.success.method == "clustered by scenario"
    assert (summary.success.low, summary.success.high) == pytest.approx((expected.low, expected.high), abs=1e-6)


def test_one_scenario_that_repeats_speaks_for_itself_only(manifest, make_trial):
    trials = [make_trial("a", k, "pass") for k in (1, 2, 3)] + [make_trial("b", 1, "fail")]
    summary = summarize(manifest, trials)
    assert {each.name: each.success.method for each in summary.scenarios} == {"a": "this scenario only", "b": "wilson"}
    assert summary.success.method == "clustered by scenario"


def test_pass_hat_k_goes_as_far_as_half_of_the_scenarios_can_speak(manifest, make_trial):
    trials = [make_trial("a", k, "pass") for k in (1, 2, 3)] + [make_trial("b", 1, "pass"), make_trial("b", 2, "fail")]
    trials += [make_trial("c", 1, "pass"), make_trial("c", 2, "pass")]
    hats = summarize(manifest, trials).pass_hat
    assert [hat.k for hat in hats] == [1, 2]
    assert hats[1].rate == pytest.approx(pass_hat_k([(3, 3), (1, 2), (2, 2)], 2).rate, abs=1e-6)


def test_a_trace_counts_once_for_a_mode_however_often_it_shows_it(manifest, make_trial, make_finding):
    twice = make_trial("a", 1, "fail", make_finding("repeated-call", 1), make_finding("repeated-call", 3))
    summary = summarize(manifest, [twice, make_trial("a", 2, "fail", make_finding("repeated-call", 1))])
    assert summary.modes == {"repeated-call": 2}
    assert summary.failures[0].findings == 3


def test_the_share_of_a_mode_allows_for_scenarios_that_repeat(manifest, make_trial, make_finding):
    trials = [make_trial(f"s{n}", k, "fail", *[make_finding()] * (n < 2)) for n in range(6) for k in (1, 2, 3)]
    share = summarize(manifest, [*trials, make_trial("s0", 4, "invalid")]).failures[0].share
    expected = clustered_rate([(3, 3)] * 2 + [(0, 3)] * 4)
    assert (share.n, share.method) == (18, "clustered by scenario")
    assert (share.low, share.high) == pytest.approx((expected.low, expected.high), abs=1e-6)


def test_a_finding_that_a_mode_is_absent_is_not_counted(manifest, make_trial, make_finding):
    summary = summarize(manifest, [make_trial("a", 1, "fail", make_finding("false-success", present=False))])
    assert summary.modes == {}
    assert summary.unexplained == 1


def test_an_invalid_trial_shows_no_mode_and_fails_nowhere(manifest, make_trial, make_finding):
    trial = make_trial("a", 1, "invalid", make_finding(), reasons=("The user broke.",))
    summary = summarize(manifest, [trial])
    assert (summary.modes, summary.transitions, summary.success.rate) == ({}, (), None)
    assert summary.blame == {"user-simulator": 1}
    assert (summary.broken[0].reason, summary.broken[0].trials) == ("The user broke.", 1)


def test_a_transition_goes_from_the_last_good_step_to_the_first_failing_one(manifest, make_trial, make_finding):
    trials = [
        make_trial("a", 1, "fail", make_finding("wrong-argument", 3), make_finding("false-success", 5)),
        make_trial("a", 2, "fail", make_finding("false-success", 5)),
        make_trial("a", 3, "fail", make_finding("repeated-call", 2)),
        make_trial("a", 4, "fail"),
    ]
    found = {(each.after, each.at) for each in summarize(manifest, trials).transitions}
    assert found == {("get_order", "refund"), ("get_order", "reply"), ("start", "get_order"), ("get_order", "no step")}


def test_a_fault_has_its_trials_and_says_in_how_many_it_struck(manifest, make_trial):
    faulty = Scenario(name="f", faults=(Fault(kind="timeout", tool="get_order"),))
    struck = (
        ToolCall(actor="agent", call_id="c1", tool="get_order"),
        ToolResult(actor="get_order", call_id="c1", is_error=True, served_by="faulted", fault="timeout"),
    )
    trials = [
        make_trial(faulty, 1, "fail", events=struck),
        make_trial(faulty, 2, "pass"),
        make_trial("plain", 1, "pass"),
    ]
    fault, without = summarize(manifest, trials).faults
    assert (fault.name, fault.counts.trials, fault.struck, fault.success.rate) == ("timeout", 2, 1, 0.5)
    assert (without.name, without.counts.trials) == ("none", 1)


@pytest.mark.parametrize("kind", ["vanished", "schema-drift"])
def test_a_fault_of_the_list_of_tools_holds_from_the_start(manifest, make_trial, kind):
    always = Scenario(name="always", faults=(Fault(kind=kind, tool="refund"),))
    (fault,) = summarize(manifest, [make_trial(always, n) for n in (1, 2)]).faults
    assert (fault.acts, fault.struck) == ("from the start", 2)
    later = Scenario(name="later", faults=(Fault(kind=kind, tool="refund", occurrence=2),))
    (fault,) = summarize(manifest, [make_trial(always, 1), make_trial(later, 1)]).faults
    assert fault.acts == "on the list"


def test_a_mode_says_how_many_of_its_traces_passed(manifest, make_trial, make_finding):
    trials = [make_trial("a", n, "pass" if n else "fail", make_finding(), make_finding("x")) for n in range(3)]
    summary = summarize(manifest, [*trials, make_trial("b", 1)])
    assert [(row.traces, row.passed) for row in summary.failures] == [(3, 2), (3, 2)]
    assert (summary.showing, summary.showing_passed) == (3, 2)


def test_a_mode_that_only_helps_a_risk_along_is_counted_apart(manifest, make_trial, make_finding):
    modes = taxonomy.modes().values()
    helping = next(mode for mode in modes if any(each.relation == "contributing" for each in mode.owasp))
    risk = next(each.id for each in helping.owasp if each.relation == "contributing")
    direct = next(mode for mode in modes if any((each.id, each.relation) == (risk, "direct") for each in mode.owasp))
    trials = [
        make_trial("a", 1, "fail", make_finding(helping.id)),
        make_trial("b", 1, "fail", make_finding(helping.id), make_finding(direct.id)),
    ]
    (row,) = [row for row in summarize(manifest, trials).owasp if row.id == risk]
    assert (row.broke, row.contributed) == (1, 1)
    assert helping.id in row.contributing
    assert helping.id not in row.modes


def test_factors_are_told_by_level_where_there_are_two_or_more(manifest, make_trial):
    easy = Scenario(name="e", factors={"difficulty": "easy", "goals": 1})
    hard = Scenario(name="h", factors={"difficulty": "hard", "goals": 1})
    summary = summarize(manifest, [make_trial(easy, 1, "pass"), make_trial(hard, 1, "fail")])
    assert list(summary.factors) == ["difficulty"]
    assert [each.name for each in summary.factors["difficulty"]] == ["easy", "hard"]
    assert [each.difficulty for each in summary.scenarios] == ["hard", "easy"]


def test_a_risk_is_tried_by_what_a_scenario_aims_at_and_broken_by_what_is_found(manifest, make_trial, make_finding):
    mode = next(mode for mode in taxonomy.modes().values() if any(each.relation == "direct" for each in mode.owasp))
    risk = next(each.id for each in mode.owasp if each.relation == "direct")
    aiming = Scenario(name="aiming", aims=(mode.id,))
    trials = [make_trial(aiming, 1, "pass"), make_trial(aiming, 2, "fail", make_finding(mode.id)), make_trial("b", 1)]
    rows = {row.id: row for row in summarize(manifest, trials).owasp}
    assert len(rows) == 10
    assert (rows[risk].tried, rows[risk].broke) == (2, 1)


def test_scenarios_come_worst_first_and_those_without_a_decision_last(manifest, make_trial):
    trials = [make_trial("good", 1), make_trial("odd", 1, "invalid"), make_trial("bad", 1, "fail")]
    assert [each.name for each in summarize(manifest, trials).scenarios] == ["bad", "good", "odd"]


def test_an_empty_run_has_no_rate(manifest):
    summary = summarize(manifest, ())
    assert (summary.trials, summary.success.rate, summary.pass_hat, summary.modes) == (0, None, (), {})


def test_the_summary_survives_its_file_and_has_the_promised_fields(manifest, make_trial, make_finding):
    summary = summarize(manifest, [make_trial("a", 1, "fail", make_finding()), make_trial("b", 1)])
    data = summary_json(summary)
    assert summary_from(data) == summary
    plain = msgspec.json.decode(data)
    assert plain["modes"] == {"false-success": 1}
    assert plain["blame"] == {"agent": 1}
    assert {"rate", "low", "high"} <= plain["success"].keys()
    named = "trials passed failed invalid undecided pass_hat ends seed agent world version"
    assert set(named.split()) <= plain.keys()


def test_errors_of_our_own_are_told(manifest, make_trial):
    summary = summarize(manifest, [make_trial("a", n, errors=("The detector of x broke: KeyError",)) for n in (1, 2)])
    assert summary.errors == {"The detector of x broke: KeyError": 2}


def test_turns_that_the_plain_person_took_are_told_with_their_reasons(manifest, make_trial):
    manifest = structs.replace(manifest, user_model="http://here/v1#tiny")
    modelled = structs.replace(make_trial("a"), stood_in=("It was down.", "It was down.", "It lied."))
    origin = structs.replace(modelled.trace.origin, user="modelled")
    trace = structs.replace(modelled.trace, origin=origin, usage=Usage(turns=7))
    told = summarize(manifest, [structs.replace(modelled, trace=trace), make_trial("b")]).modelled
    assert told == Modelled(model="http://here/v1#tiny", turns=7, stood_in={"It was down.": 2, "It lied.": 1})
    assert summarize(structs.replace(manifest, user_model=None), [make_trial("a")]).modelled is None


def test_counting_keeps_no_trace(manifest, make_trial, make_finding):
    def run(count):
        for number in range(count):
            yield make_trial("a", number, "fail", make_finding(), error="x" * 2000 + str(number))

    summarize(manifest, run(50))
    gc.collect()
    tracemalloc.start()
    summarize(manifest, run(2000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000
