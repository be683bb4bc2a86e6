"""What a person calls the things that they know: by what they are about, so that none answers for another."""

from random import Random

from misstep.core.scenario import Fact
from misstep.synthesis.ground import Ground
from misstep.synthesis.parts import part_of
from misstep.synthesis.persons import facts_of
from misstep.synthesis.task import Item, Task

GROUND = Ground(
    nouns={
        ("name", "dr kato"): "doctor",
        ("name", "ines ferro"): "patient",
        ("title", "old maps"): "post",
    }
)


def known(*items: Item) -> dict[str, Fact]:
    task = Task(id="t", kind="act", tool="book_visit", steps=(), items=items)
    part = part_of(task, GROUND, specificity="none", random=Random(1))
    return {str(fact.value): fact for fact in facts_of([part], [part], GROUND)}


def test_the_name_of_a_doctor_is_no_answer_to_who_asks_for_the_speakers() -> None:
    facts = known(Item(name="name", value="Dr Kato", role="key"), Item(name="day", value="Monday", role="content"))
    assert facts["Dr Kato"].name == "doctor name"
    assert "name" in facts["Dr Kato"].words


def test_the_speakers_own_name_is_just_a_name() -> None:
    assert known(Item(name="name", value="Ines Ferro", role="key"))["Ines Ferro"].name == "name"


def test_what_a_record_is_to_get_is_not_called_after_another_that_has_it() -> None:
    facts = known(Item(name="title", value="Old maps", role="content", argument="title"))
    assert facts["Old maps"].name == "title"
