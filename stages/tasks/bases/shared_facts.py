"""Facts that several tasks share."""

from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from stages.core.positions.positions import Positions, line_positions
from stages.core.settings.kinds import STRICT, Count
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.facts import Score, TaskFacts, in_splits

Tokens = Annotated[int, Field(ge=2)]


@dataclass(frozen=True, config=STRICT)
class WordData:
    """Sizes of the data at a scale."""

    tokens: Tokens
    vocabulary: Count
    train_sequences: Count  # drawn anew for every epoch
    test_sequences: Count


class LineFacts(TaskFacts):
    """Tokens whose true position is their index."""

    references = ("index_distance",)
    in_line = True
    ordered = True

    def positions(self, settings: Params, data: Arrays) -> Positions:
        return line_positions(settings.data(self.name, self.data).tokens)


class WordFacts(LineFacts):
    """Random words and a label for each (Luo et al. 2022, arXiv 2205.13401)."""

    data = WordData
    scored = in_splits("accuracy", "loss", splits=["test"])
    score = Score("test", "accuracy", "share of test tokens labelled right", higher_is_better=True)
    codes = True


class MaskedFacts(TaskFacts):
    """Judged by the error on masked tokens of frames that are z-scored token by token."""

    scored = in_splits("mse", "r2", "seen", "new")
    floors: ClassVar[tuple[str, ...]] = ("floor_zero", "floor_correlated", "floor_gaussian")
    score = Score(
        split="validation",
        metric="mse",
        unit="mean squared error on masked tokens, in variances of a token",
        higher_is_better=False,
    )
