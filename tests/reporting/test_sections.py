from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from changed_params import write_yaml
from reported_project import make_project
from small_studies import TABLES, make_scores

from stages.files.artifacts import read_csv, write_csv
from stages.parameters.yaml_text import parse
from stages.reporting import sections
from stages.reporting.sections import count_of, count_verdicts, read_section, write_value
from stages.studies.judging.compare import find_differences
from stages.studies.planning.load import load_study
from stages.studies.tables import report_path


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("project"))


def test_a_claim_shows_its_weakest_test(project: Path) -> None:
    better, unasked = read_section(project, "sigma", "studies/sigma/").claims
    assert better.verdict == "holds" and len(better.tests) == 2 and better.weakest
    assert better.weakest["sum"] == "0.60 − 0.00 = 0.60"  # its interval is wider beside it
    assert better.weakest["task"] == "Latin-square puzzles"
    assert (better.weakest["a"], better.weakest["b"]) == ("learned σ 0.2", "learned σ 2")
    assert better.weakest["p"] == "0.12" and better.q == "0.12"  # 1 / 8: three seeds, on one side
    assert unasked.verdict == "not run" and unasked.weakest and unasked.weakest["sum"] == ""


def test_claims_that_ran_are_counted(project: Path) -> None:
    sections_of = [read_section(project, name) for name in ("sigma", "published")]
    counted = (
        "Of 1 claims stated before, 1 hold, 0 are open and 0 opposed. "
        "Of 0 written after a look, 0 hold, 0 are open and 0 opposed."
    )
    assert count_verdicts(sections_of) == counted
    assert count_of("ours", sections_of) == (
        "Of 1 that ours et al. make, as tested here, 1 hold, 0 are open and 0 opposed."
    )
    assert count_of("Ito", sections_of).startswith("Of 0 that Ito et al. make")


def test_differences_are_in_words(project: Path) -> None:
    section = read_section(project, "sigma")
    assert [row["metric"] for row in section.differences] == ["validation accuracy", "alignment"]
    assert section.tables == {"verdicts": 3, "differences": 2, "scores": 18}


def test_rows_of_fetched_tables_are_in_words_without_a_task(tmp_path: Path) -> None:
    write_yaml(
        tmp_path / "studies/own.yaml", TABLES | {"compare": {"x": {"pairs": [["one", "one_shuffled"]]}}}
    )
    study = load_study(tmp_path, "own")
    values = {("one", "index"): [1.0, 2.0], ("one_shuffled", "index"): [3.0, 5.0]}
    write_csv(
        tmp_path / report_path("own", "differences"), find_differences(study, make_scores(values, task=""))
    )
    (row,) = read_section(tmp_path, "own").differences
    assert (row["task"], row["metric"], row["a"]) == ("table", "position error", "one on the line")
    assert row["sum"].endswith("= −2.50")


def test_a_study_that_did_not_run_still_claims(project: Path) -> None:
    section = read_section(project, "published")
    assert not section.ran and {one.verdict for one in section.claims} == {"not run"}


def test_a_verdict_is_of_the_sentence_it_was_made_for(tmp_path: Path) -> None:
    path = make_project(tmp_path) / "reports/studies/sigma/verdicts.csv"
    write_csv(path, read_csv(path).replace("Small is better.", "Large is better."))
    assert read_section(tmp_path, "sigma").claims[0].verdict == "not run"


OTHER_TESTS: list[dict[str, str] | None] = [
    {"expect": "worse"},
    {"b": "none"},
    {"a": "learned@2", "b": "none"},
    {"a": "learned@2", "b": "learned@0.2"},
    {"metric": "train"},
    None,
]


@pytest.mark.parametrize("changes", OTHER_TESTS)
def test_a_verdict_is_of_the_tests_it_was_made_of(tmp_path: Path, changes: dict[str, str] | None) -> None:
    path = make_project(tmp_path) / "studies/sigma.yaml"
    values = parse(path.read_text())
    test, alignment = values["claims"]["better"]["tests"]
    tests = [test] if changes is None else [test | changes, alignment]
    values["claims"]["better"]["tests"] = tests
    write_yaml(path, values)
    better, unasked = read_section(tmp_path, "sigma").claims
    assert better.verdict == "not run" and not better.tests and unasked.tests


def test_long_tables_are_cut(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "SHOWN", 1)
    section = read_section(project, "sigma")
    assert len(section.differences) == 1 and section.tables["differences"] == 2


def test_values_of_set_are_written_in_words() -> None:
    factor = {"times": 2, "of": "training.learning_rate"}
    assert write_value({"times": 2}) == "2 times usual"
    assert write_value({"grid": 24, "network": factor}) == "grid 24, network 2 times training.learning_rate"


def test_what_a_study_sets_is_shown_with_the_cells_that_it_is_of(project: Path) -> None:
    section = read_section(project, "sigma")
    twice, one = {"training.epochs": {"times": 2}}, {"model.heads": 1, "training.settled_loss": None}
    cells: dict[str, dict[str, Any]] = {
        "random": {"set": twice | one},
        "alibi": {"set": twice},
        "learned": {},
    }
    study = replace(section.study, seeds=4, set={"model.heads": 2, "training.clip": None}, cells=cells)
    assert replace(section, study=study).settings == {
        "seeds": "4",
        "model.heads": "2, 1 (random, untrained)",
        "training.clip": "none",
        "training.epochs": "2 times usual (random, untrained; ALiBi)",
        "training.settled_loss": "none (random, untrained)",
    }
