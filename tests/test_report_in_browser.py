"""The report as a reader's browser shows it: nothing fetched, no error, a moving slider."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from reported_project import make_project

from stages import report as reports
from stages.reporting.page import study_page
from stages.reporting.sections import read_section
from stages.reporting.whole import REPORT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run"),
]
MOST_STOPS = 60  # of the Tab key
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the path to open the report with")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a report of three studies with tall pictures, of which two follow the one that is jumped to."""
    root = make_project(tmp_path_factory.mktemp("project"))
    for name in ("sigma", "encodings", "language"):
        if name != "sigma":
            shutil.copy(root / "studies/sigma.yaml", root / f"studies/{name}.yaml")
            shutil.copytree(root / "reports/studies/sigma", root / f"reports/studies/{name}")
        Image.new("P", (1500, 3000), 1).save(root / f"reports/studies/{name}/figure.png")
        page = study_page(read_section(root, name), "small")
        (root / f"reports/studies/{name}/page.html").write_text(page, encoding="utf-8")
    reports.report(root)
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
    assert page.locator("img").count() == 5 and troubles == []
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
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "σ\xa0about 0.36, between 0.2 and 2"
    slider.fill("2")
    between = places(page)
    slider.press("End")
    assert value.text_content() == "2" and canvas.screenshot() != map_before
    halves = [(float(a or "nan") + float(b or "nan")) / 2 for a, b in zip(before, places(page), strict=True)]
    assert [float(place or "nan") for place in between] == pytest.approx(halves)
    slider.press("Home")
    assert slider.get_attribute("aria-valuetext") == "σ\xa00.2" and places(page) == before


@pytest.mark.parametrize("width", [420, 1400])
def test_every_link_of_the_contents_lands_below_them(page: Page, width: int) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    links = page.locator("#contents a")
    for number in range(links.count()):
        link = links.nth(number)
        link.locator("xpath=ancestor::details/summary").click()
        link.click()
        page.wait_for_timeout(50)
        assert page.locator("#contents details[open]").count() == 0
        place = page.evaluate(
            """target => {
              const top = document.querySelector(target).getBoundingClientRect().top;
              const under = document.getElementById("contents").getBoundingClientRect().bottom;
              const left = document.documentElement.scrollHeight - innerHeight - scrollY;
              return [top - under, left];
            }""",
            link.get_attribute("href"),
        )
        assert 0 <= place[0] < 60 or place[0] > 0 and place[1] < 2, (link.get_attribute("href"), place)


def test_claims_are_filtered_and_main_ones_come_first(page: Page) -> None:
    shown = page.locator(".claims tbody tr:visible")
    assert shown.count() == 4 and page.locator("#filter output").text_content() == "4 of 8 claims"
    page.get_by_label("verdict").select_option("holds")
    assert shown.count() == 3
    page.get_by_label("stated").select_option("after")
    assert shown.count() == 0
    page.get_by_label("verdict").select_option("any, all claims")
    assert shown.count() == 4


def test_the_keyboard_alone_reaches_all_of_it(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.locator("#contents summary").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.hash") == "#study-sigma"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.textContent") == "The main result"
    page.reload()
    page.keyboard.press("Tab")
    stops = 1
    while page.evaluate("document.activeElement !== document.body") and stops <= MOST_STOPS:
        page.keyboard.press("Tab")
        stops += 1
    assert stops <= MOST_STOPS


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen(page: Page, width: int, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, ground[4:-1].split(","))) < 3 * 128) == (scheme == "dark")


@pytest.mark.parametrize("width", [420, 1400])
def test_pictures_have_words_and_scroll_inside_their_box(page: Page, report: Path, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for path in (report, report.parent / "studies/sigma/page.html"):
        page.goto(path.as_uri())
        for picture in page.locator("img").all():
            assert len(picture.get_attribute("alt") or "") > 80
            box = picture.evaluate("one => one.closest('.paper').getBoundingClientRect().right")
            wide = picture.evaluate("one => one.getBoundingClientRect().width / one.getAttribute('width')")
            assert box <= width and wide > 0.9  # or its letters would be too small
        assert page.evaluate("document.documentElement.scrollWidth") == width
