"""Find numbers whose decimals stand behind a comma without quotes, so that each is read as two."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from stages.core.settings.errors import InputError

Line = tuple[int, list[str]]  # its number in the file, and its cells
HALVES = r"[+-]?(0|[1-9]\d*),\d+([eE][+-]?\d+)?"  # of a number: whole ones and decimals
SPLIT, STRANGE = re.compile(rf"{HALVES}(,{HALVES})*"), re.compile(r"(^|,)0\d")
POINTS = "write points before decimals, as in 0.5"


def refuse_split_numbers(path: Path, lines: Iterable[Line]) -> Iterator[Line]:
    """Pass lines on, and raise InputError behind the last if their cells are halves of numbers.

    A zero tells that no number of its own begins with: 0,05 is read as 0 and 05, and -0,5 as -0 and 5. Where
    there is none, but signs or numbers of digits set each second column apart, that is said.
    """
    split, sure, signed, before, behind = True, False, False, set[int](), set[int]()
    for line, cells in lines:
        if split:
            beside = len(cells) % 2  # a column that numbers rows
            wholes, decimals = cells[beside::2], cells[beside + 1 :: 2]
            split = bool(SPLIT.fullmatch(",".join(cells[beside:])))
            sure |= "-0" in wholes or bool(STRANGE.search(",".join(decimals)))
            signed |= "-" in "".join(wholes)
            before |= {*map(len, wholes)}
            behind |= {*map(len, decimals)}
        yield line, cells
    if split and sure:
        raise InputError(f"{path}: decimals stand behind commas, so that each number is two; {POINTS}")
    if split and len(behind) == 1 and (signed or not before & behind):
        print(
            f"{path}: each second column holds numbers of one length without signs, others do not; where "
            f"they are decimals behind commas, {POINTS}"
        )
