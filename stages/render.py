"""Figures from the tables of reports/tables and data/analysis: reports/figures/*.png and *.svg."""

from pathlib import Path

import pandas as pd

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
    claims = table("fixed_encodings", "align_tables")
    with style.house():
        figures = {
            "generalisation": generalisation.draw(
                runs, read_published(root, settings), chances, sigmas, setting
            ),
            "effects": effects.draw(table("tests", "test_differences"), sigmas, setting),
            "similarity_maps": similarity_maps.draw(similarity, sigmas, setting),
            "turned": table_measures.draw_turned(aligned, sigmas, setting),
            "layouts": layouts.draw(maps, sigmas, setting),
            "brain": brain.draw(similarity, maps, communities, sigmas, in_brain, setting),
            "geometry": table_measures.draw_geometry(table("geometry", "describe_tables"), sigmas, setting),
            "alignment": alignment.draw(aligned, sigmas, setting),
            "read_outs": table_measures.draw_read_outs(aligned, sigmas, setting),
            "read_back": table_measures.draw_read_back(aligned, sigmas, setting),
            "probe": probe.draw(table("probe", "align_tables"), runs[runs.task == "probe"], setting),
            "attention": attention.draw(attended, attention_maps, sigmas, setting),
            "interventions": interventions.draw(table("interventions", "intervene"), sigmas, setting),
            "robustness": robustness.draw(table("robustness", "perturb_inputs"), sigmas, setting),
            "fixed_encodings": fixed_encodings.draw(claims, aligned, similarity, sigmas, setting),
        }
        for name, figure in figures.items():
            style.write(figure, root / FIGURES / name)


if __name__ == "__main__":
    run(main)
