from pathlib import Path

import pytest
from tiny_project import made

from stages.reviewing.pipeline import Stage, named, outdated, stages

STAGES = [Stage(name, "true", (), ()) for name in ("train@grid", "train@network", "render")]


def names(found: list[Stage]) -> list[str]:
    return [stage.name for stage in found]


def test_named_alone_by_group_or_all() -> None:
    assert names(named(STAGES, ["render"])) == ["render"]
    assert names(named(STAGES, ["render", "train"])) == ["train@grid", "train@network", "render"]
    assert named(STAGES, []) == STAGES


def test_stages_of_another_file_run_only_by_name() -> None:
    other = Stage("stages/transplants/dvc.yaml:transplant@a", "true", (), ())
    assert named([*STAGES, other], []) == STAGES
    assert named([*STAGES, other], ["transplant"]) == [other]


def test_an_unknown_name_says_what_is_near() -> None:
    with pytest.raises(ValueError, match=r"'train@gird' given.*train@grid"):
        named(STAGES, ["train@gird"])


def test_stages_behind_what_they_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(made(tmp_path))  # dvc names stages as seen from there
    found = stages(tmp_path)
    assert names(found) == ["numbers", "shares@half", "shares@tenth"]
    assert found[1] == Stage(
        "shares@half",
        "python code/shares.py half",
        ("code/shares.py", "data/made", "data/reference/of.csv"),
        ("reports/tables/half.csv",),
    )
    assert outdated(tmp_path, found) == []
    parameters = (tmp_path / "params.yaml").read_text()
    (tmp_path / "params.yaml").write_text(parameters.replace("order: 4", "order: 5"))
    assert outdated(tmp_path, found) == ["shares@half", "shares@tenth"]
    (tmp_path / "params.yaml").write_text(parameters)
    (tmp_path / "data/reference/of.csv").write_text("2.0")
    assert outdated(tmp_path, found) == ["shares@half", "shares@tenth"]
    (tmp_path / "data/reference/of.csv").unlink()  # gone, which is not newer
    assert outdated(tmp_path, found) == []


def test_every_stage_of_this_project_follows_its_inputs() -> None:
    made_by: dict[str, str] = {}
    found = stages(Path(__file__).parents[2])
    assert len(found) > 20
    outs = {out for stage in found for out in stage.outs}
    for stage in found:
        for dep in stage.deps:
            inside = {out for out in outs if Path(out).is_relative_to(dep)}
            assert inside <= set(made_by), f"{stage.name} before what it reads"
        made_by |= dict.fromkeys(stage.outs, stage.name)
