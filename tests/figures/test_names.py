import pytest
from made_studies import make_study

from stages.figures import names
from stages.studies.schema import Axis, Figure


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("exchanged", "shuffled"),
        ("none", "no encoding"),
        ("learned_s020", "learned σ 0.2"),
        ("s200", "σ 2"),
        ("rate_x03", "rate ×0.3"),
        ("readout_x10", "readout ×10"),
        ("half_width", "half width"),
        ("rope_causal_l2", "RoPE, causal, l2"),
        ("rope_nd_wide", "RoPE over coordinates, wide"),
        ("nonesuch", "nonesuch"),
        ("floor_gaussian", "Gaussian baseline"),
        ("floor_other", "other"),
    ],
)
def test_cells_have_names_for_people(cell: str, words: str) -> None:
    assert names.name_cell(cell) == words


def test_sides_name_the_axis() -> None:
    study = make_study(Figure("rows"))
    assert names.name_side(study, "learned", "0.2") == "learned σ 0.2"
    assert names.name_side(study, "random", "") == "random, untrained σ 0.2"  # its own
    assert names.name_side(study, "sinusoidal_nd", "") == "fixed sinusoid"
    by_task = make_study(Figure("rows"), cells={"own": {"scheme": "learned", "init_std": {"network": 0.2}}})
    assert names.name_side(by_task, "own", "") == "own"  # each task has another
    hidden = make_study(Figure("rows"), axis=Axis(of="recordings.mask_fraction", values=[0.5]))
    assert names.name_side(hidden, "own", "0.5") == "own mask fraction 0.5"
    settings = make_study(Figure("rows"), axis=Axis(settings={"heads_2": {}}))
    assert names.name_side(settings, "", "heads_2") == "heads 2"
    assert names.name_side(settings, "s020", "heads_2") == "σ 0.2, heads 2"
    assert names.name_side(settings, "s020", "tenth") == "σ 0.2, ×0.1"
    own = {f"{kind}tenth": {"scheme": "learned", "init_std": 0.1} for kind in ("", "random_")}
    by_sigma = make_study(Figure("rows"), axis=Axis(settings={"heads_2": {}}), cells=own)
    assert names.name_side(by_sigma, "tenth", "") == "σ 0.1"
    assert names.name_side(by_sigma, "random_tenth", "") == "random, untrained, σ 0.1"


@pytest.mark.parametrize(
    ("task", "metric", "words", "better"),
    [
        ("grid", "score", "validation accuracy", "higher is better"),
        ("network", "train", "training masked error", "lower is better"),
        ("network", "test/mse", "test masked error", ""),
        ("network", "validation/new", "validation error on new pairs", "lower is better"),
        ("grid", "validation/seen", "validation accuracy on seen pairs", "higher is better"),
        ("grid", "tables/content_accuracy", "content accuracy", ""),
        ("grid", "attention/auc_same_line", "AUC same line", ""),
        ("", "score", "position error", "lower is better"),
    ],
)
def test_metrics_have_names_and_scores_a_better_end(task: str, metric: str, words: str, better: str) -> None:
    assert names.name_metric(task, metric) == words
    assert names.say_better(task, metric) == better


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        *(("kerple", "KERPLE"), ("sandwich", "Sandwich"), ("tape", "tAPE"), ("erpe", "eRPE")),
        *(
            ("rope_scaled", "scaled RoPE"),
            ("fope", "FoPE"),
            ("tupe", "TUPE"),
            ("rope_nd", "RoPE over coordinates"),
        ),
    ],
)
def test_encodings_have_the_names_of_their_papers(cell: str, name: str) -> None:
    assert names.name_cell(cell) == name
