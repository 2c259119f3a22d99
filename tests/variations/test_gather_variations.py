import shutil
from pathlib import Path

import pandas as pd
import pytest
from changed_params import write_params, write_yaml

from stages.files.artifacts import read_csv, write_csv
from stages.variations import changes, compare, gather, vary

LEARNED = {"small": {"scheme": "learned", "init_std": 0.2}, "large": {"scheme": "learned", "init_std": 2.0}}
GRID = {"usual": {}, "heads": {"model.heads": 2}, "later": {"model.blocks": 2}}


def write_variation(root: Path, name: str, better: float, scale: str = "smoke") -> Path:
    """A made-up table of the grid: accuracy of two seeds, and their alignment."""
    measured = [("train", "accuracy"), ("validation", "accuracy")]
    measured += [("tables", "alignment_same_line"), ("tables", "alignment_sinusoid_2d")]
    rows = [
        (scale, name, "grid", configuration, seed, split, metric, value + (configuration == "small") * better)
        for configuration in ("small", "large")
        for split, metric in measured
        for seed, value in enumerate((0.1, 0.3))
    ]
    path = root / changes.RESULTS / "grid" / f"{name}.csv"
    write_csv(path, pd.DataFrame(rows, columns=vary.COLUMNS[: -len(changes.WHOSE)]))
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with three variations of the grid, and the results of two."""
    write_params(tmp_path, {})
    write_yaml(tmp_path / changes.FILE, {"variations": {"compared": LEARNED, "grid": GRID}})
    write_variation(tmp_path, "usual", 0.5)
    write_variation(tmp_path, "heads", -0.25)
    return tmp_path


def gather_table(root: Path) -> pd.DataFrame:
    """The table of all variations, each compared anew."""
    for path in (root / changes.RESULTS).glob("*/*.csv"):
        compare.compare(root, path.parent.name, path.stem)
    gather.main(root)
    return read_csv(root / gather.TABLES[compare.PAIRS])


def test_differences_are_the_first_minus_the_other_seed_by_seed(root: Path) -> None:
    """Of the task's score, of the same in training, and of one alignment."""
    table = gather_table(root)
    assert list(table) == [*compare.COLUMNS, "q_value"]
    assert set(zip(table.a, table.b, table.n, table.scale, strict=True)) == {("small", "large", 2, "smoke")}
    usual = table[table.variation == "usual"]
    assert list(zip(usual.split, usual.metric, strict=True)) == [
        ("validation", "accuracy"),
        ("train", "accuracy"),
        ("tables", "alignment_same_line"),
    ]
    scored = table[table.split == "validation"].set_index("variation")
    assert scored.difference.round(9).to_dict() == {"usual": 0.5, "heads": -0.25}
    assert scored.mean_a["usual"] == pytest.approx(0.7) and scored.mean_b["usual"] == pytest.approx(0.2)


def test_the_false_discovery_rate_is_over_variations_on_the_same_data() -> None:
    """By hand: with p of .01 and .04 the larger stays, the smaller is doubled; a p alone is its own q."""
    pairs = {"task": "grid", "split": ["validation", "train", "validation"], "p_value": [0.01, 0.03, 0.04]}
    assert gather.adjust(pd.DataFrame(pairs)).q_value.tolist() == pytest.approx([0.02, 0.03, 0.04])


def test_alignment_with_rows_is_set_beside_alignment_with_columns(root: Path) -> None:
    path = root / changes.RESULTS / "grid/usual.csv"
    table = read_csv(path)
    assert not (gather_table(root).split == compare.GROUPS).any()  # nothing is grouped twice yet
    rows = table[table.metric == "alignment_same_line"]
    lines = [
        rows.assign(metric=f"alignment_group_{name}", value=rows.value + more)
        for name, more in (("rows", 0.3), ("columns", 0.1))
    ]
    write_csv(path, pd.concat([table, *lines]))
    grouped = gather_table(root).query("split == 'groups'")
    assert grouped.metric.tolist() == ["alignment_small", "alignment_large"]
    assert (
        grouped.a.eq("rows").all() and grouped.b.eq("columns").all() and grouped.variation.eq("usual").all()
    )
    assert grouped.difference.round(9).tolist() == [0.2, 0.2]
    assert grouped.mean_a.round(9).tolist() == [1.0, 0.5]


def test_missing_results_are_reported(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_variation(root, "later", 1.0, scale="small")
    assert set(gather_table(root).variation) == {"usual", "heads"}
    assert "grid later: left out, its scale is small, not smoke" in capsys.readouterr().out
    later = root / compare.PAIRS / "grid/later.csv"
    later.unlink()
    gather.main(root)
    assert f"grid later: left out, {later} not found" in capsys.readouterr().out
    shutil.rmtree(root / compare.PAIRS)
    with pytest.raises(ValueError, match="run `make variations`"):
        gather.main(root)


def test_a_variation_trained_elsewhere_counts(root: Path) -> None:
    """Its comparison is enough, without the scores of its seeds."""
    before = gather_table(root)
    shutil.rmtree(root / changes.RESULTS)
    gather.main(root)
    assert read_csv(root / gather.TABLES[compare.PAIRS]).equals(before)
    with pytest.raises(ValueError, match=r"stages\.variations\.vary"):
        compare.compare(root, "grid", "usual")


def test_errors_over_the_floor_say_who_trained_and_who_was_scored(tmp_path: Path) -> None:
    write_params(tmp_path, {})
    write_yaml(tmp_path / changes.FILE, {"variations": {"compared": LEARNED, "recordings": {"across": {}}}})
    errors = {"small": (0.5, 0.7), "large": (0.6, 0.6), compare.FLOOR: (0.4,), "floor_zero": (1.0,)}
    rows = [
        ("smoke", "across", "recordings", name, seed, split, "mse", value, "hcp 7", whose)
        for split, whose in (("train", "hcp 7"), ("validation", "gw 5"))
        for name, values in errors.items()
        for seed, value in enumerate(values)
    ]
    write_csv(tmp_path / changes.RESULTS / "recordings/across.csv", pd.DataFrame(rows, columns=vary.COLUMNS))
    tests = gather_table(tmp_path).set_index("split")
    assert tests.scored_on.to_dict() == {"validation": "gw 5", "train": "hcp 7"}
    table = read_csv(tmp_path / gather.TABLES[compare.OVER_FLOOR]).set_index("configuration")
    assert dict(zip(table.index, table["mean"].to_numpy().round(9), strict=True)) == {
        "small": 0.2,
        "large": 0.2,
    }
    whose = table[["trained_on", "scored_on", "floor", "n"]].to_numpy().tolist()
    assert whose == [["hcp 7", "gw 5", 0.4, 2]] * 2
    low, high = table["low"], table["high"]
    assert low["small"] < 0.2 < high["small"] and low["large"] == pytest.approx(0.2)
