"""Make the cells of a study whose keys are new, side by side; all others are kept as they are."""

from collections.abc import Collection
from pathlib import Path
from time import monotonic

from stages.cells.code import load_code
from stages.cells.data import is_made, key_of_data, make_data
from stages.cells.key_files import Key, digest_key, read_key, write_key
from stages.cells.keys import check_installed, check_watched, find_keys
from stages.cells.made_by import FILE as MADE_BY
from stages.cells.made_by import describe_run, read_made_by, write_made_by
from stages.cells.make_cell import Place, make_cell
from stages.cells.pool import Job, run_jobs
from stages.cells.store import Store, drop_damaged, keep_only, link_cell, open_store
from stages.cells.task_reads import check_task_reads
from stages.cells.telling import Telling
from stages.cells.trials import check_trials
from stages.cells.workers import open_workers
from stages.core.settings.errors import InputError
from stages.files import cells as cell_files
from stages.files.artifacts import remove, write_json
from stages.files.sums import is_whole
from stages.running.cache import cache_of
from stages.running.git import describe_commit
from stages.studies.cells import FOLDER, Cell, Expanded, cell_folder, read_data
from stages.studies.checks.alike import check_effects
from stages.studies.planning.plan import plan_study
from stages.studies.tables import REPORTS
from stages.training.progress import read_progress


def train(root: Path, study: str) -> None:
    """Bring all data and cells of a study up to date. Raises InputError for a mistake, before it trains."""
    _, expanded = plan_study(root, study)
    store, made_by = open_store(root), root / REPORTS / study / MADE_BY
    read_made_by(made_by)  # so that a mistake in it is told before anything is trained
    make_stale_data(root, study, expanded)
    wanted = find_keys(root, expanded.cells, expanded.cells)
    check_installed(wanted.values())
    check_watched(wanted)
    digests = {label: digest_key(one) for label, one in wanted.items()}
    keep_only(root / FOLDER / study / "cells", wanted)
    stale = [label for label, digest in digests.items() if not bring(root, study, label, digest, store)]
    if stale:
        check_task_reads(root, expanded.cells, stale)
        check_trials(root, expanded.cells, {label: wanted[label] for label in stale})
        check_effects(root, expanded.cells, stale)
    telling = Telling(
        study, kept=len(wanted) - len(stale), kinds={label: expanded.cells[label].task for label in stale}
    )
    if stale:
        donors, commit = cell_folder(root, study, ""), describe_commit(root)
        jobs: dict[str, Job] = {
            label: (make_and_keep, (root, expanded.cells[label], wanted[label], donors, store, commit))
            for label in stale
        }
        needs = {label: list(expanded.cells[label].donors().values()) for label in stale}

        def take(label: str, said: str | None) -> None:
            if not bring(root, study, label, digests[label], store):
                raise InputError(f"{label} is missing in {store.folder}, where it was just made; run again")
            telling.tell_done(label, said)

        def look(running: Collection[str]) -> None:
            noted = {label: read_progress(store.progress(digests[label])) for label in running}
            telling.tell_running({label: one for label, one in noted.items() if one is not None})

        settings = expanded.cells[stale[0]].settings
        with open_workers(root, settings, [wanted[label] for label in stale]) as executor:
            run_jobs(executor, jobs, needs, take, look)
    stored = {label: store.made_by(digest) for label, digest in digests.items()}
    write_made_by(made_by, digests, stored)
    store.prune()


def bring(root: Path, study: str, label: str, digest: str, store: Store) -> bool:
    """Tell whether a study has a whole cell of that key; takes it from the store where that has it."""
    folder = cell_folder(root, study, label)
    found = read_key(folder)
    same = found is not None and digest_key(found) == digest
    if same and is_whole(folder):
        return True
    if (made := store.find(digest)) is None:
        return False
    if same:  # and altered, perhaps as dvc's cache has it
        drop_damaged(cache_of(root), made)
    link_cell(made, folder)
    return True


def make_and_keep(root: Path, cell: Cell, key: Key, donors: Path, store: Store, commit: str) -> str | None:
    """Make a cell in the store, unless another run did meanwhile; return why it was skipped, if it was."""
    load_code(key["code"])
    digest = digest_key(key)
    with store.lock(digest):
        if (made := store.find(digest)) is None:
            start = monotonic()
            data = read_data(root, cell.data)
            place = Place(
                donors, store.checkpoint(digest), store.progress(digest), store.folder / "kernels", digest
            )
            with store.make(digest) as folder:
                machine = make_cell(cell, data, place, folder)
                write_key(folder, key)
                write_json(store.made_by(digest), describe_run(commit, machine, monotonic() - start))
            made = store.folder / digest
            for left in (place.checkpoint, place.progress):
                remove(left)
    return cell_files.skipped(made)


def make_stale_data(root: Path, study: str, expanded: Expanded) -> None:
    """Make the data whose keys are new, usual ones and the study's own."""
    keep_only(root / FOLDER / study / "data", expanded.own)
    wanted = expanded.own | expanded.usual
    found = {name: key_of_data(data.task, data.settings, root) for name, data in wanted.items()}
    stale = [name for name, key in found.items() if not is_made(root / wanted[name].folder, key)]
    jobs: dict[str, Job] = {
        name: (make_data, (root, data.task, data.settings, root / data.folder, found[name]))
        for name in stale
        for data in [wanted[name]]
    }
    if jobs:
        print(f"{study}: making data: {', '.join(stale)}", flush=True)
        with open_workers(root, wanted[stale[0]].settings, [found[name] for name in stale]) as executor:
            run_jobs(executor, jobs, {name: [] for name in jobs}, lambda *_: None, lambda _: None)
