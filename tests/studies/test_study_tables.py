from pathlib import Path

import pandas as pd
import pytest
from small_studies import make_scores

from stages.core.settings.errors import InputError
from stages.studies.tables import find_metric, name_value, read_table, select


def test_names_of_cells_and_values_of_the_axis_stay_text(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("cell,at,a,a_at,value\nx,0.20,y,2,1\nz,,w,,\n")
    table = read_table(tmp_path / "a.csv")
    assert table["at"].tolist() == ["0.20", ""] and table.a_at.tolist() == ["2", ""]
    assert [name_value(value) for value in (0.02, 1.0, "longer")] == ["0.02", "1", "longer"]
    values = (1048576, 2097152, 20241101, 0.1234567, 1e-05, 100000)
    written = ["1048576", "2097152", "20241101", "0.1234567", "1e-05", "100000"]
    assert [name_value(value) for value in values] == written


SCORES = "task,cell,at,seed,split,metric,value\ngrid,a,,0,train,mse,0.5\ngrid,a,,1,train,mse,\n"
DIFFERENCES = (
    "compare,task,metric,a,a_at,b,b_at,n,mean_a,mean_b,difference,low,high,p,q\n"
    "x,grid,score,a,,b,,3,0.95,0.35,0.6,0.6,0.6,0.25,0.25\n"
)


@pytest.mark.parametrize(
    ("name", "text", "old", "new", "said"),
    [
        ("scores", SCORES, "0.5", '"0,5"', "row 1: value '0,5' given, expected a number"),
        ("scores", SCORES, "mse,\n", "mse,n/a\n", "row 2: value 'n/a' given, expected a number"),
        ("scores", SCORES, ",1,train", ",one,train", "row 2: seed 'one' given, expected a number"),
        ("scores", SCORES, ",1,train", ",0,train", "row 2: grid, a, , 0, train, mse, nan given, exp"),
        ("scores", SCORES, "value", "Value", "no column 'value' given, expected task, cell, at, seed, split"),
        ("differences", DIFFERENCES, ",p,q", ",p,Q", "no column 'q' given, expected compare, task"),
        ("differences", DIFFERENCES, ",p,q", ",p,q,note", "column 'note' given, expected compare, task"),
        ("differences", DIFFERENCES, ",p,q", ",p,q,q", "column 'q.1' given, expected compare, task"),
        ("differences", DIFFERENCES, ",0.35,", ',"0,35",', "row 1: mean_b '0,35' given, expected a number"),
        ("verdicts", "claim,says\na,b\n", "", "", "no column 'main' given, expected claim, says, main"),
    ],
)
def test_a_damaged_table_is_refused(
    name: str, text: str, old: str, new: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{name}.csv"
    path.write_text(text)
    if old:
        assert len(read_table(path))
        path.write_text(text.replace(old, new))
    with pytest.raises(InputError) as error:
        read_table(path)
    assert said in str(error.value) and f"`git restore {path}`, or make it again" in str(error.value)


def test_metrics_are_those_of_the_task() -> None:
    assert find_metric("grid", "score") == ("validation", "accuracy")
    assert find_metric("recordings", "train") == ("train", "mse")
    assert find_metric("network", "alignment") == ("tables", "alignment")
    assert find_metric("grid", "attention/auc_same_line") == ("attention", "auc_same_line")
    rows = [("grid", "validation", "accuracy"), ("grid", "train", "accuracy"), ("network", "train", "mse")]
    scores = pd.DataFrame(rows, columns=["task", "split", "metric"])
    assert select(scores, "grid", "score").index.tolist() == [0]


def test_the_gain_is_what_training_added_to_the_alignment_of_its_own_draw() -> None:
    drawn = make_scores({("a", "1"): [0.1, 0.2, 0.3], ("b", ""): [0.5]}, "grid", "tables/alignment_initial")
    final = make_scores({("a", "1"): [0.5, 0.1], ("c", ""): [0.5]}, "grid", "alignment")
    gain = select(pd.concat([drawn, final]), "grid", "gain")
    assert gain[["cell", "at", "seed"]].to_numpy().tolist() == [["a", "1", 0], ["a", "1", 1]]
    assert gain.value.tolist() == pytest.approx([0.4, -0.1]) and set(gain.metric) == {"alignment_gain"}
    assert find_metric("grid", "gain") == ("tables", "alignment_gain")
