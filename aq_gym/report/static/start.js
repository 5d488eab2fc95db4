/** The page that `aq-gym ui` opens with, and a game that a person plays. */

import { h } from "./dom.js";
import { arrowKeys } from "./tables.js";
import { rate } from "./text.js";

const by = (id) => document.getElementById(id);

async function send(path, value) {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(value);
  const answer = await fetch(path, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** Reports of one run and of several, and games that begin. */
export function startPage() {
  const ticked = () => [...document.querySelectorAll("#compare :checked")];
  const allow = () => {
    if (by("compare-runs")) by("compare-runs").disabled = !ticked().length;
    arrowKeys(by("start"));
  };
  arrowKeys(by("start"));
  // The list is replaced while runs are in progress.
  new MutationObserver(allow).observe(by("start"), { childList: true });
  by("start").addEventListener("change", allow);
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
    const known = answer?.ok ? `${asked} takes ${await answer.text()}` : "";
    if (env.value === asked) by("takes").textContent = known;
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
      const { game, problem } = await send("game", chosen);
      if (game) location.href = `game/${game}`;
      by("begin-problem").textContent = problem ?? "";
    } catch (problem) {
      by("begin-problem").textContent = String(problem);
    }
    by("begin-problem").scrollIntoView({ block: "nearest" });
  });
}

/** Show a game, and play the actions that the person writes. */
export function playGame(first) {
  const input = by("act").elements.action;
  showGame(first);
  by("act").addEventListener("submit", async (event) => {
    event.preventDefault();
    const action = input.value;
    input.value = "";
    try {
      showGame(await send(first.game, { action }));
    } catch (problem) {
      by("game-state").textContent = String(problem);
    }
    (by("game-over").querySelector("a") ?? input).focus();
  });
}

function showGame(game) {
  const { steps, most, over, success } = game;
  const end = over ? (success ? " · solved" : " · over, not solved") : "";
  by("game-state").textContent =
    `Step ${steps.length}${most ? ` of ${most}` : ""} · ${game.subgoals} · ` +
    `progress ${rate(game.progress)}, best ${rate(game.best)}${end}`;
  by("game-rules").querySelector("pre").textContent = game.rules;
  // At first they are the observation itself.
  by("game-rules").hidden = !steps.length;
  by("game-observation").textContent = game.observation;
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
    const answer = game.answer ? [`The answer: ${game.answer} · `] : [];
    by("game-over").replaceChildren(...answer, link);
  }
}

function stepLine(step, number, steps) {
  const marks = [
    ...step.reached.map((name) => `✓ ${name}`),
    ...(step.valid ? [] : ["✕ invalid"]),
    ...(step.repeated ? ["↻ repeated"] : []),
  ];
  const text = [step.action, rate(step.progress), ...marks].join(" · ");
  // The last observation is shown above.
  const seen = number < steps.length - 1 ? [h("pre", { text: step.observation })] : [];
  return h("li", { class: step.valid ? "" : "lost" }, text, ...seen);
}
