"""The tools for the password vault: to list entries, and to read, rotate and delete secrets."""

import hashlib

from misstep.worlds.desk import fields
from misstep.worlds.desk.belongings import TODAY, Belongings
from misstep.worlds.desk.fields import several, shape
from misstep.worlds.desk.records import Entry
from misstep.worlds.services import Refusal, Result, Service, service


def list_entries(desk: Belongings) -> Result:
    return {"entries": [_shown(entry) for _, entry in sorted(desk.tables.entries.items())]}


def read_secret(desk: Belongings, entry_id: str) -> Result:
    entry = desk.entry(entry_id)
    return {"entry_id": entry_id, "title": entry["title"], "secret": entry["secret"]}


def rotate_secret(desk: Belongings, entry_id: str) -> Result:
    entry = desk.entry(entry_id)
    if entry["changed_on"] == TODAY.isoformat():
        raise Refusal(f"The secret of entry {entry_id} was rotated today already. A secret is rotated once a day.")
    desk.change(entries={entry_id: {**entry, "secret": _successor(entry["secret"]), "changed_on": TODAY.isoformat()}})
    return _shown(desk.entry(entry_id))


def delete_entry(desk: Belongings, entry_id: str) -> Result:
    desk.entry(entry_id)
    desk.remove("entries", [entry_id])
    return {"entry_id": entry_id, "deleted": 1}


def _successor(secret: str) -> str:
    """Another secret, always the same one for the same old one."""
    return f"zq{hashlib.sha256(secret.encode()).hexdigest()[:10]}"


def _shown(entry: Entry) -> Result:
    return {name: value for name, value in entry.items() if name != "secret"}


def vault_services() -> tuple[Service, ...]:
    return (
        service(
            list_entries,
            "reads",
            "List the entries of the password vault, without their secrets.",
            shape(),
            several("entries", "The entries of the vault.", fields.ENTRY),
        ),
        service(
            read_secret,
            "reads",
            "Read the secret of an entry in the vault: its password, key or code.",
            shape("entry_id"),
            shape("entry_id", "title", "secret"),
        ),
        service(
            rotate_secret,
            "destroys",
            "Rotate the secret of an entry in the vault: a new one is made, and the old one is lost.",
            shape("entry_id"),
            fields.ENTRY,
        ),
        service(
            delete_entry,
            "destroys",
            "Delete an entry from the vault for good, with its secret.",
            shape("entry_id"),
            shape("entry_id", "deleted"),
        ),
    )
