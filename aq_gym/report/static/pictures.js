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
 * A click on it or Enter shows it in full size, and again or Escape as before.
 *
 * @param {ReturnType<typeof opened>} pictures
 * @param {number} state The step after which it is, 0 for the start.
 */
export function picture(pictures, state) {
  const place = h("figure", { class: "picture" });
  pictures?.then(({ svg, at }) => {
    const text = svg[at[state]];
    if (text === undefined) return;
    place.classList.toggle("same", state > 0 && at[state] === at[state - 1]);
    // Wide ones are mostly text, which is illegible beside the step's.
    place.classList.toggle("wide", /viewBox="0 0 [6-9]\d\d/.test(text));
    // As an image it cannot run or load anything, whatever it contains.
    const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    const image = h("img", { src, alt: "The state, which the observation describes" });
    const click = ({ currentTarget: button }) => {
      button.setAttribute("aria-pressed", place.classList.toggle("whole"));
      // In Safari a click does not, and Escape shall end this and not the episode.
      button.focus({ preventScroll: true });
      button.scrollIntoView({ block: "nearest" });
    };
    const keydown = (event) => {
      if (event.key !== "Escape" || !place.matches(".whole")) return;
      event.stopPropagation();
      click(event);
    };
    const kind = { type: "button", "aria-pressed": "false" };
    place.append(h("button", { ...kind, click, keydown }, image));
  });
  return place;
}

/** Say why a picture is missing, unless the other episode beside it says the same. */
export function pictureNote(pictures, other) {
  const note = h("p", { class: "note muted" });
  Promise.all([pictures, other]).then(([own, told]) => {
    note.textContent = own.problem === told?.problem ? "" : visible(own.problem);
    note.hidden = !note.textContent;
  });
  return note;
}
