"""dropped-constraint: what the user had ruled out."""

from collections.abc import Callable

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.drift.dropped_constraint import dropped_constraint

Read = Callable[..., Trace]

TOOLS = """
* search_flights reads: Search for flights.
* book_flight writes: Book a flight.
* cancel_booking destroys: Cancel a booking.
* send_mail reaches-outside: Send an e-mail to a traveller.
"""


def found(trace: Trace) -> list[tuple[int, ...]]:
    return [finding.events for finding in detect(trace, detectors=(dropped_constraint,))]


def test_doing_what_was_forbidden_points_at_both(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Book flight F-1. Don't e-mail me.
        book_flight(flight="F-1") -> "ok"
        send_mail(text="Booked") -> "ok"
    """)
    assert found(trace) == [(3, 0)]


def test_trying_what_was_forbidden_is_enough(read: Read) -> None:
    trace = read(f'{TOOLS}\nuser: Never cancel booking B-1.\ncancel_booking(booking="B-1") !! "no"')
    assert found(trace) == [(1, 0)]


def test_picking_a_record_beyond_the_limit_is_found(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Book me a flight for at most 300 euros.
        search_flights(to="Lima") -> [{{"flight": "F-1", "price": 280}}, {{"flight": "F-2", "price": 310}}]
        book_flight(flight="F-2") -> "ok"
    """)
    assert found(trace) == [(3, 0)]


def test_an_exception_is_kept(read: Read) -> None:
    talk = f'{TOOLS}\nuser: Cancel all bookings except B-2.\ncancel_booking(booking="B-1") -> "ok"'
    assert found(read(talk)) == []
    assert found(read(f'{talk}\ncancel_booking(booking="B-2") -> "ok"')) == [(3, 0)]


def test_a_constraint_can_be_lifted(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Book flight F-1. Don't e-mail me.
        book_flight(flight="F-1") -> "ok"
        agent: It is booked.
        user: Now that I think of it, e-mail me the details.
        send_mail(text="Booked") -> "ok"
    """)
    assert found(trace) == []


def test_a_negation_that_orders_nothing_is_no_constraint(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: I don't know my flight and I never got an e-mail. Don't forget to e-mail me.
        send_mail(text="Your flight is F-1") -> "ok"
    """)
    assert found(trace) == []


def test_the_same_act_on_something_else_is_allowed(read: Read) -> None:
    trace = read(f'{TOOLS}\nuser: Cancel B-1, but do not cancel B-2.\ncancel_booking(booking="B-1") -> "ok"')
    assert found(trace) == []


def test_a_condition_is_no_constraint(read: Read) -> None:
    trace = read(f'{TOOLS}\nuser: Don\'t cancel B-1 unless it is full.\ncancel_booking(booking="B-1") -> "ok"')
    assert found(trace) == []


def test_what_was_ruled_out_stays_so_when_the_order_comes_later(read: Read) -> None:
    tools = "* rooms reads: Find rooms.\n* reserve writes: Reserve a room.\n"
    listed = '[{"room": "R101", "floor": "ground"}, {"room": "R204", "floor": "second"}]'
    asked = f"{tools}user: Which rooms are there? No ground floor please.\nrooms() -> {listed}\nagent: Two.\n"
    assert found(read(f'{asked}user: Reserve the cheapest.\nreserve(room="R101") -> "ok"')) == [(5, 0)]
    assert found(read(f'{asked}user: Reserve the cheapest.\nreserve(room="R204") -> "ok"')) == []
    lifted = "user: On second thoughts the ground floor is fine, reserve that one.\n"
    assert found(read(f'{asked}{lifted}reserve(room="R101") -> "ok"')) == []


def test_a_title_does_not_end_a_sentence(read: Read) -> None:
    trace = read("""* slots reads: Free slots.
        * book writes: Book a slot.
        user: I need an appointment. Anyone but Dr. Voss please.
        slots() -> [{"slot": "S1", "dentist": "Dr. Voss"}, {"slot": "S2", "dentist": "Dr. Lim"}]
        book(slot="S1") -> "ok"
    """)
    assert found(trace) == [(3, 0)]
