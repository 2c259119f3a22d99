"""The report as a reader's browser shows it: nothing fetched, no error, a moving slider, sorted tables.

Screenshots at the width of a phone and of a desk, light and dark, are left in a temporary folder.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright

from stages import report as write_report
from stages.files.artifacts import read_csv, write_csv

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run"),
]
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the path to open the report with")


@pytest.fixture(scope="module")
def report(analysed: Path) -> Path:
    return analysed / write_report.REPORT


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def troubles() -> list[str]:
    """Requests that leave the file, and errors."""
    return []


@pytest.fixture
def page(browser: Browser, report: Path, troubles: list[str]) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1400, "height": 900})

    def within(route: Route) -> None:
        if route.request.url.startswith(("file:", "data:")):
            route.continue_()
        else:
            troubles.append(route.request.url)
            route.abort()

    page.route("**/*", within)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    page.goto(report.as_uri())
    yield page
    page.close()


def places(page: Page) -> list[str | None]:
    circles = page.locator("[data-task=grid] .learned-plane circle").all()
    return [circle.get_attribute("cx") for circle in circles]


def test_nothing_is_fetched_and_nothing_fails(page: Page, troubles: list[str]) -> None:
    page.get_by_role("button", name="Switch between light and dark").click()
    page.locator("[data-task=grid] select").select_option("grid_distance")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert all(image.evaluate("one => one.naturalWidth > 0") for image in page.locator("main img").all())
    assert troubles == []


def test_a_request_would_be_seen(page: Page, troubles: list[str]) -> None:
    """The page's own policy stops it before the network does, with a message."""
    page.evaluate("new Image().src = 'https://example.org/x.png'")
    page.wait_for_timeout(200)
    assert troubles


HOSTILE = "<img src=x onerror=\"document.title='ran'\"></td></script><script>document.title='ran'</script>"


def test_an_encoding_s_name_is_text_to_the_browser(browser: Browser, report: Path, tmp_path: Path) -> None:
    shutil.copytree(report.parents[1], tmp_path / "project")
    tables = tmp_path / "project/reports/tables"
    for table in (tables / "runs.csv", tables / "intervals.csv"):
        write_csv(table, read_csv(table).replace({"encoding": {"none": HOSTILE}}))
    write_report.main(tmp_path / "project")
    page = browser.new_page()
    page.goto((tmp_path / "project/reports/report.html").as_uri())
    assert page.title() == write_report.TITLE
    assert page.locator("img[src=x]").count() == 0
    assert HOSTILE in (page.locator("body").text_content() or "")
    page.close()


def test_slider_moves_points_and_map(page: Page) -> None:
    slider = page.locator("#sigma")
    before, map_before = places(page), page.locator("[data-task=grid] .learned-map").screenshot()
    assert page.locator("#sigma-value").text_content() == "0.1"
    slider.fill("300")
    between = places(page)
    assert "interpolated" in (page.locator("#between").text_content() or "")
    slider.press("End")
    after = places(page)
    assert page.locator("#sigma-value").text_content() == "2"
    assert len(before) == 16 and before != between != after
    assert page.locator("[data-task=grid] .learned-map").screenshot() != map_before
    page.get_by_role("button", name="0.1", exact=True).click()
    assert places(page) == before


def test_points_between_are_between(page: Page) -> None:
    """Half way from one trained sigma to the next, every point is half way too."""
    page.evaluate("document.getElementById('sigma').step = 'any'")
    stored = page.locator("#morph-data").text_content() or ""
    ticks = [at for at, _ in json.loads(stored)["ticks"]]
    first, second = 0.0, 1000 * (ticks[1] - ticks[0]) / (ticks[-1] - ticks[0])
    seen = []
    for value in (first, (first + second) / 2, second):
        page.locator("#sigma").fill(str(value))
        seen.append([float(place or "nan") for place in places(page)])
    assert seen[1] == pytest.approx([(a + b) / 2 for a, b in zip(seen[0], seen[2], strict=True)])


def column(page: Page, number: int) -> list[str]:
    rows = page.locator(f"#table-generalisation_grid tbody td:nth-child({number})").all()
    return [(cell.text_content() or "").strip() for cell in rows]


def test_tables_sort_by_keyboard(page: Page) -> None:
    header = page.locator("#table-generalisation_grid th:nth-child(2)")
    header.locator("button").focus()
    page.keyboard.press("Enter")
    assert header.get_attribute("aria-sort") == "ascending"
    means = [float(value) for value in column(page, 2)]
    assert means == sorted(means) and len(set(means)) > 1
    page.keyboard.press("Enter")
    assert header.get_attribute("aria-sort") == "descending"
    assert [float(value) for value in column(page, 2)] == means[::-1]
    page.locator("#table-generalisation_grid th:nth-child(1) button").click()
    assert header.get_attribute("aria-sort") == "none"
    assert column(page, 1) == sorted(column(page, 1), key=str)


def test_a_table_is_saved(page: Page) -> None:
    with page.expect_download() as download:
        page.locator("a[download='generalisation_grid.csv']").click()
    text = download.value.path().read_text()
    assert (
        text.startswith('"encoding","mean","95 % interval","n"') and '"learned_s020 (\u03c3 = 0.2)"' in text
    )


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen(page: Page, tmp_path: Path, width: int, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": 900})
    page.reload()
    page.screenshot(path=tmp_path / f"{width}_{scheme}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, ground[4:-1].split(","))) < 3 * 128) == (scheme == "dark")
