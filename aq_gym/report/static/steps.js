/** The steps of an episode, as cards. */

import { colorOf, h } from "./dom.js";
import { faults } from "./loops.js";
import { picture } from "./pictures.js";
import { mostSimilar } from "./repeats.js";
import { count, rate, visible } from "./text.js";
import { isCut } from "./timeline.js";

const SHOWN = 2500;
// The first step shall be on the first screen, too.
const SHOWN_FIRST = 300;
const LONG_NOTE = 80;
const EMPTY = "(empty)";
const USUAL = { calls: "1", cost: "0", finish_reason: "stop" };

/** Show a text; of a much longer one the beginning, with a button for the rest. */
export function longText(text, kind, most = SHOWN) {
  const shown = visible(text);
  if (shown.length <= 1.5 * most) return h("pre", { class: kind, text: shown });
  // No word is cut, if it is not very long.
  const begin = shown.slice(0, most).replace(/\s+\S{0,40}$/, "");
  const pre = h("pre", { class: kind, text: `${begin} …` });
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
    longText(record.start, "observation", SHOWN_FIRST),
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
      isCut(step) ? badge("invalid", "✂ answer cut: it was too long") : null,
      step.error ? badge("invalid", "error") : null,
    ),
    picture(record.pictures, index + 1),
    progressBar(step.progress, change.best),
    subgoalChanges(change),
    step.completion && step.completion.trim() !== step.action.trim()
      ? labelled("Completion", longText(step.completion, "completion"))
      : null,
    labelled("Action", longText(step.action || EMPTY, "action"), "acted"),
    step.error ? labelled("Error", longText(step.error, "error")) : null,
    isTold(step)
      ? null
      : labelled(
          "Feedback, not in the observation",
          longText(step.feedback, "feedback"),
        ),
    labelled("Observation", longText(step.observation, "observation")),
    notes(step),
    calls(record, index),
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
    list.append(h("li", { class: "reached", text: `✓ subgoal: ${visible(name)}` }));
  }
  for (const name of lost) {
    list.append(
      h("li", { class: "lost", text: `− subgoal: ${visible(name)} no longer holds` }),
    );
  }
  return list;
}

/**
 * The short notes in a line, but those that all steps have; long ones are beside the
 * requests, if there are any.
 */
function notes({ notes: noted = {}, requests }) {
  const parts = Object.entries(noted).filter(
    ([name, text]) =>
      USUAL[name] !== text &&
      (!requests || isShort(text)) &&
      // They are the sum of the two others.
      !(name === "tokens" && "prompt_tokens" in noted),
  );
  const told = parts.map(
    ([name, text]) =>
      `${name.replaceAll("_", " ")} ${visible(text)}${name === "latency" ? " s" : ""}`,
  );
  return told.length
    ? h("p", { class: "notes", text: told.join(" · ").slice(0, 400) })
    : null;
}

function isShort(text) {
  return text.length < LONG_NOTE;
}

/** What was sent to the model at a step, and its whole answer. */
function calls(record, index) {
  const step = record.steps[index];
  if (!step.requests?.length) return null;
  const several =
    step.requests.length > 1 ? `${step.requests.length} requests` : "Request";
  const fill = ({ target }) => {
    if (target.children.length > 1) return;
    for (const [n, ranges] of step.requests.entries()) {
      const number = step.requests.length > 1 ? ` ${n + 1}` : "";
      target.append(h("h5", { text: `Request${number}` }));
      const before = step.requests[n - 1] ?? record.steps[index - 1]?.requests?.at(-1);
      const sent = numbersOf(ranges);
      const messages = sent.map((one) => {
        const [role, text] = record.messages[one];
        return labelled(role, longText(text, "prompt"));
      });
      const old = messages.splice(0, sentBefore(sent, numbersOf(before ?? [])));
      const title = h("summary", { text: `${old.length} earlier messages` });
      if (old.length > 1) target.append(h("details", {}, title, ...old));
      else target.append(...old);
      target.append(...messages);
    }
    const long = Object.entries(step.notes ?? {}).filter(([, text]) => !isShort(text));
    target.append(
      h("h5", { text: "Response" }),
      longText(step.completion ?? step.action, "completion"),
      ...long.map(([name, text]) =>
        labelled(name.replaceAll("_", " "), longText(text, "completion")),
      ),
    );
  };
  const title = h("summary", { text: `${several} and response` });
  return h("details", { class: "calls", toggle: fill }, title);
}

function numbersOf(ranges) {
  const numbers = [];
  for (let at = 0; at < ranges.length; at += 2) {
    for (let one = ranges[at]; one < ranges[at + 1]; one++) numbers.push(one);
  }
  return numbers;
}

/**
 * Return how many of a request's messages are not new: those up to the last one of the
 * request before; of a first request, all but the last.
 *
 * @param {number[]} sent The numbers of its messages.
 * @param {number[]} before Those of the request before.
 */
export function sentBefore(sent, before) {
  return sent.lastIndexOf(before.at(-1), -2) + 1 || sent.length - 1;
}

/** How an episode ended, and why if it was cut off. */
export function ending({ outcome }, { end }) {
  return end ? `${outcome}: ${end}` : outcome;
}

/** An episode as plain text, to paste it elsewhere. */
export function asText({ label, episode, record }) {
  const { env, instance, task, progress, repetition, steps } = episode;
  const lines = [
    `${env}: ${instance || task} (${label})`,
    `${ending(episode, record)} · progress ${rate(progress)} · repetition ${rate(repetition)} · ${steps} steps`,
    ...(record.goal ? [`Goal: ${record.goal}`] : []),
    ...faults(episode, record),
    ...(record.story?.slice(0, -1) ?? []),
    "",
    record.start,
  ];
  for (const [index, step] of record.steps.entries()) {
    const marks = [
      `progress ${rate(step.progress)}`,
      ...(step.invalid ? ["invalid"] : []),
      ...(step.repeated ? [repeatOf(record, index).slice(2)] : []),
      ...(isCut(step) ? ["answer cut"] : []),
    ];
    lines.push("", `Step ${index + 1} (${marks.join(", ")})`);
    if (step.completion) lines.push(`[${step.completion}]`);
    lines.push(`> ${step.action || EMPTY}`, step.observation);
  }
  return `${lines.map(visible).join("\n")}\n`;
}

/** Return the names of subgoals, without the number of the goal's only part. */
export function unnumbered(names = []) {
  const single = names.every((name) => name.startsWith("1. "));
  return single ? names.map((name) => name.slice(3)) : names;
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
