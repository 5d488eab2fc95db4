/** Two episodes of one task on one axis, and their first difference. */

import { drawLines } from "./curves.js";
import { h } from "./dom.js";

/** Return the first step, counted from 1, at which two episodes act differently. */
export function firstDifference([one, other]) {
  const length = Math.max(one.length, other.length);
  const at = Array.from({ length }, (_, index) => index).find(
    (index) => one[index]?.action !== other[index]?.action,
  );
  return at === undefined ? 0 : at + 1;
}

/**
 * Return a link to the first difference of two episodes, and a chart of their progress.
 *
 * @param {{label: string, number: number, record: object}[]} sides
 * @param {(step: number) => string} linkTo
 * @param {(step: number) => void} reveal
 * @param {(() => void)[]} undo Gets a function that removes the chart.
 */
export function showBeside(sides, linkTo, reveal, undo) {
  const all = sides.map(({ record }) => record.steps ?? []);
  const length = Math.max(...all.map((steps) => steps.length));
  const axis = Array.from({ length: length + 1 }, (_, step) => step);
  const lines = sides.map(({ label, number }, side) => ({
    name: label,
    number,
    // The line of an episode ends with the episode.
    mean: axis.map((step) => (step ? (all[side][step - 1]?.progress ?? null) : 0)),
  }));
  const figure = h(
    "figure",
    { class: "both" },
    h("figcaption", { text: "Progress of both by step" }),
  );
  // A chart measures its place, which must be on the page by then.
  queueMicrotask(() => undo.push(drawLines(figure, axis, lines, { onPick: reveal })));
  const parts = firstDifference(all);
  const text = parts
    ? `The first different action is that of step ${parts}.`
    : "Both took the same actions.";
  const link = parts ? h("a", { href: linkTo(parts), text: "Go there" }) : null;
  return [h("p", { class: "beside" }, `${text} `, link), figure];
}
