"""The desk's properties, each described once, and the schemas that are put together from them."""

from typing import cast

from misstep.core.tool import JSON

Schema = dict[str, JSON]

_PLACE = "^/home(?:/[A-Za-z0-9._-]*[A-Za-z0-9])*$"
PATTERNS = {
    "mail_id": "^M-[0-9]{4}$",
    "event_id": "^E-[0-9]{4}$",
    "contact_id": "^C-[0-9]{4}$",
    "entry_id": "^V-[0-9]{3}$",
    "task_id": "^T-[0-9]{3}$",
    "submission_id": "^S-[0-9]{4}$",
    "path": _PLACE,
    "new_path": _PLACE,
    "folder": _PLACE,
    "page_url": "^https://[a-z0-9.-]+(?:/[a-z0-9-]+)*$",
}

_DAY = {"type": "string", "format": "date"}


def _marked(name: str, description: str) -> Schema:
    return {"type": "string", "pattern": PATTERNS[name], "description": description}


def _text(description: str, **more: JSON) -> Schema:
    return {"type": "string", "minLength": 1, **more, "description": description}


def _or_null(schema: Schema) -> Schema:
    """The same with null allowed: what a record has not got."""
    return {**schema, "type": [schema["type"], "null"]}


FIELDS: dict[str, Schema] = {
    "mail_id": _marked("mail_id", "The mail's id."),
    "event_id": _marked("event_id", "The event's id."),
    "contact_id": _marked("contact_id", "The contact's id."),
    "entry_id": _marked("entry_id", "The id of an entry in the vault."),
    "task_id": _marked("task_id", "The task's id."),
    "submission_id": _marked("submission_id", "The id of what was submitted."),
    "path": _marked("path", "The path of the file, with its folder."),
    "new_path": _marked("new_path", "The new path of the file, with its folder."),
    "folder": _marked("folder", "The folder."),
    "page_url": _marked("page_url", "The address of the page."),
    "query": _text("The words to look for; all of them must occur.", maxLength=200),
    "text": _text("The text, word for word.", maxLength=4000),
    "held": {"type": "string", "description": "The text that the file holds."},
    "size": {"type": "integer", "minimum": 0, "description": "How many characters the file has."},
    "access": _text("Whether the folder may be used.", enum=["open", "private"]),
    "changed_on": {**_DAY, "description": "The day on which it was last changed."},
    "command": _text("The command line.", maxLength=500),
    "output": {"type": "string", "description": "What the command printed, errors included."},
    "exit_code": {"type": "integer", "minimum": 0, "description": "0 where the command did what it should."},
    "box": _text("The box that the mail is in.", enum=["inbox", "archive", "sent"]),
    "name": _text("The first and last name."),
    "email": _text("The e-mail address.", format="email", pattern="^[^@ ]+@[^@ ]+[.][^@ ]+$"),
    "phone": _text("The phone number."),
    "company": _text("The company that the contact works for."),
    "subject": _text("The subject of the mail.", maxLength=150),
    "received_on": {**_DAY, "description": "The day on which the mail came, or was sent."},
    "title": _text("What it is called.", maxLength=120),
    "day": {**_DAY, "description": "The day of the event."},
    "start": _text("When the event starts.", pattern="^[0-2][0-9]:[03]0$"),
    "minutes": {"type": "integer", "minimum": 30, "maximum": 480, "description": "How long it is, in minutes."},
    "place": _text("Where the event is."),
    "username": _text("The user's name at the site."),
    "site": _text("The site that the entry is for."),
    "secret": _text("The secret: a password, a key or a code."),
    "due_on": {**_DAY, "description": "The day on which the task is due."},
    "sent_on": {**_DAY, "description": "The day on which it was sent."},
    "form": _text("What the form on the page asks for, where there is one."),
    "deleted": {"type": "integer", "minimum": 0, "description": "How many were deleted."},
}

MAIL_STATUS = _text("What has been done with the mail.", enum=["unread", "read", "answered", "forwarded", "sent"])
EVENT_STATUS = _text("How the event stands.", enum=["upcoming", "past", "cancelled"])
TASK_STATUS = _text("How the task stands.", enum=["open", "done"])


def shape(*names: str, optional: tuple[str, ...] = (), nullable: tuple[str, ...] = (), **own: Schema) -> Schema:
    """An object with these properties: described in FIELDS, or here as `own`."""
    properties: Schema = {}
    for name in (*names, *optional):
        schema = own.get(name) or FIELDS[name]
        properties[name] = _or_null(schema) if name in nullable else schema
    return {"type": "object", "properties": properties, "required": list(names), "additionalProperties": False}


def several(plural: str, description: str, record: Schema) -> Schema:
    """An object that holds a list of records under their plural."""
    listed: Schema = {"type": "array", "items": record, "description": description}
    return {"type": "object", "properties": {plural: listed}, "required": [plural], "additionalProperties": False}


def without(record: Schema, *names: str) -> Schema:
    """A record that is shown without some of its properties."""
    properties = cast("Schema", record["properties"])
    required = cast("list[str]", record["required"])
    return {
        **record,
        "properties": {name: schema for name, schema in properties.items() if name not in names},
        "required": [name for name in required if name not in names],
    }


FOLDER = shape("folder", "access")
FILE = shape("path", "folder", "text", "size", "changed_on", text=FIELDS["held"])
MAIL = shape(
    *("mail_id", "box", "name", "email", "subject", "text", "received_on", "status"),
    name=_text("The name of the one whom the mail came from, or went to."),
    email={**FIELDS["email"], "description": "The e-mail address of the one whom the mail came from, or went to."},
    status=MAIL_STATUS,
)
EVENT = shape(
    *("event_id", "title", "day", "start", "minutes", "place", "status", "attendees"),
    status=EVENT_STATUS,
    attendees={"type": "array", "items": shape("name", "email"), "description": "Who is invited."},
)
SLOT = shape("day", "start", "minutes")
CONTACT = shape("contact_id", "name", "email", "phone", "company")
PAGE = shape("page_url", "title", "text", "form", nullable=("form",))
ENTRY = shape("entry_id", "title", "username", "site", "changed_on")
TASK = shape("task_id", "text", "due_on", "status", nullable=("due_on",), status=TASK_STATUS)
SUBMISSION = shape("submission_id", "page_url", "text", "sent_on")
