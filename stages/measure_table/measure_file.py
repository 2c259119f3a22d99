"""Measure what a learned table of positions holds, of any model; nothing is trained.

Writes measures.csv, figure.png, page.html and source.json, and prints the numbers that say most. A .csv has
numbers between commas, with or without a line of names (stages/tasks/README.md). By a column `label` rows
find their coordinates.
"""

import argparse
import re
import sys
from collections.abc import Mapping
from itertools import chain, count
from pathlib import Path
from urllib.parse import quote

from stages.core.randomness.streams import generator
from stages.core.settings.errors import InputError
from stages.figures import style
from stages.files import artifacts
from stages.files.number_csv import NumberTable, read_numbers
from stages.measure_table import figure, page
from stages.measure_table.measures import measure
from stages.measure_table.orders import doubt_order
from stages.measure_table.places import is_csv, read_places, spell
from stages.measure_table.tables import Asked, Table, cut_rows, read_table

SOURCE = "source.json"
Source = Mapping[str, str | int | None]  # the file, and all that was asked of it


def measure_file(path: Path, tensor: str | None, asked: Asked, out: Path | None = None) -> list[str]:
    """Write all, and return the most telling numbers in words, then the page. Raises InputError.

    out: a folder; else one of tables/ that is free, or holds earlier results of the same.
    """
    asked = asked._replace(positions=spell(asked.positions))
    table = read_table(path, tensor, asked)
    written = read_numbers(path) if is_csv(str(path)) else NumberTable(table.rows)
    source = asked._asdict() | {"file": str(path.resolve()), "tensor": table.name}
    folder = find_folder(path, tensor, source) if out is None else check_folder(out, source)
    labels = written.labels
    if labels is not None:
        labels = labels[cut_rows(asked.rows, len(labels))]
    places = read_places(asked.positions, len(table.rows), labels)
    said = [*(f"{path}: {note}" for note in written.notes), *table.said]
    if labels is not None and not is_csv(asked.positions):
        said.append(f"{path}: its labels are not used: {asked.positions} takes rows in their order")
    said += doubt_order(table.rows, asked.positions, places)
    lead = introduce(path, table, asked.positions)
    print(lead, *said, sep="\n", flush=True)
    rows = measure(table.rows, places, generator(0, "measure_table"))
    sentences = page.say_in_short(rows, table.rows.shape[1])
    artifacts.write_json(folder / SOURCE, source)
    artifacts.write_csv(folder / "measures.csv", rows)
    with style.house():
        style.write(figure.draw(table.rows, places, rows), folder / "figure.png")
    made = page.make_page(table.name, lead, rows, [*said, *sentences], folder / "figure.png")
    artifacts.write_bytes(folder / "page.html", made.encode())
    return [*sentences, str(folder / "page.html")]


def introduce(path: Path, table: Table, positions: str) -> str:
    n, width = table.rows.shape
    return f"{path.name}, tensor {table.name}, {n} rows of {width} numbers, positions: {positions}"


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
        "--positions", required=True, help="line, square:ROWSxCOLUMNS or a .csv of coordinates"
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
