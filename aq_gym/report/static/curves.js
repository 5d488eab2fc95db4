/** Charts of progress and repetition over steps, drawn by uPlot. */

import { color, colorOf, h, inkOf, isColored, onTheme } from "./dom.js";
import { chartSvg } from "./svg.js";
import { count, rate } from "./text.js";

const HEIGHT = 216;
const MOST_BANDS = 3;
const FEW = 50;
const TABLE_STEPS = 12;
const EIGHT = [
  [],
  [8, 4],
  [2, 3],
  [10, 3, 2, 3],
  [5, 2],
  [12, 5],
  [6, 6],
  [6, 2, 1, 2, 1, 2],
];
// Those of one colour are unlike.
export const DASHES = [...EIGHT, ...EIGHT.slice(4), ...EIGHT.slice(0, 4), []];

function axes(top) {
  const shared = {
    stroke: color("--muted"),
    grid: { stroke: color("--line"), width: 1 },
    ticks: { stroke: color("--line"), width: 1 },
    font: "12px system-ui, sans-serif",
  };
  const label = { label: "step", labelSize: 16, labelGap: 0, labelFont: shared.font };
  return [
    {
      ...shared,
      ...label,
      size: 30,
      space: 45,
      incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    },
    {
      ...shared,
      size: 40,
      space: 28,
      // Between two counts there is no mark.
      incrs: top ? [1, 2, 5, 10, 20, 50, 100, 200] : [0.2, 0.5, 1],
      values: (_, marks) => marks.map((m) => m.toFixed(top ? 0 : 1)),
    },
  ];
}

/**
 * Draw lines into an element, and again when its size or the theme changes.
 *
 * @param {HTMLElement} place
 * @param {number[]} steps
 * @param {{name: string, number: number, mean: number[], low?: number[],
 *   high?: number[], color?: string}[]} lines
 * @param {{describe?: (step: number) => string, onPick?: (step: number) => void,
 *   top?: number}} more The top of the scale is 1; another one is for counts.
 * @returns {() => void} Removes the chart.
 */
export function drawLines(place, steps, lines, more = {}) {
  const readout = h("p", { class: "readout", text: " " });
  const canvas = h("div", { class: "plot" });
  place.append(canvas, readout);
  // For the buttons that copy the chart.
  place.toSvg = (ink = "#333") => {
    const drawn = lines.filter(isNamed).map((line) => ({
      ...line,
      stroke: color(line.color ?? inkOf(line.number)),
      dash: DASHES[colorOf(line.number)].join(" "),
    }));
    const title = place.querySelector("figcaption").textContent;
    return chartSvg(steps, drawn, title, ink, more.top);
  };
  let chart = null;
  const draw = () => {
    chart?.destroy();
    chart = new uPlot(options(canvas, readout, steps, lines, more), data(), canvas);
  };
  const data = () => [
    steps,
    ...lines.flatMap((line) => [line.mean, ...band(line, steps.length)]),
  ];
  const forget = onTheme(draw);
  const watcher = new ResizeObserver(() => {
    chart?.setSize({ width: canvas.clientWidth, height: HEIGHT });
  });
  watcher.observe(canvas);
  return () => {
    forget();
    watcher.disconnect();
    chart?.destroy();
  };
}

function band(line) {
  return line.low?.length ? [line.high, line.low] : [];
}

/** Many bands would hide each other: then only the lines are drawn. */
function withoutMany(lines) {
  if (lines.length <= MOST_BANDS) return lines;
  return lines.map((line) => ({ ...line, low: [], high: [], hidden: line }));
}

function options(canvas, readout, steps, lines, more) {
  const series = [{}];
  const bands = [];
  for (const line of lines) {
    const stroke = color(line.color ?? inkOf(line.number));
    const dash = DASHES[colorOf(line.number)];
    series.push({
      stroke,
      width: isNamed(line, 0, lines) ? 2 : 1,
      dash,
      // In an episode, the values are those after whole steps.
      points: {
        show: steps.length < (more.onPick && line.color !== "--repeat" ? FEW : 2),
        size: 5,
        fill: stroke,
      },
    });
    if (line.low?.length) {
      const edge = { stroke: "transparent", width: 0, points: { show: false } };
      series.push(edge, { ...edge });
      const fill = stroke.replace("rgb(", "rgba(").replace(")", ", 0.16)");
      bands.push({ series: [series.length - 2, series.length - 1], fill });
    }
  }
  return {
    width: canvas.clientWidth || 320,
    height: HEIGHT,
    scales: {
      x: { time: false, range: [0, steps.at(-1)] },
      y: { range: [0, 1.02 * (more.top ?? 1)] },
    },
    axes: axes(more.top),
    series,
    bands,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: {
      setCursor: [
        (chart) => {
          const index = chart.cursor.idx;
          readout.textContent =
            index === null || index === undefined
              ? " "
              : described(steps[index], index, lines, more);
        },
      ],
      ready: [
        (chart) => {
          if (!more.onPick) return;
          chart.over.addEventListener("click", () => {
            if (chart.cursor.idx) more.onPick(steps[chart.cursor.idx]);
          });
        },
      ],
    },
  };
}

/** Among several lines, that of a run without its own color is thin and has no name. */
function isNamed(line, _, lines) {
  return isColored(line.number) || lines.length < 2;
}

function described(step, index, lines, more) {
  const shown = more.top ? count : rate;
  const parts = lines
    .filter(isNamed)
    .filter((line) => line.mean[index] !== null && line.mean[index] !== undefined)
    .map((line) => {
      const { low, high } = line.hidden ?? line;
      const range = low?.length ? ` [${shown(low[index])}, ${shown(high[index])}]` : "";
      return `${line.name} ${shown(line.mean[index])}${range}`;
    });
  const extra = more.describe?.(step);
  return `Step ${step}: ${parts.join(" · ")}${extra ? ` · ${extra}` : ""}`;
}

/**
 * Draw the mean curves of each environment, of all runs or of one.
 *
 * @param {object} data The page's data.
 * @param {string} of The run, "" for all.
 * @returns {() => void} Removes them.
 */
export function drawCurves(data, of) {
  const undo = [];
  for (const place of document.querySelectorAll("[data-values]")) {
    place.replaceChildren(valuesOf(data, curvesOf(data, place.dataset.values, of)));
  }
  for (const place of document.querySelectorAll("[data-curves]")) {
    const kind = place.dataset.kind;
    const every = curvesOf(data, place.dataset.curves, of);
    const known = new Set(data.curves.flat().map(({ run }) => run));
    const fewer = of || place.dataset.curves !== "all" ? 0 : known.size - every.length;
    place.querySelector("figcaption span").textContent =
      countOf(data, every) +
      (fewer ? `; ${fewer} with fewer environments left out` : "");
    const own = every
      .filter(({ run }) => !of || data.lines[run].flat().includes(of))
      .sort((a, b) => isColored(a.run) - isColored(b.run));
    place.querySelectorAll(":not(figcaption, figcaption *)").forEach((e) => {
      e.remove();
    });
    if (!own.length) continue;
    const longest = Math.max(...own.map((run) => run[kind].mean.length));
    const steps = Array.from({ length: longest + 1 }, (_, step) => step);
    const lines = own.map((run) => ({
      name: data.lines[run.run][0],
      number: run.run,
      mean: longer(run[kind].mean, longest),
      low: longer(run[kind].low, longest),
      high: longer(run[kind].high, longest),
    }));
    undo.push(drawLines(place, steps, withoutMany(lines)));
  }
  return () => {
    for (const one of undo) one();
  };
}

/**
 * Return the curves of an environment, or the means over all episodes, of the runs that
 * have the most environments.
 */
function curvesOf({ curves, lines }, asked, of) {
  if (asked !== "all") return curves[Number(asked)];
  const own = lines.map((line, run) =>
    curves.flat().filter((one) => {
      const chosen = !of || line.flat().includes(of);
      return chosen && one.run === run && one.episodes;
    }),
  );
  const most = Math.max(1, ...own.map((parts) => parts.length));
  return own.flatMap((parts, run) => {
    if (parts.length < most) return [];
    const episodes = parts.reduce((sum, one) => sum + one.episodes, 0);
    const longest = Math.max(...parts.map((one) => one.progress.mean.length));
    const pooled = (kind) => {
      const all = parts.map((one) => longer(one[kind].mean, longest));
      const mean = Array.from({ length: longest }, (_, n) =>
        all.reduce((sum, one, at) => sum + parts[at].episodes * one[n + 1], 0),
      );
      return { mean: mean.map((sum) => sum / episodes), low: [], high: [] };
    };
    return [
      {
        run,
        episodes,
        progress: pooled("progress"),
        repetition: pooled("repetition"),
      },
    ];
  });
}

function kindOf({ lines, runs }) {
  return lines.length < runs.length ? "agent" : "run";
}

/** Return how many episodes of each agent, or run, some curves are of. */
function countOf(data, curves) {
  if (!curves.length) return "no episode";
  const counts = curves.map((one) => one.episodes);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const told = fewest === most ? `${most}` : `${fewest} to ${most}`;
  return `${told} episode${most > 1 ? "s" : ""}${curves[1] ? ` of each ${kindOf(data)}` : ""}`;
}

/** Return a table of the values of some curves at about a dozen steps. */
function valuesOf(data, curves) {
  const longest = Math.max(1, ...curves.map((one) => one.progress.mean.length));
  const apart = Math.ceil(longest / TABLE_STEPS);
  const count = Math.ceil(longest / apart);
  const end = (_, n) => Math.min(apart * (n + 1), longest);
  const steps = Array.from({ length: count }, end);
  const heads = [kindOf(data), "mean of", ...steps.map((step) => `step ${step}`)];
  const rows = curves.flatMap((one) =>
    Object.entries({ PR: one.progress.mean, RR: one.repetition.mean }).map(
      ([kind, mean]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row", text: data.lines[one.run][0] }),
          h("td", { text: kind }),
          ...steps.map((step) => {
            const text = rate(mean[Math.min(step, mean.length) - 1]);
            return h("td", { class: "number", text });
          }),
        ),
    ),
  );
  const head = heads.map((text, n) =>
    h("th", { scope: "col", class: n > 1 && "number", text }),
  );
  return h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
}

/** Begin at 0 before the first step, and keep the last value to the longest run's end. */
function longer(values, length) {
  if (!values.length) return [];
  const rest = Array(length - values.length).fill(values.at(-1));
  return [0, ...values, ...rest];
}
