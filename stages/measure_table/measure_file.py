"""Measure what a table of positions holds, or biases by offset, of any model; nothing is trained.

Writes measures.csv, figure.png, page.html and source.json, and prints the numbers that say most. A .csv has
numbers between commas, with or without a line of names (stages/tasks/README.md). By a column `label` rows
find their coordinates.
"""

import argparse
import re
import sys
from collections.abc import Mapping
from functools import partial
from itertools import chain, count
from pathlib import Path
from urllib.parse import quote

from stages.core.measure import STREAM
from stages.core.placed_rows import Places
from stages.core.randomness.streams import generator
from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.measure_table import figure, page
from stages.measure_table.biases import read_bias
from stages.measure_table.formats import list_tensors
from stages.measure_table.frequencies import read_frequencies
from stages.measure_table.measures import measure
from stages.measure_table.orders import doubt_order
from stages.measure_table.places import is_csv, read_places, spell
from stages.measure_table.relative import WAYS, Found, find_relative
from stages.measure_table.results import SOURCE, Reading, Results, write_results
from stages.measure_table.tables import AS_STORED, Asked, Table, take_table
from stages.measure_table.tensors import Tensor

Source = Mapping[str, str | int | None]  # the file, and all that was asked of it


def measure_file(path: Path, tensor: str | None, asked: Asked, out: Path | None = None) -> list[str]:
    """Write all, and return the most telling numbers in words, then the page. Raises InputError.

    out: a folder; else one of tables/ that is free, or holds earlier results of the same.
    """
    asked = asked._replace(positions=spell(asked.positions))
    tensors = list_tensors(path, tensor)
    found = find_relative(path, tensor, asked.positions, tensors)
    reading = read_relative(path, found, asked) if found else read_rows(path, tensors, tensor, asked)
    source = asked._asdict() | {
        "positions": reading.positions,
        "file": str(path.resolve()),
        "tensor": reading.name,
    }
    folder = find_folder(path, tensor, source) if out is None else check_folder(out, source)
    print(reading.lead, *reading.said, sep="\n", flush=True)
    results = reading.measure()
    write_results(folder, reading, source, results)
    return [*results.sentences, str(folder / "page.html")]


def read_relative(path: Path, found: Found, asked: Asked) -> Reading:
    """Read biases by offset or rotary frequencies. Raises InputError."""
    usual = AS_STORED._replace(positions=asked.positions)
    if wrong := [name for name, given in asked._asdict().items() if given != getattr(usual, name)]:
        raise InputError(f"--{wrong[0]} is of tables of places, and {found.name} is none; leave it out")
    reading = (read_frequencies if found.way == "frequencies" else read_bias)(path, found)
    notes = [f"{path}: {note}" for note in found.tensor.notes]
    return reading._replace(said=[*notes, *reading.said])


def read_rows(path: Path, tensors: Mapping[str, Tensor], tensor: str | None, asked: Asked) -> Reading:
    """Read a table and the place of each of its rows. Raises InputError."""
    table = take_table(path, tensors, tensor, asked)
    n, width = table.rows.shape
    if not asked.positions:
        raise InputError(
            f"{path}: nothing says what rows of tensor {table.name} are; give --positions: for places line, "
            f"square:ROWSxCOLUMNS or a .csv of coordinates, for biases by offset {', '.join(WAYS)}"
        )
    places = read_places(asked.positions, n, table.labels)
    said = list(table.said)
    if table.labels is not None and not is_csv(asked.positions):
        said.append(f"{path}: its labels are not used: {asked.positions} takes rows in their order")
    said += doubt_order(table.rows, asked.positions, places)
    what = f"{n} rows of {width} numbers, positions: {asked.positions}"
    lead = f"{path.name}, tensor {table.name}, {what}"
    return Reading(table.name, asked.positions, lead, said, partial(measure_rows, table, places))


def measure_rows(table: Table, places: Places) -> Results:
    rows = measure(table.rows, places, generator(0, STREAM))
    sentences = page.say_in_short(rows, table.rows.shape[1])
    draw = partial(figure.draw, table.rows, places, rows)
    return Results(sentences, {"measures.csv": rows}, draw, page.show(rows))


def find_folder(path: Path, tensor: str | None, source: Source) -> Path:
    """Find one in tables/ by the file's path and the tensor asked for, with a number where it is taken."""
    parts = [part for part in path.with_suffix("").parts if part not in (path.anchor, "..")]
    first = Path("tables", *parts, *([quote(tensor, safe="")] if tensor else []))
    numbered = (first.with_name(f"{first.name}-{number}") for number in count(2))
    return next(folder for folder in chain([first], numbered) if not find_others(folder, source))


def check_folder(out: Path, source: Source) -> Path:
    """Return the folder asked for. Raises InputError where it is none, or holds results of something else."""
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out} is a file, expected a folder; name another")
    if others := find_others(out, source):
        raise InputError(f"--out {out} holds other results ({others}); name another folder, or remove it")
    return out


def find_others(folder: Path, source: Source) -> str:
    """Say what differs about results in a folder; "" where there are none, or of the same."""
    if not (folder / "measures.csv").exists():
        return ""
    if not (folder / SOURCE).exists():
        return "of an unknown table"
    known = artifacts.read_json(folder / SOURCE)
    return ", ".join(f"{key}: {value}" for key, value in known.items() if value != source.get(key))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m stages.measure_table", description=__doc__)
    parser.add_argument("file", type=Path, help=".safetensors, .npy, .npz, .csv, .onnx, .pt, .pth or .bin")
    parser.add_argument("--tensor", help="its name; not needed where only one can be the table")
    parser.add_argument(
        "--positions",
        default="",
        help="of a table line, square:ROWSxCOLUMNS or a .csv of coordinates; of others, where names do "
        "not tell, " + ", ".join(f"{way}: {what}" for way, what in WAYS.items()),
    )
    parser.add_argument(
        "--rows", type=str.strip, default=":", help="START:END, such as 1: without a class token's row"
    )
    parser.add_argument("--seed", type=int, help="of this project's own tables; 0 unless given")
    parser.add_argument("--block", type=int, help="of this project's own tables; 0 unless given")
    parser.add_argument("--out", type=Path, help="a folder; one in tables/ unless given")
    # a space before -50: tells argparse that it is no option
    chosen = parser.parse_args([f" {word}" if re.match(r"-\d*:", word) else word for word in sys.argv[1:]])
    asked = Asked(chosen.positions, chosen.rows, chosen.seed, chosen.block)
    print(*measure_file(chosen.file, chosen.tensor, asked, chosen.out), sep="\n")
