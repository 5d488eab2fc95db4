/** The steps of an episode, as cards. */

import { colorOf, h } from "./dom.js";
import { picture } from "./pictures.js";
import { mostSimilar } from "./repeats.js";
import { count, rate, visible } from "./text.js";

const SHOWN = 2500;

/** Show a text; of a long one the beginning, with a button for the rest. */
export function longText(text, kind) {
  const shown = visible(text);
  if (shown.length <= SHOWN) return h("pre", { class: kind, text: shown });
  const pre = h("pre", { class: kind, text: `${shown.slice(0, SHOWN)} …` });
  const button = h("button", {
    type: "button",
    class: "more",
    text: `Show all ${count(shown.length)} characters`,
    click: () => {
      pre.textContent = shown;
      button.remove();
    },
  });
  return h("div", {}, pre, button);
}

/**
 * The card of the first observation.
 *
 * @param {object} record The episode's record.
 * @param {{label: string, number: number} | null} run The run, if there are two.
 */
export function startCard(record, run) {
  return h(
    "article",
    { class: "card start", "aria-label": titled("Start", run) },
    h("h4", { text: "Start" }, runName(run)),
    picture(record.pictures, 0),
    record.prompt
      ? h(
          "details",
          {},
          h("summary", { text: "What the model was told" }),
          longText(record.prompt, "prompt"),
        )
      : null,
    longText(record.start, "observation"),
  );
}

function titled(title, run) {
  return run ? `${title}, ${run.label}` : title;
}

function runName(run) {
  return run
    ? h("span", { class: `run-name run-${colorOf(run.number)}`, text: run.label })
    : null;
}

/**
 * The card of a step.
 *
 * @param {object} record The episode's record.
 * @param {number} index The step, counted from 0.
 * @param {{reached: string[], lost: string[], best: number}} change The effect of the
 *   step on the subgoals, and the best progress so far.
 * @param {{label: string, number: number} | null} run The run, if there are two.
 * @param {string} link The step's address.
 */
export function stepCard(record, index, change, run, link) {
  const step = record.steps[index];
  return h(
    "article",
    {
      class: `card${step.invalid ? " invalid" : ""}${step.repeated ? " repeated" : ""}`,
      "data-step": index + 1,
      "aria-label": titled(`Step ${index + 1}`, run),
      tabindex: -1,
    },
    h(
      "h4",
      {},
      h("a", { href: link, text: `Step ${index + 1}` }),
      runName(run),
      step.invalid ? badge("invalid", "✕ invalid") : null,
      step.repeated ? badge("repeat", repeatOf(record, index)) : null,
      step.error ? badge("invalid", "error") : null,
    ),
    picture(record.pictures, index + 1, link),
    progressBar(step.progress, change.best),
    subgoalChanges(change),
    step.completion
      ? labelled("Completion", longText(step.completion, "completion"))
      : null,
    labelled("Action", longText(step.action, "action"), "acted"),
    step.error ? labelled("Error", longText(step.error, "error")) : null,
    isTold(step)
      ? null
      : labelled(
          "Feedback, not in the observation",
          longText(step.feedback, "feedback"),
        ),
    labelled("Observation", longText(step.observation, "observation")),
    notes(step.notes),
  );
}

/** Return whether the observation has the whole feedback, however it is wrapped. */
export function isTold({ feedback = "", observation }) {
  const words = (text) => text.split(/\s+/).join(" ").trim();
  return words(observation).includes(words(feedback));
}

function badge(kind, text) {
  return h("span", { class: `badge ${kind}`, text });
}

function repeatOf(record, index) {
  const earlier = mostSimilar(record, index);
  return earlier < 0 ? "↻ repeated" : `↻ repeats step ${earlier + 1}`;
}

function labelled(name, content, kind = "") {
  return h(
    "div",
    { class: `part ${kind}` },
    h("span", { class: "label", text: name }),
    content,
  );
}

function progressBar(progress, best) {
  const bar = h("div", {
    class: "bar",
    role: "img",
    "aria-label": `Progress ${rate(progress)}, best so far ${rate(best)}`,
  });
  const fill = (kind, value) => {
    const part = h("div", { class: kind });
    part.style.width = `${100 * Math.min(Math.max(value, 0), 1)}%`;
    bar.append(part);
  };
  fill("best", best);
  fill("now", progress);
  return h(
    "div",
    { class: "bar-line" },
    bar,
    h("span", { class: "bar-value", text: rate(progress) }),
  );
}

function subgoalChanges({ reached, lost }) {
  if (!reached.length && !lost.length) return null;
  const list = h("ul", { class: "subgoal-changes" });
  for (const name of reached) {
    list.append(h("li", { class: "reached", text: `✓ ${visible(name)}` }));
  }
  for (const name of lost) {
    list.append(h("li", { class: "lost", text: `− ${visible(name)} no longer holds` }));
  }
  return list;
}

function notes(noted) {
  const parts = Object.entries(noted ?? {}).map(
    ([name, value]) => `${name.replaceAll("_", " ")} ${visible(String(value))}`,
  );
  if (!parts.length) return null;
  const text = parts.join(" · ").slice(0, 400);
  return h("p", { class: "notes", text });
}

/** Follow the subgoals and the best progress through an episode, step by step. */
export function changes(record) {
  let holding = new Set(record.held);
  let best = 0;
  return record.steps.map((step) => {
    const now = step.held ? new Set(step.held) : holding;
    const name = (number) => record.subgoals[number];
    const reached = [...now].filter((n) => !holding.has(n)).map(name);
    const lost = [...holding].filter((n) => !now.has(n)).map(name);
    holding = now;
    best = Math.max(best, step.progress);
    return { reached, lost, best };
  });
}
