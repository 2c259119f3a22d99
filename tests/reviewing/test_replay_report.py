import pytest

from stages.reporting.page import page
from stages.reviewing.comparison import Compared, Outcome
from stages.reviewing.deviation import Deviation, not_comparable
from stages.reviewing.replay_report import build_sections, format_lines, state_verdict

SAME = Compared("evaluate", "data/scores/Grid_a.csv", Outcome.IDENTICAL)
ABSENT = Compared("train", "data/w.npz", Outcome.NOT_MEASURED, why="no artifact here")
OTHER = Compared(
    *("analyse", "reports/a<b.csv", Outcome.DIFFERENT, "value: 2.5e-01, relative 5.0e-01"),
    [Deviation("value", 0.25, 0.5), not_comparable("x", "s")],
)


@pytest.mark.parametrize(
    ("compared", "said"),
    [
        ([SAME, SAME, ABSENT], "reproduced: 2 identical, 1 not measured"),
        ([ABSENT], "nothing to compare with: 1 not measured"),
        (
            [SAME, OTHER, OTHER],
            "not reproduced: reports/a<b.csv (value: 2.5e-01, relative 5.0e-01), and 1 more; "
            "1 identical, 2 different",
        ),
    ],
)
def test_verdict(compared: list[Compared], said: str) -> None:
    assert state_verdict(compared) == said


def test_a_line_for_each_file() -> None:
    assert [line[0] for line in format_lines([SAME, ABSENT, OTHER])] == ["\u2713", "?", "\u2717"]
    assert format_lines([ABSENT])[0].endswith("no artifact here")


def test_the_page_has_every_deviation_the_worst_first_and_escapes() -> None:
    sections = build_sections([SAME, OTHER], [("versions.torch", "2.11", "2.12")], ["A note."])
    html = page("Replay", "", sections)
    assert html.index("\u2717 different") < html.index("\u2713 identical")
    assert "<b.csv" not in html and ">2.12" in html and "A note." in html
    assert ">0.500" in html and "Nothing that is recorded." not in html
    assert "Nothing that is recorded." in page("Replay", "", build_sections([SAME], [], []))
