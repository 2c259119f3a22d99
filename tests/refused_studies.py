"""Mistaken studies, and what is said of them before anything is trained."""

from pathlib import Path
from typing import Any

import pytest
from small_studies import claim, write_study

from stages.studies.planning.plan import plan_study

LEARNED = {"scheme": "learned"}
BESIDE_ONE = {"task": "network", "a": "learned", "than": 1.0}


def asked(*tests: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"claims": {"c": claim(*tests)}, **more}


def said(root: Path, **values: Any) -> str:
    with pytest.raises(ValueError) as error:
        plan_study(write_study(root, {}, **values), "own")
    assert "\n" not in str(error.value)
    return str(error.value).removeprefix("studies/own.yaml").lstrip(":, ")
