"""Names that a study's cells will be scored under, and those in the study that are none of them."""

from collections.abc import Iterator
from difflib import get_close_matches

from stages.core.settings.errors import InputError
from stages.studies.checks.names import list_sides
from stages.studies.schema import Measure, Study
from stages.studies.tables import FLOOR, OF_TABLES, find_metric, split_name
from stages.tasks.facts import TaskFacts, find_facts

STEPS = [f"tables/cosine_{2**power}" for power in range(14)]
ALWAYS = (
    "train/diverged",
    *(f"tables/alignment{part}" for part in ("", "_initial", "_added", "_gain")),
)
OF_MODEL = "attention/cosine_model"
MIRRORING = [f"tables/{name}" for name in ("procrustes", "procrustes_equal_size", "stress")]
MEASURED: dict[Measure, list[str]] = {  # stages/studies/scoring/measuring.py
    "procrustes": MIRRORING,
    "read_back": ["tables/content_accuracy", "tables/position_accuracy"],
    "read_out": ["tables/position_mae", "tables/position_mae_coordinates", "tables/order_accuracy"],
    "locality": [*STEPS, "tables/steps_to_half"],
    "theory": [
        f"theory/{name}" for name in ("distinct_rows", "distinct_rows_theory", "accuracy_theory", "agrees")
    ],
    "curves": ["train/epochs"],
}
# stages/pretrained/measure.py
OF_FETCHED = [f"tables/{name}" for name in ("alignment", "effective_rank", "length", "order_right")]
OF_FETCHED += MIRRORING
OF_FETCHED += [f"{OF_TABLES.split}/{OF_TABLES.metric}", "tables/steps_to_half", *STEPS]


def list_metrics(task: str) -> dict[str, Measure | None]:
    """List every `split/metric` of a task's cells, or of fetched tables, and which of `measures` it takes."""
    if not task:
        return dict.fromkeys(OF_FETCHED)
    facts = find_facts(task)
    known: dict[str, Measure | None] = dict.fromkeys([*facts.scored, *ALWAYS])
    for reference in list_references(facts):
        known |= {f"tables/alignment_{reference}": None, f"attention/auc_{reference}": "attention"}
        known[f"attention/cosine_{reference}"] = "attention"
    known[OF_MODEL] = "attention"
    known |= {name: "lengths" for name in facts.scored if name.startswith("lengths/")}
    return known | {name: measure for measure, names in MEASURED.items() for name in names}


def list_references(facts: TaskFacts) -> list[str]:
    """List names of true distances that a task's tokens may have."""
    return list(dict.fromkeys([*facts.references, *facts.maps, *facts.further_references]))


def check_scored(study: Study) -> None:
    """Raise InputError for the first metric or baseline under which nothing will be scored."""
    check_metrics(study)
    check_floors(study)


def check_metrics(study: Study) -> None:
    for place, tasks, metric in list_named(study):
        known = {task: list_metrics(task) for task in tasks}
        written = {task: "/".join(find_metric(task, metric)) for task in tasks}
        scored = [task for task in tasks if written[task] in known[task]]
        if not scored:
            names = list(dict.fromkeys(name for task in tasks for name in known[task]))
            (nearest,) = get_close_matches(written[tasks[0]], names, n=1, cutoff=0)
            of = f" of {' and '.join(filter(None, tasks))}" if any(tasks) else ""
            raise InputError(f"{place}: '{metric}' given, no such metric{of}; expected {nearest}")
        measures = {known[task][written[task]] for task in scored}
        if written[tasks[0]] == OF_MODEL and study.attention_of is None:
            raise InputError(f"{place}: '{metric}' given, which takes `attention_of: a cell`; add it")
        if None not in measures and not measures & set(study.measures):
            (needed,) = measures
            raise InputError(f"{place}: '{metric}' given, which takes `measures: [{needed}]`; add it")


def check_floors(study: Study) -> None:
    sides = [*list_sides(study), *(("figure.cells", cell) for cell in study.figure.cells)]
    floors = [floor for task in study.tasks for floor in find_facts(task).floors]
    for place, side in sides:
        name, _ = split_name(side)
        if name.startswith(FLOOR) and name not in floors:
            near = get_close_matches(name, floors, n=1, cutoff=0.85)  # high, as all begin alike
            expected = ", ".join(near or dict.fromkeys(floors)) or "a cell: these tasks have no baselines"
            raise InputError(f"{place}: '{side}' given, no such baseline; expected {expected}")


def list_named(study: Study) -> Iterator[tuple[str, list[str], str]]:
    """List where a metric is named, the tasks of which one must have it, and its name."""
    for metric in study.figure.metrics:
        yield "figure.metrics", study.scored, metric
    for place, test in study.list_tests():
        yield from ((place, [test.task], metric) for metric in test.metrics)
