"""Tell what readers take a cell for by its name, as figures write it out."""

import re
from pathlib import Path

from stages.core.settings.errors import InputError
from stages.studies.changes import Values
from stages.studies.schema import Study

ENCODINGS = Path(__file__).parents[2] / "core/encodings"
# by the first words of a name: stages/figures/words.yaml
CALLED = {"random": "random_fixed", "untrained": "random_fixed", "aligned": "mds", "truth": "mds"}
EXCHANGED = "exchanged"


def check_called(study: Study, cell: str, configuration: Values) -> None:
    """Raise InputError where a cell's name says another scheme, σ or table than it has."""
    place, scheme = f"cells.{cell}", configuration.get("scheme")
    called = find_called(cell)
    if called and scheme != called and (ENCODINGS / f"{scheme}.py").is_file():
        raise InputError(f"{place}: {scheme!r} given, but the name looks like {called}; rename the cell")
    sigma, usual = re.search(r"(?:^|_)s(\d\d\d)$", cell), study.set.get("configuration.init_std")
    if sigma and configuration.get("init_std", usual) != int(sigma[1]) / 100:
        raise InputError(
            f"{place}: {sigma[0].strip('_')} in the name looks like init_std {int(sigma[1]) / 100:g}, but "
            f"{configuration.get('init_std', usual) or 'none'} is given; rename the cell"
        )
    if cell.split("_")[0] == EXCHANGED and not configuration.get(EXCHANGED):
        raise InputError(f"{place}: the name says that its table is shuffled, but it is not; rename the cell")


def find_called(cell: str) -> str:
    """Find the scheme that a cell's name begins with, the longest there is; "" for none."""
    parts = cell.split("_")
    begun = ["_".join(parts[:length]) for length in range(len(parts), 0, -1)]
    known = [CALLED.get(one, one) for one in begun if one in CALLED or (ENCODINGS / f"{one}.py").is_file()]
    return known[0] if known else ""
