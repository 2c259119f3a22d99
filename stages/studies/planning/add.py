"""Let dvc know a study that is run by name: studies/dvc.yaml lists it."""

from pathlib import Path

from ruamel.yaml import YAML

from stages.files.artifacts import write_atomically
from stages.studies.planning.plan import plan_study
from stages.studies.schema import DEFAULT, Study

FILE = Path("studies/dvc.yaml")
OF_TEXT = {"language", "running_text"}  # tasks whose data are fetched for their studies alone


def add(root: Path, study: str) -> None:
    """Check a study, and list it in studies/dvc.yaml unless it stands there."""
    read, _ = plan_study(root, study)
    if study in DEFAULT:
        return
    yaml = YAML()  # leaves all other lines as they are, unlike dvc's own
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.width, yaml.preserve_quotes = 200, True
    values = yaml.load(root / FILE)
    lists: dict[str, list[str]] = {name: found for one in values["vars"][1:] for name, found in one.items()}
    for name in list_places(read):
        wanted = "bible" if name == "texts" else study
        if wanted not in lists[name]:
            lists[name].append(wanted)
    with write_atomically(root / FILE) as beside:
        yaml.dump(values, beside)


def list_places(study: Study) -> list[str]:
    """Name the lists of studies/dvc.yaml in which a study stands."""
    if study.tables:
        return ["fetched", "concluded"]
    return ["ran_on_text", "texts", "concluded"] if OF_TEXT & {*study.tasks} else ["ran", "concluded"]
