/** The list and the episodes that the address selects. */

import { firstStep } from "./archive.js";
import { choose, inPart, isShown, runsOf } from "./choose.js";
import { copyButtons } from "./copy.js";
import { drawCurves } from "./curves.js";
import { h } from "./dom.js";
import { showEpisodes } from "./episode.js";
import { highlight } from "./highlight.js";
import { showList } from "./list.js";
import { opened } from "./pictures.js";
import { readHash, writeHash } from "./state.js";
import { unnumbered } from "./steps.js";
import { drawStuck, plain } from "./stuck.js";
import { arrowKeys, showRows } from "./tables.js";

/** The filters of the whole page, and all filters of the list. */
export const VIEW = ["env", "of", "difficulty"];
export const FILTERS = [...VIEW, "outcome", "subgoal", "text"];
const [FEW, FEW_WIDE] = [2, 6];
const by = (id) => document.getElementById(id);

export class Browser {
  /**
   * @param {object} data The page's data.
   * @param {object[]} episodes All episodes.
   * @param {import("./archive.js").Archive} archive Their trajectories.
   */
  constructor(data, episodes, archive) {
    Object.assign(this, { data, episodes, archive });
    this.chosen = [];
    this.opened = null;
    this.found = { text: "", numbers: null };
    this.asked = "";
    this.reveal = () => {};
    this.at = null;
    this.isKept = () => true;
    this.place = () => null;
    this.undo = () => {};
    this.undoCurves = () => {};
  }

  /** The state in the address. */
  get state() {
    return readHash(location.hash);
  }

  /** Change the state; the browser's back button undoes it. */
  go(changes) {
    location.hash = writeHash({ ...this.state, ...changes });
  }

  /** Change the state without a step in the history, as for each letter typed. */
  adjust(changes) {
    history.replaceState(null, "", writeHash({ ...this.state, ...changes }));
    this.show();
  }

  /** Show the state in the address. */
  show() {
    const now = this.state;
    const numbers = this.found.text === now.text ? this.found.numbers : null;
    const found = now.inside ? numbers : null;
    this.chosen = choose(this.episodes, now, found, this.data.milestones);
    const open = now.episode && this.episodes.find((e) => isNamed(e, now));
    const wasOpen = !by("episode").hidden;
    if (open && !wasOpen) {
      const link = document.activeElement;
      const table = link.closest("#episode-table") ?? by("overview");
      this.left = { href: link.getAttribute("href"), table, place: scrollY };
    }
    by("overview").hidden = Boolean(open);
    by("episode").hidden = !open;
    if (open) {
      this.showEpisode(open, now);
    } else {
      this.clear();
      this.showList(now);
      if (wasOpen) this.goBack();
    }
    if (now.inside && now.text && !numbers) this.search(now.text);
  }

  /** Go to the link that an episode was opened with, or else to its row in the list. */
  goBack() {
    const { href, table, place } = this.left;
    const link = (within, to) =>
      [...within.querySelectorAll("a")].find(
        (one) => one.offsetParent && one.getAttribute("href") === to,
      );
    const from = link(table, href);
    const rows = document.querySelector("#episode-table tbody");
    const row = this.opened && link(rows, this.linkTo(this.opened));
    if (from) scrollTo(0, place);
    else (row ?? by("episodes")).scrollIntoView({ block: row ? "center" : "start" });
    (from ?? row ?? rows.querySelector("a"))?.focus({ preventScroll: true });
  }

  /**
   * Show newer data; a reader who is at the last step of an open episode follows it, and
   * one who has moved since stays where they are.
   */
  renew(data, episodes, archive) {
    const { opened } = this;
    const now =
      opened && episodes.find((e) => isNamed(e, { ...opened, episode: opened.task }));
    Object.assign(this, { data, episodes, archive, viewed: null });
    this.found = { text: "", numbers: null };
    if (now && (now.steps !== opened.steps || now.outcome !== opened.outcome)) {
      this.asked = "";
      if (Number(this.state.step) === opened.steps && this.isKept()) {
        history.replaceState(null, "", writeHash({ ...this.state, step: now.steps }));
      } else if (scrollY || this.state.step) this.at = this.place();
    }
    this.opened = now || null;
    this.show();
  }

  clear() {
    this.undo();
    this.asked = "";
    this.undo = () => {};
  }

  showList(now) {
    this.offerSubgoals(now);
    this.showView(now);
    for (const name of FILTERS) {
      const input = by(`filter-${name}`);
      if (input.value !== now[name]) input.value = now[name];
    }
    by("search-inside").disabled = !now.text;
    for (const button of document.querySelectorAll("#episode-table thead button")) {
      const name = button.dataset.sort;
      const order = { [name]: "ascending", [`-${name}`]: "descending" }[now.sort];
      const heading = button.closest("th");
      if (order) heading.setAttribute("aria-sort", order);
      else heading.removeAttribute("aria-sort");
    }
    showList(this.data, this.chosen, now, (episode) => this.linkTo(episode));
    arrowKeys(by("overview"));
  }

  /** Apply the filter of the whole page to every section. */
  showView(now) {
    const asked = VIEW.map((name) => now[name]).join("\n");
    if (asked === this.viewed) return;
    this.viewed = asked;
    const shown = this.episodes.filter((episode) => isShown(episode, now));
    // What is about an environment without tasks of the difficulty would be misplaced.
    const alike = this.episodes.filter((one) => one.difficulty === now.difficulty);
    const envs = now.difficulty && new Set(alike.map(({ env }) => env));
    for (const part of document.querySelectorAll("[data-env]:not(tr)")) {
      const { env } = part.dataset;
      part.hidden = Boolean((now.env && env !== now.env) || (envs && !envs.has(env)));
    }
    const of = runsOf(this.data.lines, now.of);
    for (const part of document.querySelectorAll("[data-run]:not(tr)")) {
      part.hidden = Boolean(now.of) && !of.includes(part.dataset.run);
    }
    for (const part of document.querySelectorAll("[data-runs]")) {
      const own = JSON.parse(part.dataset.runs);
      part.hidden = Boolean(now.of) && !own.some((run) => of.includes(run));
    }
    for (const part of document.querySelectorAll("[data-whole]")) {
      // What can follow the environment, but not the difficulty, says only this.
      const follows = part.dataset.whole === "difficulty";
      part.hidden = (follows || !now.env) && !now.difficulty;
    }
    for (const part of document.querySelectorAll("[data-every]")) {
      part.hidden = Boolean(now.env);
    }
    for (const more of document.querySelectorAll("[data-rest]")) {
      const details = more.closest("details");
      const { length } = details.querySelectorAll("li:not([hidden])");
      more.textContent = `${length} more`;
      if (details.closest(".told")) {
        // The first one of what is shown stands in the line itself.
        const [first, here] = details.querySelectorAll("summary > span:not(.run-name)");
        const next = first.hidden && details.querySelector("li:not([hidden])");
        const words = next ? [...next.childNodes].filter((n) => n.nodeType === 3) : [];
        const name = next && !now.env ? plain(next.dataset.env) : "";
        const text = words.map((one) => one.data).join("");
        here.replaceChildren(
          ...(next ? [h("strong", { text: name }), ` ${text}`] : []),
        );
        if (next) more.textContent = `${length - 1} more`;
        if (first.hidden && !next) more.textContent = "No failure here.";
        continue;
      }
      details.hidden = !length;
      if (now.env) details.open = true;
    }
    // The charts of many environments would be ten screens, or forty on a telephone.
    const narrow = matchMedia("(max-width: 600px)").matches;
    const most = narrow ? FEW : FEW_WIDE;
    const many = !now.env && Object.keys(this.data.milestones).length > most;
    const several = narrow || this.data.lines.length > 1;
    if (this.folded !== `${many} ${several}`) {
      this.folded = `${many} ${several}`;
      for (const each of document.querySelectorAll("details.each")) {
        each.open = !many || (!several && !each.closest("#curves"));
      }
    }
    const linkTo = (changes) => writeHash({ ...this.state, ...changes });
    drawStuck(this.data, shown, now.difficulty, linkTo);
    this.undoCurves();
    this.undoCurves = drawCurves(this.data, now.of);
    this.showRows();
    copyButtons(by("overview"));
  }

  /** Show the rows of the tables that the menus select, and the verdict. */
  showRows() {
    showRows(this.state, this.data, (part, tasks) => {
      // The tasks of a run that continues another one have other names.
      const found = new Set(inPart(this.episodes, part).map(({ task }) => task));
      return found.size === tasks ? writeHash({ part, sort: "task" }) : null;
    });
  }

  /** Offer the subgoals of one environment in the filter, as each has its own. */
  offerSubgoals(now) {
    const envs = Object.keys(this.data.milestones);
    const env = envs.length === 1 ? envs[0] : now.env;
    const names = this.data.milestones[env] ?? [];
    const offered = (sign, label) =>
      h(
        "optgroup",
        { label },
        ...names.map((name) =>
          h("option", { value: `${sign}${name}`, text: `${name}, ${label}` }),
        ),
      );
    const menu = by("filter-subgoal");
    menu.disabled = !names.length;
    menu.replaceChildren(
      h("option", { value: "", text: names.length ? "all" : "choose an environment" }),
      ...(names.length ? [offered("+", "reached"), offered("-", "not reached")] : []),
    );
  }

  async showEpisode(open, now) {
    const asked = writeHash({ ...now, step: "" });
    if (asked === this.asked) {
      this.reveal(Number(now.step));
      return;
    }
    this.clear();
    this.asked = asked;
    const others = this.episodes.filter((e) => e.task === open.task && e !== open);
    const other = others.find((e) => e.run === now.with);
    this.showNeighbours(open, now);
    // A long name is wrapped at its joints.
    const parts = `${open.env}: ${open.instance || open.task}`.split(/(?<=[/_])/);
    by("episode-title").replaceChildren(...parts.flatMap((part) => [part, h("wbr")]));
    const menu = by("compare-with");
    menu.replaceChildren(
      h("option", { value: "", text: "none" }),
      ...others.map((e) => h("option", { value: e.run, text: this.nameOf(e) })),
    );
    menu.value = other ? other.run : "";
    menu.disabled = !others.length;
    by("compact").checked = Boolean(now.compact);
    by("episode-body").classList.toggle("compact", Boolean(now.compact));
    if (this.opened !== open) {
      // The steps of another episode are not shown below this one's title.
      by("episode-body").replaceChildren();
      scrollTo(0, 0);
    }
    this.opened = open;
    try {
      const shown = other ? [open, other] : [open];
      const sides = await Promise.all(shown.map((episode) => this.side(episode)));
      // Another episode may have been selected while this one was opened.
      if (this.asked !== asked) return;
      const linkTo = (step) => writeHash({ ...now, step: String(step) });
      const body = by("episode-body");
      const { undo, reveal, isKept, place } = showEpisodes(body, sides, linkTo);
      // After the charts, which wait for their place on the page.
      queueMicrotask(() => copyButtons(body));
      // The strip of steps sticks below the bar of links.
      const above = body.previousElementSibling.offsetHeight;
      body.style.setProperty("--above", `${above}px`);
      const text = now.inside ? now.text : "";
      const unmark = highlight(body, text);
      this.steps = sides[0].record.steps?.length ?? 0;
      this.reveal = (step) => step && reveal(step);
      this.undo = () => {
        undo();
        unmark();
      };
      this.reveal(
        Number(this.state.step) || (text && firstStep(sides[0].record, text)),
      );
      if (this.at) reveal(...this.at);
      Object.assign(this, { at: null, isKept, place });
    } catch (error) {
      const problem = h("p", { class: "problem", text: String(error) });
      by("episode-body").replaceChildren(problem);
    }
  }

  /** Move by a number of steps in the open episode. */
  step(by) {
    const to = Math.min(Math.max((Number(this.state.step) || 0) + by, 1), this.steps);
    this.adjust({ step: String(to) });
  }

  async side(episode) {
    const number = this.data.runs.indexOf(episode.run);
    const record = await this.archive.record(episode);
    const pictures = opened(this.archive, episode, number, this.data.unpictured);
    // Pictures that come later would move the page, but a long replay is not waited for.
    await Promise.race([pictures, new Promise((done) => setTimeout(done, 500))]);
    const label = this.nameOf(episode);
    // A protocol has its own measure.
    const own = episode.setting.includes("protocol=");
    const counted = own ? "" : this.data.counted[episode.env];
    const subgoals = unnumbered(record.subgoals);
    return {
      label,
      number,
      episode,
      record: { ...record, pictures, subgoals, counted },
    };
  }

  /** The name that an episode's run has in the whole page. */
  nameOf({ run }) {
    return this.data.names[this.data.runs.indexOf(run)];
  }

  showNeighbours(open, now) {
    const at = this.chosen.indexOf(open);
    const set = (id, episode) => {
      const link = by(id);
      link.hidden = !episode;
      if (episode) link.href = this.linkTo(episode);
    };
    set("episode-back", at > 0 ? this.chosen[at - 1] : null);
    set("episode-on", at >= 0 ? this.chosen[at + 1] : null);
    const none = { episode: "", run: "", with: "", step: "" };
    by("episode-list").href = writeHash({ ...now, ...none });
    by("episode-place").textContent =
      at >= 0 ? `${at + 1} of ${this.chosen.length} in the list` : "";
  }

  linkTo(episode) {
    // An episode that is being played opens at its end.
    const step = episode.outcome === "running" ? String(episode.steps) : "";
    const opened = { episode: episode.task, run: episode.run, step };
    return writeHash({ ...this.state, ...opened });
  }

  async search(text) {
    by("list-count").textContent = "Searching the trajectories …";
    const asked = () => this.state.inside && this.state.text === text;
    const numbers = await this.archive.search(this.episodes, text, asked);
    if (!asked()) return;
    this.found = { text, numbers };
    this.show();
  }
}

function isNamed(episode, now) {
  return episode.task === now.episode && (!now.run || episode.run === now.run);
}
