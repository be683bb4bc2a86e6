import pytest

from misstep.core.errors import UsageError
from misstep.synthesis.abilities import consistent
from misstep.synthesis.covering import covering
from misstep.synthesis.factors import levels_of
from misstep.synthesis.personas import persona_named, personas
from misstep.synthesis.voicing import voices


def test_there_are_at_least_ten_and_each_is_a_sentence_on_somebody():
    assert len(personas()) >= 10
    assert all(persona.about.endswith(".") and persona.name == name for name, persona in personas().items())


@pytest.mark.parametrize("name", list(personas()))
def test_a_persona_has_levels_that_exist_and_can_be_had_together(name):
    levels = levels_of(persona_named(name).levels, voices=voices())
    assert levels["register"] == (persona_named(name).voice,)
    assert covering(levels, possible=consistent)


def test_a_name_that_is_nobodys_is_turned_down_with_those_there_are():
    with pytest.raises(UsageError, match="hurried"):
        persona_named("hurried-man")
