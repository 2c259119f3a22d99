"""A parameter that a task reads to train but does not name is told before cells that miss it are made."""

from pathlib import Path
from typing import Any

import pytest
from changed_params import write_params
from small_studies import cells_of

from stages.cells import task_reads
from stages.core.settings.errors import InputError
from stages.data import make
from stages.tasks.interface import load_task
from stages.tasks.network.facts import Settings

CELLS = cells_of(cells={"a": {"scheme": "none"}})


@pytest.mark.parametrize("read", ["gain", "dt_s", "mask_fraction"])
def test_a_parameter_that_no_key_names_is_refused(
    read: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(name: str, settings: Any, *more: Any) -> Any:
        assert getattr(settings.section("network", Settings), read) > 0
        return load_task(name, settings, *more)

    write_params(tmp_path, {})
    make(tmp_path, "network")
    task_reads.check_task_reads(tmp_path, CELLS, CELLS)
    monkeypatch.setattr("stages.cells.task_reads.load_task", load)
    if read == "mask_fraction":
        task_reads.check_task_reads(tmp_path, CELLS, CELLS)
        return
    with pytest.raises(
        InputError, match=rf"^network-a: load in stages/tasks/network/task.py reads network.{read},"
    ):
        task_reads.check_task_reads(tmp_path, CELLS, CELLS)
