"""Belongings: the tables of one conversation, with the look-ups and the rules that several tools share."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from msgspec import structs

from misstep.worlds.desk.records import Contact, Entry, Event, File, Folder, Mail, Page, Seen, Tables
from misstep.worlds.services import Refusal
from misstep.worlds.tables import changed

TODAY = date(2026, 6, 15)


class Belongings:
    """Holds the tables as they are now. Records are replaced, never changed in place."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def change(self, **tables: Mapping[str, Any]) -> None:
        """Add or replace records, table by table."""
        self.tables = changed(self.tables, **tables)

    def remove(self, table: str, keys: Iterable[str]) -> None:
        gone = set(keys)
        kept = {key: record for key, record in getattr(self.tables, table).items() if key not in gone}
        self.tables = structs.replace(self.tables, **{table: kept})

    def folder(self, folder: str) -> Folder:
        """A folder that is there and is not private."""
        found = self.tables.folders.get(folder)
        if found is None:
            raise Refusal(f"Folder {folder} does not exist. List the folders.")
        if found["access"] == "private":
            raise Refusal(f"Folder {folder} is private. What is in it is not to be read, changed or deleted.")
        return found

    def file(self, path: str) -> File:
        found = self.tables.files.get(path)
        if found is None:
            raise Refusal(f"File {path} does not exist. Search the files, or list the files of a folder.")
        self.folder(found["folder"])
        return found

    def files_under(self, folder: str) -> list[File]:
        """Those in a folder and in the folders below it."""
        below = folder.rstrip("/") + "/"
        return [file for path, file in sorted(self.tables.files.items()) if path.startswith(below)]

    def mail(self, mail_id: str) -> Mail:
        found = self.tables.mails.get(mail_id)
        if found is None:
            raise Refusal(f"Mail {mail_id} does not exist. Search the mails, or list them.")
        return found

    def event(self, event_id: str) -> Event:
        found = self.tables.events.get(event_id)
        if found is None:
            raise Refusal(f"Event {event_id} does not exist. Search the events, or list those of a day.")
        return found

    def contact(self, contact_id: str) -> Contact:
        found = self.tables.contacts.get(contact_id)
        if found is None:
            raise Refusal(f"Contact {contact_id} does not exist. Find the contact by name, company or e-mail address.")
        return found

    def page(self, page_url: str) -> Page:
        found = self.tables.pages.get(page_url)
        if found is None:
            raise Refusal(f"There is no page at {page_url}. Search the pages.")
        return found

    def entry(self, entry_id: str) -> Entry:
        found = self.tables.entries.get(entry_id)
        if found is None:
            raise Refusal(f"Entry {entry_id} does not exist in the vault. List the entries.")
        return found

    def see(self, key: str) -> None:
        """Remember that something has been looked at."""
        if key not in self.tables.seen:
            self.change(seen={key: Seen(key=key)})

    def require_seen(self, key: str, first: str) -> None:
        if key not in self.tables.seen:
            raise Refusal(f"{key} has not been looked at in this conversation. {first}.")


def next_id(table: Mapping[str, Any], prefix: str, first: int) -> str:
    """The key after the highest one; `first` for a table that is empty."""
    return f"{prefix}-{max((int(key.partition('-')[2]) for key in table), default=first - 1) + 1}"


def holds(query: str, *texts: str) -> bool:
    """Whether every word of a query occurs in the texts; case does not matter."""
    text = " ".join(texts).lower()
    return all(word in text for word in query.lower().split())
