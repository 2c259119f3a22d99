import numpy as np
import pandas as pd

from stages.figures import read_outs

ALIGNED = pd.DataFrame(
    [
        ("network", "focus", 0, "all", "index", "position_mae", 2.0, 4.0, 0.01),
        ("network", "focus", 0, "0", "index", "position_mae", 9.0, 1.0, 0.01),
        ("network", "focus", 0, "all", "index", "order_accuracy", 0.8, 0.5, 0.01),
        ("grid", "focus", 0, "all", "index", "position_mae", 9.0, 1.0, 0.01),
        ("grid", "focus", 0, "all", "coordinates", "position_mae", 0.3, 1.2, 0.01),
        ("grid", "sinusoidal_nd", 0, "all", "coordinates", "position_mae", 1.2, 1.2, 0.5),
        ("grid", "focus", 0, "all", "sinusoid_2d", "spearman", 9.0, 0.0, 0.01),
    ],
    columns=["task", "encoding", "seed", "block", "reference", "measure", "value", "null_mean", "p_value"],
)


def test_errors_are_of_coordinates_where_there_are_some_in_units_of_the_null() -> None:
    errors = read_outs.errors(ALIGNED[ALIGNED.block == "all"])
    assert list(zip(errors.task, errors.encoding, errors.value, strict=True)) == [
        ("network", "focus", 0.5),
        ("grid", "focus", 0.25),
        ("grid", "sinusoidal_nd", 1.0),
    ]
    assert set(errors.null_mean) == {1.0}


def test_errors_stand_beside_orders() -> None:
    sigmas = {"network": {"focus": 0.1}, "grid": {"focus": 0.1}}
    axes = read_outs.draw(ALIGNED, sigmas, "made up").axes
    drawn = {left.get_title(loc="left") or left.get_title(): left for left in axes}
    order = drawn["network: order of two tokens, 1 seed"]
    assert [[0.1, 0.8]] in [np.asarray(line.get_xydata()).tolist() for line in order.lines]
    assert drawn["grid: absolute position, 1 seed"].get_ylabel() == "error / null's error"
