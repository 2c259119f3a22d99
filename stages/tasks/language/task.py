"""Verses: hidden words from all others, or each word from those before it.

Where blanks are filled, a hidden word has a code of its own. From left to right the tokens are the same code
and then the verse without its last word. So token i predicts word i; only the causal mask hides that word
from it. A verse that has ended is code 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, split
from torch.nn.functional import cross_entropy

from stages.core.positions.positions import Positions, line_positions
from stages.core.randomness.streams import Replicates
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.interface import Batch, Codes, Features, batch_rows
from stages.tasks.language.facts import Places, Settings, count_hidden, hide_words

MOST_PREDICTED = 2000  # training verses, evenly spaced


@dataclass
class Language:
    """Verses [N, n] and which words are asked [N, n], per split; with `fraction` training hides its own.

    vocabulary: words with a code of their own; all others share one.
    Losses and scores are weighted so that their mean over verses is that over words.
    """

    read = slice(None)
    metric = "loss"
    stored_as = "losses"

    verses: dict[str, Tensor]
    asked: dict[str, Places]
    vocabulary: int
    fraction: float | None
    positions: Positions
    train_rows: NDArray[np.int64]
    training: Tensor

    def __post_init__(self) -> None:
        self.splits, self.n_train = tuple(self.verses), len(self.training)
        self.n_outputs = self.vocabulary + 1
        self.unseen = self.vocabulary + 2  # what stands in place of a word that is not shown
        self.inputs: Codes | Features = Codes(self.vocabulary + 3)
        present = (self.training > 0).cpu().numpy()
        counts = present.sum(-1) if self.fraction is None else count_hidden(present, self.fraction)
        self.words_per_verse = float(counts.mean())

    def epoch(self, replicates: Replicates, number: int, batch_size: int, start: int = 0) -> Iterator[Batch]:
        batches = batch_rows(self.n_train, replicates, number, batch_size, self.training.device)
        for batch, rows in enumerate(batches[start:], start):
            verses = self.training[rows]
            asked = (verses > 0).cpu().numpy()
            if self.fraction is not None:
                streams = replicates.generators("epoch", number, "masks", batch)
                pairs = zip(asked, streams, strict=True)
                asked = np.stack([hide_words(each, self.fraction, stream) for each, stream in pairs])
            yield self.make_batch(verses, asked, self.words_per_verse)

    def loss(self, outputs: Tensor, batch: Batch) -> Tensor:
        assert batch.counted is not None
        return (self.predictions(outputs, batch) * batch.counted).sum(-1)

    def score(self, outputs: Tensor, batch: Batch) -> Tensor:
        return self.loss(outputs, batch)

    def evaluation(self, name: str, batch_size: int) -> Iterator[Batch]:
        per_verse = float(self.asked[name].sum(-1).mean())
        for number, verses in enumerate(split(self.verses[name], batch_size)):
            asked = self.asked[name][number * batch_size : number * batch_size + len(verses)]
            yield self.make_batch(verses[None], asked[None], per_verse)

    def predictions(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return the cross-entropy in nats of each predicted word, 0 elsewhere, [R, B, n]."""
        assert batch.counted is not None
        asked = (batch.counted > 0).expand(outputs.shape[:-1])
        losses = outputs.new_zeros(asked.shape)
        words = batch.targets.expand(asked.shape)[asked]
        losses[asked] = cross_entropy(outputs[asked], words, reduction="none")
        return losses

    def make_batch(self, verses: Tensor, asked: Places, per_verse: float) -> Batch:
        """Make a batch of verses [R, B, n]; `counted` is 1 / per_verse where a word is predicted, else 0."""
        hidden = torch.from_numpy(asked).to(verses.device)
        if self.fraction is None:
            begun = torch.full_like(verses[..., :1], self.unseen)
            inputs = torch.cat([begun, verses[..., :-1]], dim=-1)
        else:
            inputs = verses.masked_fill(hidden, self.unseen)
        return Batch(inputs, verses - 1, hidden / per_verse)


def load(settings: Params, data: Arrays, device: torch.device) -> Language:
    """Load the prepared verses on the device.

    At most MOST_PREDICTED training verses are predicted in the end.
    """
    language = settings.section("language", Settings)
    training = data["train_verses"]
    count = min(len(training), MOST_PREDICTED)
    rows = np.arange(count) * len(training) // count
    splits = [split for split in ("train", "test", "validation", "longer") if f"{split}_verses" in data]
    verses = {split: torch.from_numpy(data[f"{split}_verses"]) for split in splits}
    asked = {split: data[f"{split}_asked"] for split in splits}
    verses["train"], asked["train"] = verses["train"][rows], asked["train"][rows]
    return Language(
        {split: each.to(device) for split, each in verses.items()},
        asked,
        len(data["words"]),
        language.mask_fraction if language.objective == "blanks" else None,
        line_positions(training.shape[1]),
        rows,
        torch.from_numpy(training).to(device),
    )
