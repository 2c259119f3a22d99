from pathlib import Path

import pandas as pd
import pytest
import yaml

from stages.files.artifacts import read_csv, write_csv
from stages.parameters import params
from stages.variations import gather, vary

ROOT = Path(__file__).parents[2]


def variation(name: str, better: float, scale: str = "smoke") -> None:
    """A made-up table of the grid: accuracy of two seeds, and their alignment."""
    rows = [
        (scale, name, "grid", configuration, seed, split, metric, value + (configuration == "small") * better)
        for configuration in ("small", "large")
        for split, metric in (
            ("train", "accuracy"),
            ("validation", "accuracy"),
            ("tables", "alignment_same_line"),
            ("tables", "alignment_sinusoid_2d"),
        )
        for seed, value in enumerate((0.1, 0.3))
    ]
    write_csv(Path(f"data/variations/grid/{name}.csv"), pd.DataFrame(rows, columns=vary.COLUMNS))


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parameters with three variations of the grid, and the results of two."""
    values = yaml.safe_load((ROOT / "params.yaml").read_text()) | {"scale": "smoke"}
    compared = {
        "small": {"scheme": "learned", "init_std": 0.2},
        "large": {"scheme": "learned", "init_std": 2.0},
    }
    grid = {"usual": {}, "heads": {"model.heads": 2}, "later": {"model.blocks": 2}}
    values["variations"] = {"compared": compared, "grid": grid}
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(values, sort_keys=False))
    monkeypatch.chdir(tmp_path)
    variation("usual", 0.5)
    variation("heads", -0.25)


def test_differences_are_the_first_minus_the_other_seed_by_seed() -> None:
    gather.main()
    table = read_csv(gather.TABLE)
    assert list(table) == gather.COLUMNS
    assert set(zip(table.a, table.b, table.n, table.scale, strict=True)) == {("small", "large", 2, "smoke")}
    scored = table[table.split == "validation"].set_index("variation")
    assert scored.difference.round(9).to_dict() == {"usual": 0.5, "heads": -0.25}
    assert scored.mean_a["usual"] == pytest.approx(0.7) and scored.mean_b["usual"] == pytest.approx(0.2)


def test_rows_are_the_headline_its_training_value_and_one_alignment() -> None:
    gather.main()
    usual = read_csv(gather.TABLE).query("variation == 'usual'")
    assert list(zip(usual.split, usual.metric, strict=True)) == [
        ("validation", "accuracy"),
        ("train", "accuracy"),
        ("tables", "alignment_sinusoid_2d"),
    ]


def test_what_is_still_to_be_run_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    variation("later", 1.0, scale="small")
    gather.main()
    assert "grid later: left out, its scale is small, not smoke" in capsys.readouterr().out
    Path("data/variations/grid/later.csv").unlink()
    gather.main()
    assert "grid later: left out, data/variations/grid/later.csv not found" in capsys.readouterr().out
    assert set(read_csv(gather.TABLE).variation) == {"usual", "heads"}


def test_without_any_the_cure_is_named() -> None:
    for name in ("usual", "heads"):
        Path(f"data/variations/grid/{name}.csv").unlink()
    with pytest.raises(ValueError, match="run `make variations`"):
        gather.main()


def test_every_task_with_variations_is_gathered() -> None:
    assert list(gather.VARIED) == [one for one in params.TASKS if one in vary.GIVEN]
