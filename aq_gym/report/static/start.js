/** The page that `aq-gym ui` opens with, and a game that a person plays. */

import { h } from "./dom.js";
import { arrowKeys, sortBy } from "./tables.js";
import { rate } from "./text.js";

// Arguments that are not set, or for comparisons with papers.
const RARE = /=null$|=\[\]$|^(split|protocol)=/;
// So many runs can be filtered.
const MANY = 12;
// What the reader had asked of the list.
const KEPT = "list";
const by = (id) => document.getElementById(id);

async function send(path, value) {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(value);
  const answer = await fetch(path, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** Open a new game, unless its arguments are wrong; then return what is. */
async function begin(chosen, root) {
  const { game, problem } = await send(`${root}game`, chosen);
  if (!game) return problem;
  // For another game of its kind.
  sessionStorage.setItem(game, JSON.stringify(chosen));
  location.href = `${root}game/${game}`;
}

/** Reports of one run and of several, and games that begin. */
export function startPage() {
  const ticked = () => [...document.querySelectorAll("#compare :checked")];
  const allow = () => {
    if (by("compare-runs")) by("compare-runs").disabled = !ticked().length;
    filterRuns();
    arrowKeys(by("start"));
  };
  restore();
  allow();
  addEventListener("pagehide", keep);
  by("find").addEventListener("input", allow);
  // The list is replaced while runs are in progress.
  new MutationObserver(allow).observe(by("runs"), { childList: true });
  by("start").addEventListener("change", allow);
  document.addEventListener("keydown", (event) => onKey(event, ticked()));
  by("start").addEventListener("submit", (event) => {
    if (event.target.id !== "compare") return;
    event.preventDefault();
    const names = ticked().map((box) => box.value.replace(/^report\/|\/$/g, ""));
    location.href = `report/${names.join(",")}/`;
  });
  const { env, seed, arguments: given } = by("begin").elements;
  const takes = async () => {
    const asked = env.value;
    const answer = await fetch(`arguments/${encodeURIComponent(asked)}`).catch(
      () => null,
    );
    const known = answer?.ok ? (await answer.text()).split("\n") : [];
    if (env.value === asked)
      by("takes").replaceChildren(...argumentButtons(known, given));
  };
  env.addEventListener("change", takes);
  takes();
  by("begin").addEventListener("submit", async (event) => {
    event.preventDefault();
    const chosen = {
      env: env.value,
      seed: seed.value === "" ? null : Number(seed.value),
      arguments: given.value.trim(),
    };
    try {
      by("begin-problem").textContent = (await begin(chosen, "")) ?? "";
    } catch (problem) {
      by("begin-problem").textContent = String(problem);
    }
    by("begin-problem").scrollIntoView({ block: "nearest" });
  });
}

/** Show the runs with all words that the reader wrote, and the ticked ones. */
function filterRuns() {
  const rows = [...document.querySelectorAll("#runs-table tbody tr")];
  by("find").hidden = rows.length < MANY;
  const { value } = by("find").control;
  const words = by("find").hidden ? [] : value.toLowerCase().split(/\s+/);
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    const asked = words.every((word) => text.includes(word));
    row.hidden = !asked && !row.querySelector(":checked");
  }
}

/** Keep the order and the filter of the list for the reader who comes back. */
function keep() {
  const sorted = document.querySelector("#runs-table th[aria-sort]");
  if (!sorted) return;
  const [column, order] = [sorted.textContent, sorted.ariaSort];
  const kept = { column, order, text: by("find").control.value };
  sessionStorage.setItem(KEPT, JSON.stringify(kept));
}

function restore() {
  const { column, order, text = "" } = JSON.parse(sessionStorage.getItem(KEPT)) ?? {};
  by("find").control.value = text;
  const headings = [...document.querySelectorAll("#runs-table thead th")];
  const heading = headings.find((one) => one.textContent === column);
  if (heading) sortBy(by("runs-table"), heading, order === "ascending");
}

/** The keys move in the list wherever the focus is not yet in use. */
function onKey(event, ticked) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === "Enter" && ticked.length && target.matches("#runs-table a")) {
    event.preventDefault();
    by("compare").requestSubmit(by("compare-runs"));
  }
  const stop = document.querySelector("#runs-table tbody [tabindex='0']");
  if (!stop || !["ArrowUp", "ArrowDown", "j", "k"].includes(key)) return;
  // A heading that sorts the list keeps the focus.
  const other = "a, button:not(#runs-table thead *), input, select, summary";
  if (target.closest(`${other}, #runs-table tbody`)) return;
  event.preventDefault();
  stop.focus();
}

/** Buttons that write an argument with its default; rare ones are folded. */
function argumentButtons(known, given) {
  const write = ({ target }) => {
    given.value = [given.value, target.textContent].filter(Boolean).join("&");
    given.focus();
  };
  const button = (text) => h("button", { type: "button", text, click: write });
  const rare = known.filter((text) => RARE.test(text));
  const usual = known.filter((text) => !RARE.test(text));
  return [
    ...(usual.length ? ["Arguments and their defaults: ", ...usual.map(button)] : []),
    ...(rare.length
      ? [
          h(
            "details",
            {},
            h("summary", { text: `${rare.length} arguments that are rarely needed` }),
            ...rare.map(button),
          ),
        ]
      : []),
  ];
}

/** Show a game, and play the actions that the person writes. */
export function playGame(first) {
  const input = by("act").elements.action;
  let { steps } = first;
  showGame(first);
  input.addEventListener("keydown", (event) => {
    // The last action again, to change it.
    if (event.key !== "ArrowUp" || input.value || !steps.length) return;
    event.preventDefault();
    input.value = steps.at(-1).action;
  });
  by("act").addEventListener("submit", async (event) => {
    event.preventDefault();
    const action = input.value;
    input.value = "";
    try {
      const game = await send(first.game, { action });
      steps = game.steps;
      showGame(game);
    } catch (problem) {
      by("game-state").textContent = String(problem);
    }
    // Not its link, which a person who types on would follow.
    (by("act").hidden ? by("game-over") : input).focus();
  });
}

function showGame(game) {
  const { steps, most, over, success } = game;
  const left = most && !over ? `, ${most - steps.length} left` : "";
  const best = game.best > game.progress ? `, best ${rate(game.best)}` : "";
  by("game-state").textContent = [
    ...(over ? [success ? "Solved" : "Over, not solved"] : []),
    `${over ? "step" : "Step"} ${steps.length}${most ? ` of ${most}` : ""}${left}`,
    game.subgoals,
    `progress ${rate(game.progress)}${best}`,
  ].join(" · ");
  by("game-progress").value = game.progress;
  by("game-goal").textContent = game.goal;
  by("game-rules").querySelector("pre").textContent = game.rules;
  by("game-observation").textContent = game.observation;
  // At first it is in the rules.
  by("game-observation").hidden = !steps.length;
  const [example] = game.actions;
  by("game-example").textContent = example
    ? `, as in: ${example}`
    : ", as in the rules";
  const picture = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(game.picture)}`;
  by("game-picture").replaceChildren(
    ...(game.picture
      ? [h("img", { src: picture, alt: "The state, which the text describes" })]
      : []),
  );
  by("game-actions").replaceChildren(
    ...game.actions.map((action) => h("option", { value: action })),
  );
  by("game-steps").replaceChildren(...steps.map(stepLine).reverse());
  by("act").hidden = over;
  by("game-over").hidden = !over;
  if (over) {
    const link = h("a", { href: `../${game.report}`, text: "Open its report" });
    const answer = game.answer
      ? [h("pre", { text: `The answer: ${game.answer}` })]
      : [];
    const chosen = JSON.parse(sessionStorage.getItem(game.game));
    const seed = chosen?.seed === null ? null : chosen?.seed + 1;
    const text = seed === null ? "Play another" : `Play seed ${seed}`;
    const click = () => begin({ ...chosen, seed }, "../");
    const again = chosen ? [" ", h("button", { type: "button", text, click })] : [];
    by("game-over").replaceChildren(...answer, link, ...again);
  }
}

function stepLine(step, number, steps) {
  const before = number ? steps[number - 1].progress : 0;
  const moved = step.progress !== before ? [`progress ${rate(step.progress)}`] : [];
  const marks = [
    ...moved,
    ...step.reached.map((name) => `✓ ${name}`),
    ...(step.valid ? [] : ["✕ invalid"]),
    ...(step.repeated ? ["↻ repeated"] : []),
  ];
  const text = [step.action, ...marks].join(" · ");
  // The last observation is shown above.
  const seen = number < steps.length - 1 ? [h("pre", { text: step.observation })] : [];
  return h("li", { class: step.valid ? "" : "lost" }, text, ...seen);
}
