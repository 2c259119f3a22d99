"""The position probe: sizes, positions and scores of the task `probe`."""

from pydantic.dataclasses import dataclass

from stages.core.settings.kinds import STRICT
from stages.tasks.bases.shared_facts import LineFacts, Tokens
from stages.tasks.facts import Score, in_splits


@dataclass(frozen=True, config=STRICT)
class Data:
    """Sizes of the data at a scale."""

    tokens: Tokens


class ProbeFacts(LineFacts):
    name = "probe"
    data = Data
    title = "Position probe"
    scored = in_splits("accuracy", "loss", "row_spread", splits=["train"])
    score = Score("train", "accuracy", "share of tokens that name their place", higher_is_better=True)


FACTS = ProbeFacts()
