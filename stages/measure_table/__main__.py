"""What a learned table of positions holds, for a table of any model; nothing is trained.

Writes measures.csv, figure.png and page.html, and prints the numbers that say most. A .csv has numbers
between commas, with or without a line of names. By a column `label` rows find their coordinates.
"""

import argparse
from pathlib import Path

from stages.figures import style
from stages.files import artifacts
from stages.measure_table import figure, page
from stages.measure_table.csv_numbers import read_labels
from stages.measure_table.measures import measure
from stages.measure_table.places import read_places
from stages.measure_table.tables import read_table
from stages.parameters.errors import InputError
from stages.randomness.streams import generator
from stages.running.command import run


def measure_file(path: Path, tensor: str | None, positions: str, out: Path) -> list[str]:
    """The most telling numbers in words, once all is written to the folder `out`. Raises InputError."""
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out} is a file, expected a folder; name another")
    name, table = read_table(path, tensor)
    labels = read_labels(path) if path.suffix == ".csv" else None
    places = read_places(positions, len(table), labels)
    rows = measure(table, places, generator(0, "measure_table"))
    artifacts.write_csv(out / "measures.csv", rows)
    with style.house():
        style.write(figure.draw(table, places, rows), out / "figure.png")
    sentences = page.say_in_short(rows, table.shape[1])
    lead = (
        f"{path.name}, tensor {name}, {len(table)} rows of {table.shape[1]} numbers, positions: {positions}"
    )
    artifacts.write_bytes(out / "page.html", page.make_page(name, lead, rows, sentences).encode())
    return sentences


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m stages.measure_table", description=__doc__)
    parser.add_argument("file", type=Path, help=".safetensors, .npy, .npz, .csv, .onnx, .pt, .pth or .bin")
    parser.add_argument("--tensor", help="its name; not needed where only one can be the table")
    parser.add_argument(
        "--positions", required=True, help="line, square:ROWSxCOLUMNS or a .csv of coordinates"
    )
    parser.add_argument("--out", type=Path, help="a folder; tables/<name of the file> unless given")
    chosen = parser.parse_args()
    out = chosen.out or Path("tables", chosen.file.stem)
    print(*measure_file(chosen.file, chosen.tensor, chosen.positions, out), out / "page.html", sep="\n")


if __name__ == "__main__":
    run(main)
