"""dvc.lock without a YAML library, against a YAML library."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from stages.reviewing import lock

ROOT = Path(__file__).parents[2]


def test_the_same_as_a_yaml_library() -> None:
    read = lock.read(ROOT / "dvc.lock")
    expected: dict[str, Any] = yaml.load((ROOT / "dvc.lock").read_text(), yaml.CSafeLoader)["stages"]
    assert list(read) == list(expected)
    for name, stage in expected.items():
        assert read[name].cmd == stage["cmd"]
        for part in ("deps", "outs"):
            entries = [(entry.path, entry.md5) for entry in getattr(read[name], part)]
            assert entries == [(entry["path"], entry["md5"]) for entry in stage.get(part, [])]


def test_long_commands_and_odd_names(tmp_path: Path) -> None:
    """As ruamel writes them: folded after 80 columns, quoted where YAML needs it."""
    words = "python -m stages.train " + " ".join(f"--option{i} value" for i in range(20))
    path = "data/it's #1: a: b.csv"
    out = {"path": path, "hash": "md5", "md5": "0" * 32, "size": 1}
    content = {"schema": "2.0", "stages": {"a@b-c": {"cmd": words, "outs": [out]}}}
    (tmp_path / "dvc.lock").write_text(yaml.safe_dump(content, sort_keys=False))
    stage = lock.read(tmp_path / "dvc.lock")["a@b-c"]
    assert (stage.cmd, stage.outs[0].path) == (words, path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("schema: '2.0'", "schema: '1.0'"),
        ("    outs:", "    puts:"),
        ("    - path: a", "    - pith: a"),
        ("      md5: ", "      md6: "),
        ("      md5: 0", "      md5: g"),
        ("      size: ", "      seize: "),
        (f"      md5: {'0' * 32}\n", ""),
    ],
)
def test_a_line_that_dvc_would_not_write(tmp_path: Path, old: str, new: str) -> None:
    content = "schema: '2.0'\nstages:\n  s:\n    cmd: c\n    outs:\n    - path: a\n      hash: md5\n"
    content += f"      md5: {'0' * 32}\n      size: 1\n"
    path = tmp_path / "dvc.lock"
    path.write_text(content)
    assert lock.read(path)["s"].outs == [lock.Entry("a", "0" * 32)]
    path.write_text(content.replace(old, new))
    with pytest.raises(ValueError, match="dvc.lock"):
        lock.read(path)
