from changed_params import ROOT

from stages.parameters import params
from stages.reporting.sizes import list_sizes
from stages.studies.planning.load import load_study
from stages.studies.schema import list_studies


def test_every_task_has_its_sizes() -> None:
    settings = params.load(ROOT / params.FILE)
    studies = [load_study(ROOT, name) for name in list_studies(ROOT)]
    rows = {(row["scale"], row["task"]): row for row in list_sizes(studies, settings)}
    usual = rows[settings.scale, "grid"]
    assert (settings.scale, "probe") in rows and usual["epochs"] == settings.training("grid").epochs
    assert usual["loss"] == "cross-entropy" and rows["paper", "grid"]["width"] == 160
    assert rows[settings.scale, "network"]["loss"] == "mean squared error of hidden tokens"
