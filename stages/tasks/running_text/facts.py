"""Running text of the King James Bible: parameters, positions and score of the task `running_text`."""

from typing import Annotated

import numpy as np
from pydantic import Field
from pydantic.dataclasses import dataclass

from stages.core.settings.errors import InputError
from stages.core.settings.kinds import STRICT, Count
from stages.parameters.params import Params
from stages.tasks.bases.shared_facts import LineFacts
from stages.tasks.facts import in_splits
from stages.tasks.language.facts import FACTS as VERSES
from stages.tasks.language.facts import Books, Places

TIMES = (1, 2, 4, 8)  # lengths at which trained models are asked, in windows of training
LOSSES = {times: f"loss_{times}" for times in TIMES}
RISES = {times: f"rise_{times}" for times in TIMES[1:]}  # over that in windows of training, seed by seed
LONGEST = "longest_windows"  # [M, 8 n], of validation books
SHARE = 4  # of a window of training, the last so many'th part is asked in longer ones


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Section `running_text` of params.yaml; the text is that of the task language."""

    test_books: Books  # left out of training
    validation_books: Books

    def __post_init__(self) -> None:
        if both := sorted({*self.test_books} & {*self.validation_books}):
            raise InputError(f"a book in one of test_books and validation_books, not {both[0]} in both")


@dataclass(frozen=True, config=STRICT)
class Data:
    """Sizes of the data at a scale. Of each split as many windows are used, or all there are."""

    vocabulary: Annotated[int, Field(ge=2)]  # the commonest words, which have a code each
    tokens: Annotated[int, Field(ge=SHARE)]  # words of a window in training, n
    train_windows: Count
    test_windows: Count
    validation_windows: Count
    longest_windows: Count


class RunningTextFacts(LineFacts):
    """Judged by the words of books that are read neither in training nor in choosing."""

    name = "running_text"
    title = "Running text"
    settings = Settings
    data = Data
    made_by = "stages.tasks.running_text.prepare"
    given = VERSES.given
    scored = (*in_splits("loss"), *in_splits(*LOSSES.values(), *RISES.values(), splits=["lengths"]))
    floors = ("floor_unigram", "floor_bigram", "floor_trigram")
    codes = True
    score = VERSES.score

    def needs_causal(self, settings: Params) -> str:
        return "the task running_text"


FACTS = RunningTextFacts()


def ask_last(shape: tuple[int, ...], n: int) -> Places:
    """Ask for the last words of windows [N, length]: a quarter of the n words that training shows."""
    asked = np.zeros(shape, dtype=bool)
    asked[:, -(n // SHARE) :] = True
    return asked
