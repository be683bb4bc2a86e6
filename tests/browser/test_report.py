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


PLACES = """() => {
  const middle = (box) => (box.left + box.right) / 2;
  return Array.from(document.querySelectorAll(".headline-interval, .condition, #scenarios")).map((part) => {
    const plot = part.querySelector("svg.interval").getBoundingClientRect();
    const labels = Array.from(part.querySelectorAll(".scale > span")).slice(0, 3);
    const ticks = [plot.left, middle(plot), plot.right];
    return Math.max(...labels.map((label, at) => Math.abs(middle(label.getBoundingClientRect()) - ticks[at])));
  });
}"""


@pytest.mark.parametrize("width", [380, 1280])
def test_the_labels_of_an_axis_stand_under_their_ticks(looking, width):
    apart = looking.at("mixed", width=width).evaluate(PLACES)
    assert len(apart) > 3
    assert max(apart) < 0.6


BASELINES = """() => {
  const bottom = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().bottom;
  };
  const flags = Array.from(document.querySelectorAll(".flag")).filter((flag) => flag.checkVisibility());
  return flags.map((flag) => Math.abs(bottom(flag) - bottom(flag.previousElementSibling)));
}"""


def test_guilty_stands_on_the_line_of_its_row(looking):
    page = looking.at("mixed")
    unfolded(page)
    apart = page.evaluate(BASELINES)
    assert apart
    assert max(apart) < 0.1


BROKEN = """(selector) => Array.from(document.querySelectorAll(selector)).filter((element) =>
  element.checkVisibility() && element.getClientRects().length && (() => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set(Array.from(range.getClientRects()).map((box) => Math.round(box.top))).size > 1;
  })()).map((element) => element.textContent)"""


@pytest.mark.parametrize("width", [380, 1280])
def test_ids_and_notes_are_not_broken_at_the_end_of_a_line(looking, width):
    page = looking.at("mixed", width=width)
    unfolded(page)
    assert page.locator(".whole", has_text="O-20418").count()
    assert page.evaluate(BROKEN, ".whole, .row .note") == []


def test_a_table_that_is_too_wide_says_that_it_scrolls_and_keeps_the_names_of_its_rows(looking):
    expect(looking.at("mixed").locator(".hint")).to_be_hidden()
    page = looking.at("mixed", width=380)
    table, hint = page.locator("#transitions .scroll"), page.locator("#transitions .hint")
    page.evaluate("() => { document.querySelector('.scroll').style.maxWidth = '200px'; }")
    expect(hint).to_be_visible()
    expect(table).to_have_class(re.compile(r"\bmore\b"))
    name = table.locator("tbody th").first
    before = name.evaluate("(cell) => cell.getBoundingClientRect().left")
    table.evaluate("(box) => { box.scrollLeft = box.scrollWidth; }")
    expect(table).not_to_have_class(re.compile(r"\bmore\b"))
    assert name.evaluate("(cell) => cell.getBoundingClientRect().left") == pytest.approx(before, abs=2)


def test_the_modes_of_a_risk_can_be_read_on_a_phone(looking):
    page = looking.at("mixed", width=380)
    direct = page.locator(".owasp .by .mode", has_text="goal-hijack")
    expect(direct).to_be_visible()
    helping = page.locator(".owasp .helping", has_text="Contributing:").first
    expect(helping).to_be_visible()
    expect(page.locator(".owasp .plus").first).to_have_text(re.compile(r"\+\d+ contributing"))


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


def test_the_first_to_read_is_one_click_away_and_its_commands_can_be_copied(looking):
    page = looking.at("mixed")
    start = page.locator(".start")
    link = start.locator(".first a")
    name = link.get_attribute("href").removeprefix("#")
    start.locator(".command", has_text="misstep dispute").get_by_role("button").click()
    link.click()
    card = page.locator(f"[id='{name}']")
    expect(card.locator(".inside")).to_be_visible()
    expect(card.locator(".command", has_text="misstep dispute")).to_be_visible()
    expect(card).to_be_in_viewport()


def test_what_was_not_tried_unfolds_on_demand(looking):
    page = looking.at("mixed")
    untried = page.locator("#owasp .untried")
    expect(untried).to_be_hidden()
    page.locator("#owasp details > summary").click()
    expect(untried).to_be_visible()


def test_what_is_strained_and_what_is_disputed_can_be_told_from_the_rest(looking):
    page = looking.at("mixed")
    unfolded(page)
    marked = [card for card in page.locator("details.card").all() if card.locator(".strained").count()]
    assert marked
    assert all("trial 3" in card.inner_text() for card in marked)
    disputed = page.locator(".group", has_text="A person has called the verdict unfair.")
    assert disputed.count() == 1
    assert disputed.locator(".command", has_text="misstep dispute").count() == 0
    expect(page.locator(".counts .aside dd")).to_have_text(re.compile("[1-9]"))
