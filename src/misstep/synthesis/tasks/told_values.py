"""What a text says of the values of an argument → a schema that says so: which there are, bounds, examples."""

import re
from collections.abc import Mapping, Sequence
from typing import cast

from misstep.core.tool import JSON
from misstep.core.words import split_identifier

Schema = Mapping[str, JSON]

_QUOTED = r"""(?:"[^"\n]{1,40}"|'[^'\n]{1,40}'|`[^`\n]{1,40}`)"""
_LIST = re.compile(rf"{_QUOTED}(?:\s*(?:,\s*or|,|\||/|\bor\b|\band\b)\s*{_QUOTED})+")
_EACH = re.compile(r"""["'`]([^"'`\n]{1,40})["'`]""")
_BARE = re.compile(
    r"\b(?:(?:one|any) of|either|choose from|(?:allowed|valid|possible)(?: values)?(?: are)?:)\s{0,20}:?\s{0,20}[\[({]?"
    r"((?:[\w-]+\s{0,20}(?:,\s{0,20}or\b|,|\||/|\bor\b)\s{0,20})+[\w-]+)[\])}]?(?=\s{0,20}(?:[.;)]|$))",
    re.IGNORECASE,
)
_CUT = re.compile(r"\s{0,20}(?:,\s{0,20}or\b|,|\||/|\bor\b)\s{0,20}")
_END = re.compile(r"(?<=[\w)'\"])[.;!?](?:\s|$)|\n")
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_BETWEEN = re.compile(
    rf"\b(?:between|from)\s{{1,20}}{_NUMBER}\s{{0,20}}(?:%|percent)?\s{{0,20}}(?:and|to)\s{{1,20}}{_NUMBER}",
    re.IGNORECASE,
)
_RANGE = re.compile(rf"(?<![\w.-]){_NUMBER}\s*(?:-|–|\.\.+)\s*{_NUMBER}(?![\w-])")
_MOST = re.compile(
    rf"(?:\bat most|\bup to|\bmax(?:imum)?(?: of)?:?|\bno more than|\bnot (?:exceed|above|over)|<=)\s+{_NUMBER}",
    re.IGNORECASE,
)
_LEAST = re.compile(rf"(?:\bat least|\bmin(?:imum)?(?: of)?:?|\bno less than|>=)\s+{_NUMBER}", re.IGNORECASE)
_POSITIVE = re.compile(r"\bpositive\b|\bgreater than (?:0|zero)\b|\babove (?:0|zero)\b|> ?0\b", re.IGNORECASE)
_EXAMPLE = re.compile(
    rf"(?:\be\.g\.?|\bfor example|\bsuch as|\blike|\bexample:)[,:]?\s+({_QUOTED}|[\w@.:/-]+)", re.IGNORECASE
)
_AMOUNT = re.compile(
    r"\b(?:in|of|as) (?:whole )?(?:euros?|dollars?|pounds?|cents|percent|degrees|celsius|hours?|minutes?|seconds?|days?"
    r"|weeks?|months?|years?|kilograms?|kilogrammes?|kg|grams?|km|kilomet\w+|met(?:er|re)s?|cm|lit(?:er|re)s?|miles)\b"
    r"|^(?:how many|how much|the number of|number of|the amount of|amount of|percentage)\b",
    re.IGNORECASE,
)
_COUNTED = frozenset(
    """amount amt price cost fee total sum qty quantity count n num hours minutes days weeks months years km kg litres
    liters grams percent percentage discount rate rating score stars budget limit capacity cap seats places copies units
    pieces guests people weight height length width depth temperature temp mileage age duration size points""".split()
)
_NO_TEXT = re.compile(
    r"not supported between instances of '(?:str' and '(?:int|float)|(?:int|float)' and 'str)'"
    r"|unsupported operand type\(s\) for .*'str'|could not convert string to (?:float|Decimal)"
    r"|invalid literal for int\(\)|can only concatenate str|ConversionSyntax"
    r"|must be (?:a |an )?(?:real )?(?:number|int\w*)\b",
    re.IGNORECASE,
)


def told_schema(schema: Schema, name: str, said: str, *, surely: bool = True) -> Schema:
    """The schema with what a text says of it; what the schema says itself stays. Not `surely`: the text may be about
    another argument, so that a number in it makes a number only of what is called like one."""
    if said and "enum" not in schema and "const" not in schema and schema.get("type", "string") == "string":
        listed = choices_in(said, name)
        if listed:
            return {**schema, "enum": list(listed)}
    kind = schema.get("type")
    low, high = bounds_in(said)
    bounded: dict[str, JSON] = {}
    counted = _is_counted(name) or (surely and (low is not None or high is not None or bool(_AMOUNT.search(said))))
    if kind in ("integer", "number") or (is_untyped(schema) and _is_number(schema, counted)):
        bounded = {"type": kind or "number", **_bounds(schema, low, high)}
    shown = examples_in(said)
    if shown and "examples" not in schema and is_untyped(schema) and not bounded:
        bounded = {**bounded, "examples": list(shown)}
    return {**schema, **bounded} if bounded else schema


def _bounds(schema: Schema, low: float | None, high: float | None) -> dict[str, JSON]:
    found: dict[str, JSON] = {}
    if low is not None and not {"minimum", "exclusiveMinimum"} & schema.keys():
        found["minimum"] = low
    if high is not None and not {"maximum", "exclusiveMaximum"} & schema.keys():
        found["maximum"] = high
    return found


def is_untyped(schema: Schema) -> bool:
    return not {"type", "enum", "const", "anyOf", "oneOf", "properties", "items"} & schema.keys()


def _is_number(schema: Schema, counted: bool) -> bool:
    default = schema.get("default")
    if default is None:
        return counted
    return isinstance(default, (int, float)) and not isinstance(default, bool)


def _is_counted(name: str) -> bool:
    return bool(_COUNTED.intersection(split_identifier(name)[-1:])) or name.startswith("n_")


def wants_number(refusal: str) -> bool:
    """Python's own words for a text where a number should be."""
    return _NO_TEXT.search(refusal) is not None


def choices_in(said: str, name: str = "") -> tuple[str, ...]:
    """`one of 'low' or 'high'`, `must be one of: low, high`; nothing where no list of values is spelt."""
    quoted = _LIST.search(said)
    if quoted is not None:
        before = said[: quoted.start()].lower()
        if not re.search(r"(?:such as|e\.g\.?|for example|like)[,:]?\s*\(?$", before):
            return tuple(dict.fromkeys(_EACH.findall(quoted.group())))
    bare = _BARE.search(said)
    if bare is None:
        return ()
    found = tuple(dict.fromkeys(_CUT.split(bare.group(1))))
    return found if not set(found) & {"a", "an", "the", name} and len(found) > 1 else ()


def bounds_in(said: str) -> tuple[float | None, float | None]:
    """Within which a number lies, as far as a text says so."""
    both = _BETWEEN.search(said) or _RANGE.search(said)
    if both is not None and float(both.group(1)) < float(both.group(2)):
        return _whole(both.group(1)), _whole(both.group(2))
    least, most = _LEAST.search(said), _MOST.search(said)
    low = _whole(least.group(1)) if least else 1 if _POSITIVE.search(said) else None
    return low, _whole(most.group(1)) if most else None


def _whole(number: str) -> float:
    value = float(number)
    return int(value) if value.is_integer() else value


def examples_in(said: str) -> tuple[JSON, ...]:
    """`e.g. 'B2'`, `such as Lena`: values that stand for others."""
    found = [match.group(1).strip("\"'`.,;:)") for match in _EXAMPLE.finditer(said)]
    return tuple(cast("Sequence[JSON]", [each for each in dict.fromkeys(found) if each and not _is_plain_word(each)]))


def _is_plain_word(text: str) -> bool:
    """A word of the sentence rather than a value: `such as those that are open`."""
    return text.islower() and text.isalpha()


def about(description: str, name: str, others: Sequence[str]) -> str:
    """What a tool's description says of one argument: from its name on, up to the name of another."""
    own = split_identifier(name)
    if not own or (found := _place(description, own)) is None:
        return ""
    end = _END.search(description, found.end())
    ends = [match.start() for each in others if (match := _place(description, split_identifier(each), found.end()))]
    return description[found.end() : min([*ends, end.start() if end else len(description)])]


def _place(text: str, named: Sequence[str], start: int = 0) -> re.Match[str] | None:
    pattern = r"[\s_-]+".join(map(re.escape, named))
    return re.compile(rf"\b{pattern}\b", re.IGNORECASE).search(text, start) if named else None


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


FREE: Mapping[frozenset[str], Sequence[str]] = {
    _listed("reason why cause motive justification"): (
        "the plans have changed",
        "it was a mistake",
        "it is no longer needed",
        "that was agreed on the phone",
        "something has come up",
    ),
    _listed("fault faults problem issue defect symptom trouble complaint"): (
        "it makes a strange noise",
        "it does not start any more",
        "it stops after a few minutes",
        "a part of it has come off",
    ),
    _listed(
        """note notes comment comments remark remarks message msg memo body text content contents description details
        feedback observation observations"""
    ): (
        "Please call before you come.",
        "This was agreed on the phone.",
        "To be looked at again next week.",
        "Thank you for the quick help.",
        "Nothing else has changed.",
    ),
    _listed("how resolution solution outcome result"): (
        "switched it off and on again",
        "replaced the broken part",
        "sorted out on the phone",
        "explained how it works",
    ),
    _listed("what task job todo work action"): (
        "check the doors",
        "clean up",
        "a general check",
        "take stock",
        "repair the lock",
    ),
}
"""What an argument takes that may be any text → texts that mean something."""


def free_text(schema: Schema, name: str) -> Sequence[str]:
    """Sentences for an argument of that name; none where it takes something more special."""
    bound = {"pattern", "format", "minLength", "maxLength"} & schema.keys()
    if bound or schema.get("type", "string") != "string":
        return ()
    last = frozenset(split_identifier(name)[-1:])
    return next((texts for names, texts in FREE.items() if names & last), ())


_GUESSED = _listed(
    """email mail url link website date day deadline birthday at time datetime timezone weekday name author owner
    assignee customer user contact phone telephone mobile city location place country currency description summary title
    subject label query q search term keyword keywords since until start end when"""
)
"""What something plausible can be made up for by its name alone."""


def says_nothing(schema: Schema, name: str) -> bool:
    """Neither a type nor a word nor the name tells what could go there."""
    return is_untyped(schema) and not schema.get("description") and not _GUESSED & {*split_identifier(name)[-1:]}
