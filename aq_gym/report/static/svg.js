/** Charts as SVG text, for papers and slides. */

const [WIDTH, HEIGHT, LEFT, TOP] = [480, 260, 40, 32];

/** Escape a text for XML. */
export function xml(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (sign) => names[sign]);
}

/**
 * Return a chart of rates by steps as SVG.
 *
 * @param {number[]} steps
 * @param {{name: string, mean: number[], low?: number[], high?: number[],
 *   stroke: string, dash: string}[]} lines
 * @param {string} title What the lines show.
 * @param {string} ink The color of the text.
 * @param {number} top The top of the scale.
 */
export function chartSvg(steps, lines, title, ink, top = 1) {
  const font = `font-family="sans-serif" font-size="12" fill="${ink}"`;
  const last = steps.at(-1) || 1;
  const at = (step, value) =>
    `${(LEFT + (WIDTH * step) / last).toFixed(1)},${(TOP + HEIGHT * (1 - value / top)).toFixed(1)}`;
  const points = (values) => values.map((value, n) => at(steps[n], value));
  // A line has a gap where a value is missing.
  const path = (values) =>
    points(values)
      .map((point, n) => `${typeof values[n - 1] === "number" ? "L" : "M"}${point}`)
      .filter((_, n) => typeof values[n] === "number")
      .join("");
  const parts = [
    `<text x="${LEFT}" y="16" ${font}>${xml(title)}</text>`,
    `<text x="${LEFT + WIDTH / 2}" y="${TOP + HEIGHT + 36}" text-anchor="middle" ${font}>step</text>`,
  ];
  const marks = [0, 0.25, 0.5, 0.75, 1].map((part) => part * top);
  // Between two counts there is no mark.
  for (const value of new Set(top > 1 ? marks.map(Math.round) : marks)) {
    const y = TOP + HEIGHT * (1 - value / top);
    parts.push(
      `<path d="M${LEFT} ${y}h${WIDTH}" stroke="#ccc"/>`,
      `<text x="${LEFT - 6}" y="${y + 4}" text-anchor="end" ${font}>${value}</text>`,
    );
  }
  for (const step of new Set([0, Math.round(last / 2), last])) {
    const x = LEFT + (WIDTH * step) / last;
    const place = `x="${x}" y="${TOP + HEIGHT + 18}" text-anchor="middle"`;
    parts.push(`<text ${place} ${font}>${step}</text>`);
  }
  for (const [n, { name, mean, low, high, stroke, dash }] of lines.entries()) {
    if (low?.length) {
      const around = [...points(high), ...points(low).reverse()].join(" ");
      parts.push(`<polygon points="${around}" fill="${stroke}" fill-opacity=".16"/>`);
    }
    const style = `fill="none" stroke="${stroke}" stroke-width="2" stroke-dasharray="${dash}"`;
    const y = TOP + HEIGHT + 58 + 18 * n;
    parts.push(
      `<path d="${path(mean)}" ${style}/>`,
      `<path d="M${LEFT} ${y - 4}h40" ${style}/>`,
      `<text x="${LEFT + 48}" y="${y}" ${font}>${xml(name)}</text>`,
    );
  }
  const height = TOP + HEIGHT + 58 + 18 * lines.length;
  const width = WIDTH + LEFT + 20;
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${parts.join("")}</svg>`;
}
