"""Words of a domain → nonsense words that keep their inflections, so that words that shared a stem still share one."""

from collections.abc import Iterable, Iterator, Mapping
from random import Random

from misstep.core.words import stem

_ONSETS = "b bl br d dr f fl g gl gr k kl kr m n p pl pr sk sl sm sn sp t tr v vr w z".split()
_MIDDLES = "b d f g k l lb lk lv m mb n nd nk nv p rb rd rk rv sk v x z".split()
_CODAS = "b d f g k lk lp m mp n nk p rb rk rn sk x".split()
_VOWELS = "aiou"

_SUFFIXES = {
    "ations": "ations", "ation": "ation", "ions": "ions", "ion": "ion", "ments": "ments", "ment": "ment",
    "ings": "ings", "ing": "ing",
    "ies": "ies", "ied": "ed", "ed": "ed", "d": "ed", "es": "s", "s": "s", "y": "y", "e": "",
}  # fmt: skip
"""An English ending → the regular one that stands for it, the longest first."""


def nonsense_for(surfaces: Iterable[str]) -> Mapping[str, str]:
    """Each word → its nonsense word, one to one. Give every form that occurs: what is not given has no counterpart."""
    groups: dict[str, list[str]] = {}
    for surface in sorted(set(surfaces)):
        groups.setdefault(stem(surface), []).append(surface)
    fresh = _fresh({*groups, *(surface for group in groups.values() for surface in group)})
    table: dict[str, str] = {}
    for forms in groups.values():
        root, base = next(fresh), min(forms, key=lambda form: (len(form), form))
        used: set[str] = set()
        for form in sorted(forms, key=lambda form: (len(form), form)):
            word = root if form == base else root + _suffix(form, base)
            # Two spellings of one form cannot share a word, or the way back would be lost.
            table[form] = word if word not in used else next(fresh)
            used.add(word)
    return table


def _suffix(form: str, base: str) -> str:
    found = next((suffix for suffix in _SUFFIXES if form.endswith(suffix)), "e")
    return "s" if found == "ies" and base.endswith("y") else _SUFFIXES[found]


def _fresh(taken: set[str]) -> Iterator[str]:
    """Nonsense words, the same ones each time, that no ending hides from the stemmer."""
    random = Random(11)
    used = set(taken)
    while True:
        word = "".join(random.choice(part) for part in (_ONSETS, _VOWELS, _MIDDLES, _VOWELS, _CODAS))
        if word not in used and all(stem(word + suffix) == word for suffix in ("", *filter(None, _SUFFIXES.values()))):
            used.add(word)
            yield word
