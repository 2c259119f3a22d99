import shutil
from pathlib import Path

import pytest

from stages.reviewing.pipeline import Stage, list_outdated, list_stages, select

GRID, OTHERS = "stages/tasks/grid/dvc.yaml", "stages/transplants/dvc.yaml"
STAGES = {
    name: Stage(name, "true", (), ())
    for name in (f"{GRID}:train@a", f"{GRID}:train@b", "stages/tasks/probe/dvc.yaml:train@a", "render")
}
TRANSPLANT = Stage(f"{OTHERS}:transplant@a", "true", (), ())


def names(stages: list[Stage]) -> list[str]:
    return [stage.name for stage in stages]


def test_a_plain_run_is_the_root_s_stages_and_the_tasks() -> None:
    assert names(select([*STAGES.values(), TRANSPLANT], [])) == list(STAGES)


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
    stages = [*STAGES.values(), TRANSPLANT]
    assert select(stages, given) == [stages[number] for number in numbers]


def test_an_unknown_name_says_what_is_near() -> None:
    with pytest.raises(ValueError, match=r"'grid:trian@a' given.*grid:train@a"):
        select(list(STAGES.values()), ["grid:trian@a"])


def test_stages_behind_what_they_read(project: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(project, tmp_path / "copy"))
    stages = select(list_stages(copy), [])
    other = "stages/tasks/grid/dvc.yaml:vary"
    assert sorted(names(stages)) == ["evaluate", "generate", other, "train@grid", "train@network"]
    assert [name for name in names(stages) if name != other] == [
        *("generate", "train@grid", "train@network", "evaluate")
    ]
    assert stages[names(stages).index("train@grid")] == Stage(
        "train@grid",
        "python make.py data/models/grid/focus/weights.bin data/models/grid/focus/scores.csv",
        ("make.py", "data/numbers.bin"),
        ("data/models/grid/focus",),
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


def test_every_stage_of_this_project_follows_its_inputs() -> None:
    stages = list_stages(Path(__file__).parents[2])
    assert any(stage.name.startswith("stages/") for stage in stages)
    outs = {out for stage in stages for out in stage.outs}
    written: set[str] = set()
    for stage in stages:
        for dep in stage.deps:
            inside = {out for out in outs if Path(out).is_relative_to(dep)}
            assert inside <= written, f"{stage.name} before what it reads"
        written |= set(stage.outs)
