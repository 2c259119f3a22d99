from pathlib import Path

import pytest

from stages.parameters.errors import InputError
from stages.tasks.recordings.find_files import find_runs

HCP = "{subject}/Results/{run}/{run}_Atlas.dtseries.nii"


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def find(folder: Path, template: str) -> list[tuple[str, str]]:
    return [(run.subject, run.path.relative_to(folder).as_posix()) for run in find_runs(folder, template)]


def test_people_are_found_in_folders_and_a_field_is_the_same_text_wherever_it_stands(tmp_path: Path) -> None:
    right = ["100/Results/LR/LR_Atlas.dtseries.nii", "100/Results/RL/RL_Atlas.dtseries.nii"]
    touch(tmp_path, *right, "200/Results/LR/RL_Atlas.dtseries.nii", "100/Results/LR/LR_Atlas.txt")
    assert find(tmp_path, HCP) == [("100", name) for name in right]


def test_groups_are_named_by_the_template_and_other_signs_are_themselves(tmp_path: Path) -> None:
    touch(tmp_path, "old/1.npy", "young/0.npy", "a[1]?.npy", "a1x.npy")
    runs = find_runs(tmp_path, "{group}/{subject}.npy")
    assert [(run.group, run.subject) for run in runs] == [("young", "0"), ("old", "1")]
    assert find(tmp_path, "{subject}[1]?.npy") == [("a", "a[1]?.npy")]


SERIES = "sub-1_task-rest_run-{}_space-{}_desc-preproc_bold.nii.gz"


@pytest.mark.parametrize(
    "template", ["sub-{subject}_*_bold.nii.gz", "sub-{subject}_{run}_space-{space}_{rest}.gz"]
)
def test_one_run_in_two_spaces_is_refused(template: str, tmp_path: Path) -> None:
    touch(tmp_path, SERIES.format(1, "T1w"), SERIES.format(2, "T1w"))
    assert len(find(tmp_path, template)) == 2
    touch(tmp_path, SERIES.format(2, "MNI"))
    message = r"^recordings\.files: .*run-2_space-MNI\S* and .*run-2_space-T1w\S* are one run in two versions"
    with pytest.raises(InputError, match=rf"{message}[^\n]*$"):
        find(tmp_path, template)


def test_a_folder_is_no_recording(tmp_path: Path) -> None:
    touch(tmp_path, "sub-1/a.npy")
    with pytest.raises(InputError, match=r"^recordings\.files: sub-1 is a folder.* as sub-\{subject\}/\*$"):
        find(tmp_path, "sub-{subject}")


@pytest.mark.parametrize("other", ["_res-2", "_desc-smooth", "_echo-2", ""])
def test_what_else_was_made_of_a_run_is_no_run_of_its_own(other: str, tmp_path: Path) -> None:
    touch(tmp_path, "sub-1_run-1_bold.nii.gz", f"sub-1_run-1{other}_bold.nii")
    with pytest.raises(InputError, match="are one run in two versions"):
        find(tmp_path, "sub-{subject}_*")
