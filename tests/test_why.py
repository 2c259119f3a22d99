from pathlib import Path

import pytest
from changed_params import write_params
from small_studies import write_study

from stages.core.settings.errors import InputError
from stages.train import train
from stages.why import why


def test_a_cell_says_why_it_would_be_trained_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_study(tmp_path, {}, tasks=["probe"])
    why(tmp_path, "own", "probe-learned")
    train(tmp_path, "own")
    why(tmp_path, "own", "probe-learned")
    write_params(tmp_path, {"seed": 7})
    why(tmp_path, "own", "probe-learned")
    said = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("own: ")]
    assert said == [
        "probe-learned was not made yet",
        "probe-learned is up to date",
        "seed: 0 when it was made, 7 now",
    ]
    with pytest.raises(InputError, match="study own has no cell 'probe-lerned'; expected probe-learned"):
        why(tmp_path, "own", "probe-lerned")
