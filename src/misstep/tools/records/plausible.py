"""The name of a field and what its schema asks → a number or a text that looks as if it belonged there."""

import math
import uuid
from collections.abc import Mapping
from random import Random
from typing import cast

from misstep.core.tool import JSON
from misstep.core.words import split_identifier
from misstep.tools.patterns import matching

Schema = Mapping[str, JSON]

_WORDS = (
    "amber basil cedar delta ember fjord grove hazel indigo juniper kelp linen maple nectar olive pebble quartz river "
    "sable thyme umber violet willow yarrow"
).split()
_FIRST = "Ada Bruno Carla Dmitri Elif Farid Greta Hugo Ines Jonas Kim Lena Mateo Nadia Omar Priya".split()
_LAST = "Abe Bauer Costa Duval Eklund Ferrari Green Haas Ito Jensen Khan Lopez Meyer Novak Okafor Park".split()
_CITIES = "Aarhus Bergen Cork Dresden Evora Florence Ghent Haarlem Izmir Jaipur".split()
_STATUSES = "open active pending done".split()
_CURRENCIES = "EUR USD GBP".split()
_COUNTRIES = "DE FR IE NO PT".split()
_ZONES = "Europe/Berlin Europe/Lisbon Asia/Kolkata America/Toronto UTC".split()
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday".split()

_MONEY = frozenset("price amount total cost fee balance subtotal tax".split())
_COUNTS = frozenset("count quantity number size length index page rank".split())


def number(schema: Schema, kind: str, name: str, random: Random) -> float:
    """Within the bounds, on the grid; money has two digits."""
    step = cast("float", schema.get("multipleOf") or (1 if kind == "integer" else 0.01))
    low = cast("float", schema.get("minimum", schema.get("exclusiveMinimum", -math.inf)))
    high = cast("float", schema.get("maximum", schema.get("exclusiveMaximum", math.inf)))
    words = split_identifier(name)
    span = 20 if _COUNTS & set(words) else 500
    if low == -math.inf:
        low = min(1.0, high - span)
    if high == math.inf:
        high = low + span
    first = math.ceil(low / step - 1e-9) + ("exclusiveMinimum" in schema and _on_grid(low, step))
    last = math.floor(high / step + 1e-9) - ("exclusiveMaximum" in schema and _on_grid(high, step))
    found = random.randint(first, max(first, last)) * step
    if kind == "integer" or (found == int(found) and "multipleOf" in schema):
        return round(found)
    return round(found, 9)


def _on_grid(value: float, step: float) -> bool:
    return abs(value / step - round(value / step)) < 1e-9


def text(schema: Schema, name: str, random: Random) -> str:
    """By its pattern, else its format, else its name; then as long as it must be and no longer than it may."""
    if isinstance(pattern := schema.get("pattern"), str):
        return matching(pattern, random)
    form = schema.get("format")
    made = _formatted(form, random) if isinstance(form, str) else None
    if made is None:
        made = told_by_name(split_identifier(name), random) or random.choice(_WORDS)
    least, most = cast("int", schema.get("minLength") or 0), cast("int", schema.get("maxLength", 10**6))
    while len(made) < least:
        made = f"{made} {random.choice(_WORDS)}"
    return made[:most] if len(made) > most else made


def _formatted(form: str, random: Random) -> str | None:
    match form:
        case "date-time":
            return f"{_date(random)}T{random.randrange(24):02}:{random.randrange(60):02}:00Z"
        case "date":
            return _date(random)
        case "time":
            return f"{random.randrange(24):02}:{random.randrange(60):02}:00Z"
        case "duration":
            return f"PT{random.randrange(1, 60)}M"
        case "email" | "idn-email":
            return _email(random)
        case "hostname" | "idn-hostname":
            return f"{random.choice(_WORDS)}.example"
        case "ipv4":
            return f"192.0.2.{random.randrange(1, 255)}"
        case "ipv6":
            return f"2001:db8::{random.randrange(1, 9999):x}"
        case "uri" | "url" | "iri" | "uri-reference" | "iri-reference":
            return f"https://{random.choice(_WORDS)}.example/{random.choice(_WORDS)}"
        case "uuid":
            return str(uuid.UUID(int=random.getrandbits(128), version=4))
        case "json-pointer":
            return f"/{random.choice(_WORDS)}"
        case "regex":
            return f"^{random.choice(_WORDS)}$"
        case _:
            return None


def _date(random: Random) -> str:
    return f"2026-{random.randrange(1, 13):02}-{random.randrange(1, 29):02}"


def _email(random: Random) -> str:
    return f"{random.choice(_FIRST)}.{random.choice(_LAST)}@mail.example".lower()


def told_by_name(words: list[str], random: Random) -> str | None:  # noqa: C901 (one line a kind of field)
    """What a field of that name holds; nothing where the name does not tell."""
    last = words[-1] if words else ""
    person = bool({"user", "customer", "contact", "author", "owner", "assignee", "person"} & set(words))
    match last:
        case "email" | "mail":
            return _email(random)
        case "url" | "uri" | "link" | "href" | "website":
            return f"https://{random.choice(_WORDS)}.example/{random.choice(_WORDS)}"
        case "date" | "day" | "deadline" | "birthday":
            return _date(random)
        case "at" | "time" | "datetime" | "timestamp" | "now" | "created" | "updated" | "modified" | "start" | "end":
            return f"{_date(random)}T{random.randrange(24):02}:{random.randrange(60):02}:00Z"
        case "timezone" | "tz":
            return random.choice(_ZONES)
        case "weekday" | "week" if last == "weekday" or "day" in words:
            return random.choice(_WEEKDAYS)
        case "id" | "uuid" | "key" | "token" | "ref" | "sha" | "hash":
            return f"{''.join(word[:3] for word in words[:-1]) or 'id'}_{random.getrandbits(32):08x}"
        case "name" if person or words == ["full", "name"]:
            return f"{random.choice(_FIRST)} {random.choice(_LAST)}"
        case "author" | "owner" | "assignee" | "customer" | "user" | "contact":
            return f"{random.choice(_FIRST)} {random.choice(_LAST)}"
        case "phone" | "telephone" | "mobile":
            return f"+49 30 5550 {random.randrange(1000, 9999)}"
        case "city" | "location" | "place":
            return random.choice(_CITIES)
        case "country":
            return random.choice(_COUNTRIES)
        case "currency":
            return random.choice(_CURRENCIES)
        case "status" | "state":
            return random.choice(_STATUSES)
        case "description" | "body" | "text" | "content" | "summary" | "message" | "note" | "comment":
            return f"{random.choice(_WORDS).capitalize()} {random.choice(_WORDS)} and {random.choice(_WORDS)}."
        case "title" | "subject" | "name" | "label":
            return f"{random.choice(_WORDS).capitalize()} {random.choice(_WORDS)}"
        case _ if _MONEY & set(words):
            return f"{random.randrange(100, 9999) / 100:.2f}"
        case _:
            return None
