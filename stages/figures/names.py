"""Name cells, values of the axis and metrics for readers, in figures and on pages."""

import re
from pathlib import Path

import yaml

from stages.studies.claim import PUBLISHED, Test, is_score
from stages.studies.schema import Study
from stages.studies.tables import find_metric, find_score, name_value, split_name
from stages.tasks.running_text.facts import LOSSES, RISES

WORDS = yaml.safe_load((Path(__file__).parent / "words.yaml").read_text(encoding="utf-8"))
OF_SPLIT = {"train": "training", "test": "test", "validation": "validation", "longer": "longer"}
OF_METRIC = {"mse": "masked error", "mae": "error", "auc": "AUC"}
WHOLE = {  # metrics by names of their own
    "procrustes": "distance to the sinusoid",
    "procrustes_equal_size": "distance at equal size",
    "cosine_same_line": "attention like own lines",
    "cosine_model": "attention like the sinusoid's model",
}
WHOLE |= {name: f"loss in windows of {times} n words" for times, name in LOSSES.items()}
WHOLE |= {name: f"rise of the loss from windows of n to {times} n words" for times, name in RISES.items()}
PAIRS = {"seen": "seen pairs", "new": "new pairs"}  # stages/tasks/bases/held_out.py


def name_cell(cell: str) -> str:
    """Name a cell, a setting or a baseline for readers: s020 is σ 0.2, rope_l2 "RoPE, l2"."""
    known = max((word for word in WORDS if f"{cell}_".startswith(f"{word}_")), key=len, default="")
    if known:
        rest = cell.removeprefix(known).removeprefix("_")
        return ", ".join(filter(None, [str(WORDS[known]), name_cell(rest)]))
    text = cell.removeprefix("floor_").replace("_", " ")
    text = re.sub(r"\bs(\d\d\d)$", lambda found: f"σ {int(found[1]) / 100:g}", text)
    return re.sub(r" x(\d)", r" ×\1", re.sub(r" x0(\d)", r" ×0.\1", text))


def name_axis(study: Study) -> str:
    """Name in words what the axis varies; "" if the axis has settings."""
    of = study.axis.of if study.axis else None
    return "" if of is None else "σ" if of == "init_std" else of.rpartition(".")[2].replace("_", " ")


def find_own_value(study: Study, cell: str) -> str:
    """Find the value of the axis that a cell says itself, as tables write it; nothing where it says none."""
    own = study.cells.get(cell, {}).get(study.axis.of) if study.axis and study.axis.of else None
    return name_value(own) if isinstance(own, int | float | str) else ""


def name_own(study: Study, cell: str) -> str:
    """Name a cell of a study. What a setting calls ×0.1 is, of a cell that says its σ, that σ."""
    words, sigma = name_cell(cell), study.cells.get(cell, {}).get("init_std")
    return re.sub(r"×\S+", f"σ {sigma:g}", words) if isinstance(sigma, int | float) else words


def name_side(study: Study, cell: str, at: str) -> str:
    """Write a cell at a value of the axis in words; with cell "" the value alone: learned σ 0.2; heads 2.

    A cell that says its own value of the axis has it too.
    """
    of, at = name_axis(study), at or find_own_value(study, cell)
    value = f"{of} {at}" if at and of else name_cell(at)
    between = ", " if study.axis and study.axis.settings else " "
    return between.join(filter(None, [name_own(study, cell), value]))


def name_models(study: Study, test: Test) -> str:
    """Name a tested cell by its scheme and σ, where it says both, or by its own name, and its values."""
    cell, at = split_name(test.a)
    said, named = study.cells.get(cell, {}), name_side(study, cell, at)
    if {"scheme", "init_std"} <= said.keys() and not at:
        named = f"{name_cell(said['scheme'])}, σ {said['init_std']:g}"
    return ", ".join([named, *(name_side(study, "", name_value(one)) for one in test.at)])


def name_metric(task: str, metric: str) -> str:
    """Name a metric: validation accuracy, training masked error, validation error on new pairs, alignment.

    Two that are correlated are joined by "~": correlation of alignment with validation accuracy.
    """
    first, correlated, second = metric.partition(" ~ ")
    if correlated:
        other = "published accuracy" if second == PUBLISHED else name_metric(task, second)
        return f"correlation of {name_metric(task, first)} with {other}"
    split, own = find_metric(task, metric)
    if own in WHOLE:
        words = WHOLE[own]
    elif own in PAIRS:
        words = f"{'accuracy' if find_score(task).higher_is_better else 'error'} on {PAIRS[own]}"
    else:
        words = " ".join(OF_METRIC.get(word, word) for word in own.split("_"))
    return f"{OF_SPLIT[split]} {words}" if split in OF_SPLIT else words


def say_better(task: str, metric: str) -> str:
    """Say which values of a metric are better; "" if the metric is no score."""
    return find_score(task).better if is_score(metric) else ""
