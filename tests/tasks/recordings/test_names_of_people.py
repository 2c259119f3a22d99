import pytest

from stages.tasks.recordings.names import say_runs


@pytest.mark.parametrize(
    ("people", "start"),
    [
        (["ann_1", "ann_2", "bob_1"], "ann"),
        (["OAS_01_MR1", "OAS_01_MR2", "OAS_02_MR1", "OAS_02_MR2"], "OAS_01"),
        (["ctl-01", "pat-01", "pat-02"], "pat"),
        (["NAP_001", "NAP_002", "101309"], None),
        (["CMU_a_50642", "CMU_a_50643", "Pitt_50003"], None),
    ],
)
def test_names_that_may_be_runs_are_said(
    people: list[str], start: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    say_runs(people)
    said = capsys.readouterr().out
    assert said.count("\n") == bool(start) and (not start or f"people begin with '{start}', 2 end" in said)


@pytest.mark.parametrize(
    ("people", "start"),
    [
        (["103818", "103818_Retest", "105923"], "103818"),
        (["sub01a", "sub01b", "sub02a"], "sub01"),
        (["01post", "01pre", "02post"], "01"),
        (["sub-07", "sub-07-ses2"], "sub-07"),
        (["sub01", "sub02", "ctl_01", "S1_101", "S1_102"], None),
    ],
)
def test_letters_behind_one_number_are_said(
    people: list[str], start: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    say_runs(people)
    said = capsys.readouterr().out
    assert said.count("\n") == bool(start) and (
        not start or f"2 people begin with '{start}' and differ" in said
    )
