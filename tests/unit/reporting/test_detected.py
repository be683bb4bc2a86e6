"""What `detect` tells: on the terminal, on a page, and to machines."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from misstep.core.event import Message
from misstep.core.trace import Trace
from misstep.diagnosis.culprit import Culprit, Suspect
from misstep.diagnosis.examining import Examined
from misstep.ingestion.nouns import Loss
from misstep.reporting.detected import Detected
from misstep.reporting.detected_page import detected_html
from misstep.reporting.detected_text import detected_text
from misstep.reporting.sarif import SarifLog

HOSTILE = "</script><script>alert(1)</script>\x1b[2J\u202e[red]x[/red]"
EVENTS = tuple(Message(actor="agent", role="agent", text=f"Turn {n}.", source=f"span-{n}") for n in range(6))


def printed(renderable):
    out = io.StringIO()
    Console(file=out, width=90).print(renderable)
    return out.getvalue()


def detected(*found, keep=False, traces=0):
    """One trace for each finding, and some more."""
    result = Detected(keep=keep)
    for number in range(max(len(found), traces)):
        findings = found[number : number + 1]
        result.add(Path("a.json"), Trace(id=f"t{number}", events=EVENTS), findings)
    return result


def test_findings_come_worst_mode_first_with_three_examples_each(make_finding):
    mild = [make_finding("mild", severity="low") for _ in range(9)]
    text = printed(detected_text(detected(*mild, make_finding("grave", 2, severity="critical"))))
    assert text.index("grave") < text.index("mild")
    assert text.count("It shows mild.") == 3
    assert "and 6 more traces" in text
    assert "t9 #2 (span-2)" in text


def test_that_nothing_was_found_is_said(make_finding):
    assert "Nothing was found in 4 traces." in printed(detected_text(detected(make_finding(present=False), traces=4)))


def test_a_share_comes_with_its_interval(make_finding):
    assert "50% (15%–85%)" in printed(detected_text(detected(*[make_finding()] * 2, traces=4)))


def test_what_was_lost_in_reading_is_told_with_what_to_switch_on(make_finding):
    result = detected(make_finding())
    result.losses.add([Loss("tool spans carry no result", 1, 4, "Set CAPTURE=true.")])
    result.losses.add([Loss("tool spans carry no result", 1, 2, "Set CAPTURE=true.")])
    text = printed(detected_text(result))
    assert "33% of 6: tool spans carry no result. Set CAPTURE=true." in text
    assert "Set CAPTURE=true." in detected_html(result, version="0")


@pytest.mark.parametrize("place", ["text", "because", "actor", "file", "id", "mode"])
def test_hostile_text_stays_text_wherever_it_stands(make_finding, place):
    finding = make_finding(HOSTILE if place == "mode" else "false-success", 0)
    if place == "because":
        finding = type(finding)(mode="false-success", events=(0,), because=HOSTILE)
    said = Message(
        actor=HOSTILE if place == "actor" else "agent", role="agent", text=HOSTILE if place == "text" else ""
    )
    trace = Trace(id=HOSTILE if place == "id" else "t", events=(said,))
    result = Detected(keep=True)
    result.add(Path(HOSTILE if place == "file" else "a.json"), trace, [finding], Culprit(0, HOSTILE, 0.5, HOSTILE, ()))
    page, text = detected_html(result, version="0"), printed(detected_text(result))
    assert "<script>alert" not in page
    assert "\x1b[2J" not in page + text
    assert "\u202e" not in page + text


def test_the_page_shows_the_conversation_and_where_it_began(make_finding):
    result = Detected(keep=True)
    culprit = Culprit(1, "planner", 0.61, "It acted on a guess.", (Suspect(3, "coder", 0.2, "It failed first."),))
    result.add(Path("a.json"), Trace(id="t", events=EVENTS), [make_finding()], culprit)
    page = detected_html(result, version="0")
    for part in ("Turn 5.", "It acted on a guess.", "#1 planner", "#3 coder", "guilty"):
        assert part in page


def test_sarif_names_the_rule_the_level_the_file_and_the_event(make_finding):
    log = SarifLog("0.1")
    for mode, severity in (("goal-hijack", "critical"), ("own-mode", "low"), ("goal-hijack", "critical")):
        log.add(
            Examined(
                file=Path("some folder/a.json"),
                trace=Trace(id="t", events=EVENTS),
                findings=(make_finding(mode, 2, 4, severity=severity), make_finding("not-there", present=False)),
                errors=(),
                suspicion=0.5,
                culprit=None,
            )
        )
    written = json.loads(log.encoded())
    [run] = written["runs"]
    assert written["version"] == "2.1.0"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["goal-hijack", "own-mode"]
    assert [(each["ruleId"], each["ruleIndex"], each["level"]) for each in run["results"]] == [
        ("goal-hijack", 0, "error"),
        ("own-mode", 1, "note"),
        ("goal-hijack", 0, "error"),
    ]
    first = run["results"][0]
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "some%20folder/a.json"
    assert first["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "t#2"
    assert first["relatedLocations"][0]["logicalLocations"][0]["name"] == "agent at span-4"
    assert "ASI01" in run["tool"]["driver"]["rules"][0]["properties"]["tags"]
