"""The report as a reader's browser shows it: nothing fetched, no error, a moving slider."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from reported_project import make_project

from stages import report as reports
from stages.reporting.whole import REPORT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run"),
]
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the path to open the report with")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = make_project(tmp_path_factory.mktemp("project"))
    reports.report(root)
    shutil.copy(root / reports.FIGURE, root / "reports/studies/sigma/figure.png")
    return root / REPORT


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def troubles() -> list[str]:
    """Collect errors, among them those of requests that the page's own policy stops."""
    return []


@pytest.fixture
def page(browser: Browser, report: Path, troubles: list[str]) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    page.goto(report.as_uri())
    yield page
    page.close()


def test_nothing_is_fetched_and_nothing_fails(page: Page, troubles: list[str]) -> None:
    page.locator("[data-task=grid] select").select_option("grid_distance")
    page.mouse.wheel(0, 20_000)
    assert page.locator("img").count() == 3 and troubles == []
    page.evaluate("new Image().src = 'https://example.org/x.png'")
    page.wait_for_timeout(200)
    assert troubles


def places(page: Page) -> list[str | None]:
    circles = page.locator("[data-task=grid] .learned-plane circle").all()
    return [circle.get_attribute("cx") for circle in circles]


def test_slider_moves_points_and_map(page: Page) -> None:
    slider, value = page.locator("#at-sigma"), page.locator("#sigma-value")
    canvas = page.locator("[data-task=grid] .learned-map")
    before, map_before = places(page), canvas.screenshot()
    assert value.text_content() == "0.2" and len(before) == 16
    slider.fill("500")
    between = places(page)
    slider.press("End")
    assert value.text_content() == "2" and canvas.screenshot() != map_before
    halves = [(float(a or "nan") + float(b or "nan")) / 2 for a, b in zip(before, places(page), strict=True)]
    assert [float(place or "nan") for place in between] == pytest.approx(halves)
    page.get_by_role("button", name="0.2", exact=True).click()
    assert places(page) == before


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen(page: Page, width: int, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, ground[4:-1].split(","))) < 3 * 128) == (scheme == "dark")
