from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from made_up import SWEEP, project, recordings, write_recordings

from stages.files.artifacts import Arrays, read_csv
from stages.measures import floors
from stages.parameters import params
from stages.people import draw, figure, gather, split, tables, train
from stages.people.settings import COLUMNS, FILE, FLOORS, KINDS, People, at_fraction
from stages.randomness.streams import Replicates
from stages.tasks.recordings.signals import average_functional

PEOPLE = People(seeds=2, donors=2, init_std=0.2, mask_fraction=[0.25, 0.5])
REPLICATES = Replicates(0, "recordings", range(3))


def of_four() -> Arrays:
    """Made-up recordings of a, b and d, 100 training and 8 test frames each, and c for validation."""
    subjects = {split: np.repeat([0, 1, 3], n) for split, n in (("train", 100), ("test", 8))}
    data = recordings(np.random.default_rng(0))
    data |= {f"{split}_subject": numbers for split, numbers in subjects.items()}
    return data | {"train_subjects": np.array(["a", "b", "d"]), "validation_subjects": np.array(["c"])}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A made-up project after the whole pipeline."""
    folder = tmp_path_factory.mktemp("people")
    project(folder, SWEEP)
    write_recordings(folder, of_four())
    (folder / FILE).parent.mkdir(parents=True)
    (folder / FILE).write_text(yaml.safe_dump({"people": asdict(PEOPLE)}))
    for fraction in PEOPLE.mask_fraction:
        train.train(folder, fraction)
    gather.main(folder)
    draw.main(folder)
    return folder


def test_the_first_people_donate() -> None:
    assert split.divide(["a", "b", "d"], 2) == (["a", "b"], ["d"])
    with pytest.raises(ValueError, match="people.donors: 3 given of 3 training people, expected fewer"):
        split.divide(["a", "b", "d"], 3)


def test_restricted_frames_and_connectivity_are_those_of_the_people() -> None:
    data = of_four()
    some = split.restrict(data, ["a", "d"])
    assert len(some["train_frames"]) == 200 and len(some["test_masks"]) == 16
    np.testing.assert_array_equal(some["train_frames"][100:], data["train_frames"][200:])
    runs = [data["train_frames"][rows].astype(np.float64) for rows in (slice(100), slice(200, None))]
    np.testing.assert_allclose(some["functional"], average_functional(runs))
    for name in ("validation_frames", "validation_masks", "structural"):
        assert some[name] is data[name]
    with pytest.raises(ValueError, match="'c' is no training person; expected some of a, b, d"):
        split.restrict(data, ["c"])


def test_masks_hide_the_share_in_every_frame_and_come_again() -> None:
    data = of_four()
    n = data["validation_frames"].shape[1]
    hidden = split.hide(data, 0.75, seed=1)
    for name in ("train", "test", "validation"):
        assert (hidden[f"{name}_masks"].sum(axis=1) == round(0.75 * n)).all()
    again, other = (split.hide(data, 0.75, seed)["validation_masks"] for seed in (1, 2))
    assert (again == hidden["validation_masks"]).all() and (other != again).any()


def test_exchanged_tables_hold_the_same_rows_in_one_order_per_seed() -> None:
    learned = np.random.default_rng(0).normal(size=(3, 2, 10, 4)).astype(np.float32)
    exchanged = tables.exchange(learned, REPLICATES)
    orders = []
    for before, after in zip(learned, exchanged, strict=True):
        first, second = (
            [old.tolist().index(row) for row in new.tolist()] for old, new in zip(before, after, strict=True)
        )
        assert first == second and sorted(first) == list(range(10))
        orders.append(first)
    assert orders[0] != orders[1] and orders[0] != list(range(10))


def test_scaled_tables_have_the_size_of_the_learned_and_their_own_shape() -> None:
    random = np.random.default_rng(0)
    learned, made = (random.normal(size=(3, 2, 10, 4)).astype(np.float32) for _ in range(2))
    learned *= np.arange(1, 7, dtype=np.float32).reshape(3, 2, 1, 1)
    scaled = tables.scale_to(made, learned)
    np.testing.assert_allclose(tables.rms(scaled), tables.rms(learned), rtol=1e-6)
    np.testing.assert_allclose(scaled / made, (scaled / made)[..., :1, :1].repeat(10, 2).repeat(4, 3), 1e-5)


def test_settings_at_a_share(root: Path) -> None:
    settings = params.load(root / params.FILE)
    changed = at_fraction(settings, PEOPLE, 0.25)
    assert changed.sections["recordings"] == settings.sections["recordings"] | {"mask_fraction": 0.25}
    with pytest.raises(ValueError, match="mask fraction 0.3 is not known; expected one of 0.25, 0.5"):
        at_fraction(settings, PEOPLE, 0.3)


def test_a_row_for_each_seed_of_each_kind_and_for_each_floor(root: Path) -> None:
    scores = read_csv(root / gather.SCORES)
    assert list(scores.columns) == COLUMNS
    counts = scores.groupby(["fraction", "kind"]).size().unstack("kind")
    assert (counts[list(KINDS)] == 2).all(axis=None) and (counts[list(FLOORS)] == 1).all(axis=None)
    assert scores.train.between(0.05, 5).all() and scores.value.between(0.05, 5).all()
    assert not list(root.glob("data/models/recordings/.*"))  # no checkpoint is left
    ridge = params.load(root / params.FILE).sections["recordings"]["ridge"]
    data = split.hide(of_four(), 0.25, seed=0)
    frames, masks = data["validation_frames"], data["validation_masks"]
    hosts = floors.covariance(data["train_frames"][200:])
    naive = floors.masked_mse(floors.gaussian(hosts, frames, masks, ridge), frames, masks)
    floor = scores[(scores.fraction == 0.25) & (scores.kind == "floor_hosts")]
    assert floor.value.item() == pytest.approx(naive, rel=1e-6)


def test_differences_are_those_of_the_seeds(root: Path) -> None:
    scores = read_csv(root / gather.SCORES).set_index(["fraction", "kind", "seed"])
    differences = read_csv(root / gather.DIFFERENCES)
    assert (differences.a == "learned").all() and len(differences) == 2 * 2 * (len(KINDS) - 1)
    for data, column in gather.SPLITS.items():
        of = scores[column]
        naive = np.mean([of[0.5, "learned", seed] - of[0.5, "own", seed] for seed in (0, 1)])
        row = differences.query(f"fraction == 0.5 and b == 'own' and split == '{data}'").iloc[0]
        assert row.difference == pytest.approx(naive, abs=1e-7) and row.low < row.difference < row.high


def test_the_page_says_what_is_told_apart(root: Path) -> None:
    html = (root / draw.PAGE).read_text()
    assert "Learned against functional tables: better at" in html and "floor_everyone" in html
    assert (root / draw.FIGURE).with_suffix(".png").stat().st_size > 10_000


def test_errors_are_drawn_over_the_hosts_floor() -> None:
    rows = [(0.5, "floor_hosts", 0.2), (0.5, "own", 0.3), (0.9, "own", 0.8), (0.9, "floor_hosts", 0.4)]
    scores = pd.DataFrame(rows, columns=["fraction", "kind", "value"])
    np.testing.assert_allclose(figure.over_floor(scores).value, [1, 1.5, 2, 1])


def test_better_is_an_error_that_is_lower() -> None:
    tested = {"fraction": [0.1, 0.5, 0.9], "low": [-2, -1, 1], "high": [-1, 1, 2]}
    validation = pd.DataFrame(tested).assign(b="own", n=8, split="validation")
    train = validation[1:].assign(split="train")
    said = draw.state(pd.concat([validation, train]))
    assert (
        "Learned against own tables: better at 0.1 of regions hidden, worse at 0.9, not told apart at 0.5 "
        in said
    )
    assert "In training: better at no share of regions hidden, worse at 0.9, " in said


def test_without_any_share_one_line_names_the_cure(tmp_path: Path) -> None:
    (tmp_path / FILE).parent.mkdir(parents=True)
    (tmp_path / FILE).write_text(yaml.safe_dump({"people": asdict(PEOPLE)}))
    with pytest.raises(ValueError, match="data/people holds no table; run `make people`$"):
        gather.main(tmp_path)
