/** A strip of an episode's steps: their effect, and which were invalid or repeated. */

import { h } from "./dom.js";
import { rate, visible } from "./text.js";

/**
 * Draw a strip with a link to each step.
 *
 * @param {object} record The episode's record.
 * @param {object[]} followed The effect of each step on the subgoals and the progress.
 * @param {(step: number) => string} linkTo
 */
export function timeline(record, followed, linkTo) {
  const strip = h("ol", { class: "timeline", "aria-label": "Steps" });
  for (const [index, step] of record.steps.entries()) {
    const kinds = kindsOf(record, index);
    const told = [
      ...kinds.map((kind) => kind.replace("-", " ")),
      ...followed[index].reached.map((name) => `✓ ${visible(name)}`),
      `progress ${rate(step.progress)}`,
    ].join(", ");
    const title = `Step ${index + 1}: ${told}`;
    const link = { href: linkTo(index + 1), title, "aria-label": title };
    // The keys j and k go from step to step: the strip is one stop of the tab key.
    const stop = index === 0 ? {} : { tabindex: -1 };
    strip.append(h("li", { class: kinds.join(" ") }, h("a", { ...link, ...stop })));
  }
  return strip;
}

/** The marks of a step: its effect on the progress, and what was wrong with it. */
export function kindsOf(record, index) {
  const step = record.steps[index];
  const before = index ? record.steps[index - 1].progress : 0;
  const kinds = {
    "progress-lost": step.progress < before,
    "progress-made": step.progress > before,
    invalid: step.invalid || step.error,
    repeated: step.repeated,
    cut: isCut(step),
  };
  return Object.keys(kinds).filter((kind) => kinds[kind]);
}

/** Whether the model's answer was cut because it was too long. */
export function isCut(step) {
  return step.notes?.finish_reason === "length" || Number(step.notes?.cut_answers) > 0;
}

/** The colours of a strip that has them. */
export function timelineKey(strips) {
  const kinds = ["progress-made", "progress-lost", "invalid", "repeated", "cut"];
  const found = kinds.filter((kind) => strips.querySelector(`.timeline .${kind}`));
  const names = found.map((kind) =>
    h("li", {
      class: kind,
      text: kind === "cut" ? "answer cut" : kind.replace("-", " "),
    }),
  );
  return h("ul", { class: "timeline-key muted" }, ...names);
}
