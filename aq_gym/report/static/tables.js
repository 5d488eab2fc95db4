/** Tables that can be sorted by the headings of their columns. */

/** Let the tables of the class "sortable" in an element be sorted. */
export function sortableTables(root) {
  for (const table of root.querySelectorAll("table.sortable")) {
    for (const button of table.querySelectorAll("thead button")) {
      button.addEventListener("click", () => sortBy(table, button.closest("th")));
    }
  }
}

/** Mark each table that is wider than its place; the style shows the mark. */
export function scrollHints(root) {
  for (const box of root.querySelectorAll(".scroll:not([data-more])")) {
    const look = () => {
      const beyond = box.scrollWidth - box.clientWidth;
      const more = beyond - Math.abs(box.scrollLeft) > 4;
      box.dataset.more = beyond > 4 ? (more ? "right" : "left") : "";
    };
    box.dataset.more = "";
    box.addEventListener("scroll", look);
    // Later, as the hint changes the size that is watched.
    new ResizeObserver(() => requestAnimationFrame(look)).observe(box);
  }
}

function sortBy(table, heading) {
  const upwards = heading.getAttribute("aria-sort") === "descending";
  for (const other of table.querySelectorAll("th[aria-sort]")) {
    other.removeAttribute("aria-sort");
  }
  heading.setAttribute("aria-sort", upwards ? "ascending" : "descending");
  const column = heading.cellIndex;
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((a, b) => compared(a, b, column));
  if (!upwards) rows.reverse();
  body.append(...rows);
}

function compared(first, second, column) {
  const [a, b] = [first, second].map((row) => row.cells[column].dataset.value);
  const difference = Number(a) - Number(b);
  return Number.isNaN(difference) ? a.localeCompare(b) : difference;
}

/** Show the rows of the summary that the menus and the filter of the page select. */
export function showRows(now) {
  const table = document.getElementById("summary-table");
  const chosen = document.getElementById("rows-by")?.value ?? "";
  // If a difficulty is chosen, its rows are shown instead of those of the whole.
  const kind = now.difficulty ? "difficulty" : chosen;
  table.classList.toggle("parted", !["", "means"].includes(kind));
  for (const row of table.tBodies[0].rows) {
    const { by, part } = row.dataset;
    const asked = now.difficulty ? by === kind && part === now.difficulty : true;
    const means = kind === "means" && !now.env;
    const other = means
      ? !row.classList.contains("overall") || by !== ""
      : !now.difficulty && by !== "" && by !== kind;
    row.hidden = isElsewhere(row, now) || !asked || other;
  }
  for (const row of document.querySelectorAll("#agents tbody tr")) {
    row.hidden = Boolean(now.env) && row.dataset.env !== now.env;
  }
  const baseline = document.getElementById("baseline")?.value;
  for (const row of document.querySelectorAll("#differences tbody tr")) {
    row.hidden = isElsewhere(row, now) || row.dataset.baseline !== baseline;
  }
}

function isElsewhere(row, now) {
  const { env, run } = row.dataset;
  return Boolean((now.env && env !== now.env) || (now.of && run !== now.of));
}
