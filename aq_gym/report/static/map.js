/** The repetition map: how similar every two actions of an episode are. */

import { color, h, onTheme } from "./dom.js";
import { similarity } from "./repeats.js";
import { visible } from "./text.js";

const MARGIN = 34;
const EDGE = 12;
const LONGEST = 60;
const WIDEST = 460;
const LARGEST_CELL = 30;

/**
 * Draw the map of an episode into an element.
 *
 * @param {HTMLElement} place
 * @param {object} record The episode's record.
 * @param {(step: number) => void} onPick Called with a step, counted from 1.
 * @returns {() => void} Stops drawing.
 */
export function drawMap(place, record, onPick) {
  const length = record.distinct.length;
  const repeated = record.steps.filter((step) => step.repeated).length;
  const canvas = h("canvas", {
    role: "img",
    "aria-label":
      `Repetition map of ${length} steps, ${repeated} of them repeated: a strong cell ` +
      "is a pair of similar actions. Each repeated step below names what it repeats.",
  });
  const readout = h("p", { class: "readout", text: " " });
  place.append(canvas, readout);
  const draw = () => paint(canvas, record);
  const forget = onTheme(draw);
  const watcher = new ResizeObserver(draw);
  watcher.observe(place);
  canvas.addEventListener("pointermove", (event) => {
    const [row, column] = cellAt(canvas, event, length);
    readout.textContent = described(record, row, column);
  });
  canvas.addEventListener("click", (event) => {
    const [row] = cellAt(canvas, event, length);
    if (row >= 0) onPick(row + 1);
  });
  return () => {
    forget();
    watcher.disconnect();
  };
}

function described(record, row, column) {
  if (row < 0) return " ";
  const name = (step) => {
    const action = visible(record.steps[step].action).slice(0, LONGEST);
    const mark = record.steps[step].repeated ? ", a repeat" : "";
    return `step ${step + 1} “${action}”${mark}`;
  };
  if (row === column) return name(row);
  return `${name(row)} · ${name(column)} · ${similarity(record, row, column)}% similar`;
}

function cellAt(canvas, event, length) {
  const box = canvas.getBoundingClientRect();
  const size = (box.width - MARGIN - EDGE) / length;
  const column = Math.floor((event.clientX - box.left - MARGIN) / size);
  const row = Math.floor((event.clientY - box.top - MARGIN) / size);
  const inside = (n) => n >= 0 && n < length;
  return inside(row) && inside(column) ? [row, column] : [-1, -1];
}

function paint(canvas, record) {
  const length = record.distinct.length;
  const room = Math.min(canvas.parentElement.clientWidth, WIDEST);
  const width = Math.min(room, MARGIN + length * LARGEST_CELL + EDGE);
  const scale = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = canvas.width;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${width}px`;
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  const size = (width - MARGIN - EDGE) / length;
  paintPairs(pen, record, size);
  paintMarks(pen, record, size);
}

function paintPairs(pen, record, size) {
  const length = record.distinct.length;
  const gap = size > 6 ? 1 : 0;
  pen.fillStyle = color("--map-back");
  pen.fillRect(MARGIN, MARGIN, size * length, size * length);
  pen.fillStyle = color("--map");
  for (let row = 0; row < length; row++) {
    for (let column = 0; column < length; column++) {
      const share = similarity(record, row, column) / 100;
      pen.globalAlpha = row === column ? 0.25 : strength(share);
      const [x, y] = [MARGIN + column * size, MARGIN + row * size];
      pen.fillRect(x, y, size - gap, size - gap);
    }
  }
  pen.globalAlpha = 1;
}

/** Draw low similarity pale: actions of one form have most letters in common. */
function strength(share) {
  return share === 1 ? 1 : 0.7 * share ** 5;
}

function paintMarks(pen, record, size) {
  const length = record.distinct.length;
  pen.fillStyle = color("--repeat");
  for (let step = 0; step < length; step++) {
    if (!record.steps[step].repeated) continue;
    const at = MARGIN + step * size;
    pen.fillRect(MARGIN - 7, at, 5, Math.max(size - 0.5, 0.5));
    pen.fillRect(at, MARGIN - 7, Math.max(size - 0.5, 0.5), 5);
    pen.fillRect(at, at, Math.max(size - 0.5, 1), Math.max(size - 0.5, 1));
  }
  pen.fillStyle = color("--muted");
  pen.font = "11px system-ui, sans-serif";
  const every = [1, 2, 5, 10, 20, 50, 100].find((n) => n * size > 24) ?? 200;
  for (let step = every; step <= length; step += every) {
    const middle = MARGIN + (step - 0.5) * size;
    pen.textAlign = "center";
    pen.fillText(step, middle, MARGIN - 12);
    pen.textAlign = "right";
    pen.fillText(step, MARGIN - 10, middle + 4);
  }
}
