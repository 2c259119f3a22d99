"""Answers of the project's own studies: one or two short sentences, of every study that has scores."""

import re
from pathlib import Path

import pytest

from stages.studies.planning.load import load_study
from stages.studies.schema import list_studies
from stages.studies.tables import report_path

ROOT = Path(__file__).parents[2]
LONGEST = 25  # words of a sentence


@pytest.mark.parametrize("name", list_studies(ROOT))
def test_a_study_that_ran_has_a_short_answer(name: str) -> None:
    answer = load_study(ROOT, name).answer
    assert bool(answer) == (ROOT / report_path(name, "scores")).is_file()
    sentences = re.split(r"(?<=[.;])\s+", answer)
    assert len(re.split(r"(?<=[.])\s+", answer)) <= 3
    assert all(len(sentence.split()) <= LONGEST for sentence in sentences)
