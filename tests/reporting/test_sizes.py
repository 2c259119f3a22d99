from changed_params import ROOT

from stages.parameters import params
from stages.reporting.sizes import list_sizes


def test_every_task_has_its_sizes() -> None:
    settings = params.load(ROOT / params.FILE)
    rows = {row["task"]: row for row in list_sizes(ROOT, settings)}
    assert {"grid", "probe"} < set(rows) and rows["grid"]["epochs"] == settings.training("grid").epochs
