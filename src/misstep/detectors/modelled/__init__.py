"""A language model → detectors for what code cannot decide; there are none unless a model is named."""

from misstep.core.finding import Finding
from misstep.core.roles import Detector, TraceReader
from misstep.core.trace import Trace
from misstep.detectors.modelled.asking import UnfitAnswerError, finished, judged
from misstep.detectors.modelled.prompt import MODES, prompt_for
from misstep.llm import Model

__all__ = ["MODES", "UnfitAnswerError", "modelled_detectors"]


def modelled_detectors(model: Model, *, modes: tuple[str, ...] = MODES) -> tuple[Detector, ...]:
    """One for each mode that has a prompt; each asks the model once for a trace."""
    return tuple(Detector(mode, prompt_for(mode).version, "conversation", _reader(model, mode)) for mode in modes)


def _reader(model: Model, mode: str) -> TraceReader:
    def find(trace: Trace) -> tuple[Finding, ...]:
        return finished(judged(model, mode, prompt_for(mode), trace))

    return find
