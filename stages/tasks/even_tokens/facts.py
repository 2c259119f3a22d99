"""Even Token Prediction: sizes and positions of the task `even_tokens`."""

from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.positions.positions import Positions
from stages.tasks.bases.line_facts import WordData as Data
from stages.tasks.bases.line_facts import WordFacts, line_positions


class EvenTokensFacts(WordFacts):
    name = "even_tokens"
    data = Data
    title = "Even tokens"

    def positions(self, settings: Params, data: Arrays) -> Positions:
        return line_positions(settings.data("even_tokens", Data).tokens)


FACTS = EvenTokensFacts()
