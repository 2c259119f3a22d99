"""Differences between two kinds of tables in words: where the one is better."""

import pandas as pd


def say_where(tested: pd.DataFrame, column: str, nowhere: str, sign: int, of: str = "") -> str:
    """At which values of a column the first of a pair is better and where worse, by the interval of a - b.

    sign: 1 if more is better, -1 if less. of: words after the values where it is better.
    """
    low, high = (tested.low, tested.high) if sign > 0 else (-tested.high, -tested.low)

    def at(rows: pd.Series) -> str:
        return ", ".join(f"{value:g}" for value in tested[column][rows]) or nowhere

    return (
        f"at {at(low > 0)}{of}, worse at {at(high < 0)}, not told apart at {at((low <= 0) & (high >= 0))} "
        f"(95 % intervals over {tested.n.min():.0f} seeds)."
    )
