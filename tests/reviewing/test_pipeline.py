import shutil
from pathlib import Path

import pytest

from stages.reviewing.pipeline import Stage, list_outdated, list_stages, select

GRID, PROBE = "stages/tasks/grid/dvc.yaml", "stages/tasks/probe/dvc.yaml"
NAMES = [f"{GRID}:train@a", f"{GRID}:train@b", f"{PROBE}:train@a", "render"]
NAMES.append("stages/transplants/dvc.yaml:transplant@a")
STAGES = [Stage(name, "true", (), ()) for name in NAMES]


def test_a_plain_run_is_the_root_s_stages_and_the_tasks() -> None:
    assert select(STAGES, []) == STAGES[:4]


@pytest.mark.parametrize(
    ("given", "numbers"),
    [
        (["render"], [3]),
        (["render", "train"], [0, 1, 2, 3]),
        (["train@a"], [0, 2]),
        (["grid:train"], [0, 1]),
        (["grid:train@b"], [1]),
        ([f"{GRID}:train@b"], [1]),
        (["transplant"], [4]),
    ],
)
def test_stages_by_name(given: list[str], numbers: list[int]) -> None:
    assert select(STAGES, given) == [STAGES[number] for number in numbers]


def test_an_unknown_name_says_what_is_near() -> None:
    with pytest.raises(ValueError, match=r"'grid:trian@a' given.*grid:train@a"):
        select(STAGES, ["grid:trian@a"])


def test_stages_behind_what_they_read(project: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(project, tmp_path / "copy"))
    stages = select(list_stages(copy), [])
    names, other = [stage.name for stage in stages], "stages/tasks/grid/dvc.yaml:vary"
    assert other in names  # wherever, for it reads of no other
    names.remove(other)
    assert names == ["generate", "train@grid", "train@network", "evaluate"]
    assert next(stage for stage in stages if stage.name == "train@grid") == Stage(
        "train@grid",
        "python make.py data/models/grid/focus/weights.bin data/models/grid/focus/scores.csv",
        ("make.py", "data/numbers.bin"),
        ("data/models/grid/focus",),
        ("generate",),
    )
    assert list_outdated(copy, stages) == []
    parameters = (copy / "params.yaml").read_text()
    (copy / "params.yaml").write_text(parameters.replace("order: 4", "order: 5"))
    assert list_outdated(copy, stages) == ["evaluate"]
    (copy / "params.yaml").write_text(parameters)
    (copy / "data/numbers.bin").write_text("2.0")
    assert list_outdated(copy, stages) == ["train@grid", "train@network"]
    (copy / "data/numbers.bin").unlink()  # gone, which is not newer
    assert list_outdated(copy, stages) == []
