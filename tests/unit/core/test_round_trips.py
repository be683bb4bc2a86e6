"""Every noun survives JSON; the strategies are made from the types, so that a new noun or field is tested too."""

import importlib
import json
import pkgutil
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import inspect as types

import misstep.core
from misstep.core.event import Event
from misstep.core.roles import Detector
from misstep.core.scenario import Scenario
from misstep.core.trace import Trace, decode_trace, encode_trace

HERE = Path(__file__).parent
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
INTEGERS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
JSONS = st.recursive(
    st.none() | st.booleans() | INTEGERS | FLOATS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def nouns() -> list[type[msgspec.Struct]]:
    """All data types of the core; a Detector holds code, which no JSON can."""
    modules = [
        importlib.import_module(f"misstep.core.{each.name}") for each in pkgutil.iter_modules(misstep.core.__path__)
    ]
    found = {
        value.__qualname__: value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct) and value.__module__ == module.__name__
    }
    return [found[name] for name in sorted(found) if found[name] is not Detector and not name.startswith("_")]


def values_of(kind: types.Type) -> st.SearchStrategy[Any]:
    match kind:
        case types.AnyType() | types.CustomType():  # msgspec's name for `object`, our JSON
            return JSONS
        case types.NoneType():
            return st.none()
        case types.BoolType():
            return st.booleans()
        case types.IntType():
            return INTEGERS
        case types.FloatType():
            return FLOATS
        case types.StrType():
            return TEXTS
        case types.LiteralType():
            return st.sampled_from(kind.values)
        case types.UnionType():
            return st.one_of(*(values_of(each) for each in kind.types))
        case types.VarTupleType():
            return st.lists(values_of(kind.item_type), max_size=2).map(tuple)
        case types.DictType():
            return st.dictionaries(values_of(kind.key_type), values_of(kind.value_type), max_size=2)
        case types.StructType():
            return instances_of(kind.cls)
        case _:
            raise NotImplementedError(f"No strategy yet for {kind}")


@cache  # Asked for with every example.
def instances_of(noun: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    if noun is Scenario:
        return _built(noun, name=st.text("abc 0-", min_size=1, max_size=8))
    return _built(noun)


def _built(noun: type[msgspec.Struct], **given_fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    info = types.type_info(noun)
    assert isinstance(info, types.StructType)
    fields: dict[str, st.SearchStrategy[Any]] = {}
    for field in info.fields:
        strategy = given_fields[field.name] if field.name in given_fields else values_of(field.type)
        if field.default is not msgspec.NODEFAULT:
            strategy = st.just(field.default) | strategy
        fields[field.name] = strategy
    return st.fixed_dictionaries(fields).map(lambda values: noun(**values))


@pytest.mark.parametrize("noun", nouns(), ids=lambda noun: noun.__name__)
@given(data=st.data())
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_noun_survives_a_json_round_trip(noun: type[msgspec.Struct], data: st.DataObject) -> None:
    before = data.draw(instances_of(noun))
    assert msgspec.json.decode(msgspec.json.encode(before), type=noun) == before


@given(event=values_of(types.type_info(Event)))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_an_event_comes_back_as_its_own_type(event: Event) -> None:
    back = msgspec.json.decode(msgspec.json.encode(event), type=Event)
    assert type(back) is type(event)
    assert back == event


@given(trace=instances_of(Trace))
@settings(max_examples=50, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_a_trace_is_one_line_and_the_same_bytes_each_time(trace: Trace) -> None:
    line = encode_trace(trace)
    assert b"\n" not in line
    assert decode_trace(line) == trace
    assert encode_trace(decode_trace(line)) == line


@pytest.mark.parametrize("noun", nouns(), ids=lambda noun: noun.__name__)
def test_every_noun_is_frozen(noun: type[msgspec.Struct]) -> None:
    assert noun.__struct_config__.frozen


def test_the_frozen_example_of_the_trace_format_reads_and_writes_the_same_data() -> None:
    text = (HERE / "data" / "trace-1.json").read_bytes()
    assert json.loads(encode_trace(decode_trace(text))) == json.loads(text)


def test_the_frozen_example_uses_every_event_type_and_every_field() -> None:
    trace = decode_trace((HERE / "data" / "trace-1.json").read_bytes())
    used: dict[type, set[str]] = {}
    _note_fields(trace, used)
    wanted = _reachable(Trace)
    assert set(used) == wanted
    for noun in wanted:
        assert used[noun] == {field.name for field in msgspec.structs.fields(noun)}, noun.__name__


def _note_fields(value: object, used: dict[type, set[str]]) -> None:
    """Which fields have, somewhere in the example, another value than their default."""
    if isinstance(value, msgspec.Struct):
        for field in msgspec.structs.fields(value):
            inner = getattr(value, field.name)
            if inner != field.default and not (field.default_factory is dict and not inner):
                used.setdefault(type(value), set()).add(field.name)
            _note_fields(inner, used)
    elif isinstance(value, tuple):
        for each in value:
            _note_fields(each, used)


def _reachable(noun: type[msgspec.Struct]) -> set[type[msgspec.Struct]]:
    found: set[type[msgspec.Struct]] = set()

    def visit(kind: object) -> None:
        if isinstance(kind, types.StructType):
            found.add(kind.cls)
            for field in kind.fields:
                visit(field.type)
        for inner in (*getattr(kind, "types", ()), getattr(kind, "item_type", None)):
            if inner is not None:
                visit(inner)

    visit(types.type_info(noun))
    return found
