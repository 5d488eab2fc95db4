/** Steps that repeat the steps before them, without progress. */

import { cut, visible } from "./text.js";

const LONGEST_PERIOD = 4;
const LONGEST = 60;
const FEWEST = 3;

/**
 * Find the loops of an episode: the same one to four actions at least three times.
 *
 * @param {object[]} steps The steps of a record.
 * @returns {{start: number, end: number, period: number}[]} For each loop its steps from
 *   `start` to before `end`, counted from 0, after the first time, and its length.
 */
export function loops(steps) {
  const found = [];
  let at = 0;
  while (at < steps.length) {
    const loop = longestAt(steps, at);
    if (loop) found.push(loop);
    at = loop ? loop.end : at + 1;
  }
  return found;
}

/** Return the longest loop whose first time begins at a step, the shortest period first. */
function longestAt(steps, at) {
  let longest = null;
  for (let period = 1; period <= LONGEST_PERIOD; period++) {
    const start = at + period;
    let end = start;
    while (end < steps.length && isRepeat(steps, end, period)) end++;
    const whole = end - at >= FEWEST * period;
    if (whole && end > (longest?.end ?? 0)) longest = { start, end, period };
  }
  return longest;
}

/** Whether a step repeats an earlier action and answer, without progress. */
function isRepeat(steps, index, period) {
  const [step, before, same] = [index, index - 1, index - period].map((n) => steps[n]);
  return (
    step.action === same.action &&
    (step.invalid || first(step, index) === first(same, index - period)) &&
    step.progress === before.progress &&
    !step.held
  );
}

/** Return the first step, counted from 1, with a step's action and answer. */
function first({ again }, index) {
  return again ?? index + 1;
}

/** Describe a loop of an episode's steps in words. */
export function describeLoop({ start, end, period }, all) {
  const steps = `Steps ${start + 1} to ${end}`;
  const actions = all
    .slice(start, start + period)
    .map(({ action }) => `“${cut(visible(action), LONGEST)}”`)
    .join(", ");
  if (period === 1) return `${steps}: ${actions} ${end - start} more times`;
  const times = Math.floor((end - start) / period);
  const rest = (end - start) % period;
  const more = rest ? `, and the first ${rest > 1 ? `${rest} ` : ""}once more` : "";
  return `${steps}: ${actions}, ${times} more times${more}`;
}
