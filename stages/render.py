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
from stages.parameters.params import Params
from stages.parameters.sigmas import learned_sigmas
from stages.running.command import run
from stages.tasks.grid.facts import PUBLISHED_ORDER, Settings

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


def describe_setting(settings: Params, sigmas: Sigmas) -> str:
    """Scale and configuration under study, in words."""
    focus = settings.configuration("grid", "focus")
    of_sigma = f", \u03c3 = {sigmas['grid']['focus']:g}" if "focus" in sigmas["grid"] else ""
    return f"Scale '{settings.scale}', focus: {focus.scheme}{of_sigma}"


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    sigmas = {task: learned_sigmas(settings, task) for task in settings.tasks}
    words = describe_setting(settings, sigmas)
    runs = artifacts.read_csv(artifacts.require(root / RUNS, "stages.align_tables"))
    aligned = artifacts.read_csv(artifacts.require(root / ALIGNMENT, "stages.align_tables"), block=str)
    claims = artifacts.read_csv(artifacts.require(root / FIXED, "stages.align_tables"))
    probed = artifacts.read_csv(artifacts.require(root / PROBE, "stages.align_tables"))
    attended = artifacts.read_csv(artifacts.require(root / ATTENTION, "stages.map_attention"))
    changed = artifacts.read_csv(artifacts.require(root / INTERVENTIONS, "stages.intervene"))
    perturbed = artifacts.read_csv(artifacts.require(root / ROBUSTNESS, "stages.perturb_inputs"))
    attention_maps = artifacts.read_arrays(artifacts.require(root / ATTENTION_MAPS, "stages.map_attention"))
    similarity = artifacts.read_arrays(artifacts.require(root / SIMILARITY, "stages.align_tables"))
    tests = artifacts.read_csv(artifacts.require(root / TESTS, "stages.test_differences"))
    described = artifacts.read_csv(artifacts.require(root / GEOMETRY, "stages.describe_tables"), block=str)
    maps = artifacts.read_arrays(artifacts.require(root / LAYOUTS, "stages.describe_tables"))
    communities = artifacts.read_arrays(artifacts.require(root / COMMUNITIES, "stages.describe_tables"))
    regions = artifacts.read_csv(root / REGIONS)
    published = artifacts.read_csv(root / PUBLISHED)
    order = settings.section("grid", Settings).order
    if order != PUBLISHED_ORDER:
        published = published.iloc[:0]
    with style.house():
        figures = {
            "generalisation": generalisation.draw(runs, published, sigmas, order, words),
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
            style.write(figure, root / FIGURES / name)


if __name__ == "__main__":
    run(main)
