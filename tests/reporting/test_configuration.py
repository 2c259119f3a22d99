from dataclasses import replace

from a_report import inputs

from stages.reporting import configuration


def test_the_scale_stands_beside_the_published_one() -> None:
    section = configuration.section(inputs())
    scale, focus = section.paragraphs
    assert scale.startswith("Scale small is not the published size")
    assert "focus, given as scheme: learned" in focus and focus.endswith("2 on grid.")
    small, paper = section.tables[0].cells()
    assert small[:9] == ["grid", "small", "8", "24", "128", "0.0020", "64", "2", "1"]
    assert paper[:4] == ["grid", "paper", "15", "200"]
    assert small[9] == "3000 puzzles per complexity, 36 validation per complexity"


def test_the_published_scale_stands_alone() -> None:
    known = inputs()
    section = configuration.section(replace(known, settings=replace(known.settings, scale="paper")))
    assert section.paragraphs[0] == "Scale: paper, root seed 0." and len(section.tables[0].frame) == 1
