"""Hand-written scenarios: the TOML files of a world's package → Scenarios, in order of their names."""

import tomllib
from functools import cache
from importlib.resources import files

from misstep.core.errors import FormatError
from misstep.core.scenario import Scenario, scenario_from


@cache
def written_for(package: str) -> tuple[Scenario, ...]:
    """Read once; a file that is no scenario raises FormatError with its name."""
    found = (each for each in files(package).joinpath("scenarios").iterdir() if each.name.endswith(".toml"))
    return tuple(_scenario(each.name, each.read_text("utf-8")) for each in sorted(found, key=lambda each: each.name))


def _scenario(file: str, text: str) -> Scenario:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"{file} is no TOML: {error}.") from None
    return scenario_from({"format": "misstep.scenario/1", **data}, place=file)
