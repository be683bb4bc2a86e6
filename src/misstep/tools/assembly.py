"""A toolbox, and what a trial puts round it → the toolbox that the agent is given; the one place with the order."""

from collections.abc import Sequence

from misstep.core.objective import Limits
from misstep.core.roles import Guardrail, Toolbox
from misstep.core.scenario import Fault
from misstep.core.tape import Tape
from misstep.tools.faulty import Faulty
from misstep.tools.guarded import Guarded
from misstep.tools.traced import Traced


def assemble(
    toolbox: Toolbox,
    *,
    tape: Tape,
    faults: Sequence[Fault] = (),
    guardrails: Sequence[Guardrail] = (),
    seed: int = 0,
    limits: Limits | None = None,
) -> Traced | Guarded:
    """`stopped` of what is returned says what ended the calls, even to a trial whose agent swallowed the error."""
    limits = limits or Limits()
    if any(fault.target == "tool" for fault in faults):
        toolbox = Faulty(toolbox, faults, seed=seed)
    # Faults inside: the trace is what the agent saw, spoilt answers and all.
    traced = Traced(toolbox, tape, limits=limits)
    # Guardrails outside: a stopped call did not happen (design/0001).
    return Guarded(traced, guardrails, tape, limits=limits) if guardrails else traced
