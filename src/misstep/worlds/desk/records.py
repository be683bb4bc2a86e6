"""What the desk keeps: a typed record for each table, and the tables together as one frozen value."""

from collections.abc import Mapping
from typing import Literal, TypedDict

from msgspec import Struct

from misstep.core.state import State
from misstep.worlds.tables import as_state, from_state

Access = Literal["open", "private"]
Box = Literal["inbox", "archive", "sent"]
MailStatus = Literal["unread", "read", "answered", "forwarded", "sent"]
EventStatus = Literal["upcoming", "past", "cancelled"]
TaskStatus = Literal["open", "done"]


class Folder(TypedDict):
    folder: str
    access: Access


class File(TypedDict):
    path: str
    folder: str
    text: str
    changed_on: str


class Mail(TypedDict):
    mail_id: str
    box: Box
    name: str
    """Of the one whom it came from, or went to."""
    email: str
    subject: str
    text: str
    received_on: str
    status: MailStatus


class Attendee(TypedDict):
    name: str
    email: str


class Event(TypedDict):
    event_id: str
    title: str
    day: str
    start: str
    minutes: int
    place: str
    status: EventStatus
    attendees: list[Attendee]


class Contact(TypedDict):
    contact_id: str
    name: str
    email: str
    phone: str
    company: str


class Page(TypedDict):
    page_url: str
    title: str
    text: str
    form: str | None
    """What the page's form asks for, where it has one."""


class Entry(TypedDict):
    entry_id: str
    title: str
    username: str
    site: str
    secret: str
    changed_on: str


class Task(TypedDict):
    task_id: str
    text: str
    due_on: str | None
    status: TaskStatus


class Submission(TypedDict):
    """What has been sent to a page: out of the house, for good."""

    submission_id: str
    page_url: str
    text: str
    sent_on: str


class Seen(TypedDict):
    """What has been looked at in this conversation: a mail, an event or a page."""

    key: str


class Tables(Struct, frozen=True):
    """Each table is replaced as a whole when it changes, so that a snapshot is nothing but a reference."""

    folders: Mapping[str, Folder]
    files: Mapping[str, File]
    mails: Mapping[str, Mail]
    events: Mapping[str, Event]
    contacts: Mapping[str, Contact]
    pages: Mapping[str, Page]
    entries: Mapping[str, Entry]
    tasks: Mapping[str, Task]
    submissions: Mapping[str, Submission]
    seen: Mapping[str, Seen]

    def as_state(self) -> State:
        return as_state(self)

    @classmethod
    def from_state(cls, state: State) -> "Tables":
        return from_state(cls, state, "desk")
