"use strict";
(() => {
  const root = document.documentElement;
  const find = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  const byId = (id) => document.getElementById(id);

  // A browser may refuse storage to a page that was opened from disk; the choice then lasts as long as the page.
  const stored = {
    get() { try { return localStorage.getItem("misstep-theme"); } catch { return null; } },
    set(value) { try { localStorage.setItem("misstep-theme", value); } catch { /* not kept */ } },
  };
  const theme = byId("theme");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  const label = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  if (["light", "dark"].includes(stored.get())) root.dataset.theme = stored.get();
  theme.hidden = false;
  label();
  prefersDark.addEventListener("change", label);
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    stored.set(root.dataset.theme);
    label();
  });

  // The clipboard may be closed to a page from disk: then the command is selected, ready to be copied by hand.
  const select = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };
  for (const button of find("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.parentElement.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        select(code);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1600);
    });
  }

  // A link to an event must be able to show it, whatever is folded around it.
  const reveal = () => {
    let element = location.hash.length > 1 ? byId(decodeURIComponent(location.hash.slice(1))) : null;
    if (!element) return;
    const target = element;
    for (; element; element = element.parentElement) if (element.tagName === "DETAILS") element.open = true;
    if (target.tagName === "LI") target.querySelector("details")?.setAttribute("open", "");
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  for (const box of find(".scroll")) {
    const hint = box.previousElementSibling;
    const look = () => {
      if (hint?.classList.contains("hint")) hint.hidden = box.scrollWidth <= box.clientWidth + 1;
      box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    };
    box.addEventListener("scroll", look, { passive: true });
    new ResizeObserver(look).observe(box);
  }

  const links = find("nav a");
  const watched = new Map(links.map((link) => [byId(link.hash.slice(1)), link]));
  watched.delete(null);
  const spy = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links) link.classList.toggle("here", link === watched.get(entry.target));
    }
  }, { rootMargin: "-15% 0px -80% 0px" });
  for (const section of watched.keys()) spy.observe(section);

  const filter = byId("filter");
  if (!filter) return;
  filter.hidden = false;
  const groups = find(".group").map((element) => ({
    element,
    cards: find(".card", element).map((card) => ({ card, words: "" })),
  }));
  const words = (entry, group) => {
    if (!entry.words) entry.words = `${group.id} ${entry.card.textContent}`.toLowerCase();
    return entry.words;
  };
  const total = groups.reduce((sum, group) => sum + group.cards.length, 0);
  const search = byId("search"), mode = byId("pick-mode"), severity = byId("pick-severity");
  const apply = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { element, cards } of groups) {
      const fits = (!mode.value || element.id === mode.value) && (!severity.value || element.dataset.severity === severity.value);
      let some = false;
      for (const entry of cards) {
        const keep = fits && wanted.every((word) => words(entry, element).includes(word));
        entry.card.hidden = !keep;
        some ||= keep;
        shown += keep;
      }
      element.hidden = !some;
    }
    const filtered = wanted.length || mode.value || severity.value;
    byId("matches").textContent = !filtered ? "" : shown ? `${shown} of ${total} conversations` : "No conversation fits.";
  };
  for (const control of [search, mode, severity]) control.addEventListener("input", apply);
  const unfold = byId("unfold");
  unfold.addEventListener("click", () => {
    const open = unfold.textContent === "Open all";
    for (const { cards } of groups) for (const { card } of cards) card.open = open;
    unfold.textContent = open ? "Close all" : "Open all";
  });
  apply();
})();
