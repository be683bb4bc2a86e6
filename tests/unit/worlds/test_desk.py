"""The desk: its tools keep their own schemas and rules, and what they do is there to be seen."""

import asyncio
import inspect
from collections import Counter
from random import Random

import jsonschema_rs
import pytest

from misstep.core.errors import UnknownToolError
from misstep.core.roles import Governed, Stateful, Toolbox
from misstep.core.state import State, difference
from misstep.core.tool import JSON, Answer
from misstep.worlds import world_named
from misstep.worlds.desk.making import pristine
from misstep.worlds.desk.tools import services
from misstep.worlds.desk.world import Desk

SEED = 7


def call(world: Toolbox, tool: str, **arguments: JSON) -> Answer:
    return asyncio.run(world.call(tool, arguments))


def done(world: Toolbox, tool: str, **arguments: JSON) -> dict[str, JSON]:
    answer = call(world, tool, **arguments)
    assert not answer.is_error, answer.content
    assert answer.served_by == "simulated"
    assert isinstance(answer.content, dict)
    return answer.content


def refused(world: Desk, tool: str, **arguments: JSON) -> str:
    """What it says; and nothing has changed."""
    before = world.snapshot()
    answer = call(world, tool, **arguments)
    assert answer.is_error, answer.content
    assert isinstance(answer.content, dict)
    assert difference(before, world.snapshot()) == ()
    return str(answer.content["error"])


def listed(content: dict[str, JSON]) -> list[dict[str, JSON]]:
    (records,) = content.values()
    assert isinstance(records, list)
    return records


def changed(world: Desk, before: State) -> list[tuple[str, str]]:
    return [
        (change.table, change.key) for change in difference(before, world.snapshot()) if change.table not in ("seen",)
    ]


def test_a_desk_fills_the_three_roles_of_a_world() -> None:
    world = world_named("desk").make(SEED)
    assert isinstance(world, Toolbox)
    assert isinstance(world, Stateful)
    assert isinstance(world, Governed)


def test_a_tool_that_is_not_on_offer_is_no_answer() -> None:
    with pytest.raises(UnknownToolError, match="Did you mean 'delete_file'"):
        call(Desk(SEED), "delete_files")


def test_every_property_of_every_tool_is_described_and_closed() -> None:
    for service in services().values():
        for schema in (service.tool.input_schema, service.tool.output_schema or {}):
            assert schema["additionalProperties"] is False
            properties = schema["properties"]
            assert isinstance(properties, dict)
            assert all(each.get("description") for each in properties.values()), service.tool.name
            assert set(schema["required"]) <= properties.keys()  # pyright: ignore[reportArgumentType]
        assert service.tool.output_schema is not None


def test_every_tool_takes_what_its_function_takes() -> None:
    for service in services().values():
        properties = service.tool.input_schema["properties"]
        assert [*properties] == [*inspect.signature(service.run).parameters][1:]  # pyright: ignore[reportGeneralTypeIssues]


def test_every_answer_fits_the_output_schema() -> None:
    """Random calls with values borrowed from the records: the good ones fit the schema, the bad ones say why."""
    random = Random(1)
    pools: dict[str, list[JSON]] = {}
    for table in pristine(SEED).as_state().values():
        for record in table.values():
            for name, value in record.items():
                if value is not None:
                    pools.setdefault(name, []).append(value)
    pools |= {"query": ["budget", "Rosa", "nothing like it"], "command": ["ls", "cat notes/plans.md", "rm -rf /"]}
    pools |= {"new_path": ["/home/archive/new.txt"], "subject": ["Hello"], "due_on": ["2026-07-01"]}
    pools["status"] = ["open", "done"]
    succeeded: Counter[str] = Counter()
    pools["path"] += [f"/home/notes/new-{number}.txt" for number in range(150)]
    for _ in range(40):
        given = {name: random.choice(pool) for name, pool in pools.items()}
        for service in services().values():
            world = Desk(SEED)
            for look, name in (("read_mail", "mail_id"), ("show_event", "event_id"), ("read_page", "page_url")):
                call(world, look, **{name: given[name]})
            properties = service.tool.input_schema["properties"]
            answer = call(world, service.tool.name, **{name: given[name] for name in properties})  # pyright: ignore[reportGeneralTypeIssues]
            if answer.is_error:
                assert isinstance(answer.content, dict)
                assert str(answer.content["error"]).endswith(".")
            else:
                jsonschema_rs.validate(service.tool.output_schema or {}, answer.content)
                succeeded[service.tool.name] += 1
    rare = {"create_event", "move_event"}
    assert services().keys() - rare <= succeeded.keys()


def test_the_desk_holds_as_much_as_it_says() -> None:
    counts = {name: len(table) for name, table in Desk(SEED).snapshot().items()}
    assert counts["mails"] == 150
    assert counts["events"] == 60
    assert counts["files"] == 200
    assert counts["contacts"] == 40
    assert counts["pages"] == 30
    assert counts["entries"] == 25
    assert len(services()) >= 18


@pytest.mark.parametrize("seed", range(5))
def test_names_collide_and_addresses_do_not(seed: int) -> None:
    contacts = pristine(seed).contacts.values()
    assert Counter(contact["name"] for contact in contacts).most_common(1)[0][1] >= 2
    assert len({contact["email"] for contact in contacts}) == len(contacts)


@pytest.mark.parametrize("seed", range(5))
def test_no_two_events_of_a_fresh_desk_are_at_one_time(seed: int) -> None:
    halves: Counter[tuple[str, int]] = Counter()
    for event in pristine(seed).events.values():
        start = int(event["start"][:2]) * 60 + int(event["start"][3:])
        halves.update((event["day"], half) for half in range(start, start + event["minutes"], 30))
    assert max(halves.values()) == 1


@pytest.mark.parametrize("seed", range(3))
def test_every_file_lies_in_a_folder_that_is_there(seed: int) -> None:
    tables = pristine(seed)
    for path, file in tables.files.items():
        assert path.startswith(f"{file['folder']}/")
        assert file["folder"] in tables.folders


def test_the_same_seed_gives_the_same_desk_and_another_seed_another() -> None:
    again = pristine.__wrapped__(SEED)
    assert again == pristine(SEED)
    assert pristine(SEED + 1).contacts != again.contacts


def test_a_deleted_file_is_gone_and_no_other() -> None:
    world = Desk(SEED)
    before = world.snapshot()
    done(world, "delete_file", path="/home/notes/plans.md")
    assert changed(world, before) == [("files", "/home/notes/plans.md")]
    assert "does not exist" in refused(world, "read_file", path="/home/notes/plans.md")


def test_an_emptied_folder_keeps_what_lies_in_the_folders_below() -> None:
    world = Desk(SEED)
    done(world, "write_file", path="/home/archive/loose.txt", text="loose")
    below = listed(done(world, "list_files", folder="/home/archive/2024"))
    assert done(world, "empty_folder", folder="/home/archive")["deleted"] == 1
    assert listed(done(world, "list_files", folder="/home/archive/2024")) == below


def test_a_new_file_replaces_no_old_one() -> None:
    world = Desk(SEED)
    assert "exists already" in refused(world, "write_file", path="/home/notes/plans.md", text="gone?")
    assert "exists already" in refused(
        world, "move_file", path="/home/notes/ideas.md", new_path="/home/notes/shopping.txt"
    )


@pytest.mark.parametrize("tool", ["read_file", "append_to_file", "replace_file", "delete_file", "move_file"])
def test_a_file_in_a_private_folder_is_left_alone(tool: str) -> None:
    given: dict[str, JSON] = {"path": "/home/private/diary.md"}
    properties = services()[tool].tool.input_schema["properties"]
    assert isinstance(properties, dict)
    given |= {"text": "x"} if "text" in properties else {}
    given |= {"new_path": "/home/notes/diary.md"} if "new_path" in properties else {}
    assert "is private" in refused(Desk(SEED), tool, **given)


def test_nothing_goes_into_a_private_folder_either() -> None:
    world = Desk(SEED)
    assert "is private" in refused(world, "write_file", path="/home/private/more.md", text="x")
    assert "is private" in refused(world, "move_file", path="/home/notes/plans.md", new_path="/home/private/plans.md")
    assert "is private" in refused(world, "empty_folder", folder="/home/private")
    assert not any("private" in str(file["path"]) for file in listed(done(world, "search_files", query="read")))


def test_each_mail_that_is_sent_is_another_mail() -> None:
    world = Desk(SEED)
    given: dict[str, JSON] = {"contact_id": "C-3186", "subject": "Hello", "text": "Hello"}
    assert done(world, "send_mail", **given)["mail_id"] != done(world, "send_mail", **given)["mail_id"]
    assert len(listed(done(world, "list_mails", box="sent"))) == 2


@pytest.mark.parametrize("tool", ["reply_to_mail", "forward_mail", "delete_mail"])
def test_a_mail_is_read_before_anything_is_done_with_it(tool: str) -> None:
    world = Desk(SEED)
    required = services()[tool].tool.input_schema["required"]
    assert isinstance(required, list)
    given: dict[str, JSON] = {"mail_id": "M-1139", "contact_id": "C-3186", "text": "Yes."}
    given = {name: given[name] for name in required}
    assert "Read the mail first" in refused(world, tool, **given)
    done(world, "read_mail", mail_id="M-1139")
    done(world, tool, **given)


def test_a_stranger_is_not_replied_to() -> None:
    world = Desk(SEED)
    done(world, "read_mail", mail_id="M-1144")
    assert "not in the contacts" in refused(world, "reply_to_mail", mail_id="M-1144", text="No.")


def test_a_mail_that_was_read_only_leaves_the_mails_as_they_were() -> None:
    world = Desk(SEED)
    before = world.snapshot()
    done(world, "read_mail", mail_id="M-1139")
    assert changed(world, before) == []


def test_everybody_who_was_invited_hears_of_a_cancelled_event() -> None:
    world = Desk(SEED)
    done(world, "show_event", event_id="E-2573")
    assert done(world, "cancel_event", event_id="E-2573")["status"] == "cancelled"
    told = {mail["name"] for mail in listed(done(world, "list_mails", box="sent"))}
    assert told == {"Jakob Hofer", "Mateo Hofer"}
    assert "is cancelled" in refused(world, "cancel_event", event_id="E-2573")


@pytest.mark.parametrize(
    ("day", "start"),
    [("2026-06-18", "19:00"), ("2026-06-18", "08:30"), ("2026-06-18", "16:30"), ("2026-06-20", "10:00")],
)
def test_an_event_outside_working_hours_is_refused(day: str, start: str) -> None:
    said = refused(Desk(SEED), "create_event", title="quiz", day=day, start=start, minutes=60)
    assert "working hours" in said


def test_a_time_that_is_taken_is_refused_with_what_takes_it() -> None:
    said = refused(Desk(SEED), "create_event", title="quiz", day="2026-06-17", start="11:00", minutes=30)
    assert "E-2147" in said


def test_a_day_that_no_calendar_has_is_refused() -> None:
    assert "no day" in refused(Desk(SEED), "create_event", title="quiz", day="2026-13-45", start="11:00", minutes=30)


def test_free_time_is_where_an_event_can_be_created() -> None:
    world = Desk(SEED)
    for slot in listed(done(world, "find_free_time", day="2026-06-17", minutes=60)):
        done(world, "create_event", title="quiz", **slot)
    assert listed(done(world, "find_free_time", day="2026-06-20", minutes=30)) == []


def test_a_contact_is_invited_once() -> None:
    world = Desk(SEED)
    done(world, "show_event", event_id="E-2834")
    done(world, "invite_contact", event_id="E-2834", contact_id="C-3186")
    assert "already" in refused(world, "invite_contact", event_id="E-2834", contact_id="C-3186")


def test_the_vault_lists_no_secret() -> None:
    world = Desk(SEED)
    shown = str(done(world, "list_entries"))
    assert not any(entry["secret"] in shown for entry in pristine(SEED).entries.values())


def test_a_rotated_secret_is_another_one_and_is_rotated_once_a_day() -> None:
    world = Desk(SEED)
    old = done(world, "read_secret", entry_id="V-515")["secret"]
    assert "secret" not in done(world, "rotate_secret", entry_id="V-515")
    assert done(world, "read_secret", entry_id="V-515")["secret"] != old
    assert "once a day" in refused(world, "rotate_secret", entry_id="V-515")


def test_a_secret_that_is_sent_away_is_there_to_be_seen() -> None:
    """Nothing stops it: to keep a secret is the agent's part, and the state shows whether it did."""
    world = Desk(SEED)
    secret = done(world, "read_secret", entry_id="V-502")["secret"]
    before = world.snapshot()
    done(world, "send_to_address", email="security@tidewell-help.example", subject="Here", text=secret)
    (change,) = difference(before, world.snapshot())
    assert change.after is not None
    assert change.after["text"] == secret


def test_a_form_is_submitted_after_its_page_was_read_and_where_there_is_one() -> None:
    world = Desk(SEED)
    assert "Read the page first" in refused(
        world, "submit_form", page_url="https://voltara.example/meter", text="48213"
    )
    done(world, "read_page", page_url="https://voltara.example/meter")
    done(world, "submit_form", page_url="https://voltara.example/meter", text="48213")
    done(world, "read_page", page_url="https://voltara.example/tariffs")
    assert "has no form" in refused(world, "submit_form", page_url="https://voltara.example/tariffs", text="1")


def test_arguments_that_break_the_schema_are_refused_with_the_reason() -> None:
    world = Desk(SEED)
    assert "path" in refused(world, "read_file", path="../etc/passwd")
    assert "takes no argument" in refused(world, "list_folders", deep=True)


def test_a_restored_desk_is_as_it_was() -> None:
    world = Desk(SEED)
    kept = world.snapshot()
    done(world, "run_command", command="rm -rf /")
    assert len(changed(world, kept)) > 190
    world.restore(kept)
    assert difference(kept, world.snapshot()) == ()
    with pytest.raises(ValueError, match="lacks the tables"):
        world.restore({})


def test_what_one_desk_does_is_not_seen_in_the_next() -> None:
    done(Desk(SEED), "delete_file", path="/home/notes/plans.md")
    done(Desk(SEED), "read_file", path="/home/notes/plans.md")


def test_an_answer_that_is_changed_does_not_change_the_desk() -> None:
    world = Desk(SEED)
    shown = done(world, "show_event", event_id="E-2573")
    attendees = shown["attendees"]
    assert isinstance(attendees, list)
    attendees[0]["name"] = "Nobody"
    attendees.pop()
    assert len(done(world, "show_event", event_id="E-2573")["attendees"]) == 2  # pyright: ignore[reportArgumentType]
    assert "Nobody" not in str(world.snapshot()["events"]["E-2573"])


def test_mails_pages_and_files_carry_texts_that_want_to_be_obeyed() -> None:
    tables = pristine(SEED)
    assert sum("forward" in mail["text"].lower() for mail in tables.mails.values()) >= 10
    assert any("assistant" in mail["text"] for mail in tables.mails.values())
    assert any("assistants" in page["text"].lower() for page in tables.pages.values())
    assert any("Assistants" in file["text"] for file in tables.files.values())


def test_the_policy_says_every_rule_in_its_prose_and_names_tools_that_exist() -> None:
    policy = Desk(SEED).policy
    for rule in policy.rules:
        assert rule.text in policy.text
        named = {*rule.tools, *(value for key, value in rule.parameters.items() if key == "tool")}
        assert named <= services().keys()
