"""A trained model, made again for longer windows."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from made_windows import TOKENS, WINDOWS, make_windows
from numpy.typing import NDArray
from scipy.special import erf, log_softmax, softmax
from small_studies import cells_of

from stages.core.randomness.streams import Replicates
from stages.files.artifacts import write_weights
from stages.studies.cells import Cell
from stages.studies.scoring.at_lengths import measure_lengths, restore_for
from stages.tasks.running_text.task import load, load_longer
from stages.training.assemble import assemble
from stages.training.predict import predictions

DATA = make_windows()
CAUSAL = {"mask": "causal"}
UNAWARE = ["alibi", "kerple", "rope", "sandwich", "sinusoidal_1d", "t5_bias"]  # of how many tokens there are
Losses = NDArray[np.floating]


def make_cell(folder: Path, scheme: str, **settings: Any) -> tuple[Cell, Losses]:
    """Write weights of a model that nobody trained; return its losses in validation windows [R, N, n]."""
    one = {"scheme": scheme, **settings}
    (cell,) = cells_of(tasks=["running_text"], cells={"one": one}).values()
    task = load(cell.settings, DATA, torch.device("cpu"))
    replicates = Replicates(cell.settings.seed, cell.task, cell.seeds)
    model = assemble(task, cell.configuration, cell.settings.model(cell.task), replicates)
    for parameter in model.parameters():  # not as drawn, so that only stored ones do
        torch.nn.init.normal_(parameter, std=0.4, generator=torch.Generator().manual_seed(parameter.numel()))
    write_weights(
        folder / "weights.safetensors", {name: value.numpy() for name, value in model.state_dict().items()}
    )
    return cell, predictions(model, task, "validation")


def measure(folder: Path, cell: Cell) -> dict[str, Losses]:
    return {metric: values for _, metric, values in measure_lengths(folder, cell, DATA)}


@pytest.mark.parametrize("scheme", [*UNAWARE, "causal_none", "fox", "xpos"])
def test_windows_of_training_are_scored_as_usual_and_longer_ones_begin_as_they_do(
    tmp_path: Path, scheme: str
) -> None:
    cell, usual = make_cell(tmp_path, scheme, **(CAUSAL if scheme in UNAWARE else {}))
    found = measure(tmp_path, cell)
    np.testing.assert_allclose(found["loss_1"], usual[..., -2:].mean(axis=(1, 2)), rtol=1e-6)
    for times in (2, 8):
        assert (np.abs(found[f"rise_{times}"]) > 1e-4).all()
        np.testing.assert_allclose(found[f"loss_{times}"], found["loss_1"] + found[f"rise_{times}"])
    task = load_longer(DATA, 2)
    task.verses["longest_windows"][:, :TOKENS] = torch.from_numpy(DATA["validation_windows"])
    task.asked["longest_windows"][:] = True
    model = restore_for(tmp_path, cell, task)
    assert model is not None
    np.testing.assert_allclose(predictions(model, task, "longest_windows")[..., :TOKENS], usual, atol=2e-5)


def test_a_learned_table_has_no_rows_beyond_and_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cell, usual = make_cell(tmp_path, "learned", **CAUSAL)
    found = measure(tmp_path, cell)
    assert [*found] == ["loss_1"]
    np.testing.assert_allclose(found["loss_1"], usual[..., -2:].mean(axis=(1, 2)), rtol=1e-6)
    said = "note: running_text-one: not asked with 16 words, for which encoding.tables has no rows\n"
    assert capsys.readouterr().out == said


def test_a_resized_table_is_trained_as_a_learned_one_and_stretched_when_asked(tmp_path: Path) -> None:
    _, usual = make_cell(tmp_path / "learned", "learned", **CAUSAL)
    cell, same = make_cell(tmp_path / "resized", "resized", trained_tokens=TOKENS, **CAUSAL)
    np.testing.assert_array_equal(same, usual)
    model = restore_for(tmp_path / "resized", cell, load_longer(DATA, 4))
    assert model is not None
    rows = model.get_parameter("encoding.tables")[:, 1]
    stretched = torch.nn.functional.interpolate(rows.mT, 4 * TOKENS, mode="linear").mT
    torch.testing.assert_close(model.encoding.table(1), stretched)
    found = measure(tmp_path / "resized", cell)
    np.testing.assert_allclose(found["loss_1"], usual[..., -2:].mean(axis=(1, 2)), rtol=1e-6)
    assert np.isfinite(found["loss_8"]).all() and (np.abs(found["rise_8"]) > 1e-4).all()


def test_interpolation_is_trained_as_rope_and_turns_slower_when_asked(tmp_path: Path) -> None:
    rope, usual = make_cell(tmp_path / "rope", "rope", **CAUSAL)
    settings = {"method": "interpolation", "trained_tokens": TOKENS}
    slow, same = make_cell(tmp_path / "slow", "rope_scaled", **settings, **CAUSAL)
    np.testing.assert_allclose(same, usual, atol=1e-5)
    model = restore_for(tmp_path / "slow", slow, load_longer(DATA, 4))
    fast = restore_for(tmp_path / "rope", rope, load_longer(DATA, 1))
    assert model is not None and fast is not None
    turned, usually = model.get_buffer("encoding.angles"), fast.get_buffer("encoding.angles")
    assert torch.allclose(turned[:, ::4], usually)  # place 4 turns as 1 did
    assert not np.allclose(
        measure(tmp_path / "slow", slow)["loss_4"], measure(tmp_path / "rope", rope)["loss_4"]
    )


def test_the_loss_in_longer_windows_is_that_of_a_naive_model(tmp_path: Path) -> None:
    cell, _ = make_cell(tmp_path, "alibi", **CAUSAL)
    model = restore_for(tmp_path, cell, load_longer(DATA, 2))
    assert model is not None
    weights = {name: value[1].double().numpy() for name, value in model.named_parameters()}
    windows = DATA["longest_windows"][:, -2 * TOKENS :]
    expected = np.mean([run_naively(weights, window)[-2:] for window in windows])
    assert len(windows) == WINDOWS and measure(tmp_path, cell)["loss_2"][1] == pytest.approx(
        expected, rel=1e-5
    )


def run_naively(weights: dict[str, Losses], words: NDArray[np.int64]) -> Losses:
    """Compute the cross-entropy of each word by two blocks with two heads and ALiBi, as in the papers."""

    def normalise(x: Losses, name: str) -> Losses:
        x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
        return x * weights[f"{name}.scale"] + weights[f"{name}.offset"]

    def apply(x: Losses, name: str) -> Losses:
        return x @ weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def gelu(x: Losses) -> Losses:
        return np.asarray(x * (1 + erf(x / np.sqrt(2))) / 2)

    begun, n = weights["embedding.linear.weight"].shape[0], len(words)
    codes = np.array([begun, *words[:-1]])
    x = weights["embedding.linear.weight"][codes - 1] + weights["embedding.linear.bias"]
    far = np.arange(n)[:, None] - np.arange(n)
    for block in ("blocks.0", "blocks.1"):
        q = apply(x, f"{block}.attention.query")
        k, v = np.split(x @ weights[f"{block}.attention.key_value"], 2, axis=1)
        v = v + weights[f"{block}.attention.value_bias"]
        heads = []
        for head, slope in enumerate((2.0**-4, 2.0**-8)):
            part = slice(head * 8, head * 8 + 8)
            logits = np.where(far < 0, -np.inf, q[:, part] @ k[:, part].T / np.sqrt(8) - slope * far)
            heads.append(softmax(logits, axis=1) @ v[:, part])
        x = normalise(
            x + apply(np.concatenate(heads, axis=1), f"{block}.attention.out"), f"{block}.norm_attention"
        )
        hidden = gelu(apply(gelu(apply(x, f"{block}.widen")), f"{block}.narrow"))
        x = normalise(x + hidden, f"{block}.norm_mlp")
    return -log_softmax(apply(x, "readout"), axis=1)[np.arange(n), words - 1]
