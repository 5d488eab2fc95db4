/** An episode, alone or beside the same task in another run. */

import { showBeside } from "./beside.js";
import { addButtons } from "./copy.js";
import { drawLines } from "./curves.js";
import { colorOf, h, inkOf } from "./dom.js";
import { describeLoop, faults, loops } from "./loops.js";
import { drawMap } from "./map.js";
import { pictureNote } from "./pictures.js";
import { repetitionRates } from "./repeats.js";
import { asText, changes, ending, longText, startCard, stepCard } from "./steps.js";
import { amount, count, rate, visible } from "./text.js";
import { isCut, timeline, timelineKey } from "./timeline.js";

const AT_ONCE = 100;
const ACTS = ["wheel", "touchmove", "keydown", "pointerdown"];

/**
 * Show one or two episodes in an element.
 *
 * @param {HTMLElement} place
 * @param {{label: string, number: number, episode: object, record: object}[]} sides
 * @param {(step: number) => string} linkTo Returns the address of a step.
 * @returns {{undo: () => void, reveal: (step: number, below?: number) => void,
 *   isKept: () => boolean, place: () => [number, number] | undefined}} Functions that
 *   remove the observers of the page, and that go to a step, or only put it so far below
 *   the strip; the others are those of `keeper`.
 */
export function showEpisodes(place, sides, linkTo) {
  const undo = [];
  const of = `sides of-${sides.length}`;
  const columns = h("div", { class: of });
  const strips = h("div", { class: "timelines" });
  const steps = h("div", { class: `steps ${of}` });
  const charts = h("div", { class: of });
  // A wide screen has room for the charts of one episode beside its steps.
  const open = sides.length === 1 && matchMedia("(min-width: 1200px)").matches;
  const aside = h(
    "details",
    { class: "charts", open },
    h("summary", { text: "Charts and subgoals" }),
    charts,
  );
  const trajectory = h("div", { class: `trajectory beside-${sides.length}` });
  place.replaceChildren(columns, strips, trajectory);
  const keeps = keeper(place, strips, undo);
  const reveal = cards(steps, sides, linkTo, keeps.keep);
  const longest = Math.max(...sides.map(({ record }) => record.steps?.length ?? 0));
  // Two runs of one task have one goal.
  const goals = sides.map(({ record }) => (record.goal ? goal(record, sides) : null));
  if (goals[1] && goals[0]?.textContent === goals[1].textContent) {
    columns.before(goals[0]);
    goals.fill(null);
  }
  for (const [index, side] of sides.entries()) {
    const { record, number } = side;
    columns.append(overview(side, goals[index], index && sides[0].record.pictures));
    if (!record.steps?.length) continue;
    const revealOwn = (step) => reveal(step, number);
    charts.append(h("div", {}, ...figures(side, !index, revealOwn, undo)));
    const strip = timeline(record, changes(record), linkTo);
    strip.style.width = `${(100 * record.steps.length) / longest}%`;
    strips.append(strip);
  }
  trajectory.append(...(longest ? [aside] : []), steps);
  if (sides.length > 1 && longest) {
    const revealFirst = (step) => reveal(step, sides[0].number);
    const [link, both] = showBeside(sides, linkTo, revealFirst, undo);
    strips.before(link);
    charts.before(both);
  }
  if (longest) {
    const key = timelineKey(strips);
    const keys = h("span", {
      class: "muted wide-only",
      text: "j and k: a step on, back",
    });
    strips.append(h("div", { class: "under-strip" }, key, keys));
    const text = () => sides.filter(({ record }) => record.steps).map(asText);
    const copy = () => navigator.clipboard.writeText(text().join("\n\n"));
    addButtons(keys, "the episode", { text: copy });
  }
  return {
    undo: () => {
      for (const one of undo) one();
    },
    reveal: (step, below) => reveal(step, sides[0].number, below),
    isKept: keeps.isKept,
    place: keeps.place,
  };
}

/**
 * Return functions on the place of a card on the screen: "keep" puts one so far below
 * the strip of steps, where it stays while pictures and charts get their heights;
 * "isKept" tells whether the reader has done nothing since; "place" returns the first
 * step below the strip, and how far below.
 */
function keeper(body, strips, undo) {
  let kept = null;
  const under = () =>
    Number.parseFloat(getComputedStyle(strips).top) + strips.offsetHeight;
  const put = () => {
    kept.card.style.scrollMarginTop = `${under() + kept.below}px`;
    kept.card.scrollIntoView();
  };
  const sizes = new ResizeObserver(put);
  const leave = () => {
    sizes.disconnect();
    kept = null;
  };
  const end = new AbortController();
  const options = { capture: true, passive: true, signal: end.signal };
  for (const kind of ACTS) addEventListener(kind, leave, options);
  undo.push(leave, () => end.abort());
  const keep = (card, below = 8) => {
    kept = { card, below };
    sizes.observe(body);
    put();
  };
  const place = () => {
    const edge = (card) => card.getBoundingClientRect();
    const card = [...body.querySelectorAll("[data-step]")].find(
      (one) => one.checkVisibility() && edge(one).bottom > under(),
    );
    return card && [Number(card.dataset.step), edge(card).top - under()];
  };
  return { keep, place, isKept: () => kept !== null };
}

function overview({ label, number, episode, record }, goal, pictures) {
  // The last sentence says where the steps to go come from: it is below their chart.
  const wrong = faults(episode, record).join(" ");
  const story = record.story?.slice(0, -1).join(" ");
  return h(
    "section",
    { class: "side" },
    h("h3", { class: `run-name run-${colorOf(number)}`, text: label }),
    facts(episode, record),
    goal,
    record.error ? longText(record.error, "error") : null,
    record.traceback
      ? h(
          "details",
          {},
          h("summary", { text: "Traceback" }),
          longText(record.traceback, "error"),
        )
      : null,
    wrong ? h("p", { class: "story" }, h("strong", { text: wrong })) : null,
    story ? h("p", { class: "story", text: story }) : null,
    record.problem ? h("p", { class: "problem", text: visible(record.problem) }) : null,
    pictureNote(record.pictures, pictures),
  );
}

/** The goal, with the cap if it ended one of the episodes: the goal may allow more. */
function goal({ goal: text, cap }, sides) {
  const short = sides.some(({ record }) => record.end === "out of steps");
  const told = visible(text).trim();
  const most = `Here at most ${count(cap)} step${cap > 1 ? "s" : ""}.`;
  const more = short && cap ? `${/[.!?:]$/.test(told) ? "" : "."} ${most}` : "";
  return h("p", { class: "goal", text: `${told}${more}` });
}

function facts(episode, record) {
  const list = h("dl", { class: "facts" });
  const add = (name, value, kind = "") => {
    const shown = h("dd", { class: kind, text: value });
    list.append(h("div", {}, h("dt", { text: name }), shown));
  };
  add("outcome", ending(episode, record));
  add("progress", rate(episode.progress));
  if (record.counted) list.lastChild.title = record.counted;
  if (episode.final !== episode.progress) add("final progress", rate(episode.final));
  add("repetition", rate(episode.repetition));
  add("valid actions", rate(episode.grounding));
  add("steps", count(episode.steps) + (record.cap ? ` of ${count(record.cap)}` : ""));
  const cut = (record.steps ?? []).filter(isCut).length;
  if (cut) add("answers cut", `${count(cut)}, as they were too long`, "lost");
  if (episode.tokens !== null) add("tokens", count(episode.tokens));
  // A cost of 0 means that the model has no price.
  if (episode.cost) add("cost", `$${amount(episode.cost)}`);
  if (episode.latency !== null) add("seconds", amount(episode.latency));
  if (episode.difficulty) add("difficulty", episode.difficulty);
  add("seed", episode.seed);
  return list;
}

function figures({ record, number, episode: { env } }, first, reveal, undo) {
  const steps = [0, ...record.steps.map((_, index) => index + 1)];
  const followed = changes(record);
  const progress = [0, ...record.steps.map((step) => step.progress)];
  const repetition = [0, ...repetitionRates(record.steps)];
  const figure = h(
    "figure",
    {},
    h("figcaption", { text: "Progress (solid) and repetition rate (dashed) by step" }),
  );
  const counted =
    first && record.counted
      ? h(
          "details",
          {},
          h("summary", { text: `How ${env} counts progress` }),
          h("p", { class: "muted", text: record.counted }),
        )
      : null;
  const lines = [
    { name: "progress", number: 0, mean: progress, color: inkOf(number) },
    { name: "repetition", number: 1, mean: repetition, color: "--repeat" },
  ];
  const describe = (step) => followed[step - 1]?.reached.map((n) => `✓ ${n}`).join(" ");
  // Charts measure their place, which must be on the page by then.
  queueMicrotask(() => {
    undo.push(drawLines(figure, steps, lines, { describe, onPick: reveal }));
    if (togo) undo.push(drawSteps(togo, steps, record, number, reveal));
    if (map) undo.push(drawMap(map, record, reveal));
  });
  // A single number makes no line.
  const togo =
    record.togo?.filter((left) => left >= 0).length > 1
      ? h(
          "figure",
          { class: "togo" },
          h("figcaption", { text: "Steps to go by step" }),
          h("p", { class: "muted", text: record.story?.at(-1) }),
        )
      : null;
  const map =
    record.steps.length > 1
      ? h(
          "figure",
          { class: "map" },
          h("figcaption", {
            text: "Repetition map: the fuller a cell's colour, the more similar its two actions; repeats of an earlier action are marked",
          }),
        )
      : null;
  return [figure, counted, togo, subgoals(record), map].filter(Boolean);
}

/** Draw the steps to go; there is a gap where the expert finds no way. */
function drawSteps(figure, steps, { togo, left }, number, reveal) {
  const mean = togo.map((count) => (count < 0 ? null : count));
  const color = inkOf(number);
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
function cards(place, sides, linkTo, keep) {
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
          h("summary", { text: describeLoop(loop, sides[0].record.steps) }),
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
  return (step, number, below) => {
    if (step > shown) more(step + 10);
    const cards = place.querySelectorAll(`[data-step="${step}"]`);
    const card = [...cards].find((one) => one.dataset.run === String(number));
    const loop = card?.closest("details.loop");
    if (loop) loop.open = true;
    if (below !== undefined) {
      if (card) keep(card, below);
      return;
    }
    for (const one of place.querySelectorAll(".card.open"))
      one.classList.remove("open");
    // The cards of both runs are opened, so that both pictures are visible.
    for (const one of cards) one.classList.add("open");
    if (!card) return;
    keep(card);
    card.focus({ preventScroll: true });
  };
}
