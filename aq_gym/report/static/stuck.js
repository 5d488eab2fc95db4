/** Where runs get stuck: subgoals by runs, shaded by the share that reached them. */

import { colorOf, h } from "./dom.js";
import { count, percent } from "./text.js";

/** The values that stuck.py writes in place of a step. */
export const MISSED = -1;
export const WITHOUT = -2;
// With more runs, on a narrow and on a wide screen, the cells have only the share.
const [MOST_NARROW, MOST_WIDE] = [3, 8];

/**
 * Return how many of some episodes reached a milestone.
 *
 * @param {object[]} episodes Episodes of one environment.
 * @param {number} place The milestone's place in the environment's list.
 * @returns {{of: number, reached: number, share: number, median: number}} How many have
 *   the milestone, how many of these reached it, their share, and the median step.
 */
export function reachedBy(episodes, place) {
  const found = episodes
    .filter(isScored)
    .map((e) => e.reached[place])
    .filter((step) => step !== undefined && step !== WITHOUT);
  const steps = found.filter((step) => step !== MISSED).sort((a, b) => a - b);
  const [low, high] = [steps[(steps.length - 1) >> 1], steps[steps.length >> 1]];
  return {
    of: found.length,
    reached: steps.length,
    share: found.length ? steps.length / found.length : 0,
    median: steps.length ? (low + high) / 2 : 0,
  };
}

function isScored({ outcome }) {
  return outcome !== "error" && outcome !== "running";
}

/**
 * Draw the chart of every environment that is shown.
 *
 * @param {object} data The page's data.
 * @param {object[]} episodes The episodes that the filter leaves.
 * @param {string} difficulty The difficulty of these episodes, "" for all.
 * @param {(changes: object) => string} linkTo Returns the address of a list.
 */
export function drawStuck(data, episodes, difficulty, linkTo) {
  let most = 1;
  for (const place of document.querySelectorAll("[data-stuck]")) {
    const env = place.dataset.stuck;
    const own = episodes.filter((e) => e.env === env);
    const runs = data.runs.filter((run) => own.some((e) => e.run === run));
    place.replaceChildren(chart(data, env, own, runs, difficulty, linkTo));
    most = Math.max(most, runs.length);
  }
  // As many charts side by side as their columns leave room for.
  document.querySelector(".stucks")?.style.setProperty("--runs", most);
}

function chart(data, env, episodes, runs, difficulty, linkTo) {
  const names = data.milestones[env] ?? [];
  const owns = runs.map((run) => episodes.filter((e) => e.run === run));
  const columns = owns.map((own) => names.map((_, place) => reachedBy(own, place)));
  const worst = runs.map((run) => data.stuck[env]?.[run]?.[difficulty] ?? -1);
  const head = h("tr", {}, h("th", { scope: "col", text: "subgoal" }));
  for (const [number, run] of runs.entries()) {
    const at = data.runs.indexOf(run);
    const kind = `run-name run-${colorOf(at)}`;
    const of = h("small", {
      text: `of ${count(owns[number].filter(isScored).length)}`,
    });
    head.append(
      h(
        "th",
        { scope: "col" },
        h("span", { class: kind, text: data.names[at], title: run }),
        of,
      ),
    );
  }
  const body = h("tbody");
  const folded = unreached(columns, worst, names.length);
  for (const [place, name] of names.entries()) {
    if (folded.includes(place)) {
      if (place === folded[0]) body.append(foldedRow(names, folded, runs.length));
      continue;
    }
    const row = h("tr", {}, h("th", { scope: "row", text: name }));
    for (const [number, run] of runs.entries()) {
      const link = (sign) => linkTo({ env, of: run, subgoal: `${sign}${name}` });
      row.append(cell(columns[number][place], worst[number] === place, link));
    }
    body.append(row);
  }
  const most = matchMedia("(max-width: 600px)").matches ? MOST_NARROW : MOST_WIDE;
  const kind = runs.length > most ? "stuck many" : "stuck";
  return h("table", { class: kind }, h("thead", {}, head), body);
}

/**
 * Return the milestones but the last that no run reached and that are not outlined, if
 * there are several: a row for each would show nothing.
 */
function unreached(columns, worst, length) {
  const found = Array.from({ length: length - 1 }, (_, place) => place).filter(
    (place) =>
      !worst.includes(place) && columns.every((column) => !column[place].reached),
  );
  return found.length > 1 ? found : [];
}

function foldedRow(names, folded, runs) {
  const text = `${names[folded[0]]} … ${names[folded.at(-1)]}`;
  return h(
    "tr",
    { class: "folded" },
    h("th", { scope: "row", text }),
    h("td", { colspan: runs, text: `0%: no episode reached these ${folded.length}` }),
  );
}

function cell({ of, reached, share, median }, worst, link) {
  if (!of) return h("td", { class: "none", text: "–" });
  const shown = h("td", { class: worst ? "worst" : null });
  shown.style.setProperty("--share", share);
  const open = (sign, text, label) =>
    h("a", { href: link(sign), "data-list": true, text, "aria-label": label });
  const missed = of - reached;
  shown.append(
    open(
      "+",
      percent(share),
      `${percent(share)}, ${reached} of ${of}, reached it: list them`,
    ),
    reached ? h("span", { class: "when", text: `step ${count(median)}` }) : "",
  );
  if (missed) {
    const text = `${count(missed)} of ${count(of)} did not`;
    shown.append(h("small", {}, open("-", text, `${text} reach it: list them`)));
  }
  return shown;
}
