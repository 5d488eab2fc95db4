/** The state in a link: the filters, the sorting, and the episode that is open. */

/** The names that a link can have; an empty value is left out. */
const NAMES = [
  "episode",
  "run",
  "with",
  "step",
  "compact",
  "env",
  "outcome",
  "difficulty",
  "subgoal",
  "part",
  "of",
  "text",
  "inside",
  "sort",
  "page",
];

/**
 * Read the part of an address after "#".
 *
 * @param {string} hash With or without its "#".
 * @returns {Record<string, string>} A text for every name, "" where it is not given.
 */
export function readHash(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return Object.fromEntries(NAMES.map((name) => [name, given.get(name) ?? ""]));
}

/**
 * Write a state in the form that {@link readHash} reads.
 *
 * @param {Record<string, string>} state A text for each name.
 */
export function writeHash(state) {
  const given = new URLSearchParams();
  for (const name of NAMES) {
    if (state[name]) given.set(name, state[name]);
  }
  return `#${given}`;
}
