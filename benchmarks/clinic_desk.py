"""Four plain functions of a small clinic, as a newcomer would write them, with the data that they hold."""

DOCTORS = {
    "D-11": {"name": "Ada Brandt", "field": "skin", "room": "12"},
    "D-14": {"name": "Luis Moreno", "field": "eyes", "room": "7"},
    "D-19": {"name": "Hana Sato", "field": "heart", "room": "21"},
}
VISITS = {
    f"V-{4000 + 37 * at}": {
        "patient": patient,
        "doctor_id": ("D-11", "D-14", "D-19")[at % 3],
        "day": f"2026-07-{1 + (5 * at) % 27:02}",
        "status": "booked" if at % 4 else "cancelled",
        "fee": 40 + 15 * (at % 5),
    }
    for at, patient in enumerate(
        (
            "Nora Klein",
            "Tom Adeyemi",
            "Iris Novak",
            "Sam Okafor",
            "Lena Fischer",
            "Paul Dubois",
            "Rosa Marin",
            "Jan Kowal",
        )
        * 2
    )
}


def find_visits(patient: str) -> list[dict[str, object]]:
    """Find the visits of a patient by the full name."""
    return [{"visit_id": key, **visit} for key, visit in VISITS.items() if visit["patient"] == patient]


def show_doctor(doctor_id: str) -> dict[str, str]:
    """Show a doctor's name, field and room."""
    if doctor_id not in DOCTORS:
        raise ValueError(f"There is no doctor {doctor_id}.")
    return DOCTORS[doctor_id]


def cancel_visit(visit_id: str, reason: str) -> dict[str, object]:
    """Cancel a booked visit.

    Args:
        visit_id: Number of the visit.
        reason: One of "ill", "away", "moved".
    """
    visit = VISITS.get(visit_id)
    if visit is None:
        raise ValueError(f"There is no visit {visit_id}.")
    if visit["status"] != "booked":
        raise ValueError(f"Visit {visit_id} is {visit['status']}.")
    if reason not in ("ill", "away", "moved"):
        raise ValueError('The reason must be one of "ill", "away", "moved".')
    visit["status"] = "cancelled"
    visit["reason"] = reason
    return {"visit_id": visit_id, **visit}


def move_visit(visit_id: str, day: str) -> dict[str, object]:
    """Move a booked visit to another day.

    Args:
        visit_id: Number of the visit.
        day: The new day, as YYYY-MM-DD.
    """
    visit = VISITS.get(visit_id)
    if visit is None:
        raise ValueError(f"There is no visit {visit_id}.")
    if visit["status"] != "booked":
        raise ValueError(f"Visit {visit_id} is {visit['status']}.")
    visit["day"] = day
    return {"visit_id": visit_id, **visit}


tools = [find_visits, show_doctor, cancel_visit, move_visit]
