"""Try the encodings of cells on their real positions, here and in another process, before anything trains."""

import multiprocessing
import pickle
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import torch

from stages.cells.code import ROOT, find_code, list_libraries
from stages.cells.elsewhere import Digests, Elsewhere, Trial, ask_elsewhere, digest_effect
from stages.cells.key_files import Key
from stages.cells.keys import name_modules
from stages.cells.pool import KILLED
from stages.cells.reads import Named
from stages.cells.workers import METHOD, start_worker
from stages.core.encodings.interface import DoesNotFit
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError
from stages.studies.cells import Cell, read_data
from stages.studies.schemes import explained
from stages.tasks.facts import find_facts
from stages.trial.try_out import try_out


def check_trials(root: Path, cells: Mapping[str, Cell], keys: Mapping[str, Key]) -> None:
    """Raise InputError where an encoding of these cells does not pass; each that is made alike is tried once.

    keys: of the cells that are about to be trained, whose data are made.
    """
    trials = list_trials(root, cells, keys)
    context: Any = multiprocessing.get_context(METHOD)
    other = ProcessPoolExecutor(1, context, start_worker, ([], context.Value("i", 0)))
    with other, one_thread():
        asked = other.submit(ask_elsewhere, trials)
        here = [try_here(trial) for trial in trials]
        try:
            elsewhere = asked.result()
        except BrokenProcessPool:
            raise InputError(KILLED) from None
    for trial, ours, theirs in zip(trials, here, elsewhere, strict=True):
        compare(trial, ours, theirs)


def list_trials(root: Path, cells: Mapping[str, Cell], keys: Mapping[str, Key]) -> list[Trial]:
    """List what encodings are tried with, each once."""
    found: dict[bytes, Trial] = {}
    for label, key in keys.items():
        cell, sizes = cells[label], cells[label].settings.model(cells[label].task)
        configuration = cell.configuration
        positions = find_facts(cell.task).positions(cell.settings, read_data(root, cell.data))
        made = (configuration.scheme, configuration.settings, configuration.architecture, positions, sizes)
        named = name_code(configuration, key)
        found.setdefault(pickle.dumps(made), Trial(label, configuration, positions, sizes, named))
    return [*found.values()]


def name_code(configuration: Configuration, key: Key) -> Named:
    """Say what a key names, and which code is behind its encoding alone."""
    files = {ROOT / path for path in key["code"]}
    own = find_code(*name_modules(configuration)) - find_code("stages.cells.make_cell")
    return Named(own, files, list_libraries(files))


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute as the other process does, to the bit."""
    usual = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(usual)


def try_here(trial: Trial) -> Digests:
    """Try an encoding; nothing where it does not fit, so that its cells are skipped."""
    with trial.told(), explained(trial.scheme), suppress(DoesNotFit):
        try_out(*trial.tried)
        return digest_effect(trial)
    return {}


def compare(trial: Trial, here: Digests, elsewhere: Elsewhere) -> None:
    """Raise InputError where the other process found other numbers, or something that no key names."""
    place = f"{trial.label}: {trial.scheme}"
    for said in elsewhere.reads:
        raise InputError(
            f"{place} {said}, which no key names: after an edit there nothing would train again; make its "
            "numbers settings, or put them in files that it imports with import statements"
        )
    for name in {**here, **elsewhere.digests}:
        if here.get(name) != elsewhere.digests.get(name):
            raise InputError(
                f"{place}: {name} differs in another process, where other seeds came first; compute it from "
                "only the host and its arguments, and keep nothing in a module or class"
            )
