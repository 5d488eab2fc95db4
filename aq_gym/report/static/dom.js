/** Elements; their content is always set as text, never as HTML. */

/**
 * Make an element.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} attributes Attributes; "text" is the content, and a
 *   function is an event's listener. With false, null or undefined it is left out.
 * @param {...(Node | null)} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "text") element.textContent = value;
    else if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * Return a bar of parts side by side, which their legend tells in words.
 *
 * @param {[number, string][]} parts The size and the class of each.
 */
export function stacked(parts) {
  const xmlns = "http://www.w3.org/2000/svg";
  const bar = document.createElementNS(xmlns, "svg");
  const set = (element, attributes) => {
    for (const one of Object.entries(attributes)) element.setAttribute(...one);
  };
  let x = 0;
  for (const [width, kind] of parts) {
    const rect = document.createElementNS(xmlns, "rect");
    set(rect, { class: kind, x, width, height: 1 });
    bar.append(rect);
    x += width;
  }
  const viewBox = `0 0 ${x || 1} 1`;
  set(bar, {
    class: "parts",
    viewBox,
    preserveAspectRatio: "none",
    "aria-hidden": true,
  });
  return bar;
}

const MARKS = 16;

/** Return the number of a run's mark: the runs after the first sixteen share the last. */
export function colorOf(number) {
  return Math.min(number, MARKS);
}

/** Return the color of a run: dots and squares have the same eight. */
export function inkOf(number) {
  return `--run-${number < MARKS ? number % 8 : 8}`;
}

/** Return whether a run has a mark of its own. */
export function isColored(number) {
  return number < MARKS;
}

let probe = null;

/**
 * Return the color that a custom property has in the theme that is shown.
 *
 * The probe stays in the page: putting one in for each color restyles the whole page.
 */
export function color(name) {
  if (!probe) {
    probe = h("span", { hidden: true });
    document.body.append(probe);
  }
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

/** Call a function now and whenever the theme changes. */
export function onTheme(draw) {
  draw();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", draw);
  document.addEventListener("aq-theme", draw);
  return () => {
    dark.removeEventListener("change", draw);
    document.removeEventListener("aq-theme", draw);
  };
}
