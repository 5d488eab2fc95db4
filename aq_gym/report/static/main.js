/** The page: it shows the state in its address, and reacts to clicks and keys. */

import { Archive, chunkLoader } from "./archive.js";
import { Browser, FILTERS } from "./browse.js";
import { fromColumns } from "./choose.js";
import { copyButtons } from "./copy.js";
import { watchRun } from "./live.js";
import { playGame, startPage } from "./start.js";
import { scrollHints, sortableTables } from "./tables.js";
import { themeMenu } from "./theme.js";

const KEYS = {
  ArrowLeft: "episode-back",
  p: "episode-back",
  ArrowRight: "episode-on",
  n: "episode-on",
  Escape: "episode-list",
};
const STEPS = { j: 1, k: -1 };
const by = (id) => document.getElementById(id);

themeMenu();
// The address keeps its state, which a link to a part of the page would replace.
by("skip").addEventListener("click", (event) => {
  event.preventDefault();
  by("main").focus();
});
sortableTables(document);
scrollHints(document);
if (document.querySelector(".board")) copyButtons(by("main"));

const island = by("aq-data");
const renew = island ? start(JSON.parse(island.textContent)) : () => {};
const live = by("aq-live");
if (live) watchRun(JSON.parse(live.textContent), renew);

if (by("start")) startPage();
const game = by("aq-game");
if (game) playGame(JSON.parse(game.textContent));

/** Show the data, and return a function that shows newer data. */
function start(data) {
  const archive = new Archive(chunkLoader(data.folder));
  const browser = new Browser(data, fromColumns(data.episodes, data.lines), archive);
  followFilters(browser);
  for (const button of document.querySelectorAll("#episode-table thead button")) {
    const name = button.dataset.sort;
    button.addEventListener("click", () => {
      // Names begin with the first one, numbers with the largest.
      const orders = [`-${name}`, name];
      if (!button.closest(".number")) orders.reverse();
      const sort = browser.state.sort === orders[0] ? orders[1] : orders[0];
      browser.adjust({ sort, page: "" });
    });
  }
  const turn = (step) => {
    const page = Math.max(0, (Number(browser.state.page) || 0) + step);
    browser.adjust({ page: page ? String(page) : "" });
  };
  by("list-back").addEventListener("click", () => turn(-1));
  by("list-on").addEventListener("click", () => turn(1));
  by("compare-with").addEventListener("change", (event) => {
    browser.adjust({ with: event.target.value });
  });
  by("compact").addEventListener("change", (event) => {
    browser.adjust({ compact: event.target.checked ? "1" : "" });
  });
  by("overview").addEventListener("change", (event) => {
    if (event.target.matches("#rows-by, #baseline, #against")) browser.showRows();
  });
  followSections(browser);
  followShares(browser);
  document.addEventListener("keydown", (event) => onKey(event, browser));
  addEventListener("hashchange", () => browser.show());
  matchMedia("(max-width: 600px)").addEventListener("change", () => {
    browser.viewed = null;
    browser.show();
  });
  browser.show();
  // The address of a list leads to it.
  const { episode, outcome, part, subgoal } = browser.state;
  if (!episode && (outcome || part || subgoal)) scrollToSection(by("episodes"));
  return (newer) => {
    const episodes = fromColumns(newer.episodes, newer.lines);
    browser.renew(newer, episodes, new Archive(chunkLoader(newer.folder)));
  };
}

function followFilters(browser) {
  for (const name of FILTERS) {
    by(`filter-${name}`).addEventListener("input", (event) => {
      const also = { text: { inside: "" }, env: { subgoal: "" } }[name] ?? {};
      browser.adjust({ [name]: event.target.value, page: "", ...also });
    });
  }
  by("search-inside").addEventListener("click", () => {
    browser.adjust({ inside: "1", page: "" });
  });
  by("clear-filters").addEventListener("click", () => {
    const names = [...FILTERS, "part", "inside", "page"];
    browser.adjust(Object.fromEntries(names.map((name) => [name, ""])));
  });
  for (const form of ["filters", "view"]) {
    by(form).addEventListener("submit", (event) => event.preventDefault());
  }
  // Enter in the text's field.
  by("filters").addEventListener("submit", () => by("search-inside").click());
}

/** Go to a section without losing the filters, which are in the address too. */
function followSections(browser) {
  for (const link of document.querySelectorAll("[data-section]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      browser.go({ episode: "", run: "", with: "", step: "" });
      browser.show();
      const section = by(link.dataset.section);
      scrollToSection(section);
      section.tabIndex = -1;
      section.focus({ preventScroll: true });
    });
  }
}

/** A share in the chart of where runs get stuck lists its episodes. */
function followShares(browser) {
  by("overview").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    // Safari does not, and closing an episode returns to the link that has the focus.
    link?.focus({ preventScroll: true });
    if (
      !link?.matches("[data-list]") ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey
    )
      return;
    event.preventDefault();
    location.hash = link.hash;
    browser.show();
    scrollToSection(by("episodes"));
  });
}

/** Scroll to a section, and again when the charts above it have their heights. */
function scrollToSection(section) {
  const scroll = () => section.scrollIntoView();
  scroll();
  requestAnimationFrame(() => requestAnimationFrame(scroll));
}

function onKey(event, browser) {
  const busy = event.target.closest?.("input, select, textarea");
  if (busy || event.ctrlKey || event.metaKey || event.altKey) return;
  if (by("episode").hidden) return;
  if (event.key in STEPS) browser.step(STEPS[event.key]);
  const link = by(KEYS[event.key]);
  if (link && !link.hidden) {
    event.preventDefault();
    link.click();
  }
}
