import re
from html.parser import HTMLParser

import pytest
from msgspec import structs

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.scenario import Fault, Scenario
from misstep.core.state import Change
from misstep.reporting.disputed import UNDECIDED
from misstep.reporting.examples import digest
from misstep.reporting.html import report_html
from misstep.store.disputes import dispute, set_aside

HOSTILE = (
    "<script>x()</script><img src=x onerror=x()></style><a href=javascript:x()>\" ' onclick=x() \x00\x1b\u202e\ud800"
)

ALLOWED = frozenset(
    """html head meta title style body a div header span button nav main section p h1 h2 h3 h4 h5 ul ol li dl dt dd b
    code pre table thead tbody tfoot tr th td details summary label input select option svg line circle rect polygon
    polyline text figure figcaption footer script del ins""".split()
)


class Elements(HTMLParser):
    """Every element and attribute that a page has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


@pytest.fixture
def hostile_page(manifest, make_trial):
    scenario = Scenario(
        name=HOSTILE.replace("/", "|"),
        summary=HOSTILE,
        faults=(Fault(kind=HOSTILE),),
        factors={HOSTILE: 1, "difficulty": HOSTILE},
    )
    events = (
        Message(actor=HOSTILE, role="user", text=HOSTILE),
        ToolCall(actor="agent", call_id="1", tool=HOSTILE, arguments={HOSTILE: HOSTILE}),
        ToolResult(actor=HOSTILE, call_id="1", content={HOSTILE: [HOSTILE]}, served_by="faulted", fault=HOSTILE),
    )
    finding = Finding(mode=HOSTILE, events=(1,), because=HOSTILE, claimed_by=HOSTILE, taxonomy=HOSTILE, asi=(HOSTILE,))
    other = Scenario(name="other", factors={HOSTILE: 2})
    trials = [
        make_trial(
            scenario, 1, "fail", finding, events=events, reasons=(HOSTILE,), error=HOSTILE,
            changes=(Change(HOSTILE, HOSTILE, {HOSTILE: 1}, {HOSTILE: HOSTILE}),),
        ),
        make_trial(other, 1, "invalid", reasons=(HOSTILE,), errors=(HOSTILE,)),
    ]  # fmt: skip
    trials[0] = structs.replace(trials[0], stood_in=(HOSTILE,))
    manifest = structs.replace(manifest, user_model=HOSTILE)
    return report_html(digest(manifest, trials))


def test_text_of_a_trace_makes_no_element_and_no_attribute(hostile_page):
    found = Elements(hostile_page)
    assert set(found.names) <= ALLOWED
    assert found.names.count("script") == found.names.count("style") == 1
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in ("style", "src", "srcdoc")]
    assert all(value.startswith("#") for name, value in found.attributes if name == "href")


def test_what_cannot_be_seen_is_spelled_out_on_the_page(hostile_page):
    assert not set("\x00\x1b\u202e\ud800") & set(hostile_page)
    assert '<span class="esc">\\x00\\x1b\\u202e\\ud800</span>' in hostile_page
    hostile_page.encode("utf-8")


def test_the_page_asks_for_nothing(manifest, make_trial, make_finding):
    page = report_html(digest(manifest, [make_trial("a", 1, "fail", make_finding())]))
    assert "default-src 'none'" in page
    assert "unsafe-inline" not in page
    assert not re.search(r"https?://|url\(|@import|<link|<img|<iframe", page)


def test_every_link_of_the_page_leads_somewhere(manifest, make_trial, make_finding):
    trials = [make_trial("a", n, "fail", make_finding("repeated-call", 1, 3), make_finding("x", 5)) for n in (1, 2)]
    trials += [make_trial("b", 1, "fail"), make_trial("b", 2, "invalid")]
    found = Elements(report_html(digest(manifest, trials)))
    ids = [value for name, value in found.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {value[1:] for name, value in found.attributes if name == "href"} <= set(ids)


def test_a_finding_has_its_because_its_detector_and_its_command(manifest, make_trial, make_finding):
    finding = make_finding(claimed_by="detector:false-success", version=4, confidence=0.75)
    page = report_html(digest(manifest, [make_trial("a", 2, "fail", finding)]))
    text = re.sub(r"<[^>]+>", "", page)
    for part in ("It shows false-success.", "detector:false-success v4", "confidence 75%", "1 of 1 shown"):
        assert part in text
    assert "misstep run --agent zoo:sound --tools world:shop --only a --trial 2 --seed 3" in text


def readable(manifest, trials):
    return " ".join(re.sub(r"<[^>]+>", "", report_html(digest(manifest, trials))).split())


def test_a_fault_of_the_list_of_tools_is_not_said_to_have_struck(manifest, make_trial):
    gone = Scenario(name="gone", faults=(Fault(kind="vanished", tool="refund"),))
    late = Scenario(name="late", faults=(Fault(kind="timeout", tool="refund"),))
    text = readable(manifest, [make_trial(scenario, n) for scenario in (gone, late) for n in (1, 2)])
    assert "vanished 1 scenario from the start" in text
    assert "timeout 1 scenario struck in 0 of 2" in text
    assert "speaks for that scenario only" in text


def test_trials_that_failed_without_a_finding_say_why_on_the_page(manifest, make_trial):
    reasons = ("The agent did not answer in time.", "refund was never called.")
    text = readable(manifest, [make_trial("a", n, "fail", reasons=reasons, end="agent-hung") for n in (1, 2)])
    assert "2The agent did not answer in time. For example a, trial&nbsp;1" in text
    assert "no step: no finding points at one" in text


def test_traces_of_trials_that_passed_are_told_apart_on_the_page(manifest, make_trial, make_finding):
    text = readable(manifest, [make_trial("a", n, "pass" if n else "fail", make_finding()) for n in range(5)])
    assert "in 5 traces, 4 of them of trials that passed: success is what the objective says" in text
    assert "4 of them in trials that passed." in text


def test_levels_are_explained_where_they_are_known_and_only_there(manifest, make_trial):
    def run(*levels):
        scenarios = [Scenario(name=f"s{n}", factors={"ambiguity": level}) for n, level in enumerate(levels)]
        return readable(manifest, [make_trial(scenario) for scenario in scenarios])

    assert "How many records fit" in run("one", "several")
    assert "How many records fit" not in run("one", "a lot")


def test_an_id_is_kept_on_one_line_and_a_long_name_is_not(manifest, make_trial):
    page = report_html(digest(manifest, [make_trial("a", 1, "fail", reasons=("I-4129, 2026-05-23, false-success",))]))
    assert '<span class="whole">I-4129</span>, <span class="whole">2026-05-23</span>, false-success' in page


def test_the_page_says_how_many_it_leaves_out(manifest, make_trial, make_finding):
    page = report_html(digest(manifest, [make_trial("a", n, "fail", make_finding()) for n in range(214)]))
    assert "6 of 214 shown" in page


def test_the_page_starts_with_what_failed_what_to_read_and_what_to_do(manifest, make_trial, make_finding):
    trials = [make_trial("a", 1, "fail", make_finding("y")), make_trial("b", 1, "fail", reasons=("Not done.",))]
    trials += [make_trial("c", n, "fail", make_finding("x")) for n in (1, 2)]
    made = structs.replace(digest(manifest, trials), folder="runs/first one")
    page = report_html(made)
    top = page[page.index('class="start"') : page.index('id="modes"')]
    text = " ".join(re.sub(r"<[^>]+>", " ", top).split())
    assert [text.index(part) for part in ("2 x", "1 y", "1 Not done.")] == sorted(
        text.index(part) for part in ("2 x", "1 y", "1 Not done.")
    )
    assert '<a href="#x-1-1">It shows x.</a>' in top
    assert "misstep run --agent zoo:sound --tools world:shop --only c --trial 1 --seed 3" in text
    assert "misstep dispute &#39;runs/first one&#39; &#39;c#1&#39; --because &#34;…&#34;" in text


def test_only_a_conversation_that_failed_has_a_command_that_disputes_it(manifest, make_trial, make_finding):
    trials = [make_trial("a", n, outcome, make_finding()) for n, outcome in enumerate(("fail", "pass"))]
    made = structs.replace(digest(manifest, trials), folder="run")
    findings = report_html(made).partition('id="findings"')[2]
    assert findings.count("misstep dispute run &#39;a#0&#39;") == 1
    assert "a#1&#39;" not in findings
    assert "misstep dispute" not in report_html(digest(manifest, trials))


def test_a_strained_conversation_is_marked_and_success_told_without_it(manifest, make_trial):
    trials = [structs.replace(make_trial("a", n, "fail" if n < 2 else "pass"), strained=n == 1) for n in range(3)]
    page = report_html(digest(manifest, trials))
    assert page.count('<span class="strained">strained</span>') == 1
    text = " ".join(re.sub(r"<[^>]+>", "", page).split())
    assert "In 33% of the trials (6% to 79%)" in text
    assert "Without them, 50.0% of 2 succeeded" in text


def test_a_question_that_was_not_needed_and_a_note_are_told_with_the_conversation_and_counted(manifest, make_asking):
    said = {"not_needed": ("order or <b>item</b>",), "notes": ("The user was not told <i>why</i>.",)}
    page = report_html(digest(manifest, [make_asking(1, "fail", **said), make_asking(2, "pass")]))
    findings = page.partition('id="findings"')[2]
    assert "<span>not needed: a question about order or &lt;b&gt;item&lt;/b&gt;, for the person had" in findings
    assert "The user was not told &lt;i&gt;why&lt;/i&gt;." in findings
    text = " ".join(re.sub(r"<[^>]+>", "", page).split())
    assert "A demanded question was not needed in 1 of the 2 trials that demand one" in text
    assert "Without them, 100% of 1 succeeded" in text
    assert "Worth knowing, and no failure: The user was not told &lt;i&gt;why&lt;/i&gt;. (1 trial)" in text


def test_a_disputed_conversation_stands_apart_with_who_says_so_and_why(manifest, make_trial, make_finding):
    trial = make_trial("a", 1, "fail", make_finding(), reasons=("Not done.",))
    unfair = dispute(trial, because="it <b>was</b> done", by="Ann Lee", on="2026-11-19")
    page = report_html(digest(manifest, set_aside([trial], [unfair])))
    text = " ".join(re.sub(r"<[^>]+>", "", page).split())
    assert "Disputed 1 of 1 shown" in text
    assert "it &lt;b&gt;was&lt;/b&gt; done" in page
    assert "says Ann Lee" in text
    assert UNDECIDED in text


def test_risks_that_nothing_tried_are_folded(manifest, make_trial, make_finding):
    page = report_html(digest(manifest, [make_trial("a", 1, "fail", make_finding("goal-hijack"))]))
    table = page[page.index('<table class="owasp">') : page.index("</table>")]
    assert table.count('<th scope="row">') == 1
    assert "9 risks not tried</summary>" in page


def test_an_empty_run_and_one_that_passed_have_a_page(manifest, make_trial):
    assert "No trial has finished" in report_html(digest(manifest, ()))
    page = report_html(digest(manifest, [make_trial("a", 1), make_trial("b", 1)]))
    assert "no detector found a failure mode" in page
    assert "None: nothing broke on our side." in page


def test_a_run_in_which_nothing_was_decided_claims_no_rate(manifest, make_trial):
    page = report_html(digest(manifest, [make_trial("a", 1, "invalid")]))
    assert "no trial was decided" in page


def test_the_same_run_gives_the_same_page(manifest, make_trial, make_finding):
    trials = [make_trial(name, 1, "fail", make_finding()) for name in "cab"]
    assert report_html(digest(manifest, trials)) == report_html(digest(manifest, trials))
