import numpy as np
import pandas as pd

from stages.figures import read_back

ALIGNED = pd.DataFrame(
    [
        ("grid", "focus", 0, "0", "content", "content_accuracy", 0.9, 0.2, 0.01),
        ("grid", "focus", 0, "0", "index", "position_accuracy", 0.6, 0.1, 0.01),
        ("grid", "focus", 0, "all", "index", "position_accuracy", 9.0, 0.1, 0.01),
        ("network", "focus", 0, "0", "index", "order_accuracy", 9.0, 0.5, 0.01),
    ],
    columns=["task", "encoding", "seed", "block", "reference", "measure", "value", "null_mean", "p_value"],
)


def test_content_and_position_stand_side_by_side_for_tasks_that_have_them() -> None:
    content, _, position, _ = read_back.draw(ALIGNED, {"grid": {"focus": 0.1}}, "made up").axes
    for axes, height in ((content, 0.9), (position, 0.6)):
        heights = [np.asarray(line.get_ydata()).tolist() for line in axes.lines]
        assert [height] in heights and [9.0] not in heights
