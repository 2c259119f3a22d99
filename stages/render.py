"""Figures from the tables of reports/tables and data/analysis: reports/figures/*.png and *.svg."""

import os
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from stages.figures import (
    alignment,
    attention,
    brain,
    effects,
    fixed_encodings,
    generalisation,
    interventions,
    layouts,
    probe,
    robustness,
    similarity_maps,
    style,
    table_measures,
)
from stages.figures.sigma_axis import Sigmas
from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.parameters import params
from stages.parameters.params import Params
from stages.parameters.sigmas import learned_sigmas
from stages.running.command import run
from stages.tasks.facts import find_facts
from stages.tasks.grid.facts import PUBLISHED_ORDER, Settings

TABLES = Path("reports/tables")
ANALYSIS = Path("data/analysis")
ATTENTION_MAPS = Path("data/attention")
PUBLISHED = Path("data/reference/lst_published_accuracy.csv")
FIGURES = Path("reports/figures")


def describe_setting(settings: Params, sigmas: Sigmas) -> str:
    """Scale and configuration under study, in words."""
    task = next(iter(settings.tasks))
    focus = settings.configuration(task, "focus")
    of_sigma = f", \u03c3 = {sigmas[task]['focus']:g}" if "focus" in sigmas[task] else ""
    return f"Scale '{settings.scale}', focus: {focus.scheme}{of_sigma}"


def read_published(root: Path, settings: Params) -> dict[str, pd.DataFrame]:
    """Published accuracies on all validation puzzles, where the puzzles are of the published order."""
    if "grid" not in settings.tasks or settings.section("grid", Settings).order != PUBLISHED_ORDER:
        return {}
    table = artifacts.read_csv(root / PUBLISHED)
    return {"grid": table[(table.split == "validation_original") & (table.condition == "all")]}


def main(root: Path = Path()) -> None:
    def table(name: str, stage: str) -> pd.DataFrame:
        path = artifacts.require(root / TABLES / f"{name}.csv", f"stages.{stage}")
        return artifacts.read_csv(path, **{"block": str} if name in ("alignment", "geometry") else {})

    def arrays(name: str, stage: str) -> Arrays:
        return artifacts.read_arrays(artifacts.require(root / ANALYSIS / f"{name}.npz", f"stages.{stage}"))

    settings = params.load(root / params.FILE)
    facts = [find_facts(task) for task in settings.tasks]
    sigmas = {task: learned_sigmas(settings, task) for task in settings.tasks}
    setting = describe_setting(settings, sigmas)
    runs, aligned = table("runs", "align_tables"), table("alignment", "align_tables")
    attended = table("attention", "map_attention")
    similarity, maps = arrays("similarity", "align_tables"), arrays("layouts", "describe_tables")
    communities = arrays("communities", "describe_tables")
    chances = {task.name: chance for task in facts if (chance := task.chance(settings)) is not None}
    in_brain = [task.name for task in facts if task.in_brain]
    attention_maps = {
        task: artifacts.read_arrays(
            artifacts.require(root / ATTENTION_MAPS / f"{task}.npz", "stages.map_attention")
        )
        for task in attention.list_puzzle_tasks(attended)
    }
    claims, theory = table("fixed_encodings", "align_tables"), table("probe", "align_tables")
    tests, geometry = table("tests", "test_differences"), table("geometry", "describe_tables")
    intervened, perturbed = table("interventions", "intervene"), table("robustness", "perturb_inputs")
    published = read_published(root, settings)
    write_figures(
        {
            "generalisation": lambda: generalisation.draw(runs, published, chances, sigmas, setting),
            "effects": lambda: effects.draw(tests, sigmas, setting),
            "similarity_maps": lambda: similarity_maps.draw(similarity, sigmas, setting),
            "turned": lambda: table_measures.draw_turned(aligned, sigmas, setting),
            "layouts": lambda: layouts.draw(maps, sigmas, setting),
            "brain": lambda: brain.draw(similarity, maps, communities, sigmas, in_brain, setting),
            "geometry": lambda: table_measures.draw_geometry(geometry, sigmas, setting),
            "alignment": lambda: alignment.draw(aligned, sigmas, setting),
            "read_outs": lambda: table_measures.draw_read_outs(aligned, sigmas, setting),
            "read_back": lambda: table_measures.draw_read_back(aligned, sigmas, setting),
            "probe": lambda: probe.draw(theory, runs[runs.task == "probe"], setting),
            "attention": lambda: attention.draw(attended, attention_maps, sigmas, setting),
            "interventions": lambda: interventions.draw(intervened, sigmas, setting),
            "robustness": lambda: robustness.draw(perturbed, sigmas, setting),
            "fixed_encodings": lambda: fixed_encodings.draw(claims, aligned, similarity, sigmas, setting),
        },
        root / FIGURES,
    )


def write_figures(figures: Mapping[str, Callable[[], Figure]], folder: Path) -> None:
    """Draw each figure and write it, by as many processes as there are cores."""
    n = len(os.sched_getaffinity(0))
    names = list(figures)

    def write_some(first: int) -> None:
        with style.house():
            for name in names[first::n]:
                style.write(figures[name](), folder / name)

    context = get_context("fork")
    processes = [context.Process(target=write_some, args=(first,)) for first in range(n)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    if any(process.exitcode for process in processes):
        raise ValueError("not all figures could be drawn; the reason stands above")


if __name__ == "__main__":
    run(main)
