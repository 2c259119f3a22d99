"""The READMEs against the project: their size, numbers, links, commands and paths."""

import re
from pathlib import Path

import pytest
from commands import ROOT, list_own, own_studies

from stages.running.repository import open_repo
from stages.studies.schema import list_studies

PAGES = sorted(name for name in list_own() if name.endswith("README.md") and not name.startswith(".venv"))
OUTPUTS = "".join(path.read_text() for path in [ROOT / "dvc.yaml", *ROOT.glob("st*/**/dvc.yaml")])
MADE = (
    "reports/SHA256SUMS",
    *(".dvc/cache", ".dvc/cells", ".dvc/tmp/jobs", ".dvc/tmp/replay"),
    "dvc.lock",
)  # by commands, in no dvc.yaml
TOP = {name.split("/")[0] for name in list_own()}


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def test_stages_that_pages_name_are_there() -> None:
    given = [name for page in PAGES for name in re.findall(r'STAGES="?([^"\n#]*[^"\s#])', text_of(page))]
    names = {name for words in given for name in words.split()}
    with open_repo(ROOT) as repo:
        assert names and all(map(repo.stage.collect, names))  # which fails for one that is not there


def test_studies_that_pages_name_are_there() -> None:
    written = re.findall(r"^# studies/(\w+)\.yaml$", "\n".join(map(text_of, PAGES)), re.MULTILINE)  # examples
    named = {name for page in PAGES for name in re.findall(r"\bNAME=(\w+)|--study (\w+)", text_of(page))}
    assert {name for pair in named for name in pair if name} <= {*list_studies(ROOT), *written}
    listed = re.findall(r"\[`(\w+)`\]\(\w+\.yaml\)", text_of("studies/README.md"))
    assert sorted(listed) == sorted(own_studies())


def test_the_first_page_is_short() -> None:
    assert len(text_of("README.md").encode()) <= 7168


@pytest.mark.parametrize("page", PAGES)
def test_relative_links_exist(page: str) -> None:
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", text_of(page))
    links = [target for target in targets if "://" not in target]
    assert not [link for link in links if not (ROOT / page).parent.joinpath(link).exists()]


@pytest.mark.parametrize("page", PAGES)
def test_commands_are_modules(page: str) -> None:
    modules = set(re.findall(r"python3? -m (stages[\w.]+)", text_of(page)))
    written = re.findall(r"^# (stages/\S+)\.py$", text_of(page), re.MULTILINE)  # by the page's own example
    paths = {name: ROOT / name.replace(".", "/") for name in modules}
    files = {name: (path.with_suffix(".py"), path / "__main__.py") for name, path in paths.items()}
    missing = [name for name in modules if not any(file.is_file() for file in files[name])]
    assert set(missing) <= {name.replace("/", ".") for name in written}


@pytest.mark.parametrize("page", PAGES)
def test_paths_in_backticks_exist(page: str) -> None:
    prose = re.sub(r"^```.*?^```", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    quoted = {
        path for path in re.findall(r"`([\w./-]+)`", prose) if "/" in path and path.split("/")[0] in TOP
    }
    written = re.findall(r"^# (st\w+/\S+)$", text_of(page), re.MULTILINE)  # by the page's own example
    example = {str(Path(name).parent) for name in written}
    example |= {f"reports/studies/{Path(name).stem}/page.html" for name in written}
    missing = [path for path in quoted if not (ROOT / path).exists() and path.rstrip("/") not in example]
    assert not [path for path in missing if path not in MADE and path.rstrip("/") not in OUTPUTS]
