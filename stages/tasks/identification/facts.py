"""Position Identification: sizes and positions of the task `identification`."""

from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.positions.positions import Positions
from stages.tasks.bases.line_facts import WordData as Data
from stages.tasks.bases.line_facts import WordFacts, line_positions


class IdentificationFacts(WordFacts):
    name = "identification"
    data = Data
    title = "Position identification"

    def positions(self, settings: Params, data: Arrays) -> Positions:
        return line_positions(settings.data("identification", Data).tokens)


FACTS = IdentificationFacts()
