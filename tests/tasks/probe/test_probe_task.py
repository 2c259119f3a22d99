import torch
from changed_params import change_settings

from stages.core.randomness.streams import Replicates
from stages.tasks.probe.task import Probe, load

STREAMS = Replicates(0, "probe", range(3))
PROBE = Probe(4, torch.device("cpu"))


def test_the_one_example_is_equal_tokens_that_name_their_places() -> None:
    (batch,) = PROBE.epoch(STREAMS, 1, 8)
    assert batch.inputs.tolist() == [[[1, 1, 1, 1]]] * 3
    assert batch.targets.tolist() == [[[0, 1, 2, 3]]] * 3
    (evaluated,) = PROBE.evaluation("train", 8)
    assert evaluated.inputs.tolist() == [[[1, 1, 1, 1]]]
    assert not list(PROBE.epoch(STREAMS, 1, 8, start=1))


def test_the_scale_decides_the_number_of_tokens() -> None:
    settings = change_settings({"scales.smoke.probe.data.tokens": 5})
    assert load(settings, {}, torch.device("cpu")).positions.n_tokens == 5
