"""Functions over all the kinds of data that people keep in modules: the subject of test_held."""

import logging
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from functools import lru_cache
from itertools import count
from random import Random
from threading import Lock
from typing import ClassVar

import msgspec

_log = logging.getLogger(__name__)
_lock = Lock()


class Status(Enum):
    WAITING = "waiting"
    SENT = "sent"


@dataclass
class Parcel:
    number: str
    to: str
    status: Status = Status.WAITING
    notes: list[str] = field(default_factory=list)


class Run(msgspec.Struct):
    id: int
    driver: str
    day: date


class Depot:
    opened: ClassVar = ["north"]

    def __init__(self) -> None:
        self.parcels = {each.number: each for each in (Parcel("P-1", "Ann Lee"), Parcel("P-2", "Bo Lind"))}
        self.runs = [Run(1, "Ola", date(2026, 1, 5))]
        self.parent = self
        self.open = True

    @property
    def waiting(self) -> int:
        return sum(each.status is Status.WAITING for each in self.parcels.values())


DATA = {"drivers": [{"name": "Ola", "van": "V1"}, {"name": "Pia", "van": "V2"}], "vans": {"V1": {"doors": 4}}}
DRIVERS = DATA["drivers"]
STOCK = {"tape": 5, "boxes": 8}
carts: defaultdict[str, list[str]] = defaultdict(list)
seen: set[str] = {"a"}
latest: deque[str] = deque(maxlen=2)
calls: Counter[str] = Counter()
sent = 0
_number = count(2)
_random = Random(4)
_depot = Depot()


@lru_cache
def _price(weight: int) -> int:
    return weight * (1 + sent)


def send(number: str, driver: str) -> dict[str, object]:
    """Send a parcel out with a driver."""
    global sent  # noqa: PLW0603
    parcel = _depot.parcels[number]
    if parcel.status is Status.SENT:
        raise ValueError(f"{number} is sent already")
    with _lock:
        parcel.status = Status.SENT
    parcel.notes.append(f"with {driver}")
    _depot.runs.append(Run(next(_number), driver, date(2026, 1, 6)))
    _depot.open = False
    Depot.opened.append("south")
    DRIVERS.append({"name": f"{driver} {_random.randint(1, 99)}", "van": "V3"})
    STOCK["tape"] -= 1
    carts[driver].append(number)
    seen.add(number)
    latest.append(number)
    calls[driver] += 1
    sent += 1
    _log.debug("sent %s", number)
    return {"waiting": _depot.waiting, "price": _price(2), "sent": sent}


async def look() -> dict[str, object]:
    """Look at all of it."""
    return {"waiting": _depot.waiting, "price": _price(2), "sent": sent, "drivers": len(DATA["drivers"])}


tools = [send, look]
