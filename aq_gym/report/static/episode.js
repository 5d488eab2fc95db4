/** An episode, alone or beside the same task in another run. */

import { showBeside } from "./beside.js";
import { drawLines } from "./curves.js";
import { colorOf, h } from "./dom.js";
import { describeLoop, loops } from "./loops.js";
import { drawMap } from "./map.js";
import { pictureNote } from "./pictures.js";
import { repetitionRates } from "./repeats.js";
import { changes, longText, startCard, stepCard } from "./steps.js";
import { amount, count, rate, visible } from "./text.js";
import { timeline, timelineKey } from "./timeline.js";

const AT_ONCE = 100;

/**
 * Show one or two episodes in an element.
 *
 * @param {HTMLElement} place
 * @param {{label: string, number: number, episode: object, record: object}[]} sides
 * @param {(step: number) => string} linkTo Returns the address of a step.
 * @returns {{undo: () => void, reveal: (step: number) => void}} Functions that remove the
 *   observers of the page, and that go to a step.
 */
export function showEpisodes(place, sides, linkTo) {
  const undo = [];
  const columns = h("div", { class: `sides of-${sides.length}` });
  const steps = h("div", { class: `steps sides of-${sides.length}` });
  const strips = h("div", { class: "timelines" });
  const heading = h(
    "div",
    { class: "trajectory-head" },
    h("h3", { text: "Trajectory" }),
  );
  place.replaceChildren(columns, heading, strips, steps);
  const reveal = cards(steps, sides, linkTo);
  const longest = Math.max(...sides.map(({ record }) => record.steps?.length ?? 0));
  for (const side of sides) {
    const revealOwn = (step) => reveal(step, side.number);
    columns.append(overview(side, revealOwn, undo));
    if (!side.record.steps?.length) continue;
    const strip = timeline(side.record, changes(side.record), linkTo);
    strip.style.width = `${(100 * side.record.steps.length) / longest}%`;
    strips.append(strip);
  }
  if (sides.length > 1 && longest) {
    const revealFirst = (step) => reveal(step, sides[0].number);
    columns.before(showBeside(sides, linkTo, revealFirst, undo));
  }
  if (strips.children.length) heading.append(timelineKey());
  return {
    undo: () => {
      for (const one of undo) one();
    },
    reveal: (step) => reveal(step, sides[0].number),
  };
}

function overview({ label, number, episode, record }, reveal, undo) {
  const section = h(
    "section",
    { class: "side" },
    h("h3", { class: `run-name run-${colorOf(number)}`, text: label }),
    facts(episode),
    record.story ? h("p", { class: "story", text: record.story.join(" ") }) : null,
    record.goal ? h("p", { class: "goal", text: visible(record.goal) }) : null,
    record.error ? longText(record.error, "error") : null,
    record.traceback ? longText(record.traceback, "error") : null,
    record.problem ? h("p", { class: "problem", text: visible(record.problem) }) : null,
    pictureNote(record.pictures),
  );
  if (record.steps?.length) {
    section.append(...charts(record, number, reveal, undo));
    section.append(subgoals(record));
  }
  return section;
}

function facts(episode) {
  const list = h("dl", { class: "facts" });
  const add = (name, value) => {
    list.append(h("div", {}, h("dt", { text: name }), h("dd", { text: value })));
  };
  add("outcome", episode.outcome);
  add("progress", rate(episode.progress));
  add("final progress", rate(episode.final));
  add("repetition", rate(episode.repetition));
  add("valid actions", rate(episode.grounding));
  add("steps", count(episode.steps));
  if (episode.tokens !== null) add("tokens", count(episode.tokens));
  if (episode.cost !== null) add("cost", amount(episode.cost));
  if (episode.latency !== null) add("seconds", amount(episode.latency));
  if (episode.difficulty) add("difficulty", episode.difficulty);
  add("seed", episode.seed);
  return list;
}

function charts(record, number, reveal, undo) {
  const steps = [0, ...record.steps.map((_, index) => index + 1)];
  const followed = changes(record);
  const progress = [0, ...record.steps.map((step) => step.progress)];
  const repetition = [0, ...repetitionRates(record.steps)];
  const figure = h(
    "figure",
    {},
    h("figcaption", { text: "Progress (solid) and repetition rate (dashed) by step" }),
  );
  const lines = [
    { name: "progress", number: 0, mean: progress, color: `--run-${colorOf(number)}` },
    { name: "repetition", number: 1, mean: repetition, color: "--repeat" },
  ];
  const describe = (step) => followed[step - 1]?.reached.map((n) => `✓ ${n}`).join(" ");
  // Charts measure their place, which must be on the page by then.
  queueMicrotask(() => {
    undo.push(drawLines(figure, steps, lines, { describe, onPick: reveal }));
    if (togo) undo.push(drawSteps(togo, steps, record, number, reveal));
    undo.push(drawMap(map, record, reveal));
  });
  const togo = record.togo?.some((left) => left > 0)
    ? h("figure", { class: "togo" }, h("figcaption", { text: "Steps to go by step" }))
    : null;
  const map = h(
    "figure",
    { class: "map" },
    h("figcaption", {
      text: "Repetition map, step by step: the fuller a cell's colour, the more similar its two actions; the diagonal is pale, and repeats of an earlier action are marked",
    }),
  );
  return [figure, map, togo].filter(Boolean);
}

/** Draw the steps to go; there is a gap where the expert finds no way. */
function drawSteps(figure, steps, { togo, left }, number, reveal) {
  const mean = togo.map((count) => (count < 0 ? null : count));
  const color = `--run-${colorOf(number)}`;
  const line = { name: "steps to go", number: 0, mean, color };
  const describe = (step) =>
    [
      togo[step] < 0 ? "the expert finds no way" : "",
      step && togo[step] >= 0 && togo[step - 1] >= 0
        ? `regret ${togo[step] + 1 - togo[step - 1]}`
        : "",
      left.length ? `secrets left ${count(left[step])}` : "",
    ]
      .filter(Boolean)
      .join(" · ");
  const top = Math.max(...togo);
  return drawLines(figure, steps, [line], { describe, onPick: reveal, top });
}

function subgoals(record) {
  const followed = changes(record);
  const held = new Set(record.held);
  const list = h("ul", { class: "subgoals" });
  for (const [number, name] of record.subgoals.entries()) {
    const at = followed.findIndex((change) => change.reached.includes(name));
    const lost = followed.findLastIndex((change) => change.lost.includes(name));
    const again = followed.findLastIndex((change) => change.reached.includes(name));
    const when = held.has(number) ? "from the start" : `at step ${at + 1}`;
    const reached = at >= 0 || held.has(number);
    const kind = !reached ? "missed" : lost > again ? "lost" : "reached";
    const text = {
      missed: `○ ${visible(name)}`,
      lost: `− ${visible(name)}, ${when}, lost at step ${lost + 1}`,
      reached: `✓ ${visible(name)}, ${when}`,
    }[kind];
    list.append(h("li", { class: kind, text }));
  }
  const open = record.subgoals.length <= 8;
  return h(
    "details",
    { open },
    h("summary", { text: `Subgoals (${record.subgoals.length})` }),
    list,
  );
}

/** Lay out the cards in one row for each step; a button adds more rows. */
function cards(place, sides, linkTo) {
  const followed = sides.map(({ record }) => (record.steps ? changes(record) : []));
  const longest = Math.max(...sides.map(({ record }) => record.steps?.length ?? 0));
  // If there are two episodes, each card names its run.
  const named = (side) => (sides.length > 1 ? side : null);
  // Loops are folded only if a single episode is shown.
  const folds = sides.length > 1 ? [] : loops(sides[0].record.steps ?? []);
  let fold = null;
  for (const side of sides) {
    place.append(side.record.steps ? startCard(side.record, named(side)) : h("div"));
  }
  let shown = 0;
  const button = h("button", { type: "button", class: "more", click: () => more() });
  const more = (until = shown + AT_ONCE) => {
    const end = Math.min(until, longest);
    for (; shown < end; shown++) {
      const loop = folds.find(({ start }) => start === shown);
      if (loop) {
        fold = h(
          "details",
          { class: "loop" },
          h("summary", { text: describeLoop(loop) }),
        );
        fold.dataset.end = loop.end;
        place.append(fold);
      }
      if (fold && shown >= Number(fold.dataset.end)) fold = null;
      for (const [number, side] of sides.entries()) {
        const change = followed[number][shown];
        const card = change
          ? stepCard(side.record, shown, change, named(side), linkTo(shown + 1))
          : h("div");
        card.dataset.run = side.number;
        (fold ?? place).append(card);
      }
    }
    button.remove();
    if (shown < longest) {
      button.textContent = `Show ${count(longest - shown)} more steps`;
      place.append(button);
    }
  };
  more();
  return (step, number) => {
    if (step > shown) more(step + 10);
    const cards = place.querySelectorAll(`[data-step="${step}"]`);
    const card = [...cards].find((one) => one.dataset.run === String(number));
    const loop = card?.closest("details.loop");
    if (loop) loop.open = true;
    for (const one of place.querySelectorAll(".card.open"))
      one.classList.remove("open");
    // The cards of both runs are opened, so that both pictures are visible.
    for (const one of cards) one.classList.add("open");
    card?.scrollIntoView({ block: "center" });
    card?.focus({ preventScroll: true });
  };
}
