from stages.figures import groups
from stages.figures.style import GREY


def test_larger_groups_have_the_first_colours_and_tokens_alone_none() -> None:
    colours = groups.assign_colours(["b", "a", "a", "b", "a", "region 3"])
    assert colours == {"a": groups.COLOURS[0], "b": groups.COLOURS[1], "region 3": GREY}
    many = groups.assign_colours([f"group {number:02d}" for number in range(9)] * 2)
    assert list(many.values()).count(GREY) == 9 - len(groups.COLOURS)
