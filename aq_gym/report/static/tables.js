/** Tables that can be sorted by the headings of their columns. */

import { runsOf } from "./choose.js";
import { h, stacked } from "./dom.js";
import { listed, plain } from "./stuck.js";

/** Let the tables of the class "sortable" in an element be sorted, and shade shares. */
export function sortableTables(root) {
  for (const cell of root.querySelectorAll("td.heat")) {
    cell.style.setProperty("--share", cell.dataset.value);
  }
  for (const table of root.querySelectorAll("table.sortable")) {
    for (const button of table.querySelectorAll("thead button")) {
      button.addEventListener("click", () => {
        const heading = button.closest("th");
        const order = heading.getAttribute("aria-sort");
        // Names begin with the first one, numbers with the largest.
        const named = [...table.tBodies[0].rows].some(({ cells }) =>
          Number.isNaN(Number(cells[heading.cellIndex].dataset.value)),
        );
        sortBy(table, heading, order ? order === "descending" : named);
      });
    }
  }
}

/** Sort a newer table as the reader had sorted the one that it replaces. */
export function sortedAs(before, after) {
  const heading = before.querySelector("th[aria-sort]");
  if (!heading) return;
  const upwards = heading.getAttribute("aria-sort") === "ascending";
  sortBy(after, after.tHead.rows[0].cells[heading.cellIndex], upwards);
}

/** Mark each table that is wider than its place; the style shows the mark. */
export function scrollHints(root) {
  for (const box of root.querySelectorAll(".scroll:not([data-more])")) {
    const look = () => {
      const beyond = box.scrollWidth - box.clientWidth;
      const more = beyond - Math.abs(box.scrollLeft) > 4;
      box.dataset.more = beyond > 4 ? (more ? "right" : "left") : "";
    };
    box.dataset.more = "";
    box.addEventListener("scroll", look);
    // Later, as the hint changes the size that is watched.
    new ResizeObserver(() => requestAnimationFrame(look)).observe(box);
  }
}

const MOVES = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  j: [1, 0],
  k: [-1, 0],
};
const STOPS = "tbody :is(a[href], button, input)";

/** Make the body of each table one stop of the tab key; the arrow keys move in it. */
export function arrowKeys(root) {
  for (const table of root.querySelectorAll("table:has(tbody :is(a[href], input))")) {
    const stops = [...table.querySelectorAll(STOPS)];
    const chosen =
      stops.find((one) => one === document.activeElement) ??
      stops.find((one) => one.matches("tr:not([hidden]) a")) ??
      stops[0];
    for (const one of stops) one.tabIndex = one === chosen ? 0 : -1;
    if (table.dataset.arrows) continue;
    table.dataset.arrows = "yes";
    table.addEventListener("keydown", (event) => moved(table, event));
  }
}

function moved(table, event) {
  const [down, right] = MOVES[event.key] ?? [];
  const from = event.target;
  const box = from.closest("tr")?.querySelector("input[type=checkbox]");
  if (event.key === " " && from.matches("a[href]") && box) {
    event.preventDefault();
    box.click();
  }
  if (down === undefined || !from.matches(STOPS) || event.ctrlKey || event.altKey)
    return;
  const rows = [...table.querySelectorAll("tbody tr")]
    .filter((row) => row.offsetParent)
    .map((row) => [...row.querySelectorAll(STOPS)])
    .filter((stops) => stops.length);
  const row = rows.findIndex((stops) => stops.includes(from));
  const cell = (stop) => stop.closest("td, th").cellIndex;
  const order = (stops, one) => stops.filter((other) => cell(other) === cell(one));
  const beside = rows[row]?.[rows[row].indexOf(from) + right];
  const near = rows[row + down] ?? [];
  const same = order(near, from);
  const to = right
    ? beside
    : (same[order(rows[row], from).indexOf(from)] ?? same[0] ?? near[0]);
  if (!to) return;
  event.preventDefault();
  from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}

/** Sort a table by a column. */
export function sortBy(table, heading, upwards) {
  for (const other of table.querySelectorAll("th[aria-sort]")) {
    other.removeAttribute("aria-sort");
  }
  heading.setAttribute("aria-sort", upwards ? "ascending" : "descending");
  const column = heading.cellIndex;
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((a, b) => compared(a, b, column));
  if (!upwards) rows.reverse();
  // What has no value is last in both directions.
  const blank = ({ cells }) =>
    cells[column].textContent.trim() === "–" && Number(cells[column].dataset.value) < 0;
  body.append(...rows.filter((row) => !blank(row)), ...rows.filter(blank));
}

function compared(first, second, column) {
  const [a, b] = [first, second].map((row) => row.cells[column].dataset.value);
  const difference = Number(a) - Number(b);
  return Number.isNaN(difference) ? a.localeCompare(b) : difference;
}

/**
 * Show the rows of the summary that the menus and the filter of the page select.
 *
 * @param {Record<string, string>} now
 * @param {object} data The page's data.
 * @param {(part: string, tasks: number) => string | null} hrefOf Returns the address of
 *   a list of the episodes of a part of the tasks.
 */
export function showRows(now, data, hrefOf) {
  const of = now.of && runsOf(data.lines, now.of);
  const table = document.getElementById("summary-table");
  const chosen = document.getElementById("rows-by")?.value ?? "";
  // If a difficulty is chosen, its rows are shown instead of those of the whole.
  const kind = now.difficulty ? "difficulty" : chosen;
  table.classList.toggle("parted", !["", "means"].includes(kind));
  for (const row of table.tBodies[0].rows) {
    const { by, part } = row.dataset;
    const asked = now.difficulty ? by === kind && part === now.difficulty : true;
    const means = kind === "means" && !now.env;
    const other = means
      ? !row.classList.contains("overall") || by !== ""
      : !now.difficulty && by !== "" && by !== kind;
    row.hidden = isElsewhere(row, now.env, of) || !asked || other;
  }
  const agents = [...document.querySelectorAll("#agents tbody tr")];
  const several = agents.filter((row) => row.dataset.env === "all").length > 1;
  for (const row of agents) {
    const asked = now.env || (several && "all");
    row.hidden = Boolean(asked) && row.dataset.env !== asked;
  }
  offerAlike();
  const pair = ["baseline", "against"].map((id) => document.getElementById(id)?.value);
  for (const row of document.querySelectorAll(".differences tbody tr")) {
    const { env, run, baseline } = row.dataset;
    const other = !pair.includes(run) || !pair.includes(baseline);
    row.hidden = other || Boolean(now.env && env !== now.env);
  }
  if (pair[0]) foldEqual();
  const none = document.getElementById("no-differences");
  if (none) {
    const found = document.querySelector(".differences tr[data-run]:not([hidden])");
    none.hidden = Boolean(found);
    const named = (of) =>
      document.querySelector(`#baseline [value="${CSS.escape(of)}"]`);
    const [run, from] = [found?.dataset.run, found?.dataset.baseline];
    const told = found ? `${named(run).text} minus ${named(from).text}` : "";
    document.querySelector("#differences caption").textContent = told;
    document.querySelector(".by-environment").hidden = !found;
  }
  showVerdict(data.verdicts, hrefOf);
}

/** Show the environments in which no task differs as one row, if they are several. */
function foldEqual() {
  const rows = [...document.querySelectorAll("tr[data-equal]:not([hidden])")];
  const row = document.getElementById("equal-in");
  row.hidden = rows.length < 2;
  if (row.hidden) return;
  for (const one of rows) one.hidden = true;
  const names = rows.map(({ dataset }) => plain(dataset.env));
  row.cells[0].textContent = `equal in ${names.length}`;
  row.cells[1].textContent = names.join(", ");
}

/** Offer what the chosen one is compared with: other agents, or other runs. */
function offerAlike() {
  const chosen = document.getElementById("against")?.selectedOptions[0];
  if (!chosen) return;
  const menu = document.getElementById("baseline");
  const { label } = chosen.parentElement;
  for (const one of menu.options) {
    one.disabled = one.value === chosen.value || one.parentElement.label !== label;
  }
  const first = [...menu.options].find((one) => !one.disabled);
  if (first && menu.selectedOptions[0].disabled) menu.value = first.value;
}

/** Return the name of a part of the tasks that two runs have, and their names. */
export function partOf(verdicts, asked) {
  const [kind, ...pair] = asked.split("\n");
  const { options } = document.getElementById("against") ?? { options: [] };
  const of = pair.map((name) => [...options].findIndex(({ value }) => value === name));
  const found = verdicts.find((one) => one[0] === of[0] && one[1] === of[1]);
  const part = found?.[3].find((one) => one[2] === kind);
  return part && `${of.map((at) => options[at].text).join(" and ")}, ${part[0]}`;
}

/** Show the verdict on two runs, with a picture; the page has the first pair's text. */
function showVerdict(verdicts, hrefOf) {
  const place = document.getElementById("told");
  if (!place) return;
  const menus = ["baseline", "against"].map((id) => document.getElementById(id));
  const pair = menus.map((menu) => menu.selectedIndex);
  const found = verdicts.find((one) => pair.includes(one[0]) && pair.includes(one[1]));
  const [one, other, told, parts] = found ?? [0, 0, [], []];
  const of = [one, other].map((at) => menus[0].options[at].value);
  const bar = stacked(parts.map(([, tasks, kind]) => [tasks, `part-${kind}`]));
  const list = h("ul", { class: "timeline-key" });
  for (const [name, tasks, kind] of parts) {
    const asked = [kind, ...of].join("\n");
    const count = listed(hrefOf(asked, tasks), tasks, `${name}: list the ${tasks}`);
    const words = document.createTextNode(`${name}: `);
    list.append(h("li", { class: `part-${kind}` }, words, count));
  }
  place.replaceChildren(h("p", { class: "lead", text: told.join(" ") }), bar, list);
}

function isElsewhere(row, asked, of) {
  const { env, run } = row.dataset;
  return Boolean((asked && env !== asked) || (of && !of.includes(run)));
}
