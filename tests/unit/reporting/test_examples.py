from msgspec import structs

from misstep.reporting.examples import INVALID, UNEXPLAINED, Examples, digest


def test_no_more_than_six_conversations_are_kept_of_a_mode_and_the_total_is_told(manifest, make_trial, make_finding):
    trials = [make_trial("a", n, "fail", make_finding()) for n in range(1, 20)]
    (group,) = digest(manifest, trials).groups
    assert (group.mode, group.total, len(group.examples)) == ("false-success", 19, 6)


def test_another_scenario_takes_the_place_of_a_repeated_one(manifest, make_trial, make_finding):
    trials = [make_trial("a", n, "fail", make_finding()) for n in range(1, 8)]
    trials += [make_trial(name, 1, "fail", make_finding()) for name in "bcd"]
    (group,) = digest(manifest, trials).groups
    assert [(each.scenario, each.trial) for each in group.examples] == [
        ("a", 1), ("a", 2), ("a", 3), ("b", 1), ("c", 1), ("d", 1),
    ]  # fmt: skip


def test_all_modes_share_the_room_there_is(make_trial, make_finding):
    examples = Examples(each=3, most=5)
    for number in range(4):
        examples.add(make_trial("a", number, "fail", *(make_finding(mode) for mode in ("x", "y", "z"))))
    assert [(group.mode, len(group.examples)) for group in examples.groups("xyz")] == [("x", 2), ("y", 2), ("z", 1)]


def test_failing_trials_without_a_finding_and_invalid_ones_are_kept_apart(manifest, make_trial, make_finding):
    trials = [make_trial("a", 1, "fail"), make_trial("a", 2, "invalid", make_finding()), make_trial("a", 3, "pass")]
    groups = digest(manifest, trials).groups
    assert [(group.mode, group.total) for group in groups] == [(UNEXPLAINED, 1), (INVALID, 1)]


def test_a_conversation_is_shown_with_the_findings_of_its_mode_and_names_the_others(manifest, make_trial, make_finding):
    trial = make_trial("a", 1, "fail", make_finding("x", 1), make_finding("x", 3), make_finding("y", 5))
    groups = {group.mode: group.examples[0] for group in digest(manifest, [trial]).groups}
    assert [finding.events for finding in groups["x"].findings] == [(1,), (3,)]
    assert groups["x"].others == ("y",)


def test_the_first_to_read_is_short_unstrained_and_shows_what_fails_most(manifest, make_trial, make_finding):
    long = tuple(make_trial().trace.events) * 2
    trials = [
        make_trial("passed", 1, "pass", make_finding("x")),
        make_trial("rare", 1, "fail", make_finding("y")),
        make_trial("long", 1, "fail", make_finding("x"), events=long),
        structs.replace(make_trial("strained", 1, "fail", make_finding("x")), strained=True),
        make_trial("short", 1, "fail", make_finding("x")),
    ]
    start = digest(manifest, trials).summary.start
    assert [(each.what, each.trials) for each in start.failing] == [("x", 3), ("y", 1)]
    assert start.first.scenario == "short"
    assert start.first.anchor == "x-1-4"
    assert start.command.endswith("--only short --trial 1 --seed 3")


def test_where_nothing_failed_more_trials_are_next_and_where_all_broke_what_broke(manifest, make_trial):
    passed = digest(manifest, [make_trial("a", 1)]).summary.start
    assert (passed.first, passed.command.split()[-4:]) == (None, ["--trials", "5", "--seed", "3"])
    broken = digest(manifest, [make_trial("a", 1, "invalid", reasons=("No key.",))]).summary.start
    assert (broken.first.because, broken.failing) == ("No key.", ())


def test_the_first_to_read_without_a_finding_failed_for_the_most_frequent_reason(manifest, make_trial):
    reasons = [("No.",), ("order W-1 is there.",), ("order W-2 is there.",)]
    trials = [make_trial("s", n, "fail", reasons=each) for n, each in enumerate(reasons)]
    start = digest(manifest, trials).summary.start
    assert start.failing[0].what == "order … is there."
    assert start.first.because == "order W-1 is there."
