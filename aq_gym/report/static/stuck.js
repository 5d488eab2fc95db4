/** Where runs get stuck: subgoals by runs, shaded by the share that reached them. */

import { colorOf, h, stacked } from "./dom.js";
import { count, percent, rate } from "./text.js";

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

/** Return whether an episode has ended without an error. */
export function isScored({ outcome }) {
  return !["error", "running", "broken off"].includes(outcome);
}

const SHARES = [0.25, 0.5, 0.75];
const ENDS = [
  "no progress",
  "some progress",
  "a quarter done",
  "half done",
  "three quarters done",
  "solved",
];
// With more runs, a row for each in each environment would be too many.
const MOST_SPLIT = 3;
const MOST_TOLD = 3;

/**
 * Return how many scored episodes ended in each part of the progress.
 *
 * @param {object[]} episodes Some episodes.
 * @returns {number[]} How many made none, some, a quarter, half, three quarters of the
 *   progress, and how many solved their task.
 */
export function endedAt(episodes) {
  const ends = episodes.map(endOf);
  return ENDS.map((end) => ends.filter((one) => one === end).length);
}

/** Return the part of the progress in which a scored episode ended. */
export function endOf(episode) {
  const { outcome, progress } = episode;
  if (!isScored(episode)) return "";
  // A sum of parts such as 1/12 can be slightly less than 0.25.
  const quarters = SHARES.filter((share) => progress >= share - 1e-9).length;
  return ENDS[outcome === "solved" ? 5 : quarters + (progress > 0 ? 1 : 0)];
}

/** Return the agents, or runs, of some episodes, the best one first. */
function linesOf(data, episodes) {
  const runs = new Set(episodes.map((e) => e.run));
  return data.order
    .filter((at) => data.lines[at][1].some((run) => runs.has(run)))
    .map((at) => {
      const [title, own] = data.lines[at];
      if (own.length === 1) return { at, title, of: own[0] };
      if (runs.size > 1) return { at, title, of: title };
      const [of] = runs;
      return { at, title: data.names[data.runs.indexOf(of)], of };
    });
}

function isOf({ run, agent }, of) {
  return run === of || agent === of;
}

function kindOf({ runs, lines }) {
  return lines.length < runs.length ? "agent" : "run";
}

/**
 * Return how many of some episodes are unsolved, and for which reason.
 *
 * @param {object[]} episodes Some episodes.
 * @param {string[]} reasons The reasons of the page's data: an episode has one of them.
 * @returns {{total: number, unsolved: number, why: [string, number][]}}
 */
export function failedBy(episodes, reasons) {
  const scored = episodes.filter(isScored);
  const of = (name) => scored.filter(({ flags }) => flags.includes(name)).length;
  const why = reasons.map((name) => [name, of(name)]);
  return { total: scored.length, unsolved: of("unsolved"), why };
}

/** Return a link to a list of episodes, or its words alone without an address. */
export function listed(href, text, label = null) {
  return h("a", { href, "data-list": Boolean(href), text, "aria-label": label });
}

/** Say why episodes are unsolved, in a sentence with links, and show it as a bar. */
function failures({ reasons }, { total, unsolved, why }, hrefOf) {
  if (!unsolved) return [];
  const kind = (name) => `part-why-${reasons.indexOf(name)}`;
  const told = why.filter(([, n]) => n).sort((a, b) => b[1] - a[1]);
  const say = (words) => document.createTextNode(words);
  const parts = told.flatMap(([name, n], at) => [
    say(at === 0 ? "" : at < told.length - 1 ? ", " : " and "),
    h("span", { class: kind(name) }, listed(hrefOf(name), `${count(n)} ${name}`)),
  ]);
  const all = listed(hrefOf("unsolved"), `${count(unsolved)} of ${count(total)}`);
  const noun = ` episode${total > 1 ? "s" : ""}: `;
  const said = [say("Fails in "), all, say(noun), ...parts, say(".")];
  const bar = told.map(([name, n]) => [n, kind(name)]);
  return [h("p", { class: "lead why" }, ...said), stacked(bar)];
}

/** Fill a cell with the number of unsolved episodes that have a reason, or of all. */
function fillReason(box, { total, unsolved, why }, hrefOf) {
  const { reason } = box.dataset;
  const all = reason === "unsolved";
  const n = all ? unsolved : why.find(([name]) => name === reason)[1];
  box.dataset.value = n;
  box.style.setProperty("--share", n / (unsolved || 1));
  const words = all ? `${count(n)} of ${count(total)}` : count(n);
  const label = `${words} ${reason}: list the episodes`;
  const none = all && (total ? words : "–");
  box.replaceChildren(n ? listed(hrefOf(reason), words, label) : none || "");
}

/** Say why each run fails, and a single one in each environment. */
function drawReasons(data, episodes, linkTo) {
  for (const place of document.querySelectorAll("[data-why]")) {
    const runs = JSON.parse(place.closest("[data-runs]").dataset.runs);
    const { env } = place.dataset;
    const own = episodes.filter((e) => runs.includes(e.run) && (!env || e.env === env));
    const counts = failedBy(own, data.reasons);
    const of = namedBy(data, runs);
    const asked = env ? { env, of, sort: "" } : { of, sort: "" };
    const hrefOf = (outcome) => (of === null ? null : linkTo({ ...asked, outcome }));
    const boxes = place.querySelectorAll("[data-reason]");
    for (const box of boxes) fillReason(box, counts, hrefOf);
    if (!boxes.length) place.replaceChildren(...failures(data, counts, hrefOf));
    if (env) place.hidden = !counts.total;
  }
}

/** Return the name by which some runs are chosen: "" for all, null if there is none. */
function namedBy(data, runs) {
  if (runs.length === data.runs.length) return "";
  if (runs.length === 1) return runs[0];
  const same = ([, own]) => own.length === runs.length && own.includes(runs[0]);
  return data.lines.find(same)?.[0] ?? null;
}

/**
 * Return where some episodes get least far on average.
 *
 * @param {object[]} episodes Episodes of several environments.
 * @returns {{envs: string[], mean: number}} The environments, none if all are alike, and
 *   the mean of the progress in each.
 */
export function leastFar(episodes) {
  const sums = {};
  for (const { env, progress } of episodes.filter(isScored)) {
    sums[env] ??= [0, 0];
    sums[env][0] += progress;
    sums[env][1] += 1;
  }
  const means = Object.entries(sums).map(([env, [sum, n]]) => [env, sum / n]);
  const mean = Math.min(...means.map((one) => one[1]));
  const envs = means.filter((one) => one[1] < mean + 1e-9).map(([env]) => env);
  return { envs: envs.length < means.length ? envs : [], mean };
}

/** Return the name of an environment without what all of them share. */
export function plain(env) {
  return env.replace(/^aq\/|-v0$/g, "");
}

/**
 * Say where most of several agents or runs get least far.
 *
 * @param {{envs: string[], mean: number}[]} least What leastFar returns for each.
 * @param {string} kind What they are.
 */
export function leastTold(least, kind) {
  const means = {};
  for (const { envs, mean } of least) {
    for (const env of envs) means[env] = [...(means[env] ?? []), mean];
  }
  const most = Math.max(0, ...Object.values(means).map((own) => own.length));
  if (most < 2) return "";
  const places = Object.entries(means)
    .filter(([, own]) => own.length === most)
    .map(([env, own]) => {
      const ends = new Set([Math.min(...own), Math.max(...own)].map(rate));
      return `${plain(env)} (${[...ends].join(" to ")})`;
    });
  const told = places.slice(0, MOST_TOLD).join(", and as many in ");
  return `On average, ${most} of ${least.length} ${kind}s get least far in ${told}.`;
}

/** Return the cell with the environments in which a run gets least far. */
function leastCell({ envs, mean }, hrefOf) {
  if (!envs.length) return h("td", { class: "none", text: "–" });
  const links = envs
    .slice(0, MOST_TOLD)
    .flatMap((env, at) => [at ? ", " : "", listed(hrefOf(env), plain(env))]);
  const more = envs.length - MOST_TOLD;
  return h(
    "td",
    { class: "none" },
    ...links,
    more > 0 ? ` and ${more} more` : "",
    ` (${rate(mean)})`,
  );
}

/** Draw how far the episodes of each run get, in each environment if runs are few. */
function across(data, episodes, linkTo) {
  const lines = linesOf(data, episodes);
  const several = data.runs.length > 1;
  const split = data.lines.length <= MOST_SPLIT;
  const names = ["none", "some", "¼", "½", "¾", "solved"];
  const columns = [split && "environment", several && kindOf(data), ...names];
  const least = lines.map(({ of }) => leastFar(episodes.filter((e) => isOf(e, of))));
  const shows = !split && least.some(({ envs }) => envs.length);
  if (shows) columns.push("least far in");
  const place = document.getElementById("least");
  if (place) place.textContent = leastTold(least, kindOf(data));
  const heads = columns.filter(Boolean);
  const head = heads.map((text) => h("th", { scope: "col", text }));
  const body = h("tbody");
  for (const env of split ? Object.keys(data.milestones) : [""]) {
    for (const [number, { at, title, of }] of lines.entries()) {
      const own = episodes.filter((e) => isOf(e, of) && (!env || e.env === env));
      if (!own.length) continue;
      const again = split && body.lastChild?.firstChild.textContent === env;
      const name = { scope: "row", class: again ? "again" : null, text: env };
      const row = h("tr", {}, split ? h("th", name) : null);
      if (several) {
        const kind = `run-name run-${colorOf(at)}`;
        const label = h("span", { class: kind, text: title, title: of });
        row.append(h(split ? "td" : "th", { class: "none" }, label));
      }
      const asked = { of, sort: "", ...(env ? { env } : {}) };
      row.append(...ends(own, (outcome) => linkTo({ ...asked, outcome })));
      const hrefOf = (where) => linkTo({ ...asked, env: where, outcome: "unsolved" });
      if (shows) row.append(leastCell(least[number], hrefOf));
      body.append(row);
    }
  }
  return h(
    "table",
    { class: "stuck across" },
    h("thead", {}, h("tr", {}, ...head)),
    body,
  );
}

/** Return the cells of a row; where most unsolved episodes ended is outlined. */
function ends(episodes, hrefOf) {
  const counts = endedAt(episodes);
  const total = counts.reduce((sum, n) => sum + n, 0);
  const most = Math.max(...counts.slice(0, -1), 1);
  return counts.map((n, place) => {
    const worst = n === most && place < counts.length - 1;
    const cell = h("td", { class: worst ? "worst" : null });
    cell.style.setProperty("--share", total ? n / total : 0);
    const label = `${n} of ${total}, ${ENDS[place]}: list the episodes`;
    if (n) cell.append(listed(hrefOf(ENDS[place]), count(n), label));
    return cell;
  });
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
  drawReasons(data, episodes, linkTo);
  let most = 1;
  for (const place of document.querySelectorAll("[data-stuck]")) {
    const env = place.dataset.stuck;
    const own = episodes.filter((e) => e.env === env);
    const runs = linesOf(data, own);
    place.replaceChildren(chart(data, env, own, runs, difficulty, linkTo));
    most = Math.max(most, runs.length);
  }
  document.getElementById("across")?.replaceChildren(across(data, episodes, linkTo));
  // As many charts side by side as their columns leave room for.
  document.querySelector(".stucks")?.style.setProperty("--runs", most);
}

function chart(data, env, episodes, runs, difficulty, linkTo) {
  const names = data.milestones[env] ?? [];
  const owns = runs.map(({ of }) => episodes.filter((e) => isOf(e, of)));
  const columns = owns.map((own) => names.map((_, place) => reachedBy(own, place)));
  const worst = runs.map(({ of }) => data.stuck[env]?.[of]?.[difficulty] ?? -1);
  const head = h("tr", {}, h("th", { scope: "col", text: "subgoal" }));
  for (const [number, { at, title, of: run }] of runs.entries()) {
    const kind = `run-name run-${colorOf(at)}`;
    const of = h("small", {
      text: `of ${count(owns[number].filter(isScored).length)}`,
    });
    // The name of the only run is the title of the page.
    const name =
      data.runs.length > 1 && h("span", { class: kind, text: title, title: run });
    head.append(h("th", { scope: "col" }, name || "episodes ", of));
  }
  const body = h("tbody");
  const folded = unreached(columns, worst, names.length);
  for (const [place, name] of names.entries()) {
    if (folded.includes(place)) {
      if (place === folded[0]) body.append(foldedRow(names, folded, runs.length));
      continue;
    }
    const row = h("tr", {}, h("th", { scope: "row", text: name }));
    for (const [number, { of }] of runs.entries()) {
      const link = (sign) => linkTo({ env, of, subgoal: `${sign}${name}` });
      const total = owns[number].filter(isScored).length;
      row.append(cell(columns[number][place], worst[number] === place, link, total));
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
  return h(
    "tr",
    { class: "folded" },
    h("th", { scope: "row", text: `${folded.length} others` }),
    h("td", {
      colspan: runs,
      text: `0%: no episode reached ${folded.map((place) => names[place]).join(", ")}`,
    }),
  );
}

/** Return a share, or its numbers where the column's head has not that of episodes. */
export function shown({ of, reached, share }, total) {
  return of === total ? percent(share) : `${count(reached)} of ${count(of)}`;
}

function cell(found, worst, link, total) {
  const { of, reached, share, median } = found;
  if (!of) return h("td", { class: "none", text: "–" });
  const box = h("td", { class: worst ? "worst" : null });
  box.style.setProperty("--share", share);
  const open = (sign, text, label) =>
    h("a", { href: link(sign), "data-list": true, text, "aria-label": label });
  const missed = of - reached;
  box.append(
    open(
      "+",
      shown(found, total),
      `${percent(share)}, ${reached} of ${of}, reached it: list them`,
    ),
    reached ? h("span", { class: "when", text: `step ${count(median)}` }) : "",
  );
  if (missed) {
    const text = `${count(missed)} of ${count(of)} did not`;
    box.append(h("small", {}, open("-", text, `${text} reach it: list them`)));
  }
  return box;
}
