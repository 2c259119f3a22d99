"""The position probe: sizes, positions and scores of the task `probe`."""

from pydantic.dataclasses import dataclass

from stages.files.artifacts import Arrays
from stages.parameters.kinds import STRICT
from stages.parameters.params import Params
from stages.positions.positions import Positions
from stages.tasks.bases.line_facts import LineFacts, Tokens, line_positions
from stages.tasks.facts import Score


@dataclass(frozen=True, config=STRICT)
class Data:
    """Sizes of the data at a scale."""

    tokens: Tokens


class ProbeFacts(LineFacts):
    name = "probe"
    data = Data
    title = "Position probe"
    score = Score("train", "accuracy", "share of tokens that name their place", higher_is_better=True)

    def positions(self, settings: Params, data: Arrays) -> Positions:
        return line_positions(settings.data("probe", Data).tokens)


FACTS = ProbeFacts()
