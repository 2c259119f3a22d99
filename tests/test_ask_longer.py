from pathlib import Path

from stages import ask_longer
from stages.files.artifacts import read_csv
from stages.parameters import params


def test_every_configuration_is_asked_or_refused_with_the_reason(analysed: Path) -> None:
    rows = read_csv(analysed / ask_longer.TABLE)
    assert list(rows.columns) == ask_longer.COLUMNS and set(rows.tokens) == {16}
    asked, refused = rows[rows.refused.isna()], rows[rows.refused.notna()]
    for task in ("probe", "identification", "even_tokens"):
        assert set(asked[asked.task == task].encoding) == {"none", "sinusoidal_nd"}
        assert set(refused[refused.task == task].encoding) == {"focus", "learned_s020", "learned_s200"}
    assert (
        refused.refused.str.startswith("its tables are those of 8 tokens").all()
        and refused.value.isna().all()
    )
    assert set(asked[asked.metric == "accuracy_beyond"].task) == {"even_tokens"}
    assert (
        asked.value.between(0, 1).all() and (asked.groupby(["task", "encoding", "metric"]).size() == 2).all()
    )


def test_twice_as_many_tokens_of_one_task(analysed: Path) -> None:
    settings = params.load(analysed / "params.yaml")
    longer = ask_longer.lengthen(settings, "probe")
    assert longer.sizes("probe").data == {"tokens": 16} and settings.sizes("probe").data == {"tokens": 8}
    assert longer.sizes("identification") == settings.sizes("identification")
