"""Train donors, then hosts with each kind of table, at one share of hidden regions: a file of data/people.

Columns: fraction, kind, seed, train and value, mean squared errors on hidden regions of the hosts' training
frames and of the validation people. The floors have no seed.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.measures import floors, scores
from stages.model.transformer import Transformer
from stages.parameters import params
from stages.parameters.params import Params, read_configuration
from stages.people.settings import COLUMNS, FLOORS, KINDS, TASK, at_fraction, load_people, result
from stages.people.split import divide, hide, restrict
from stages.people.tables import donate, freeze, tables_of
from stages.randomness.streams import Replicates
from stages.running.command import run
from stages.tasks.facts import find_facts
from stages.tasks.interface import Task
from stages.tasks.recordings.facts import Settings
from stages.training.assemble import assemble
from stages.training.cell import checkpoint_path, fit_model, set_up_task
from stages.training.predict import predictions

Judged = dict[str, tuple[NDArray[np.float32], NDArray[np.bool_]]]


def judged_frames(data: Arrays, train_rows: NDArray[np.int64]) -> Judged:
    """Frames and masks [T, n] that each column is scored on; of training data, these rows."""
    train = data["train_frames"][train_rows], data["train_masks"][train_rows]
    return {"train": train, "value": (data["validation_frames"], data["validation_masks"])}


def score(model: Transformer, task: Task, judged: Judged) -> pd.DataFrame:
    """A row per seed of a trained model."""
    predicted = {"train": predictions(model, task, "train"), "value": predictions(model, task, "validation")}
    errors = {column: scores.errors(predicted[column], *judged[column]) for column in judged}
    return pd.DataFrame(errors).rename_axis("seed").reset_index()


def score_floor(frames: NDArray[np.float32], judged: Judged, ridge: float) -> pd.DataFrame:
    """The row of the Gaussian floor fitted to these frames [T, n]."""
    covariance = floors.covariance(frames)
    errors = {}
    for column, (truth, masks) in judged.items():
        predicted = floors.gaussian(covariance, truth, masks, ridge)
        errors[column] = floors.masked_mse(predicted, truth, masks)
    return pd.DataFrame([errors]).assign(seed=np.nan)


def fit_named(
    settings: Params,
    root: Path,
    label: Sequence[str],
    people: Sequence[str],
    task: Task,
    model: Transformer,
    replicates: Replicates,
) -> Transformer:
    """Train a model on these people's frames, resuming an interrupted run."""
    drawn = sha256(tables_of(model).tobytes()).hexdigest()
    return fit_model(settings, root, TASK, label, [people, drawn], task, model, replicates).model


def train(root: Path, fraction: float) -> None:
    """Train and score all kinds; the table is written when the last is done."""
    people = load_people(root)
    settings = at_fraction(params.load(root / params.FILE), people, fraction)
    data = find_facts(TASK).read_data(root)
    donors, hosts = divide(data["train_subjects"].tolist(), people.donors)
    of_donors, of_hosts = (hide(restrict(data, each), fraction, settings.seed) for each in (donors, hosts))
    where, donating = set_up_task(settings, TASK, of_donors)
    _, receiving = set_up_task(settings, TASK, of_hosts)
    configuration = read_configuration("people", {"scheme": "learned", "init_std": people.init_std})
    sizes, labels = (
        settings.model(TASK),
        {kind: [f"people_{fraction:g}_{kind}"] for kind in ("donor", *KINDS)},
    )
    replicates = Replicates(settings.seed, TASK, range(people.seeds))
    # other seeds: donors' first weights would else be the hosts', and their columns mean something there
    others = Replicates(settings.seed, TASK, range(people.seeds, 2 * people.seeds))
    fit = partial(fit_named, settings, root)
    donor = assemble(donating, configuration, sizes, others).to(where)
    learned = tables_of(fit(labels["donor"], donors, donating, donor, others))
    judged = judged_frames(of_hosts, receiving.train_rows)
    ridge = settings.section(TASK, Settings).ridge
    fitted = zip(FLOORS, (of_hosts["train_frames"], data["train_frames"]), strict=True)
    rows = [score_floor(frames, judged, ridge).assign(kind=floor) for floor, frames in fitted]
    for kind in KINDS:
        model = assemble(receiving, configuration, sizes, replicates)
        if kind != "own":
            freeze(model, donate(kind, learned, donating, sizes, replicates))
        host = fit(labels[kind], hosts, receiving, model.to(where), replicates)
        rows.append(score(host, receiving, judged).assign(kind=kind))
    artifacts.write_csv(result(root, fraction), pd.concat(rows).assign(fraction=fraction)[COLUMNS])
    for label in labels.values():
        checkpoint_path(root, TASK, label).unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fraction", required=True, type=float, help="share of regions hidden")
    train(Path(), parser.parse_args().fraction)


if __name__ == "__main__":
    run(main)
