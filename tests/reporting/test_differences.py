import pandas as pd
import pytest

from stages.reporting.differences import say_where


@pytest.mark.parametrize(
    ("sign", "said"),
    [
        (1, "at 0.5 hidden, worse at none, not told apart at 0.1"),
        (-1, "at none hidden, worse at 0.5, not told apart at 0.1"),
    ],
)
def test_it_says_where_the_first_is_better(sign: int, said: str) -> None:
    tested = pd.DataFrame({"share": [0.1, 0.5], "low": [-0.1, 0.2], "high": [0.1, 0.4], "n": 8})
    assert say_where(tested, "share", "none", sign, " hidden") == f"{said} (95 % intervals over 8 seeds)."
