"""Show the frequencies of rotary positions: their base, and where they are not geometric."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from stages.core.frequencies import FrequencyMeasures, measure_frequencies
from stages.core.positions.positions import Matrix
from stages.core.settings.errors import InputError
from stages.figures import style
from stages.figures.colours import BLUE, GREY
from stages.measure_table.relative import Found
from stages.measure_table.results import Reading, Results, Shown
from stages.reporting.numbers import NOTHING

PANEL, GAP, AROUND = (3.0, 2.2), (0.85, 0.6), (0.85, 0.2, 0.35, 0.55)  # inches
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
NOTES = (
    "Base: b where frequencies are b^(−t / m) for pairs t = 0 … m − 1, by those that are geometric. "
    "Ratio: of a frequency to the one before, among those. First: the largest frequency, 1 unless all "
    "were slowed. Geometric: how many are, from the first on. Turning: how many are not 0. Slowed: how "
    "many times slower the last pair turns than where the geometric ones lead. Wavelength: positions in "
    "which a pair turns once."
)


def read_frequencies(path: Path, found: Found) -> Reading:
    """Read a vector of frequencies, one for each pair of columns. Raises InputError."""
    where = f"{path}: tensor {found.name}"
    stored = found.tensor.read()
    if stored.size != max(stored.shape, default=0):
        raise InputError(f"{where} is {list(stored.shape)}, expected [pairs] for --positions frequencies")
    try:
        measured = measure_frequencies(stored.ravel())
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    lead = f"{path.name}, tensor {found.name}, rotary frequencies of {stored.size} pairs of columns"
    return Reading(found.name, found.way, lead, [], partial(measure, stored.ravel(), measured))


def measure(frequencies: Matrix, found: FrequencyMeasures) -> Results:
    turning = frequencies[: found.turning]
    led = lead_on(frequencies, found)
    ratios = np.full(len(frequencies), np.nan)
    ratios[1 : found.turning] = turning[1:] / turning[:-1]
    each = {
        "pair": np.arange(len(frequencies)),
        "frequency": frequencies,
        "wavelength": np.where(frequencies > 0, found.wavelengths, np.nan),
        "ratio": ratios,
    }
    waves = found.wavelengths[: found.turning]
    values = {
        "base": found.base,
        "ratio": found.ratio,
        "first": found.first,
        "geometric": found.geometric,
        "turning": found.turning,
        "slowed": found.slowed,
        "shortest_wavelength": waves[0],
        "longest_wavelength": waves[-1],
    }
    shown = Shown(
        alt="Wavelengths of rotary pairs, and how much slower they turn than geometric ones",
        caption="Blue: each pair of columns. Grey: where the first, geometric ones lead.",
        heads={"measure": "measure", "value": "value"},
        names=["measure"],
        rows=[
            {"measure": name.replace("_", " "), "value": write_value(value)} for name, value in values.items()
        ],
        notes=NOTES,
        files={"measures.csv": "with all digits", "frequencies.csv": "of each pair"},
    )
    tables = {
        "measures.csv": pd.DataFrame({"measure": [*values], "value": [*values.values()]}),
        "frequencies.csv": pd.DataFrame(each),
    }
    return Results(say_in_short(len(frequencies), found), tables, partial(draw, turning, led), shown)


def write_value(value: float) -> str:
    return f"{value:.6g}" if np.isfinite(value) else NOTHING


def lead_on(frequencies: Matrix, found: FrequencyMeasures) -> Matrix:
    """Return where the geometric ones among the turning frequencies lead."""
    pairs = np.arange(found.turning)
    return np.asarray(frequencies[0] * found.ratio**pairs)


def say_in_short(pairs: int, found: FrequencyMeasures) -> list[str]:
    waves = found.wavelengths[: found.turning]
    spread = f"wavelengths {waves[0]:.4g} to {waves[-1]:.6g} positions"
    if not found.geometric:
        return ["not geometric: pairs are slowed by numbers of their own, as in LongRoPE", spread]
    said = [
        f"base {found.base:.6g}: each pair turns {found.ratio:.4g} times as fast as the one before",
        spread,
    ]
    if found.geometric < found.turning:
        said.append(
            f"not geometric from pair {found.geometric} of {pairs} on, counted from 0: the last turns "
            f"{found.slowed:.3g} times slower than the first ones lead to, as scaled by YaRN or as in Llama 3"
        )
    else:
        said.append(
            "geometric throughout; NTK scaling, if any, is in the base, which models without it have at "
            "10000, or as their configuration says"
        )
    if not np.isclose(found.first, 1, rtol=1e-2):
        said.append(
            f"the first is {found.first:.4g} and not 1, as of linear interpolation by {1 / found.first:.4g}"
        )
    if found.turning < pairs:
        said.append(f"{pairs - found.turning} of {pairs} pairs do not turn: their frequencies are 0")
    return said


def draw(frequencies: Matrix, led: Matrix) -> Figure:
    figure, (waves, slower) = style.place_panels(2, 2, PANEL, GAP, AROUND)
    pairs = np.arange(len(frequencies))
    waves.plot(pairs, np.log10(2 * np.pi / led), color=GREY, lw=1)
    waves.plot(pairs, np.log10(2 * np.pi / frequencies), "o", color=BLUE, ms=2.5)
    powers = range(int(waves.get_ylim()[0]) + 1, int(waves.get_ylim()[1]) + 1)
    waves.set_yticks(powers, [f"10{str(power).translate(RAISED)}" for power in powers])
    waves.set(title="Wavelength", xlabel="pair", ylabel="positions")
    times = led / frequencies
    slower.axhline(1, color=GREY, lw=1)
    slower.plot(pairs, times, "o", color=BLUE, ms=2.5)
    most = float(np.nanmax([1.0, *times]))
    slower.set(title="Times slower than geometric", xlabel="pair", ylim=(0, 1.1 * most))
    if np.isnan(times).all():
        slower.text(0.5, 0.5, "none are geometric", ha="center", transform=slower.transAxes)
    return figure
