"""Files that a study is expanded to."""

from pathlib import Path

import pytest
from changed_params import write_yaml
from commands import own_studies
from small_studies import SIGMA, TABLES, USUAL, make_project, write_study

from stages.parameters.yaml_text import parse
from stages.studies.expand import expand
from stages.studies.rendering import render, require_expanded
from stages.studies.schema import DEFAULT, list_studies

ROOT = Path(__file__).parents[2]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path)


@pytest.mark.parametrize("name", own_studies())
def test_committed_files_are_those_of_the_study(name: str) -> None:
    for file, text in render(ROOT, name).items():
        assert (ROOT / "studies" / name / file).read_text() == text, "run `make expand`"


def test_the_two_that_dvc_runs_come_first() -> None:
    assert tuple(list_studies(ROOT)[:2]) == tuple(sorted(DEFAULT))


def test_an_expansion_of_another_text_is_refused_with_the_cure(root: Path) -> None:
    with pytest.raises(ValueError, match="cells.yaml is not what studies/own.yaml says now; .*expand own`"):
        require_expanded(root, "own")
    expand(root, "own")
    require_expanded(root, "own")
    write_yaml(root / "studies/own/dvc.yaml", {"stages": {}})  # as where a replay freezes some
    require_expanded(root, "own")
    before = (root / "studies/own/cells.yaml").stat().st_mtime_ns
    expand(root, "own")
    assert (root / "studies/own/cells.yaml").stat().st_mtime_ns == before  # left alone where nothing changed
    write_yaml(root / "studies/own.yaml", USUAL | {"axis": SIGMA})
    with pytest.raises(ValueError, match="is not what"):
        require_expanded(root, "own")


def test_cells_are_checked_at_the_scale_that_is_asked_for(root: Path) -> None:
    write_study(root, {"scales.paper.network.model.heads": 7})
    expand(root, "own")
    with pytest.raises(ValueError, match=r"network-learned: scales\.paper\.network\.model: .* its 7 heads"):
        expand(root, "own", "paper")


def test_a_stage_trains_a_cell_of_the_group_with_its_own_encoding_alone(root: Path) -> None:
    write_study(root, {}, axis=SIGMA, set={"network.nodes": 9}, seeds=2, seeds_apart=True)
    files = render(root, "own")
    assert list(parse(files["dvc.yaml"])["stages"]) == ["gather", "conclude"]
    stages = parse(files["cells/dvc.yaml"])["stages"]
    assert list(stages) == ["code", "make_network", "train_network", "score_network", "floors_network"]
    train = stages["train_network"]
    assert train["foreach"] == "${cells.network}" and "${item.data}" in train["do"]["deps"]
    assert "data/studies/own/code/${item.scheme}.txt" in train["do"]["deps"]
    assert "stages/encodings/learned.py" in stages["code"]["deps"]
    assert stages["score_network"]["do"]["outs"] == [{"data/scores/own/${key}.csv": {"cache": False}}]
    assert stages["make_network"]["foreach"] == ["network-learned-0_2-0"]


def test_fetched_tables_are_a_stage_each_and_measured_as_one(root: Path) -> None:
    write_yaml(root / "studies/own.yaml", TABLES)
    files = {name: parse(text) for name, text in render(root, "own").items()}
    assert files["cells.yaml"]["cells"] == {} and list(files["cells.yaml"]["tables"]) == ["one", "other"]
    stages = files["dvc.yaml"]["stages"]
    assert list(stages) == ["fetch", "measure", "conclude"]
    assert stages["fetch"]["do"]["meta"] == {"needs": "internet"}
    assert {f"data/studies/own/tables/{name}.npy" for name in ("one", "other")} <= {
        *stages["measure"]["deps"]
    }
    assert "reports/studies/own/maps.npz" in stages["conclude"]["deps"]
