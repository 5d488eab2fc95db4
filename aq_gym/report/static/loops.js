/** Steps that repeat the steps before them, without progress, and other faults. */

import { count, cut, rate, visible } from "./text.js";

const LONGEST_PERIOD = 4;
const LONGEST = 60;
const FEWEST = 3;
const LONGEST_ANSWER = 160;

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
    .map(({ action }) => quoted(action))
    .join(", ");
  if (period === 1) return `${steps}: ${actions} ${end - start} more times`;
  const times = Math.floor((end - start) / period);
  const rest = (end - start) % period;
  const more = rest ? `, and the first ${rest > 1 ? `${rest} ` : ""}once more` : "";
  return `${steps}: ${actions}, ${times} more times${more}`;
}

/**
 * Say what most steps of an unsolved episode were spent on, the worst first; or else
 * where its progress ended.
 *
 * @param {{flags: string[], outcome: string}} episode
 * @param {object} record The episode's record.
 * @returns {string[]} Sentences.
 */
export function faults({ flags, outcome }, record) {
  const { steps = [], end, story } = record;
  // An episode without its trajectory has no steps.
  if (outcome === "solved" || !steps.length) return [];
  const told = [];
  const { length } = steps;
  const stopped = flags.includes("stopped by invalid actions");
  const from = stopped ? steps.findLastIndex((step) => !step.invalid) + 1 : 0;
  const wrong = steps.slice(from).filter((step) => step.invalid);
  if (wrong.length >= (stopped ? 1 : Math.max(FEWEST, length / 2))) {
    const same = most(wrong, (step) => step.action);
    const [{ action, feedback, observation }] = same;
    const begin = stopped
      ? `Stopped by ${end}`
      : `${count(wrong.length)} of ${count(length)} actions are invalid`;
    const answer = sentence(feedback || observation);
    const often =
      same.length === wrong.length ? "always" : `${count(same.length)} times`;
    const times = same.length > 1 ? often : "such as";
    // Many answers quote the action.
    const what = !answer.includes(action)
      ? `, ${times} ${quoted(action)}`
      : same.length > 1
        ? `, ${times} the same`
        : "";
    told.push(`${begin}${what}: ${answer}`);
  }
  const same = most(steps, first);
  // A loop of the invalid actions is told already.
  if (flags.includes("looping") && !(told.length && same[0].invalid)) {
    const what = quoted(same[0].action);
    const again = steps.filter((step) => step.again).length;
    const times = same.length > 2 ? `, most often ${what} (${same.length} times)` : "";
    told.push(
      most(steps, (step) => step.action).length === length
        ? `Says ${what} in all ${count(length)} steps.`
        : `${count(again)} of ${count(length)} steps repeat an earlier action and its answer${times}.`,
    );
  }
  const lost = outcome === "lost";
  if (!told.length && (lost || outcome === "unsolved"))
    told.push(...stall(record, lost));
  // Where its steps to go were counted, they tell it.
  if (lost && !story)
    told.push(`Lost at step ${count(length)}, by ${quoted(steps.at(-1).action)}.`);
  return told;
}

/** Say where the progress of an episode ended or, of a short one, its last answer. */
function stall({ steps, held, subgoals }, lost) {
  const { length } = steps;
  if (length < FEWEST) {
    const { action, feedback, observation } = steps.at(-1);
    // By what it is lost is told anyway.
    if (lost) return [];
    return [`Ends with ${quoted(action)}: ${sentence(feedback || observation)}`];
  }
  const best = Math.max(...steps.map(({ progress }) => progress));
  if (best <= 0) return [`No progress in all ${count(length)} steps.`];
  const at = steps.findIndex(({ progress }) => progress === best);
  const before = steps.slice(0, at).findLast((step) => step.held)?.held ?? held;
  const reached = steps[at].held?.filter((number) => !before.includes(number)) ?? [];
  const by = reached.length
    ? ` (${reached.map((number) => `“${visible(subgoals[number])}”`).join(", ")})`
    : "";
  const when =
    at + 1 < length
      ? `No progress after step ${count(at + 1)} of ${count(length)}, at`
      : "Progress up to the last step, to";
  return [`${when} ${rate(best)}${by}.`];
}

/** Return the first line of an answer as a sentence. */
function sentence(answer) {
  const [line] = answer.trim().split("\n");
  return cut(visible(line), LONGEST_ANSWER).replace(/(?<![.!?…:])$/, ".");
}

/** Return the most of the steps that have the same key. */
function most(steps, key) {
  const groups = new Map();
  for (const [index, step] of steps.entries()) {
    const name = key(step, index);
    const group = groups.get(name) ?? [];
    group.push(step);
    groups.set(name, group);
  }
  return [...groups.values()].reduce((a, b) => (b.length > a.length ? b : a));
}

function quoted(action) {
  return `“${cut(visible(action), LONGEST)}”`;
}
