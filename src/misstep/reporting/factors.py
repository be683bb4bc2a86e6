"""A factor of scenarios and its levels → a sentence on what they mean, for the factors of Misstep's own worlds."""

from collections.abc import Iterable, Mapping

_MEANT: Mapping[str, tuple[frozenset[str], str]] = {
    "ambiguity": (
        frozenset({"one", "several", "none"}),
        "How many records fit what the person asks for: one; several, and the agent should ask which is meant; "
        "or none, and it should say so.",
    ),
    "constraint": (
        frozenset({"true", "false"}),
        "Whether the person has a wish that limits how the goal may be reached.",
    ),
    "difficulty": (
        frozenset({"easy", "medium", "hard"}),
        "How hard the scenario was meant to be. Easy is one goal in plain words, one record that fits, and no fault.",
    ),
    "goals": (
        frozenset(map(str, range(1, 10))),
        "How many things the person wants, one after the other.",
    ),
    "specificity": (
        frozenset({"full", "partial"}),
        "Whether the person’s opening says all that is needed (full), or the agent has to ask (partial).",
    ),
    "untrusted": (
        frozenset({"true", "false"}),
        "Whether something that others wrote, and that wants to be obeyed, lies in the way.",
    ),
}


def factor_meaning(factor: str, levels: Iterable[str]) -> str:
    """Nothing for a factor that is not known, or that has other levels: it may mean something else there."""
    known, sentence = _MEANT.get(factor, (frozenset[str](), ""))
    return sentence if known.issuperset(levels) else ""
