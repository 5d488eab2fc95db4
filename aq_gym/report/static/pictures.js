/** The pictures of an episode's states, which the report drew by replaying it. */

import { h } from "./dom.js";
import { visible } from "./text.js";

/**
 * Open the pictures of an episode.
 *
 * @returns {Promise<{svg: string[], at: number[], problem: string}>} The distinct
 *   pictures; the number of the picture of the reset and each step; why some are missing.
 */
export async function opened(archive, episode, run, unpictured) {
  if (episode.pictures === null) return { svg: [], at: [], problem: unpictured };
  try {
    return await archive.pictures(episode, run);
  } catch (error) {
    return { svg: [], at: [], problem: `No pictures: ${error}` };
  }
}

/**
 * Return the element of a picture, which gets its content when the picture is loaded.
 *
 * @param {ReturnType<typeof opened>} pictures
 * @param {number} state The step after which it is, 0 for the start.
 * @param {string} link The address that a click opens, as the step's heading does.
 */
export function picture(pictures, state, link = "") {
  const follow = () => {
    if (link) location.hash = link;
  };
  const place = h("figure", { class: "picture", click: follow });
  pictures?.then(({ svg, at }) => {
    const text = svg[at[state]];
    if (text === undefined) return;
    place.classList.toggle("same", state > 0 && at[state] === at[state - 1]);
    // As an image it cannot run or load anything, whatever it contains.
    const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    place.append(h("img", { src, alt: "The state, which the observation describes" }));
  });
  return place;
}

/** Say why a picture is missing. */
export function pictureNote(pictures) {
  const note = h("p", { class: "note muted" });
  pictures?.then(({ problem }) => {
    note.textContent = visible(problem);
    note.hidden = !problem;
  });
  return note;
}
