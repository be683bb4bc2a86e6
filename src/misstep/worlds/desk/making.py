"""A seed → the desk's tables as they are before anybody has called a tool."""

from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from random import Random

from misstep.worlds.desk import people, writing
from misstep.worlds.desk.belongings import TODAY
from misstep.worlds.desk.calendar import CLOSES, OPENS, clock
from misstep.worlds.desk.papers import papers
from misstep.worlds.desk.records import (
    Attendee,
    Contact,
    Entry,
    Event,
    Mail,
    Page,
    Submission,
    Tables,
    Task,
)

CONTACTS, NAMESAKES = 40, 8
MAILS, NEWSLETTERS = 150, 24
EVENTS = 60


@lru_cache(maxsize=64)
def pristine(seed: int) -> Tables:
    """The same seed gives the same tables, made once and shared by all worlds of this process."""
    random = Random(seed)
    contacts = _contacts(random)
    folders, files = papers(random)
    known = tuple(contacts.values())
    return Tables(
        folders=folders,
        files=files,
        mails=_mails(random, known),
        events=_events(random, known),
        contacts=contacts,
        pages={page[0]: Page(page_url=page[0], title=page[1], text=page[2], form=page[3]) for page in writing.PAGES},
        entries=_entries(random),
        tasks=_tasks(random),
        submissions=_submissions(random),
        seen={},
    )


def _on(days: int) -> str:
    return (TODAY + timedelta(days=days)).isoformat()


def _contacts(random: Random) -> dict[str, Contact]:
    pairs = [(first, last) for first in people.FIRST_NAMES for last in people.LAST_NAMES]
    names = random.sample(pairs, CONTACTS - NAMESAKES)
    names += [names[at % 6] for at in range(NAMESAKES)]  # Some share a name with one or two others.
    made: dict[str, Contact] = {}
    taken: set[str] = set()
    for number, (first, last) in zip(sorted(random.sample(range(3001, 3999), CONTACTS)), names, strict=True):
        company = random.choice(list(people.COMPANIES))
        address = f"{first}.{last}@{people.COMPANIES[company]}".lower()
        if address in taken:
            address = address.replace("@", f"{number % 100}@")
        taken.add(address)
        contact_id = f"C-{number}"
        made[contact_id] = Contact(
            contact_id=contact_id,
            name=f"{first} {last}",
            email=address,
            phone=f"+43 1 {random.randrange(200000, 899999)}",
            company=company,
        )
    return made


def _mails(random: Random, contacts: Sequence[Contact]) -> dict[str, Mail]:
    written = [_letter(random, random.choice(contacts)) for _ in range(MAILS - NEWSLETTERS - len(writing.CROOKED))]
    written += [_newsletter(random, at) for at in range(NEWSLETTERS)]
    written += writing.CROOKED
    random.shuffle(written)
    made: dict[str, Mail] = {}
    for at, (name, email, subject, text) in enumerate(written):
        mail_id = f"M-{1001 + at}"
        age = (MAILS - at) * 2 // 3
        # Old mails have been filed; the newest ones have not been read.
        made[mail_id] = Mail(
            mail_id=mail_id,
            box="inbox" if age < 40 else "archive",
            name=name,
            email=email,
            subject=subject,
            text=text,
            received_on=_on(-age),
            status="unread" if age < 12 else "read",
        )
    return made


def _letter(random: Random, contact: Contact) -> tuple[str, str, str, str]:
    subject, text = random.choice(writing.LETTERS)
    values = {
        "name": contact["name"],
        "company": contact["company"],
        "meeting": random.choice(people.MEETINGS),
        "number": random.randrange(12, 980),
        "amount": random.randrange(20, 2400),
        "due": _on(random.randrange(3, 40)),
    }
    signature = random.choice(writing.SIGNATURES)
    subject = subject.format(**values)
    body = f"{text.format(**values)}\n{signature}".rstrip()
    return contact["name"], contact["email"], subject[0].upper() + subject[1:], body


def _newsletter(random: Random, at: int) -> tuple[str, str, str, str]:
    subject, text = writing.NEWSLETTERS[at % len(writing.NEWSLETTERS)]
    values = {"number": 40 + at, "amount": random.randrange(19, 60), "due": _on(random.randrange(3, 40))}
    title = subject.format(**values)
    host = title.split()[0].lower()
    return title.rpartition(" ")[0], f"news@{host}.example", title, text.format(**values)


def _events(random: Random, contacts: Sequence[Contact]) -> dict[str, Event]:
    made: dict[str, Event] = {}
    taken: set[tuple[str, int]] = set()
    days = [day for day in range(-30, 46) if (TODAY + timedelta(days=day)).weekday() < 5]
    for number in sorted(random.sample(range(2001, 2999), EVENTS)):
        minutes = random.choice((30, 60, 60, 90, 120))
        while True:
            day, start = random.choice(days), random.randrange(OPENS, CLOSES - minutes + 1, 30)
            halves = {(_on(day), half) for half in range(start, start + minutes, 30)}
            if not halves & taken:
                break
        taken |= halves
        invited = random.sample(contacts, random.choices([0, 1, 2, 3], [4, 4, 3, 1])[0])
        event_id = f"E-{number}"
        made[event_id] = Event(
            event_id=event_id,
            title=random.choice(people.MEETINGS),
            day=_on(day),
            start=clock(start),
            minutes=minutes,
            place=random.choice(people.ROOMS),
            status="past" if day < 0 else "cancelled" if random.random() < 0.05 else "upcoming",
            attendees=[Attendee(name=each["name"], email=each["email"]) for each in invited],
        )
    return made


def _entries(random: Random) -> dict[str, Entry]:
    made: dict[str, Entry] = {}
    owner = f"{random.choice(people.FIRST_NAMES)}{random.randrange(10, 99)}".lower()
    for title, site in people.ACCOUNTS:
        entry_id = f"V-{501 + len(made)}"
        secret = "".join(random.choice("bcdfghjkmnpqrstvwxz23456789") for _ in range(12))
        made[entry_id] = Entry(
            entry_id=entry_id,
            title=title,
            username=owner,
            site=site,
            secret=secret,
            changed_on=_on(-random.randrange(20, 900)),
        )
    return made


def _tasks(random: Random) -> dict[str, Task]:
    made: dict[str, Task] = {}
    for text in people.TASKS:
        task_id = f"T-{401 + len(made)}"
        made[task_id] = Task(
            task_id=task_id,
            text=text,
            due_on=_on(random.randrange(1, 30)) if random.random() < 0.6 else None,
            status="done" if random.random() < 0.3 else "open",
        )
    return made


def _submissions(random: Random) -> dict[str, Submission]:
    """What was sent to pages in the past."""
    pages = [page[0] for page in writing.PAGES if page[3] is not None]
    return {
        f"S-{7001 + at}": Submission(
            submission_id=f"S-{7001 + at}",
            page_url=url,
            text="As we said on the phone.",
            sent_on=_on(-random.randrange(40, 300)),
        )
        for at, url in enumerate(random.sample(pages, 3))
    }
