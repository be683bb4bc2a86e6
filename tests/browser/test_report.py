"""The report as a browser shows it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

NAMES = ("mixed", "hostile", "passed", "empty")

CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const over = (below, colour) => {
    canvas.fillStyle = `rgb(${below.join(" ")})`; canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return Array.from(canvas.getImageData(0, 0, 1, 1).data).slice(0, 3);
  };
  const light = (colour) => colour.map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const weak = [];
  for (const element of document.body.querySelectorAll("*")) {
    const words = Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.data.trim());
    if (!words || !element.checkVisibility() || element.closest("svg, script, .skip")) continue;
    const parents = [];
    for (let each = element; each; each = each.parentElement) parents.unshift(each);
    const grounds = parents.map((each) => getComputedStyle(each).backgroundColor);
    const behind = grounds.reduce(over, [255, 255, 255]);
    const front = over(behind, getComputedStyle(element).color);
    const [high, low] = [light(front), light(behind)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5) weak.push(`${element.tagName}.${element.className}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(weak)];
}"""


class Looking:
    """Opens pages, and keeps what they did that they should not."""

    def __init__(self, browser: Browser, pages: dict[str, Path]) -> None:
        self._browser = browser
        self._pages = pages
        self.trouble: list[str] = []

    def at(self, name: str, *, width: int = 1280, scheme: str = "light", scripts: bool = True) -> Page:
        context = self._browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,  # pyright: ignore[reportArgumentType]
            java_script_enabled=scripts,
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.on("console", lambda message: self.trouble.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.trouble.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        own = self._pages[name].as_uri()
        page.on("request", lambda request: self.trouble.append(request.url) if request.url != own else None)
        page.goto(own)
        return page


@pytest.fixture
def looking(browser: Browser, pages: dict[str, Path]) -> Iterator[Looking]:
    looking = Looking(browser, pages)
    yield looking
    for context in browser.contexts:
        context.close()
    assert looking.trouble == []


def unfolded(page: Page) -> None:
    page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_opens_without_an_error_or_a_request(looking, name):
    page = looking.at(name)
    unfolded(page)
    page.wait_for_load_state("networkidle")
    expect(page.locator("h1")).to_be_visible()


def test_hostile_text_stays_text(looking):
    page = looking.at("hostile")
    unfolded(page)
    assert page.locator("script").count() == 1
    assert page.locator("img, iframe, object, embed, form, [onerror], [onload], [onclick], [onmouseover]").count() == 0
    assert page.locator("a:not([href^='#'])").count() == 0
    said = page.locator(".said.user .long").nth(1)
    assert "<script>alert(1)</script><img src=x onerror=alert(2)>" in said.inner_text()
    assert "\\u202e" in said.inner_text()
    for line in page.locator(".because").all()[:5]:
        line.hover()
        line.click()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [360, 768])
def test_nothing_runs_off_the_side_of_a_narrow_screen(looking, name, width):
    page = looking.at(name, width=width)
    unfolded(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_all_text_has_enough_contrast(looking, name, scheme):
    page = looking.at(name, scheme=scheme)
    unfolded(page)
    assert page.evaluate(CONTRAST) == []


def test_the_scheme_can_be_switched_and_follows_the_system_before(looking):
    page = looking.at("mixed", scheme="dark")
    background = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    page.get_by_role("button", name="Light").click()
    light = page.evaluate(background)
    assert sum(map(int, re.findall(r"\d+", dark))) < 150 < 600 < sum(map(int, re.findall(r"\d+", light)))
    assert page.evaluate("() => getComputedStyle(document.documentElement).colorScheme") == "light"


def test_a_card_and_a_call_unfold(looking):
    page = looking.at("mixed")
    card = page.locator("details.card").nth(1)
    expect(card.locator(".inside")).to_be_hidden()
    card.locator(":scope > summary").click()
    expect(card.locator(".inside")).to_be_visible()
    call = card.locator(".called").first
    expect(call.locator("pre").first).to_be_hidden()
    call.locator("summary").first.click()
    expect(call.locator("pre").first).to_be_visible()


def test_folds_open_without_scripts_and_controls_that_need_them_are_not_there(looking):
    page = looking.at("mixed", scripts=False)
    card = page.locator("details.card").nth(1)
    card.locator(":scope > summary").click()
    expect(card.locator(".inside")).to_be_visible()
    for control in ("#filter", "#theme", "button.copy >> nth=0"):
        expect(page.locator(control)).to_be_hidden()


def test_the_filter_leaves_what_fits(looking):
    page = looking.at("mixed")
    cards = page.locator("details.card")
    everything = cards.count()
    page.get_by_label("Search").fill("two-emmas")
    shown = [card for card in cards.all() if card.is_visible()]
    assert 0 < len(shown) < everything
    assert all("two-emmas" in card.inner_text() for card in shown)
    expect(page.locator("#matches")).to_have_text(f"{len(shown)} of {everything} conversations")
    page.get_by_label("Search").fill("no such words")
    expect(page.locator("#matches")).to_have_text("No conversation fits.")
    page.get_by_label("Search").fill("")
    page.get_by_label("Severity").select_option("critical")
    groups = [group for group in page.locator(".group").all() if group.is_visible()]
    assert [group.get_attribute("data-severity") for group in groups] == ["critical"]


def test_a_link_to_an_event_opens_what_is_folded_around_it(looking):
    page = looking.at("mixed")
    card = page.locator("details.card").nth(2)
    event = card.locator(".chat > li").nth(1)
    expect(event).to_be_hidden()
    page.evaluate("(id) => { location.hash = id; }", event.get_attribute("id"))
    expect(event).to_be_visible()


def test_the_guilty_event_is_marked_and_in_view_when_its_card_is_open(looking):
    page = looking.at("mixed")
    first = page.locator("details.card[open]").first
    assert first.locator(".chat > li.guilty").count() == 1
    expect(first.locator(".flag.guilty").first).to_be_visible()


def test_the_command_can_be_copied_or_is_selected(looking):
    page = looking.at("mixed")
    command = page.locator("footer .command")
    command.get_by_role("button").click()
    expect(command.get_by_role("button")).to_have_text(re.compile("Copied|Selected"))
