import numpy as np

from stages.randomness.streams import Replicates, generator


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


def test_a_replicate_does_not_depend_on_its_neighbours() -> None:
    together = Replicates(0, "grid", [0, 1, 2]).generators("epoch", 5)
    alone = Replicates(0, "grid", [2]).generators("epoch", 5)
    assert np.array_equal(together[2].random(4), alone[0].random(4))
