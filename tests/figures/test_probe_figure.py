import numpy as np
import pandas as pd

from stages.figures import probe

TABLE = pd.DataFrame(
    [
        ("focus", "softmax", "post_norm", "none", 16, 12, 12.0, 12.0, 1.0, True),
        ("gau_none", "relu2_mean", "gau", "none", 16, 12, 1.0, 1.0, 1 / 16, False),
        ("none", "softmax", "post_norm", "none", 16, 12, np.nan, 1.0, np.nan, np.nan),
    ],
    columns=[
        *("configuration", "normaliser", "block", "markers", "n", "n_drawn", "distinct_rows_theory"),
        *("distinct_rows", "accuracy_theory", "agrees"),
    ],
)
RUNS = pd.DataFrame(
    [
        ("focus", "accuracy", 1.0),
        ("focus", "accuracy", 0.9),
        ("focus", "loss", 9.0),
        ("gau_none", "accuracy", 0.5),
    ],
    columns=["encoding", "metric", "value"],
)


def test_seeds_stand_in_their_configuration_s_line_and_disagreement_is_crossed() -> None:
    left, right = probe.draw(TABLE, RUNS, "made up").axes
    heights = dict(zip(probe.arrange(TABLE).configuration, probe.arrange(TABLE).height, strict=True))
    seeds = {np.asarray(line.get_ydata())[0]: line for line in right.lines if np.size(line.get_ydata())}
    np.testing.assert_array_equal(seeds[heights["focus"]].get_xdata(), [1.0, 0.9])
    assert seeds[heights["gau_none"]].get_marker() == "x"
    assert left.patches[0].get_path().get_extents(left.patches[0].get_patch_transform()).x1 == 12
    assert [tick.get_text() for tick in left.get_yticklabels()] == ["focus", "none", "gau_none"]
    assert [text.get_text() for text in left.texts] == ["gated attention units", "softmax"]
