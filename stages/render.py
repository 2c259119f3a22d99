"""Figures from the tables of reports/tables and data/analysis: reports/figures/*.png and *.svg."""

from pathlib import Path

from stages.figures import (
    alignment,
    attention,
    brain,
    effects,
    fixed_encodings,
    generalisation,
    geometry,
    interventions,
    layouts,
    probe,
    read_back,
    read_outs,
    robustness,
    similarity_maps,
    style,
    turned,
)
from stages.figures.sigma_axis import Sigmas
from stages.files import artifacts
from stages.parameters import params
from stages.parameters.sigmas import learned_sigmas
from stages.running.command import run

RUNS = Path("reports/tables/runs.csv")
ALIGNMENT = Path("reports/tables/alignment.csv")
PROBE = Path("reports/tables/probe.csv")
ATTENTION = Path("reports/tables/attention.csv")
INTERVENTIONS = Path("reports/tables/interventions.csv")
ROBUSTNESS = Path("reports/tables/robustness.csv")
FIXED = Path("reports/tables/fixed_encodings.csv")
TESTS = Path("reports/tables/tests.csv")
GEOMETRY = Path("reports/tables/geometry.csv")
SIMILARITY = Path("data/analysis/similarity.npz")
LAYOUTS = Path("data/analysis/layouts.npz")
COMMUNITIES = Path("data/analysis/communities.npz")
ATTENTION_MAPS = Path("data/attention/grid.npz")
REGIONS = Path("data/reference/aal2_regions.csv")
PUBLISHED = Path("data/reference/lst_published_accuracy.csv")
FIGURES = Path("reports/figures")

PUBLISHED_ORDER = 4  # of the published grid


def setting(settings: params.Params, sigmas: Sigmas) -> str:
    """Scale and configuration under study, in words."""
    focus = settings.configuration("grid", "focus")
    of_sigma = f", \u03c3 = {sigmas['grid']['focus']:g}" if "focus" in sigmas["grid"] else ""
    return f"Scale '{settings.scale}', focus: {focus.scheme}{of_sigma}"


def main() -> None:
    settings = params.load()
    sigmas = {task: learned_sigmas(settings, task) for task in params.TASKS}
    words = setting(settings, sigmas)
    runs = artifacts.read_csv(artifacts.require(RUNS, "analyse"))
    aligned = artifacts.read_csv(artifacts.require(ALIGNMENT, "analyse"), block=str)
    claims = artifacts.read_csv(artifacts.require(FIXED, "analyse"))
    probed = artifacts.read_csv(artifacts.require(PROBE, "analyse"))
    attended = artifacts.read_csv(artifacts.require(ATTENTION, "attend"))
    changed = artifacts.read_csv(artifacts.require(INTERVENTIONS, "intervene"))
    perturbed = artifacts.read_csv(artifacts.require(ROBUSTNESS, "perturb"))
    attention_maps = artifacts.read_arrays(artifacts.require(ATTENTION_MAPS, "attend"))
    similarity = artifacts.read_arrays(artifacts.require(SIMILARITY, "analyse"))
    tests = artifacts.read_csv(artifacts.require(TESTS, "compare"))
    described = artifacts.read_csv(artifacts.require(GEOMETRY, "describe"), block=str)
    maps = artifacts.read_arrays(artifacts.require(LAYOUTS, "describe"))
    communities = artifacts.read_arrays(artifacts.require(COMMUNITIES, "describe"))
    regions = artifacts.read_csv(REGIONS)
    published = artifacts.read_csv(PUBLISHED)
    if settings.grid.order != PUBLISHED_ORDER:
        published = published.iloc[:0]
    with style.house():
        figures = {
            "generalisation": generalisation.draw(runs, published, sigmas, settings.grid.order, words),
            "effects": effects.draw(tests, sigmas, words),
            "similarity_maps": similarity_maps.draw(similarity, regions, sigmas, words),
            "turned": turned.draw(aligned, sigmas, words),
            "layouts": layouts.draw(maps, sigmas, words),
            "brain": brain.draw(similarity, communities, regions, sigmas["recordings"], words),
            "geometry": geometry.draw(described, sigmas, words),
            "alignment": alignment.draw(aligned, sigmas, words),
            "read_outs": read_outs.draw(aligned, sigmas, words),
            "read_back": read_back.draw(aligned, sigmas, words),
            "probe": probe.draw(probed, runs[runs.task == "probe"], words),
            "attention": attention.draw(attended, attention_maps, sigmas, words),
            "interventions": interventions.draw(changed, sigmas, words),
            "robustness": robustness.draw(perturbed, sigmas, words),
            "fixed_encodings": fixed_encodings.draw(claims, aligned, similarity, sigmas, words),
        }
        for name, figure in figures.items():
            style.write(figure, FIGURES / name)


if __name__ == "__main__":
    run(main)
