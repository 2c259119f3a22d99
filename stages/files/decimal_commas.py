"""Find numbers whose decimals stand behind a comma without quotes, so that each is read as two."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from stages.parameters.errors import InputError

Line = tuple[int, list[str]]  # its number in the file, and its cells
WHOLE = re.compile(r"[+-]?(0|[1-9]\d*)")
DECIMALS = re.compile(r"\d+([eE][+-]?\d+)?")
POINTS = "write points before decimals, as in 0.5"


def refuse_split_numbers(path: Path, lines: Iterable[Line]) -> Iterator[Line]:
    """Pass lines on, and raise InputError behind the last if their cells are halves of numbers.

    A zero tells that no number of its own begins with: 0,05 is read as 0 and 05, and -0,5 as -0 and 5. Where
    there is none, but signs or numbers of digits set each second column apart, that is said.
    """
    split, sure, before, behind = True, False, set[str](), set[str]()
    for line, cells in lines:
        if split:
            beside = len(cells) % 2  # a column that numbers rows
            wholes, decimals = cells[beside::2], cells[beside + 1 :: 2]
            split = all(map(WHOLE.fullmatch, wholes)) and all(map(DECIMALS.fullmatch, decimals))
            sure |= "-0" in wholes or any(len(cell) > 1 and cell[0] == "0" for cell in decimals)
            before |= {re.sub(r"\d", "0", cell) for cell in wholes}
            behind |= {re.sub(r"\d", "0", cell) for cell in decimals}
        yield line, cells
    if split and sure:
        raise InputError(f"{path}: decimals stand behind commas, so that each number is two; {POINTS}")
    if split and len(behind) == 1 and ("-" in "".join(before) or not before & behind):
        print(
            f"{path}: each second column holds numbers of one length without signs, others do not; where "
            f"they are decimals behind commas, {POINTS}"
        )
