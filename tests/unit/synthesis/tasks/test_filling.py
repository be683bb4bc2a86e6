"""What is borrowed for an argument stands in the records that it was borrowed from."""

from random import Random

import pytest

from misstep.core.tool import JSON, Tool
from misstep.synthesis.tasks.filling import Filler
from misstep.synthesis.tasks.surveying import Row, Survey

TEXT: dict[str, JSON] = {"type": "string"}
LETTER = "Dear Ada,\nthe boat is ready.\n\nYours, Bo"


@pytest.mark.parametrize(
    "others", [{"text": "Call Cy."}, {"text": None}, {"text": ""}, {}], ids=["one-line", "null", "empty", "missing"]
)
def test_a_line_is_taken_of_a_text_that_has_lines_and_of_nothing_else(others: dict[str, JSON]) -> None:
    letters = [{"letter_id": f"L-{at}", **(others if at % 3 else {"text": LETTER})} for at in range(9)]
    survey = Survey([Row("letters", str(letter["letter_id"]), letter) for letter in letters])
    schema: dict[str, JSON] = {"letter_id": TEXT, "text": TEXT}
    tool = Tool("extend_letter", "", {"type": "object", "properties": schema, "required": list(schema)})
    filler = Filler(survey, tool, Random(0))
    fillings = [filling for _ in range(200) if (filling := filler.fill(at_random=True)) is not None]
    lines = {filling.values["text",] for filling in fillings if filling.origins["text",] == "piece"}
    assert lines == {line for line in LETTER.splitlines() if line}
