"""Turn a plain function from a trace (and an objective) to findings into a Detector."""

from collections.abc import Callable
from typing import overload

from misstep.core.roles import Detector, Need, ObjectiveReader, PeersReader, TraceReader

Reader = TraceReader | ObjectiveReader | PeersReader


@overload
def detector(mode: str, *, version: int, residual: bool = False) -> Callable[[TraceReader], Detector]: ...
@overload
def detector(mode: str, *, version: int, needs: Need, residual: bool = False) -> Callable[[Reader], Detector]: ...
def detector(
    mode: str, *, version: int, needs: Need = "trace", residual: bool = False
) -> Callable[[TraceReader], Detector] | Callable[[Reader], Detector]:
    """Declare which mode a function finds; raise `version` whenever its answers may differ from before."""

    def declare(find: Reader) -> Detector:
        return Detector(mode, version, needs, find, residual)

    return declare
