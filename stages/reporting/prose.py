"""What the sections say in words: the texts of sections.yaml, with their numbers."""

from collections.abc import Sequence
from typing import Any

import yaml

from stages.reporting.numbers import interval, listed, number
from stages.reporting.parts import Figure, Section, Table
from stages.reporting.templates import FOLDER, load_templates

Texts = dict[str, Any]


def fill_in(key: str, **values: object) -> Texts:
    """A section's texts, without empty paragraphs; values: by their names in sections.yaml."""
    texts = yaml.safe_load((FOLDER / "sections.yaml").read_text(encoding="utf-8"))
    environment = load_templates(autoescape=False)
    environment.globals |= {**texts["shared"], "number": number, "interval": interval, "listed": listed}

    def fill(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: fill(text) for name, text in part.items()}
        if isinstance(part, list):
            return list(filter(None, map(fill, part)))
        return environment.from_string(part).render(values)

    return {"key": key, **fill(texts[key])}


def write_section(texts: Texts, tables: Sequence[Table] = (), **more: Any) -> Section:
    """The section with its texts' paragraphs and figures; more: its other fields."""
    named = {"key", "title", "question", "paragraphs", "further"}
    fields = {name: text for name, text in texts.items() if name in named} | more
    figures = [
        Figure(
            name,
            f"figures/{name}.png",
            text["caption"],
            [f"tables/{table}.csv" for table in text["data"]],
        )
        for name, text in texts.get("figures", {}).items()
    ]
    return Section(**fields, figures=figures, tables=list(tables))
