/** The pages of runs in progress, which `aq-gym watch` and `aq-gym ui` serve. */

import { scrollHints, sortableTables, sortedAs } from "./tables.js";

const SECONDS = 3;
const REPLACED = [
  "live",
  "answer",
  "verdict",
  "stuck",
  "summary",
  "attempts",
  "ratings",
  "curves",
  "runs-list",
];
const FOCUSED = "a, button, input, select, summary, [tabindex]";
const by = (id) => document.getElementById(id);

/**
 * Update the page in place until the runs have finished.
 *
 * @param {{stamp: string, finished: boolean}} status The status on the page.
 * @param {(data: object) => void} renew Called with the page's new data.
 */
export function watchRun(status, renew) {
  let { stamp, finished } = status;
  const look = async () => {
    if (finished) return;
    try {
      const [now, told] = (await (await fetch("stamp")).text()).split("\n");
      const line = document.querySelector("#live span");
      // The page itself may take long to build.
      if (told && line) line.textContent = told;
      if (now !== stamp && !document.activeElement?.matches("#overview select")) {
        const text = await (await fetch("./")).text();
        // The server's own page: its scripts do not run, and it loads nothing.
        const page = new DOMParser().parseFromString(text, "text/html");
        if (!by("aq-data") && page.getElementById("aq-data")) location.reload();
        const next = JSON.parse(page.getElementById("aq-live").textContent);
        [stamp, finished] = [next.stamp, next.finished];
        const place = scrollY;
        replaceParts(page);
        const data = page.getElementById("aq-data");
        if (by("aq-data") && data) renew(JSON.parse(data.textContent));
        // The page was shorter while its charts were drawn.
        scrollTo(0, place);
      }
    } catch {
      by("live").textContent = "aq-gym has ended";
    }
    setTimeout(look, SECONDS * 1000);
  };
  setTimeout(look, SECONDS * 1000);
}

function replaceParts(page) {
  document.title = page.title;
  for (const id of REPLACED) {
    const [old, part] = [by(id), page.getElementById(id)];
    if (old && part) replace(old, document.adoptNode(part));
  }
  const main = document.querySelector("main");
  sortableTables(main);
  scrollHints(main);
  if (!page.getElementById("aq-data")) return;
  for (const chunk of document.querySelectorAll("[id^=aq-chunk-]")) chunk.remove();
  document.body.append(...page.querySelectorAll("[id^=aq-chunk-]"));
  for (const select of page.querySelectorAll("#view select, #filter-outcome")) {
    const chosen = by(select.id).value;
    by(select.id).replaceChildren(...select.options);
    by(select.id).value = chosen;
    by(select.id).parentElement.hidden = select.parentElement.hidden;
  }
}

/** Replace a part of the page with a newer one, and keep what the reader opened. */
function replace(old, part) {
  const pairs = (selector) => {
    const [before, after] = [old, part].map((e) => [...e.querySelectorAll(selector)]);
    return before.length === after.length ? before.map((e, n) => [e, after[n]]) : [];
  };
  for (const [before, after] of pairs("details")) after.open = before.open;
  for (const [before, after] of pairs("select")) after.value = before.value;
  for (const box of old.querySelectorAll(":checked:not(option)")) {
    const now = part.querySelector(`[value="${CSS.escape(box.value)}"]`);
    if (now) now.checked = true;
  }
  for (const tables of pairs("table.sortable")) sortedAs(...tables);
  const focused = focusedAs(old, part, pairs(FOCUSED));
  old.replaceWith(part);
  focused?.focus({ preventScroll: true });
}

/** Find what has the focus in a newer part: a run may be in another row now. */
function focusedAs(old, part, pairs) {
  const active = document.activeElement;
  if (!old.contains(active)) return null;
  const named = (e) => `${e.tagName} ${e.getAttribute("href") ?? e.value}`;
  const own = (e) => named(e) === named(active);
  const here = pairs.find(([e]) => e === active)?.[1];
  return here && own(here) ? here : [...part.querySelectorAll(FOCUSED)].find(own);
}
