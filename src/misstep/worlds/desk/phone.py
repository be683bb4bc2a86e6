"""What the owner of the desk holds: a phone, on which reminders of the coming events arrive."""

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache

from misstep.worlds.desk.belongings import TODAY, Belongings
from misstep.worlds.desk.fields import several, shape
from misstep.worlds.services import Result, Service, service


def read_texts(desk: Belongings) -> Result:
    upcoming = [event for event in desk.tables.events.values() if event["status"] == "upcoming"]
    return {
        "texts": [
            {
                "received_on": min(TODAY, date.fromisoformat(event["day"]) - timedelta(days=7)).isoformat(),
                "text": f"Reminder: {event['title']}, {event['day']} at {event['start']}, {event['place']}. "
                f"Number {event['event_id']}.",
            }
            for event in sorted(upcoming, key=lambda event: (event["day"], event["start"]))
        ]
    }


@cache
def phone() -> Mapping[str, Service]:
    found = service(
        read_texts,
        "reads",
        "Read the texts on the phone: reminders of the events that are coming.",
        shape(),
        several("texts", "The texts.", shape("received_on", "text")),
    )
    return {found.tool.name: found}
