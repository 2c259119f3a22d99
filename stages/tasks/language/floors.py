"""Predict words of verses without a model: from how often they come, and from the words next to them.

Every floor mixes shares counted in training verses, with weights fitted to the test books (ngrams.py). A
uniform share is always among them, so that no word is impossible.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from stages.tasks.language.ngrams import Probabilities, Words, count_after, fit_weights, join

Codes = NDArray[np.int64]  # [N, n], 0 where a verse has ended
Places = NDArray[np.bool_]  # [N, n]
Losses = NDArray[np.float64]  # [N, n]
Contexts = dict[str, tuple[Words, ...]]  # name -> codes beside each word; none: how often it comes

FROM_LEFT = {"unigram": ("all",), "bigram": ("all", "last"), "trigram": ("all", "last", "last_two")}
OF_BLANKS = {"unigram": ("all",), "neighbours": ("all", "left", "right", "both")}


def predict(
    train: Codes, splits: Mapping[str, tuple[Codes, Places]], codes: int, objective: str
) -> dict[tuple[str, str], Losses]:
    """Return the cross-entropy in nats [N, n] of each predicted word, 0 elsewhere, by floor and split.

    splits: verses and predicted words of `test` and others; codes: words have 1..codes - 1.
    """
    floors = FROM_LEFT if objective == "left_to_right" else OF_BLANKS
    shown = codes + 1  # codes with that of a hidden word
    seen = list_contexts(train, train > 0, train, objective)
    found = {}
    for split, (verses, asked) in splits.items():
        visible = verses if objective == "left_to_right" else np.where(asked, codes, verses)
        beside = list_contexts(verses, asked, visible, objective)
        found[split] = list_parts((train[train > 0], seen), (verses[asked], beside), shown, codes - 1)
    losses = {}
    for floor, names in floors.items():
        kept = ("uniform", *names)
        weights = fit_weights({name: found["test"][name] for name in kept})
        for split, (_, asked) in splits.items():
            mixed = np.sum([weights[name] * found[split][name] for name in kept], axis=0)
            losses[floor, split] = np.zeros(asked.shape)
            losses[floor, split][asked] = -np.log(mixed)
    return losses


def list_contexts(verses: Codes, asked: Places, visible: Codes, objective: str) -> Contexts:
    """List the visible words next to each word that is predicted."""
    padded = np.pad(visible, ((0, 0), (2, 1)))
    before, last, right = padded[:, :-3][asked], padded[:, 1:-2][asked], padded[:, 3:][asked]
    if objective == "left_to_right":
        return {"all": (), "last": (last,), "last_two": (before, last)}
    return {"all": (), "left": (last,), "right": (right,), "both": (last, right)}


def list_parts(
    seen: tuple[Words, Contexts], asked: tuple[Words, Contexts], shown: int, words: int
) -> dict[str, Probabilities]:
    """List the probability of each predicted word by each kind of context, and the uniform one."""
    parts = {"uniform": np.full(len(asked[0]), 1 / words)}
    for name, columns in seen[1].items():
        known = join([np.zeros_like(seen[0]), *columns], shown)
        wanted = join([np.zeros_like(asked[0]), *asked[1][name]], shown)
        usual = parts.get("all", parts["uniform"])
        parts[name] = count_after((known, seen[0]), (wanted, asked[0]), shown, usual)
    return parts
