"""Made-up values always fit their schema, and are the same for the same seed."""

import re
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misstep.core.errors import InvalidTrialError
from misstep.tools.patterns import matching
from misstep.tools.records.making_up import completed, fits, made_up

SCHEMAS: dict[str, Any] = {
    "anything": {},
    "enum": {"enum": ["a", 1, None]},
    "const": {"const": {"a": [1]}},
    "bounds": {"type": "integer", "minimum": 7, "exclusiveMaximum": 9},
    "above": {"type": "number", "exclusiveMinimum": 0, "maximum": 0.5},
    "grid": {"type": "number", "multipleOf": 0.25, "minimum": 1, "maximum": 2},
    "below": {"type": "integer", "maximum": -3},
    "lengths": {"type": "string", "minLength": 30, "maxLength": 31},
    "short": {"type": "string", "maxLength": 2},
    "pattern": {"type": "string", "pattern": r"^[A-Z]{3}-\d{4}(?:-(red|green))?$"},
    "unicode": {"type": "string", "pattern": r"^\u0041+[^a-c]\.\w*$"},
    "nested": {
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "boolean"}, "minItems": 3, "maxItems": 4}},
        "required": ["a", "b"],
        "additionalProperties": {"type": "integer"},
    },
    "closed": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "additionalProperties": False,
        "required": ["a"],
    },
    "any-of": {"anyOf": [{"type": "null"}, {"type": "object", "required": ["x"]}]},
    "one-of": {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 100}]},
    "all-of": {"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"enum": [3]}}}]},
    "types": {"type": ["null", "integer"]},
    "unique": {"type": "array", "items": {"enum": [1, 2, 3]}, "uniqueItems": True, "minItems": 3},
    "tuple": {"type": "array", "prefixItems": [{"type": "string"}, {"const": 2}], "items": False, "minItems": 2},
    "contains": {"type": "array", "items": {"type": "integer"}, "contains": {"const": 7}},
    "counted": {"type": "object", "minProperties": 3, "additionalProperties": {"type": "string"}},
    "recursive": {
        "$defs": {
            "node": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                },
                "required": ["name", "children"],
            }
        },
        "$ref": "#/$defs/node",
    },
    "endless": {"type": "object", "properties": {"next": {"$ref": "#"}}},
    **{
        form: {"type": "string", "format": form}
        for form in ("date-time", "date", "time", "email", "uri", "uuid", "ipv4", "ipv6", "hostname", "duration")
    },
}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda each: st.lists(each) | st.dictionaries(st.sampled_from("abcx"), each),
    max_leaves=5,
)


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("seed", range(5))
def test_a_made_up_value_fits_its_schema(name: str, seed: int) -> None:
    value = made_up(SCHEMAS[name], Random(seed), name=name)
    jsonschema_rs.validator_for(SCHEMAS[name], validate_formats=True).validate(value)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_same_seed_makes_the_same_value_up(name: str) -> None:
    assert made_up(SCHEMAS[name], Random(3)) == made_up(SCHEMAS[name], Random(3))


@pytest.mark.parametrize("name", SCHEMAS)
@given(wanted=ANYTHING)
def test_whatever_is_wanted_is_completed_to_what_fits(name: str, wanted: object) -> None:
    assert fits(SCHEMAS[name], completed(SCHEMAS[name], wanted, Random(1)))


def test_what_is_wanted_and_fits_is_kept_and_the_rest_is_left_out() -> None:
    schema = SCHEMAS["closed"]
    assert completed(schema, {"a": "kept", "b": 1}, Random(1)) == {"a": "kept"}


def test_a_schema_that_nothing_fits_is_the_simulators_error() -> None:
    with pytest.raises(InvalidTrialError) as caught:
        made_up({"type": "string", "pattern": r"^(?=a)b$"}, Random(1), name="code")
    assert caught.value.blame == "tool-simulator"


@pytest.mark.parametrize("pattern", [r"a|bc", r"^x{2,}$", r"[\d-]+", r"(?P<year>\d{4})/\S?", r"\$\{[a-z]\}", r"a{0,2}"])
def test_a_text_matches_the_pattern_it_is_made_from(pattern: str) -> None:
    validator = jsonschema_rs.validator_for({"pattern": pattern.replace("?P<", "?<")})
    for seed in range(10):
        validator.validate(matching(pattern, Random(seed)))


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("datetime", r"2026-\d\d-\d\dT\d\d:\d\d:00Z"),
        ("current_time", r"2026-\d\d-\d\dT\d\d:\d\d:00Z"),
        ("timezone", r"UTC|\w+/\w+"),
        ("day_of_week", r"\w+day"),
    ],
)
def test_a_text_is_what_its_name_says(name: str, form: str) -> None:
    assert re.fullmatch(form, str(made_up({"type": "string"}, Random(1), name=name)))
