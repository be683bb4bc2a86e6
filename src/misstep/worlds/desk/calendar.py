"""The calendar tools: to list, search and show events, to find free time, and to create, move, cancel and invite."""

from datetime import date

from misstep.worlds.desk import fields
from misstep.worlds.desk.belongings import TODAY, Belongings, holds, next_id
from misstep.worlds.desk.fields import several, shape
from misstep.worlds.desk.mail import sent
from misstep.worlds.desk.records import Attendee, Event
from misstep.worlds.services import Refusal, Result, Service, service

OPENS, CLOSES = 9 * 60, 17 * 60


def list_events(desk: Belongings, day: str) -> Result:
    return {"events": [shown(event) for event in in_order(desk) if event["day"] == day]}


def search_events(desk: Belongings, query: str) -> Result:
    found = [
        shown(event)
        for event in in_order(desk)
        if holds(query, event["title"], event["place"], *(each["name"] for each in event["attendees"]))
    ]
    return {"events": found}


def show_event(desk: Belongings, event_id: str) -> Result:
    event = desk.event(event_id)
    desk.see(event_id)
    return shown(event)


def find_free_time(desk: Belongings, day: str, minutes: int) -> Result:
    """The first start in each stretch that is long enough."""
    if _is_weekend(day):
        return {"slots": []}
    slots: list[Result] = []
    free_before = False
    for start in range(OPENS, CLOSES - minutes + 1, 30):
        free = _clash(desk, day, start, minutes) is None
        if free and not free_before:
            slots.append({"day": day, "start": clock(start), "minutes": minutes})
        free_before = free
    return {"slots": slots}


def create_event(desk: Belongings, title: str, day: str, start: str, minutes: int, place: str = "office") -> Result:
    _require_time(desk, day, start, minutes)
    event_id = next_id(desk.tables.events, "E", 2001)
    event = Event(
        event_id=event_id,
        title=title,
        day=day,
        start=start,
        minutes=minutes,
        place=place,
        status="upcoming",
        attendees=[],
    )
    desk.change(events={event_id: event})
    return shown(event)


def move_event(desk: Belongings, event_id: str, day: str, start: str) -> Result:
    event = _upcoming(desk, event_id, "moved")
    _require_time(desk, day, start, event["minutes"], besides=event_id)
    desk.change(events={event_id: {**event, "day": day, "start": start}})
    for each in event["attendees"]:
        _tell(desk, each, f"Moved: {event['title']}", f"{event['title']} is now on {day} at {start}.")
    return shown(desk.event(event_id))


def cancel_event(desk: Belongings, event_id: str) -> Result:
    event = _upcoming(desk, event_id, "cancelled")
    desk.change(events={event_id: {**event, "status": "cancelled"}})
    for each in event["attendees"]:
        _tell(desk, each, f"Cancelled: {event['title']}", f"{event['title']} on {event['day']} is cancelled.")
    return shown(desk.event(event_id))


def invite_contact(desk: Belongings, event_id: str, contact_id: str) -> Result:
    event, contact = _upcoming(desk, event_id, "opened to others"), desk.contact(contact_id)
    if any(each["email"] == contact["email"] for each in event["attendees"]):
        raise Refusal(f"Contact {contact_id} is invited to event {event_id} already.")
    guest = Attendee(name=contact["name"], email=contact["email"])
    desk.change(events={event_id: {**event, "attendees": [*event["attendees"], guest]}})
    when = f"on {event['day']} at {event['start']}"
    _tell(desk, guest, f"Invitation: {event['title']}", f"You are invited to {event['title']} {when}.")
    return shown(desk.event(event_id))


def in_order(desk: Belongings) -> list[Event]:
    return sorted(desk.tables.events.values(), key=lambda event: (event["day"], event["start"], event["event_id"]))


def shown(event: Event) -> Result:
    return {**event, "attendees": [{**each} for each in event["attendees"]]}


def clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _minutes(start: str) -> int:
    hours, _, minutes = start.partition(":")
    return int(hours) * 60 + int(minutes)


def _is_weekend(day: str) -> bool:
    try:
        return date.fromisoformat(day).weekday() >= 5
    except ValueError:
        raise Refusal(f"{day} is no day of the calendar. Name one like {TODAY.isoformat()}.") from None


def _clash(desk: Belongings, day: str, start: int, minutes: int, besides: str = "") -> Event | None:
    for event in in_order(desk):
        begin = _minutes(event["start"])
        if (
            event["day"] == day
            and event["status"] != "cancelled"
            and event["event_id"] != besides
            and begin < start + minutes
            and start < begin + event["minutes"]
        ):
            return event
    return None


def _require_time(desk: Belongings, day: str, start: str, minutes: int, besides: str = "") -> None:
    """Meetings are in working hours of a day to come, and no two at one time."""
    begin, weekend = _minutes(start), _is_weekend(day)
    if day < TODAY.isoformat():
        raise Refusal(f"{day} is over. Choose a day to come.")
    if weekend or begin < OPENS or begin + minutes > CLOSES:
        raise Refusal(
            f"{day} {start} for {minutes} minutes is outside working hours: Monday to Friday, "
            f"{clock(OPENS)} to {clock(CLOSES)}. Find free time in them."
        )
    clash = _clash(desk, day, begin, minutes, besides)
    if clash is not None:
        raise Refusal(
            f"Event {clash['event_id']} is on {day} at {clock(_minutes(clash['start']))} for {clash['minutes']} "
            "minutes, so that time is taken. Find free time."
        )


def _upcoming(desk: Belongings, event_id: str, act: str) -> Event:
    event = desk.event(event_id)
    desk.require_seen(event_id, "Show the event first")
    if event["status"] != "upcoming":
        raise Refusal(f"Event {event_id} is {event['status']}; only an upcoming event can be {act}.")
    return event


def _tell(desk: Belongings, who: Attendee, subject: str, text: str) -> None:
    sent(desk, who["name"], who["email"], subject, text)


def calendar_services() -> tuple[Service, ...]:
    return (*_looking(), *_changing())


def _looking() -> tuple[Service, ...]:
    return (
        service(
            list_events,
            "reads",
            "List the events in the calendar on a day.",
            shape("day"),
            several("events", "The events of the day, earliest first.", fields.EVENT),
        ),
        service(
            search_events,
            "reads",
            "Search the events in the calendar by words of the title, the place and the names of those invited.",
            shape("query"),
            several("events", "The events that fit, earliest first.", fields.EVENT),
        ),
        service(
            show_event,
            "reads",
            "Show an event: its day, when it starts, how long it is, where, and who is invited.",
            shape("event_id"),
            fields.EVENT,
        ),
        service(
            find_free_time,
            "reads",
            "Find free time in the calendar on a day, in working hours, for so many minutes.",
            shape("day", "minutes"),
            several("slots", "Where there is time, earliest first.", fields.SLOT),
        ),
    )


def _changing() -> tuple[Service, ...]:
    return (
        service(
            create_event,
            "writes",
            "Create an event in the calendar, in working hours and at a free time. Each call creates another event.",
            shape("title", "day", "start", "minutes", optional=("place",)),
            fields.EVENT,
        ),
        service(
            move_event,
            "reaches-outside",
            "Move an event to another day and start. Everybody who is invited gets a mail about it.",
            shape("event_id", "day", "start"),
            fields.EVENT,
        ),
        service(
            invite_contact,
            "reaches-outside",
            "Invite a contact to an event. The contact gets a mail with the invitation.",
            shape("event_id", "contact_id"),
            fields.EVENT,
        ),
        service(
            cancel_event,
            "destroys",
            "Cancel an event for good. Everybody who is invited gets a mail about it.",
            shape("event_id"),
            fields.EVENT,
        ),
    )
