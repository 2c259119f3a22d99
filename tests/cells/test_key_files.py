from pathlib import Path

from small_studies import cell_of

from stages.cells.key_files import compare, digest_key, read_key, write_key
from stages.cells.keys import key_of_cell


def test_a_key_is_read_as_it_was_written(tmp_path: Path) -> None:
    key = key_of_cell(cell_of("network", {}), {}, {})
    assert read_key(tmp_path) is None
    write_key(tmp_path, key)
    found = read_key(tmp_path)
    assert found is not None and digest_key(found) == digest_key(key)
    (tmp_path / "key.json").write_text("{")
    assert read_key(tmp_path) is None


def test_what_differs_is_said_by_its_place() -> None:
    made = {"seed": 0, "training": {"epochs": 2}, "code": {"a.py": "0" * 64}}
    wanted = {"seed": 0, "training": {"epochs": 3}, "code": {"a.py": "1" * 64, "b.py": "2"}}
    assert list(compare(made, made)) == []
    assert list(compare(made, wanted)) == [
        "training.epochs: 2 when it was made, 3 now",
        "code.a.py: 000000000000... when it was made, 111111111111... now",
        "code.b.py: absent when it was made, 2 now",
    ]
