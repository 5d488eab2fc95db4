/** Mark the searched text without changing an element. */

import { visible } from "./text.js";

/**
 * Mark a text in the trajectories of an element, including those added later.
 *
 * @param {HTMLElement} place
 * @param {string} text
 * @returns {() => void} Removes the marks.
 */
export function highlight(place, text) {
  if (!text || !globalThis.Highlight) return () => {};
  const paint = () => {
    CSS.highlights.set("found", new Highlight(...ranges(place, visible(text))));
  };
  paint();
  const observer = new MutationObserver(paint);
  observer.observe(place, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    CSS.highlights.delete("found");
  };
}

function* ranges(place, text) {
  const wanted = text.toLowerCase();
  for (const pre of place.querySelectorAll("pre")) {
    for (const node of pre.childNodes) {
      const given = node.data?.toLowerCase() ?? "";
      // A few letters change their length in lower case, and so the places after them.
      if (given.length !== node.length) continue;
      let at = given.indexOf(wanted);
      for (; at >= 0; at = given.indexOf(wanted, at + wanted.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        yield range;
      }
    }
  }
}
