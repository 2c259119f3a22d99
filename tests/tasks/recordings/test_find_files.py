import re
from pathlib import Path

import pytest

from stages.core.settings.errors import InputError
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


def test_people_whose_names_differ_in_capitals_alone_are_refused(tmp_path: Path) -> None:
    touch(tmp_path, "ann.npy", "Bob.npy", "bob.npy")
    with pytest.raises(InputError, match="{subject} is 'Bob' and 'bob', which differ by case.* rename one"):
        find_runs(tmp_path, "{subject}.npy")


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


VERSIONS = {
    "atlas": ("sub-1_run-1_atlas-AAL_ts.csv", "sub-1_run-1_atlas-AALv2_ts.csv"),
    "atlas with a number of its own": ("sub-1_atlas-S0.14_ts.csv", "sub-1_atlas-S0.15_ts.csv"),
    "segmentation": ("sub-1_seg-4S156_stat-mean_ts.csv", "sub-1_seg-4S256_stat-mean_ts.csv"),
    "statistic": ("sub-1_stat-mean_ts.csv", "sub-1_stat-median_ts.csv"),
    "pipeline": ("sub-1_reg-36P_ts.csv", "sub-1_reg-aCompCor_ts.csv"),
    "hemisphere": ("sub-1_hemi-L_ts.npy", "sub-1_hemi-R_ts.npy"),
    "hemisphere of FreeSurfer": ("lh.sub-1_ts.npy", "rh.sub-1_ts.npy"),
    "phase": ("sub-1_part-mag_bold.nii", "sub-1_part-phase_bold.nii"),
    "folder": ("space-T1w/sub-1_ts.csv", "space-MNI/sub-1_ts.csv"),
    "format": ("sub-1_bold.nii.gz", "sub-1_bold.dtseries.nii"),
    "HCP, cleaned": ("sub-1_LR_Atlas.dtseries.nii", "sub-1_LR_Atlas_hp2000_clean.dtseries.nii"),
    "HCP, aligned": (
        "sub-1_LR_Atlas_MSMAll_hp2000_clean.dtseries.nii",
        "sub-1_LR_Atlas_hp2000_clean.dtseries.nii",
    ),
    "HCP, 7 T": ("sub-1_LR_Atlas_1.6mm.dtseries.nii", "sub-1_LR_Atlas_1.6mm_MSMAll.dtseries.nii"),
    "HCP, smoothed": ("sub-1_LR_Atlas_s2.dtseries.nii", "sub-1_LR_Atlas_s4.dtseries.nii"),
    "HCP, volumes": ("sub-1_LR.nii.gz", "sub-1_LR_hp2000_clean.nii.gz"),
}


def template_of(name: str) -> str:
    return name.split("sub-")[0].replace("space-T1w", "*").replace("lh", "*") + "sub-{subject}_*"


@pytest.mark.parametrize("kind", VERSIONS)
def test_two_versions_of_a_run_are_named_with_the_cure(kind: str, tmp_path: Path) -> None:
    touch(tmp_path, *VERSIONS[kind])
    message = (
        r"^recordings\.files: {} and {} are one run in two versions or parts, [^\n]*; write the one that"
    )
    with pytest.raises(InputError, match=message.format(*map(re.escape, sorted(VERSIONS[kind])))):
        find(tmp_path, template_of(VERSIONS[kind][0]))


@pytest.mark.parametrize("entity", ["task", "run", "ses", "dir", "acq", "part", "day"])
def test_runs_that_differ_in_what_was_recorded_are_runs(entity: str, tmp_path: Path) -> None:
    names = [f"sub-1_{entity}-{value}_space-MNI_desc-clean_Atlas_MSMAll.npy" for value in (1, 2)]
    touch(tmp_path, *names)
    assert find(tmp_path, "sub-{subject}_*") == [("1", name) for name in names]


def test_people_may_be_named_as_versions_are(tmp_path: Path) -> None:
    names = ["label-clean.npy", "label-lh.npy", "label-raw.npy"]
    touch(tmp_path, *names)
    assert [subject for subject, _ in find(tmp_path, "label-{subject}.npy")] == ["clean", "lh", "raw"]


@pytest.mark.parametrize("template", ["sub-{subject}*.csv", "{subject}{run}.csv", "**/{subject}.csv"])
def test_fields_that_touch_are_refused(template: str, tmp_path: Path) -> None:
    touch(tmp_path, "sub-01.csv", "sub-02.csv", "a/sub-03.csv")
    with pytest.raises(InputError, match=r"^recordings\.files: \S+ in '.*', expected text between[^\n]*$"):
        find(tmp_path, template)


def test_hidden_files_are_no_runs_unless_the_template_says_so(tmp_path: Path) -> None:
    touch(tmp_path, "01.npy", "._01.npy", ".trash/02.npy", "a/03.npy", "a/._03.npy", "a/.~lock.03.npy")
    assert find(tmp_path, "{subject}.npy") == [("01", "01.npy")]
    assert find(tmp_path, "*/{subject}.npy") == [("03", "a/03.npy")]
    assert find(tmp_path, "._{subject}.npy") == [("01", "._01.npy")]


def test_files_with_another_use_are_no_runs(tmp_path: Path) -> None:
    touch(tmp_path, "ann.csv", "ann_sc.csv", "regions.csv", "bob.csv", "bob_sc.csv")
    runs = find_runs(tmp_path, "{subject}.csv", ["regions.csv", "{subject}_sc.csv"])
    assert [run.subject for run in runs] == ["ann", "bob"]
    with pytest.raises(InputError, match=r"finds nothing but what '\{subject\}\.csv' names too[^\n]*$"):
        find_runs(tmp_path, "{subject}.csv", ["{subject}.csv"])


RUNS = {
    "of a task": ("sub-01_task-rest_run-1.csv", "sub-01_task-rest_run-2.csv"),
    "of sessions": ("sub-01_ses-a_bold.csv", "sub-01_ses-b_bold.csv"),
    "without hyphens": ("ann_run1.csv", "ann_run2.csv"),
    "made in two ways": ("sub-01_desc-gsr.csv", "sub-01_desc-plain.csv"),
}


@pytest.mark.parametrize("kind", RUNS)
def test_runs_of_a_person_are_no_people(kind: str, tmp_path: Path) -> None:
    touch(tmp_path, *RUNS[kind])
    one, other = (name.removesuffix(".csv") for name in RUNS[kind])
    message = rf"^recordings\.files: {{subject}} is '{one}' and '{other}', one person's runs by name[^\n]*$"
    with pytest.raises(InputError, match=message):
        find_runs(tmp_path, "{subject}.csv")


def test_folders_of_people_beside_names_of_runs_are_no_runs_of_people(tmp_path: Path) -> None:
    touch(tmp_path, "01/run-1.csv", "01/run-2.csv", "02/run-1.csv")
    with pytest.raises(InputError, match=r"is 'run-1' and 'run-2', one person's runs by name"):
        find_runs(tmp_path, "*/{subject}.csv")


@pytest.mark.parametrize(
    "people", [["sub-01_task-rest", "sub-02_task-rest"], ["run1", "run2"], ["site-A_01", "site-A_02"]]
)
def test_people_may_be_named_with_what_all_did(people: list[str], tmp_path: Path) -> None:
    touch(tmp_path, *(f"{name}.csv" for name in people))
    assert [subject for subject, _ in find(tmp_path, "{subject}.csv")] == people
