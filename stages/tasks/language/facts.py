"""Verses of the King James Bible: parameters, positions and score of the task `language`."""

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from pydantic.dataclasses import dataclass

from stages.core.settings.errors import InputError
from stages.core.settings.kinds import STRICT, Count, Fraction
from stages.parameters.params import Params
from stages.tasks.bases.shared_facts import LineFacts, Tokens
from stages.tasks.facts import Score, in_splits

Places = NDArray[np.bool_]  # [..., n]
Books = Annotated[list[str], Field(min_length=1)]


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Section `language` of params.yaml."""

    # pip is given these two: no option, path or address
    package: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    version: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.!+_-]*$")]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]  # of the package's wheel
    # blanks: hidden words from all others | left_to_right: each word from those before it
    objective: Literal["blanks", "left_to_right"]
    mask_fraction: Fraction  # share of a verse's words that blanks hides
    test_books: Books  # left out of training
    validation_books: Books

    def __post_init__(self) -> None:
        if both := sorted({*self.test_books} & {*self.validation_books}):
            raise InputError(f"a book in one of test_books and validation_books, not {both[0]} in both")


@dataclass(frozen=True, config=STRICT)
class Data:
    """Sizes of the data at a scale. Of each split as many verses are used, or all there are."""

    vocabulary: Annotated[int, Field(ge=2)]  # the commonest words, which have a code each
    words: Tokens  # of a verse, counted from its first: what follows is cut off
    tokens: Tokens  # places of a sequence; those behind the words are empty in training
    train_verses: Count
    test_verses: Count
    validation_verses: Count

    def __post_init__(self) -> None:
        if self.tokens < self.words:
            raise InputError(f"at least as many tokens as words, {self.words}")


class LanguageFacts(LineFacts):
    """Judged by the words of books that are read neither in training nor in choosing."""

    name = "language"
    title = "Verses"
    settings = Settings
    data = Data
    made_by = "stages.tasks.language.prepare"
    given = (Path("data/raw/language"),)
    trained_with = ("language.objective", "language.mask_fraction")
    scored_with = ("language.objective",)
    scored = (*in_splits("loss"), *in_splits("loss", "loss_within", "loss_beyond", "rise", splits=["longer"]))
    floors = ("floor_unigram", "floor_bigram", "floor_trigram", "floor_neighbours")
    codes = True
    score = Score(
        split="validation",
        metric="loss",
        unit="cross-entropy in nats per word, of books held out",
        higher_is_better=False,
    )

    def idle(self, settings: Params) -> dict[str, str]:
        fetched = dict.fromkeys(("package", "version", "sha256"), "what was fetched before")
        asked_by = self.needs_causal(settings)
        keys = fetched | ({"mask_fraction": asked_by} if asked_by else {})
        return {f"language.{key}": why for key, why in keys.items()}

    def needs_causal(self, settings: Params) -> str:
        objective = settings.section(self.name, Settings).objective
        return f"language.objective: {objective}" if objective == "left_to_right" else ""


FACTS = LanguageFacts()


def hide_words(present: Places, fraction: float, random: np.random.Generator) -> Places:
    """Draw the words to hide from the places that hold one, uniformly and again for each verse.

    round(fraction * words) of each verse, at least 1; both arrays are [..., n], True where so.
    """
    ranked = np.where(present, random.random(present.shape), np.inf).argsort(axis=-1).argsort(axis=-1)
    return np.asarray(present & (ranked < count_hidden(present, fraction)[..., None]))


def count_hidden(present: Places, fraction: float) -> NDArray[np.float64]:
    """Count the hidden words of each verse, [...]."""
    return np.asarray(np.maximum(np.rint(fraction * present.sum(axis=-1)), 1))
