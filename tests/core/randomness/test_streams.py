from stages.core.randomness.streams import generator


def draw(*names: str | int, seed: int = 0) -> list[float]:
    drawn: list[float] = generator(seed, *names).random(3).tolist()
    return drawn


def test_a_stream_is_its_name_s_alone() -> None:
    assert draw("grid", 1, "weights") == draw("grid", 1, "weights")
    others = [draw("grid", 2, "weights"), draw("grid", 1, "order"), draw("grid", 1, "weights", seed=1)]
    assert all(draw("grid", 1, "weights") != other for other in others)


def test_names_are_not_run_together() -> None:
    assert draw("a", "bc") != draw("ab", "c")


def test_streams_are_pinned_across_versions() -> None:
    assert draw("grid", "squares") == [0.1454264174964064, 0.8720493893551774, 0.90501298767713]
