import pytest

from stages.files.names import clean_name, find_twins


@pytest.mark.parametrize("name", ["R\u00e9gion", "Re\u0301gion", " R\u00e9gion\t", "R\u00e9gion\u00a0"])
def test_a_name_is_written_in_one_way(name: str) -> None:
    assert clean_name(name) == "R\u00e9gion"


@pytest.mark.parametrize("twin", ["visual", "VISUAL", "Visual "])
def test_names_that_differ_by_case_or_blanks_alone_are_twins(twin: str) -> None:
    assert set(find_twins(["Limbic", twin, "Visual", "Visual"]) or ()) == {"Visual", twin}
    assert find_twins(["Visual", "Visual", "Visual1"]) is None
