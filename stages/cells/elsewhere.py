"""Ask encodings in another process than the one that tried them, after other seeds and from files read anew.

What is kept in modules or counted there then shows in the answers; what no key names is noted.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import torch

from stages.cells.code import ROOT, check_unedited
from stages.cells.reads import Named, Reads
from stages.core.encodings.interface import DoesNotFit
from stages.core.positions.positions import Positions
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError
from stages.core.settings.sizes import Model
from stages.studies.schemes import explained, find_class
from stages.trial.beside_others import check_beside_others
from stages.trial.effect import measure_effect


class Trial(NamedTuple):
    """An encoding with everything that it is tried with; named: what the key of its cells names."""

    label: str  # of the first cell that is made so
    configuration: Configuration
    positions: Positions
    sizes: Model
    named: Named

    @property
    def scheme(self) -> str:
        return str(self.configuration.scheme)

    @property
    def tried(self) -> tuple[Configuration, Positions, Model]:
        return self.configuration, self.positions, self.sizes

    @contextmanager
    def told(self) -> Iterator[None]:
        """Name the cell in what is said of its encoding."""
        try:
            yield
        except InputError as error:
            raise InputError(f"{self.label}: {error}") from None


Digests = Mapping[str, str]


class Elsewhere(NamedTuple):
    """The digests of an encoding in another process, and what it reads or imports that no key names."""

    digests: Digests
    reads: list[str]


def ask_elsewhere(trials: Sequence[Trial]) -> list[Elsewhere]:
    """Ask each encoding. ASSUME that this process asks nothing else."""
    torch.set_num_threads(1)
    return [ask(trial, reads) for reads in [Reads()] for trial in trials]


def ask(trial: Trial, reads: Reads) -> Elsewhere:
    """Ask an encoding, of other seeds first."""
    forget(trial.named.own)
    with trial.told(), reads.beside(trial.named) as found, explained(trial.scheme), suppress(DoesNotFit):
        find_class(trial.scheme)
        check_beside_others(*trial.tried)
        return Elsewhere(digest_effect(trial), found)
    return Elsewhere({}, [])


def forget(files: Iterable[Path]) -> None:
    """Let the next import of these files read them anew. Raises InputError where one was edited meanwhile."""
    for path in files:
        check_unedited(path)
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        package, _, own = name.rpartition(".")
        sys.modules.pop(name, None)
        if package in sys.modules:
            vars(sys.modules[package]).pop(own, None)


def digest_effect(trial: Trial) -> Digests:
    """Digest what the encoding starts from, answers and passes back, by name."""
    values = measure_effect(*trial.tried).values
    return {name: sha256(value.contiguous().numpy().tobytes()).hexdigest() for name, value in values.items()}
