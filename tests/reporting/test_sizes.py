from changed_params import ROOT

from stages.parameters import params
from stages.reporting.sizes import list_sizes


def test_every_task_has_its_sizes() -> None:
    settings = params.load(ROOT / params.FILE)
    rows = {(row["scale"], row["task"]): row for row in list_sizes(ROOT, settings)}
    usual = rows[settings.scale, "grid"]
    assert (settings.scale, "probe") in rows and usual["epochs"] == settings.training("grid").epochs
    assert usual["loss"] == "cross-entropy" and rows["paper", "grid"]["width"] == 160
    assert rows[settings.scale, "network"]["loss"] == "mean squared error of hidden tokens"
