from stages.core.settings.errors import one_of


def test_the_nearest_name_is_expected_else_any() -> None:
    tasks = ["grid", "network", "words"]
    assert one_of("gird", tasks) == "grid"
    assert one_of("maze", tasks) == "one of grid, network, words"
