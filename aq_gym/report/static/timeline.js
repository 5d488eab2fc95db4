/** A strip of an episode's steps, coloured by their effect. */

import { h } from "./dom.js";
import { rate } from "./text.js";

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
    const kind = kindOf(record, index, followed[index]);
    const progress = `progress ${rate(step.progress)}`;
    const title = `Step ${index + 1}: ${kind.replace("-", " ")}, ${progress}`;
    const link = { href: linkTo(index + 1), title, "aria-label": title };
    // The keys j and k go from step to step: the strip is one stop of the tab key.
    const stop = index === 0 ? {} : { tabindex: -1 };
    strip.append(h("li", { class: kind }, h("a", { ...link, ...stop })));
  }
  return strip;
}

function kindOf(record, index, change) {
  const step = record.steps[index];
  const before = index ? record.steps[index - 1].progress : 0;
  if (change.lost.length || step.progress < before) return "progress-lost";
  if (change.reached.length || step.progress > before) return "progress-made";
  if (step.invalid || step.error) return "invalid";
  return step.repeated ? "repeated" : "valid";
}

/** The colours of a strip. */
export function timelineKey() {
  const kinds = ["progress-made", "progress-lost", "valid", "repeated", "invalid"];
  const names = kinds.map((kind) =>
    h("li", { class: kind, text: kind.replace("-", " ") }),
  );
  return h("ul", { class: "timeline-key muted" }, ...names);
}
