/** Which episodes are listed, and in which order. */

import { endOf, isScored, MISSED, WITHOUT } from "./stuck.js";

const ORDERS = {
  run: (e) => e.run,
  env: (e) => e.env,
  task: (e) => e.task,
  outcome: (e) => e.outcome,
  difficulty: (e) => e.difficulty,
  progress: (e) => e.progress,
  final: (e) => e.final,
  repetition: (e) => e.repetition,
  grounding: (e) => e.grounding ?? -1,
  looping: (e) => e.futile / Math.max(e.steps, 1),
  steps: (e) => e.steps,
  tokens: (e) => e.tokens ?? -1,
  cost: (e) => e.cost ?? -1,
  latency: (e) => e.latency ?? -1,
};

/**
 * Turn the columns of the page's data into one object for each episode.
 *
 * @param {object} columns Lists of equal length, by the names of their columns.
 * @param {[string, string[]][]} lines The agents, or runs that stand alone, and the runs
 *   of each.
 */
export function fromColumns(columns, lines = []) {
  const names = Object.keys(columns);
  const agents = lines.flatMap(([name, own]) => own.map((run) => [run, name]));
  const agentOf = Object.fromEntries(agents);
  return columns.task.map((_, number) => {
    const episode = { number, agent: agentOf[columns.run[number]] };
    for (const name of names) episode[name] = columns[name][number];
    return episode;
  });
}

/** Return whether an episode passes the filter of the whole page. */
export function isShown(episode, state) {
  return (
    (!state.env || episode.env === state.env) &&
    (!state.difficulty || episode.difficulty === state.difficulty) &&
    (!state.of || [episode.run, episode.agent].includes(state.of))
  );
}

/** Return the runs that are chosen: one, or those of an agent. */
export function runsOf(lines, of) {
  return lines.find(([name, own]) => own.length > 1 && name === of)?.[1] ?? [of];
}

/**
 * Return the episodes that a state selects, in its order.
 *
 * @param {object[]} episodes All episodes.
 * @param {Record<string, string>} state What readHash returns.
 * @param {Set<number> | null} found The numbers of the episodes whose trajectories
 *   contain the text, null if they were not searched.
 * @param {Record<string, string[]>} milestones For each environment the names of the
 *   subgoals that its chart shows.
 */
export function choose(episodes, state, found = null, milestones = {}) {
  const text = state.text.toLowerCase();
  const part = state.part && inPart(episodes, state.part);
  const chosen = episodes.filter(
    (e) =>
      isShown(e, state) &&
      (!part || part.includes(e)) &&
      (!state.outcome ||
        e.outcome === state.outcome ||
        e.flags.includes(state.outcome) ||
        endOf(e) === state.outcome) &&
      (!state.subgoal || hasReached(e, state.subgoal, milestones)) &&
      (!text || found?.has(e.number) || describes(e).includes(text)),
  );
  return sorted(chosen, state.sort);
}

/**
 * Return the episodes of two runs, or agents, in one part of the tasks that both have.
 *
 * @param {object[]} episodes All episodes.
 * @param {string} asked In three lines the kind of the part, as in verdicts.py, and the
 *   names of the two.
 */
export function inPart(episodes, asked) {
  const [kind, ...pair] = asked.split("\n");
  const [first, second] = pair.map((of) => {
    const own = new Map();
    for (const e of episodes) {
      if (![e.run, e.agent].includes(of) || !isScored(e)) continue;
      own.set(e.task, [...(own.get(e.task) ?? []), e]);
    }
    return own;
  });
  return [...first].flatMap(([task, own]) => {
    const other = second.get(task);
    return other && kindOf(own, other) === kind ? [...own, ...other] : [];
  });
}

/** Return which of two solves more, or else gets further, in all attempts at a task. */
function kindOf(own, other) {
  const mean = (all, of) => all.reduce((sum, e) => sum + of(e), 0) / all.length;
  const more = (of) => {
    const difference = mean(own, of) - mean(other, of);
    // Sums of the same numbers in another order can differ slightly.
    return Math.abs(difference) < 1e-9 ? 0 : Math.sign(difference);
  };
  const solved = (e) => (e.outcome === "solved" ? 1 : 0);
  const first = more(solved);
  const further = first || more((e) => e.progress);
  if (further) return `${further > 0 ? "first" : "second"}${first ? "-solves" : ""}`;
  return own.every(solved) ? "both" : "none";
}

/** "+name" asks for those that reached a subgoal, "-name" for those that missed it. */
function hasReached(episode, asked, milestones) {
  const place = (milestones[episode.env] ?? []).indexOf(asked.slice(1));
  const step = episode.reached[place] ?? WITHOUT;
  return asked.startsWith("+") ? step >= 0 : step === MISSED;
}

function describes(episode) {
  const { run, env, task, instance, goal, error } = episode;
  return [run, env, task, instance, goal, error].join("\n").toLowerCase();
}

/** Sort by a column, "-column" for the highest first; equal ones keep their order. */
export function sorted(episodes, sort) {
  const value = ORDERS[sort.replace(/^-/, "")];
  if (!value) return episodes;
  const sign = sort.startsWith("-") ? -1 : 1;
  return [...episodes].sort((a, b) => {
    const [first, second] = [value(a), value(b)];
    if (first === second) return 0;
    return first < second ? -sign : sign;
  });
}
