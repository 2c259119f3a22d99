"""Runs as RO-Crates: files, what made them and from what, as JSON-LD. Needs Python's standard library alone.

Profiles: Process, Workflow and Provenance Run Crate 0.5 (Leo et al., 2024, PLOS ONE 19(9) e0309210).
"""

import json
from collections.abc import Mapping, Sequence
from mimetypes import guess_type
from typing import Any, NamedTuple

METADATA = "ro-crate-metadata.json"
CRATE = "https://w3id.org/ro/crate/1.1"
LICENCE = "https://spdx.org/licenses/MIT"
RUN = "https://w3id.org/ro/wfrun"
OF_A_PROCESS = {f"{RUN}/process/0.5": ("Process Run Crate", "0.5")}
OF_A_WORKFLOW = OF_A_PROCESS | {
    f"{RUN}/workflow/0.5": ("Workflow Run Crate", "0.5"),
    f"{RUN}/provenance/0.5": ("Provenance Run Crate", "0.5"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": ("Workflow RO-Crate", "1.0"),
}
TERMS = {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}  # beside those of the context
WORKFLOW = "dvc.yaml"
Entity = dict[str, Any]


class Run(NamedTuple):
    """A stage as it ran: its command, what that took, and the identifiers of what it read and wrote."""

    stage: str
    command: str
    wall_s: float | None
    read: Sequence[str]
    wrote: Sequence[str]


def refer(*names: str) -> list[dict[str, str]]:
    """References to entities of those names."""
    return [{"@id": name} for name in names]


def render(
    title: str, date: str, entities: Sequence[Entity], profiles: Mapping[str, tuple[str, str]], **about: Any
) -> bytes:
    """The metadata file: the crate itself with its files, and the other entities.

    profiles: those it conforms to, name and version by address. about: further properties of the crate.
    """
    kinds = [(entity["@id"], entity["@type"]) for entity in entities]
    files = [name for name, kind in kinds if "File" in kind]
    actions = [name for name, kind in kinds if kind in ("CreateAction", "OrganizeAction", "Collection")]
    root: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "name": title,
        "datePublished": date,
        "license": refer(LICENCE)[0],
    }
    root |= {"conformsTo": refer(*profiles), "hasPart": refer(*files), "mentions": refer(*actions), **about}
    graph = [
        {"@id": METADATA, "@type": "CreativeWork", "about": refer("./")[0], "conformsTo": refer(CRATE)[0]},
        root,
        {"@id": LICENCE, "@type": "CreativeWork", "name": "MIT License", "identifier": LICENCE},
        *({"@id": uri, "@type": "CreativeWork", "name": n, "version": v} for uri, (n, v) in profiles.items()),
        *entities,
    ]
    content = {"@context": [f"{CRATE}/context", TERMS], "@graph": graph}
    return (json.dumps(content, indent=1) + "\n").encode()


def describe_file(path: str, size: int, sha256: str, names: Sequence[str] = ()) -> Entity:
    """A file of the crate; `names` are those it has in the project."""
    name = names[0] if names else path
    kind = guess_type(name)[0] or "application/octet-stream"
    entity = {"@id": path, "@type": "File", "name": name, "encodingFormat": kind}
    return entity | {"contentSize": str(size), "sha256": sha256} | ({"alternateName": names} if names else {})


def describe_folder(path: str, files: Sequence[str]) -> Entity:
    """An output of several files."""
    return {"@id": f"#{path}", "@type": "Collection", "name": path, "hasPart": refer(*files)}


def describe_workflow(runs: Sequence[Run], engine: str) -> list[Entity]:
    """dvc's run of the pipeline, and in it that of every stage.

    engine: dvc's version.
    """
    steps, tools, tasks, actions = (
        [f"#{kind}/{run.stage}" for run in runs] for kind in ("step", "tool", "task", "run")
    )
    whole = {"read": sorted({path for run in runs for path in run.read})}
    whole["wrote"] = sorted({path for run in runs for path in run.wrote})
    entities: list[Entity] = [
        {
            "@id": WORKFLOW,
            "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"],
            "name": "The pipeline across tasks; those of tasks are in the git bundle",
            "programmingLanguage": refer("#dvc")[0],
            "step": refer(*steps),
            "hasPart": refer(*tools),
        },
        {"@id": "#dvc", "@type": "ComputerLanguage", "name": "dvc", "url": "https://dvc.org"},
        {"@id": "#engine", "@type": "SoftwareApplication", "name": "dvc", "softwareVersion": engine},
        describe_action("#run", WORKFLOW, "dvc repro", whole["read"], whole["wrote"]),
        {
            "@id": "#organisation",
            "@type": "OrganizeAction",
            "name": "dvc runs every stage",
            "instrument": refer("#engine")[0],
            "object": refer(*tasks),
            "result": refer("#run")[0],
        },
    ]
    for position, (run, step, tool, task, action) in enumerate(
        zip(runs, steps, tools, tasks, actions, strict=True)
    ):
        took = "" if run.wall_s is None else f"; it took {run.wall_s:.1f} s"
        entities += [
            {"@id": step, "@type": "HowToStep", "position": str(position), "workExample": refer(tool)[0]},
            {"@id": tool, "@type": "SoftwareApplication", "name": run.command},
            {"@id": task, "@type": "ControlAction", "instrument": refer(step)[0], "object": refer(action)[0]},
            describe_action(action, tool, f"{run.stage}{took}", run.read, run.wrote),
        ]
    return entities


def describe_action(name: str, tool: str, words: str, read: Sequence[str], wrote: Sequence[str]) -> Entity:
    """What a tool did, in words, with identifiers of what it read and wrote."""
    status = {"actionStatus": "http://schema.org/CompletedActionStatus"}
    uses = {"instrument": refer(tool)[0], "object": refer(*read), "result": refer(*wrote)}
    return {"@id": name, "@type": "CreateAction", "name": words} | uses | status
