"""Measure biases by offset, head by head, next to permuted rows: their own, each at the offset of another."""

from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from stages.core.biases import BiasMeasures, measure_bias, window_offsets
from stages.core.positions.positions import Matrix
from stages.core.randomness.streams import generator
from stages.measure_table import bias_figure
from stages.measure_table.bias_layouts import Bias, lay_out
from stages.measure_table.measures import MIDDLE, PERMUTATIONS
from stages.measure_table.names import name_other
from stages.measure_table.relative import Found
from stages.measure_table.results import Reading, Results, Shown
from stages.reporting.numbers import NOTHING, write

COLUMNS = ["measure", "head", "of", "value", "low", "high"]
AXES = ("row", "column")
MORE = 0.1  # of the variance: what another window must explain to be named
SAID = {  # of each measure, in short
    "monotone": "rank correlation of bias with distance",
    "symmetric": "correlation of biases at opposite offsets",
    "by_distance": "share of variance that distance alone explains",
    "by_row": "share that the offset across rows alone explains",
    "by_column": "share that the offset across columns alone explains",
}
NOTES = (
    "Mean, lowest and highest of heads; in brackets the middle 95 % of permutations. Monotone: rank "
    "correlation (Spearman) of a head's biases with distance, −1 where they fall with every step. Slope: "
    "change of bias for each step of distance, by least squares. Symmetric: correlation of biases at an "
    "offset and at its opposite, 1 where both are equal, −1 where they are mirrored around their mean. By "
    "distance: share of the variance that distance alone explains, as by row and by column of the offset "
    "along that axis alone. Permuted rows show how much of it few offsets for each distance give. Every "
    "row of the tensor counts once."
)


def read_bias(path: Path, found: Found) -> Reading:
    """Read biases with their offsets. Raises InputError."""
    bias = lay_out(f"{path}: tensor {found.name}", found.tensor.read(), found.way)
    offsets, heads = bias.values.shape
    what = f"biases of {heads} heads at {offsets} offsets, positions: {found.way}"
    lead = f"{path.name}, tensor {found.name}, {what}"
    other = name_other(found.name)
    doubts = [f"{found.name} by its name holds {other}"] if other else []
    said = [*doubts, *bias.said, *doubt_window(bias, found.way)]
    return Reading(found.name, found.way, lead, said, partial(measure, bias))


def doubt_window(bias: Bias, way: str) -> Iterator[str]:
    """Say where distance explains clearly more of biases in a window whose sides are exchanged."""
    kind, _, sides = way.partition(":")
    height, _, width = sides.partition("x")
    if kind != "window" or height == width:
        return
    turned = bias._replace(offsets=window_offsets(int(width), int(height)))
    here, there = (
        float(np.nan_to_num(measure_bias(one.values, one.offsets).by_distance).mean())
        for one in (bias, turned)
    )
    if there > here + MORE:
        yield (
            f"distance explains {there:.0%} of the biases in a window of {width} x {height}, {here:.0%} in "
            f"this one; if sides were exchanged: --positions window:{width}x{height}"
        )


def measure(bias: Bias) -> Results:
    found = measure_bias(bias.values, bias.offsets)
    rows = tabulate(found, [*permute(bias)])
    axes = dict(zip(["offset"] if bias.offsets.shape[1] == 1 else AXES, bias.offsets.T, strict=True))
    heads = {f"head_{number}": values for number, values in enumerate(bias.values.T)}
    means = {"mean_of_heads": bias.values.mean(axis=1)}
    return Results(
        say_in_short(rows, bias.values.shape[1]),
        {"measures.csv": rows, "biases.csv": pd.DataFrame({**axes, **heads, **means})},
        partial(bias_figure.draw, bias, found),
        Shown(
            alt="Bias by offset, head by head",
            caption=bias_figure.caption(bias),
            heads={
                "measure": "measure", "mean": "mean of heads", "low": "lowest", "high": "highest",
                "permuted": "permuted rows",
            },
            names=["measure"],
            rows=[*write_rows(rows)],
            notes=NOTES,
            files={"measures.csv": "of each head", "biases.csv": "bias at each offset"},
        ),
    )  # fmt: skip


def permute(bias: Bias) -> Iterator[BiasMeasures]:
    """Measure biases whose rows are at offsets of others."""
    random = generator(0, "measure_table", "biases")
    for _ in range(PERMUTATIONS):
        yield measure_bias(random.permutation(bias.values), bias.offsets)


def tabulate(found: BiasMeasures, permuted: list[BiasMeasures]) -> pd.DataFrame:
    """Make a row for each measure and head, for the mean of heads, and for that of permuted rows."""
    rows: list[tuple[str, str, str, float, float, float]] = []
    chance = [name_values(one) for one in permuted]
    for measure, values in name_values(found).items():
        if np.isnan(values).all():
            continue
        means = [float(np.nanmean(one[measure])) for one in chance]
        of_heads = [(str(head), value) for head, value in enumerate(values.tolist())]
        rows += [(measure, head, "bias", value, np.nan, np.nan) for head, value in of_heads]
        rows.append((measure, "mean", "bias", float(np.nanmean(values)), np.nan, np.nan))
        low, high = np.percentile(means, MIDDLE)
        rows.append((measure, "mean", "permuted", float(np.mean(means)), float(low), float(high)))
    return pd.DataFrame(rows, columns=COLUMNS)


def name_values(found: BiasMeasures) -> dict[str, Matrix]:
    """Name the values [H] of each measure, those by axis one by one."""
    values = {field.name: getattr(found, field.name) for field in fields(found) if field.name != "by_axis"}
    return values | {f"by_{axis}": along for axis, along in zip(AXES, found.by_axis, strict=False)}


def say_in_short(rows: pd.DataFrame, heads: int) -> list[str]:
    """Say each measure's mean over heads and its range, compared with chance."""
    many = f"mean of {heads} heads" if heads > 1 else "one head"
    return [
        f"{said}: {row['mean']}, {many}"
        + (f" ({row['low']} to {row['high']})" if heads > 1 else "")
        + f"; permuted rows {row['permuted']}"
        for row in write_rows(rows)
        if (said := SAID.get(row["measure"].replace(" ", "_")))
    ] or ["all biases of a head are equal: nothing depends on distance"]


def write_rows(rows: pd.DataFrame) -> Iterator[dict[str, str]]:
    """Write a row per measure, every cell as text."""
    for measure, own in rows.groupby("measure", sort=False):
        heads = own.value[own["head"] != "mean"]
        (mean,) = own.value[(own["head"] == "mean") & (own.of == "bias")]
        (chance,) = own[own.of == "permuted"][["value", "low", "high"]].to_numpy().tolist()
        value, low, high = (write(number, 3) for number in chance)
        yield {
            "measure": str(measure).replace("_", " "),
            "mean": write(mean, 3),
            "low": write(heads.min(), 3),
            "high": write(heads.max(), 3),
            "permuted": NOTHING if value == NOTHING else f"{value} [{low}, {high}]",
        }
