"""Score the cells of a study whose keys are new, side by side, and gather all scores in one table."""

import json
from collections.abc import Collection
from pathlib import Path

import pandas as pd

from stages.cells.code import describe_code, load_code
from stages.cells.key_files import Key, digest_key, read_key
from stages.cells.keys import compare_data, find_keys, find_value, hash_data, name_modules
from stages.cells.pool import Job, run_jobs
from stages.cells.store import keep_only
from stages.cells.workers import open_workers
from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.files.artifacts import write_csv, write_json
from stages.files.cells import train_again
from stages.files.hashing import hash_file, hash_folders
from stages.files.sums import SUMS, is_whole
from stages.studies.cells import OF_SCORES, Baselines, Cell, Expanded, cell_folder
from stages.studies.checks.foresee import find_watched
from stages.studies.planning.declare import write_declared
from stages.studies.planning.read_cells import read_cells
from stages.studies.scoring.measuring import THEORY
from stages.studies.scoring.score_cell import CURVES, Watched, score_baselines, score_cell
from stages.studies.tables import SCORES, report_path
from stages.tasks.facts import find_facts


def score(root: Path, study: str) -> None:
    """Bring all scores of a study up to date. Raises InputError where none of its cells was trained."""
    read, expanded = read_cells(root, study)
    asked = tuple(read.measures)
    folder = root / OF_SCORES / study
    cells = {label: cell for label, cell in expanded.cells.items() if cell.trained}
    there = {label: cell for label, cell in cells.items() if cell_folder(root, study, label).is_dir()}
    keys = find_keys(root, expanded.cells, there)
    used = {one.data for one in there.values()} | {one.data for one in expanded.baselines.values()}
    check_data(root, study, expanded, used)
    for label in there:
        check_cell(cell_folder(root, study, label), keys[label])
    if absent := cells.keys() - there.keys():
        print(f"{study}: not trained yet: {', '.join(sorted(absent))}", flush=True)
    watched = {
        label: (cell_folder(root, study, other), there[other])
        for label, cell in there.items()
        if (other := find_watched(read.attention_of, cell, there))
    }
    wanted = {
        label: key_of_scores(cell_folder(root, study, label), cell, asked, root, watched.get(label))
        for label, cell in there.items()
    }
    wanted |= {name: key_of_baselines(one, root) for name, one in expanded.baselines.items()}
    keep_only(folder, wanted)
    jobs: dict[str, Job] = {}
    for name, key in sorted(wanted.items(), key=lambda one: one[0] in there):  # baselines, the longest, first
        if not is_scored(folder / f"{name}.csv", key):
            one = expanded.baselines.get(name) or there[name]
            jobs[name] = (score_one, (root, study, name, one, asked, key, watched.get(name)))
    if jobs:
        print(f"{study}: {len(wanted) - len(jobs)} scores kept, {len(jobs)} to score", flush=True)
        settings = next(iter(expanded.cells.values())).settings
        with open_workers(root, settings, [wanted[name] for name in jobs]) as executor:
            run_jobs(executor, jobs, {name: () for name in jobs}, lambda *_: None, lambda _: None)
    gather(root, study, list(wanted))


def key_of_scores(
    folder: Path, cell: Cell, asked: Collection[str], root: Path, beside: Watched | None
) -> Key:
    """Say what decides the scores of a trained cell."""
    facts, settings, task = find_facts(cell.task), cell.settings, cell.task
    encodings = [one for cell in (cell, *(beside or ())[1:]) for one in name_modules(cell.configuration)]
    watched = {"beside": (beside[0] / SUMS).read_text(encoding="utf-8")} if beside else {}
    return watched | {
        "cell": digest_key(read_key(folder) or {}),
        "files": (folder / SUMS).read_text(encoding="utf-8"),
        "named": [task, cell.name, cell.at, *cell.seeds],
        "asked": list(asked),
        "parameters": {path: find_value(settings, task, path) for path in facts.scored_with},
        "theory": hash_folders(root, THEORY) if "theory" in asked else {},
        **describe_code(*list_modules(task), *encodings),
    }


def key_of_baselines(baselines: Baselines, root: Path) -> Key:
    """Say what decides the scores of what is predicted without a model."""
    facts, settings, task = find_facts(baselines.task), baselines.settings, baselines.task
    return {
        "data": hash_data(root, baselines.data),
        "at": list(baselines.at),
        "seed": settings.seed,
        "parameters": {path: find_value(settings, task, path) for path in facts.scored_with},
        "sizes": settings.sizes(task).data,
        **describe_code(*list_modules(task)),
    }


def list_modules(task: str) -> list[str]:
    """List the modules behind the scores of a task."""
    return [
        "stages.studies.scoring.score_cell",
        *(f"stages.tasks.{task}.{part}" for part in ("facts", "task", "scoring")),
    ]


def check_data(root: Path, study: str, expanded: Expanded, used: Collection[Path | None]) -> None:
    """Raise InputError where the data in these folders are not those that are declared now."""
    if found := next(compare_data(root, expanded, used), None):
        raise InputError(
            f"{found}, so cells and scores are of other data than are declared; make both again: "
            f"`make study NAME={study}`, or `dvc repro`"
        )


def check_cell(folder: Path, key: Key) -> None:
    """Raise InputError where a cell was altered, or trained as another than the study now asks for."""
    if not is_whole(folder):
        raise InputError(f"{folder}: altered since it was trained; {train_again(folder)}")
    if digest_key(read_key(folder) or {}) != digest_key(key):
        study, label = folder.parents[1].name, folder.name
        raise InputError(
            f"{folder}: trained with other settings, code or data, as `python -m stages why {study} {label}` "
            f"says; {train_again(folder)}"
        )


def is_scored(path: Path, key: Key) -> bool:
    """Tell whether scores of that key lie there, unaltered."""
    try:
        return bool(json.loads(path.with_suffix(".json").read_bytes()) == seal(key, path))
    except (OSError, ValueError):
        return False


def seal(key: Key, path: Path) -> Key:
    """Add the digest of the scores that a key led to."""
    return key | {"scores": hash_file(path)}


def score_one(
    root: Path,
    study: str,
    name: str,
    one: Cell | Baselines,
    asked: Collection[str],
    key: Key,
    beside: Watched | None,
) -> None:
    """Write the rows of a cell or of baselines; the key comes last, so that what is cut off is known."""
    load_code(key["code"])
    path = root / OF_SCORES / study / f"{name}.csv"
    if isinstance(one, Baselines):
        rows = score_baselines(root, one)
    else:
        rows = score_cell(root, cell_folder(root, study, name), one, asked, beside)
    write_csv(path, rows)
    write_json(path.with_suffix(".json"), seal(key, path))


def gather(root: Path, study: str, names: Collection[str]) -> None:
    """Write one table of all scores in the study's order, and of what was noted during training, if asked."""
    parts = [artifacts.read_csv(root / OF_SCORES / study / f"{name}.csv", "at") for name in names]
    if not any(map(len, parts)):
        raise InputError(f"study {study}: no cell has scores; train it with `make study NAME={study}`")
    rows = pd.concat([part for part in parts if len(part)])[CURVES]
    during = rows.epoch.notna()
    write_csv(root / report_path(study, "scores"), rows[~during][SCORES])
    write_declared(root, study)
    if during.any():
        curves = rows[during]
        write_csv(root / OF_SCORES / study / "curves.csv", curves.assign(epoch=curves.epoch.astype(int)))
