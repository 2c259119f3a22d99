"""dvc.lock without a YAML library, against one; and what publishing takes for granted about dvc.yaml."""

from pathlib import Path

import pytest
import yaml
from dvc.repo import Repo

from stages.reviewing import records

ROOT = Path(__file__).parents[2]


def test_the_same_as_a_yaml_library() -> None:
    for path in records.list_locks(ROOT):
        stages = yaml.load(path.read_text(), yaml.CSafeLoader)["stages"].values()
        expected = {
            out["path"]: (out["md5"], out["size"]) for stage in stages for out in stage.get("outs", [])
        }
        assert records.read_outputs(path) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("schema: '2.0'", "schema: '1.0'"),
        ("    - path: a", "    - pith: a"),
        ("    - path: a", "    - path: 'a: b'"),
        ("      md5: ", "      md6: "),
        ("      md5: 0", "      md5: g"),
        ("      size: ", "      seize: "),
        (f"      md5: {'0' * 32}\n", ""),
    ],
)
def test_an_output_as_dvc_would_not_write_it(tmp_path: Path, old: str, new: str) -> None:
    content = (
        "schema: '2.0'\nstages:\n  s:\n    cmd: c\n      folded\n    outs:\n    - path: a\n      hash: md5\n"
    )
    content += f"      md5: {'0' * 32}\n      size: 1\n"
    path = tmp_path / "dvc.lock"
    path.write_text(content)
    assert records.read_outputs(path) == {"a": ("0" * 32, 1)}
    path.write_text(content.replace(old, new))
    with pytest.raises(ValueError, match=r"dvc\.lock: not as dvc writes it: \S"):
        records.read_outputs(path)


def test_git_holds_reports_and_dvc_the_rest_and_artifacts_are_outputs() -> None:
    repo = Repo(str(ROOT))
    for out in repo.index.outs:
        assert out.def_path.split("/")[0] in records.FOLDERS
        assert out.use_cache != out.def_path.startswith(records.IN_GIT), out.def_path
    (artifacts,) = repo.artifacts.read().values()
    assert {artifact.path for artifact in artifacts.values()} <= {out.def_path for out in repo.index.outs}
    assert "grid-focus" in artifacts  # as the README says
