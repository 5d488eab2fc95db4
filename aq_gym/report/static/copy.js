/** Buttons that copy tables as CSV or LaTeX, and charts as SVG or PNG. */

import { color, h } from "./dom.js";

const LATEX = /[\\~^&%$#_{}]/g;
const SPELLED = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};
// The pixels of a PNG for each unit of a drawing.
const SCALE = 3;
const STYLES = [
  "fill",
  "opacity",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
];

// Numbers and intervals may begin with a minus; "-2+cmd()" would be calculated.
const FORMULA = /^[=+@\t\r]|^-(?![\d.]+( \[[-\d., ]*\])?%?$)/;

/** Return rows of texts as CSV (RFC 4180); a cell that would begin a formula is quoted. */
export function csv(rows) {
  const cell = (text) => {
    const safe = FORMULA.test(text) ? `'${text}` : text;
    return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Return rows of texts, the first of which are headings, as a LaTeX table. */
export function latex([head, ...rows]) {
  const spelled = (text) => text.replace(LATEX, (sign) => SPELLED[sign] ?? `\\${sign}`);
  const line = (row) => `${row.map(spelled).join(" & ")} \\\\`;
  return [
    `\\begin{tabular}{${"l".repeat(head.length)}}`,
    "\\toprule",
    line(head),
    "\\midrule",
    ...rows.map(line),
    "\\bottomrule",
    "\\end{tabular}\n",
  ].join("\n");
}

/** Add the buttons to the tables and charts of an element that lack them. */
export function copyButtons(root) {
  for (const scroll of root.querySelectorAll(".scroll")) {
    const table = () => shown(scroll.querySelector("table"));
    addButtons(scroll, scroll.getAttribute("aria-label") ?? "table", {
      CSV: () => navigator.clipboard.writeText(csv(table())),
      LaTeX: () => navigator.clipboard.writeText(latex(table())),
    });
  }
  for (const figure of root.querySelectorAll("figure:has(svg, canvas)")) {
    const name = figure.querySelector("figcaption").textContent.slice(0, 60);
    const drawing = figure.querySelector("svg");
    const svg = figure.toSvg ?? (drawing && (() => styled(drawing)));
    const canvas = () =>
      svg ? painted(svg(color("--text"))) : figure.querySelector("canvas");
    addButtons(figure, name, {
      ...(svg ? { SVG: () => navigator.clipboard.writeText(svg()) } : {}),
      PNG: () => copyPicture(canvas()),
    });
  }
}

/** Add buttons that copy something in several forms, after an element or in a figure. */
export function addButtons(place, name, kinds) {
  const inside = place.localName === "figure";
  const last = inside ? place.lastElementChild : place.nextElementSibling;
  if (last?.matches(".copy") || !Object.keys(kinds).length) return;
  const bar = h("div", { class: "copy muted" }, h("span", { text: "Copy as" }));
  for (const [kind, copy] of Object.entries(kinds)) {
    const label = `Copy as ${kind}: ${name}`;
    const button = h("button", { type: "button", text: kind, "aria-label": label });
    button.addEventListener("click", async () => {
      bar.querySelector("[role=status]").textContent = "";
      const done = await copy().then(
        () => "copied",
        () => "the browser refused",
      );
      bar.querySelector("[role=status]").textContent = done;
    });
    bar.append(button);
  }
  bar.append(h("span", { role: "status" }));
  if (inside) place.append(bar);
  else place.after(bar);
}

/** Return the texts of the visible rows and columns of a table. */
function shown(table) {
  return [...table.rows]
    .filter((row) => row.offsetParent)
    .map((row) => [...row.cells].filter((cell) => cell.offsetParent).map(words));
}

function words(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode.data);
  return found.join(" ").replace(/\s+/g, " ").trim();
}

/** Return a drawing with its size and the page's style in it. */
function styled(drawing) {
  const copy = drawing.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const parts = drawing.querySelectorAll("*");
  for (const [n, part] of copy.querySelectorAll("*").entries()) {
    const style = getComputedStyle(parts[n]);
    for (const name of STYLES) part.setAttribute(name, style.getPropertyValue(name));
    if (part.localName === "text") {
      part.setAttribute("font-size", style.fontSize);
      part.setAttribute("font-family", "sans-serif");
    }
    part.removeAttribute("class");
  }
  return new XMLSerializer().serializeToString(copy);
}

/** Return a drawing on a canvas. */
async function painted(svg) {
  const image = h("img", { src: `data:image/svg+xml,${encodeURIComponent(svg)}` });
  await image.decode();
  const [width, height] = [SCALE * image.naturalWidth, SCALE * image.naturalHeight];
  const canvas = h("canvas", { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  return canvas;
}

/** Copy a canvas, or one that is being painted, on the page's background. */
function copyPicture(canvas) {
  const blob = Promise.resolve(canvas).then((drawn) => {
    const whole = h("canvas", { width: drawn.width, height: drawn.height });
    const pen = whole.getContext("2d");
    pen.fillStyle = color("--back");
    pen.fillRect(0, 0, whole.width, whole.height);
    pen.drawImage(drawn, 0, 0);
    return new Promise((done) => whole.toBlob(done));
  });
  return navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
}
