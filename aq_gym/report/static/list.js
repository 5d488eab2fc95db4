/** The list of episodes, a page at a time. */

import { colorOf, h } from "./dom.js";
import { partOf } from "./tables.js";
import { amount, count, cut, percent, rate, visible } from "./text.js";

const PAGE = 50;
const LONGEST = 90;
const MARKS = {
  solved: "✓",
  unsolved: "○",
  lost: "✕",
  error: "!",
  running: "…",
  "broken off": "…",
};

/** Return the last page's number, counted from 0. */
export function lastPage(length) {
  return Math.max(0, Math.ceil(length / PAGE) - 1);
}

/**
 * Show a page of the list.
 *
 * @param {object} data The page's data.
 * @param {object[]} chosen The episodes, in their order.
 * @param {Record<string, string>} state
 * @param {(episode: object) => string} linkTo
 */
export function showList(data, chosen, state, linkTo) {
  const body = document.querySelector("#episode-table tbody");
  const page = Math.min(Number(state.page) || 0, lastPage(chosen.length));
  const shown = chosen.slice(page * PAGE, (page + 1) * PAGE);
  const source = oneSource(data);
  body.replaceChildren(...shown.map((one) => row(data, one, linkTo(one), source)));
  hideEmpty(body.parentElement, data);
  const solved = chosen.filter((episode) => episode.outcome === "solved").length;
  const part = state.part && partOf(data.verdicts, state.part);
  document.getElementById("list-count").textContent =
    (part ? `Tasks of ${part}: ` : "") +
    `${count(chosen.length)} episode${chosen.length === 1 ? "" : "s"}, ` +
    `${count(solved)} solved` +
    source +
    (chosen.length > PAGE
      ? `; ${count(page * PAGE + 1)} to ${count(page * PAGE + shown.length)} are shown`
      : "") +
    (!chosen.length && state.text && !state.inside
      ? "; Enter searches in trajectories too"
      : "");
  document.getElementById("list-back").disabled = page === 0;
  document.getElementById("list-on").disabled = page >= lastPage(chosen.length);
  document.getElementById("list-pages").hidden = chosen.length <= PAGE;
}

/** Hide the columns that are empty or have one value in all rows of the page. */
function hideEmpty(table, data) {
  const { episodes } = data;
  const empty = {
    run: data.runs.length < 2,
    env: new Set(episodes.env).size < 2,
    difficulty: !episodes.difficulty.some(Boolean),
  };
  for (const name of ["tokens", "cost", "latency"]) {
    // A cost of 0 means that the model has no price.
    empty[name] = !episodes[name].some(Boolean);
  }
  for (const button of table.querySelectorAll("thead button")) {
    const heading = button.closest("th");
    heading.hidden = Boolean(empty[button.dataset.sort]);
    for (const { cells } of table.tBodies[0].rows) {
      cells[heading.cellIndex].hidden = heading.hidden;
    }
  }
}

function row(data, episode, link, same) {
  const cell = (text, kind) => h("td", { class: kind, text });
  const name = episode.instance || episode.task;
  const run = data.runs.indexOf(episode.run);
  const shown = cut(visible(name), LONGEST);
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h("a", { href: link, text: shown || episode.task, title: visible(name) }),
      h("small", {
        class: "one-line",
        text: visible(episode.goal),
        title: visible(episode.goal),
      }),
    ),
    h(
      "td",
      { class: episode.outcome, text: `${MARKS[episode.outcome]} ${episode.outcome}` },
      h("small", { text: data.reasons.find((one) => episode.flags.includes(one)) }),
    ),
    progress(episode, run),
    h(
      "td",
      {},
      h("span", {
        class: `run-name run-${colorOf(run)}`,
        text: data.names[run],
        title: episode.run,
      }),
    ),
    named(episode, same),
    cell(visible(episode.difficulty)),
    cell(rate(episode.final), "number"),
    cell(rate(episode.repetition), "number"),
    cell(rate(episode.grounding), "number"),
    cell(percent(episode.futile / Math.max(episode.steps, 1)), "number"),
    cell(count(episode.steps), "number"),
    cell(count(episode.tokens), "number"),
    cell(amount(episode.cost), "number"),
    cell(amount(episode.latency), "number"),
  );
}

/** Return an episode's environment with the source of its instance, if they differ. */
function named({ env, source }, same) {
  const name = visible(env).replace(/^aq\//, "");
  const note = source && !same ? h("small", { text: visible(source) }) : null;
  return h("td", {}, document.createTextNode(name), note);
}

/** Say where all instances come from, "" if they have several sources. */
function oneSource({ episodes: { source } }) {
  // The source of an episode that is being played is not known yet.
  const known = new Set(source.filter(Boolean));
  return known.size === 1 ? `, all ${visible([...known][0])}` : "";
}

function progress(episode, run) {
  const bar = h("span", {
    class: `mini-bar fill-${colorOf(run)}`,
    "aria-hidden": "true",
  });
  const part = h("span");
  part.style.width = `${100 * Math.min(Math.max(episode.progress, 0), 1)}%`;
  bar.append(part);
  const cell = h("td", { class: "number" }, bar);
  cell.append(rate(episode.progress));
  return cell;
}
