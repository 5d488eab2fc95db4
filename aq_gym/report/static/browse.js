/** The list and the episodes, as the address asks for them. */

import { choose, isShown } from "./choose.js";
import { h } from "./dom.js";
import { showEpisodes } from "./episode.js";
import { showList } from "./list.js";
import { readHash, writeHash } from "./state.js";
import { drawStuck } from "./stuck.js";
import { showRows } from "./tables.js";

/** What the whole page is filtered by, and what the list is filtered by besides. */
export const VIEW = ["env", "of", "difficulty"];
export const FILTERS = [...VIEW, "outcome", "subgoal", "text"];
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
    this.undo = () => {};
  }

  /** What the address asks for. */
  get state() {
    return readHash(location.hash);
  }

  /** Change what is asked for, as a step that the browser's button takes back. */
  go(changes) {
    location.hash = writeHash({ ...this.state, ...changes });
  }

  /** Change what is asked for in place: no step for each letter that is typed. */
  adjust(changes) {
    history.replaceState(null, "", writeHash({ ...this.state, ...changes }));
    this.show();
  }

  /** Show what is asked for. */
  show() {
    const now = this.state;
    const numbers = this.found.text === now.text ? this.found.numbers : null;
    const found = now.inside ? numbers : null;
    this.chosen = choose(this.episodes, now, found, this.data.milestones);
    const open = now.episode && this.episodes.find((e) => isNamed(e, now));
    by("overview").hidden = Boolean(open);
    by("episode").hidden = !open;
    this.undo();
    this.undo = () => {};
    if (open) this.showEpisode(open, now);
    else this.showList(now);
    if (now.inside && now.text && !numbers) this.search(now.text);
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
  }

  /** Show of every section what the filter of the whole page leaves. */
  showView(now) {
    const asked = VIEW.map((name) => now[name]).join("\n");
    if (asked === this.viewed) return;
    this.viewed = asked;
    for (const part of document.querySelectorAll("[data-env]:not(tr)")) {
      part.hidden = Boolean(now.env) && part.dataset.env !== now.env;
    }
    for (const part of document.querySelectorAll("[data-run]:not(tr)")) {
      part.hidden = Boolean(now.of) && part.dataset.run !== now.of;
    }
    const shown = this.episodes.filter((episode) => isShown(episode, now));
    drawStuck(this.data, shown, (changes) => writeHash({ ...this.state, ...changes }));
    showRows(now);
  }

  /** Subgoals can be asked for in one environment, as each has its own. */
  offerSubgoals(now) {
    const envs = Object.keys(this.data.milestones);
    const env = envs.length === 1 ? envs[0] : now.env;
    const names = this.data.milestones[env] ?? [];
    const offered = (sign, label) =>
      h(
        "optgroup",
        { label },
        ...names.map((name) => h("option", { value: `${sign}${name}`, text: name })),
      );
    const menu = by("filter-subgoal");
    menu.disabled = !names.length;
    menu.replaceChildren(
      h("option", { value: "", text: names.length ? "all" : "choose an environment" }),
      ...(names.length ? [offered("+", "reached"), offered("-", "not reached")] : []),
    );
  }

  async showEpisode(open, now) {
    const others = this.episodes.filter((e) => e.task === open.task && e !== open);
    const other = others.find((e) => e.run === now.with);
    this.showNeighbours(open, now);
    by("episode-title").textContent = `${open.env}: ${open.instance || open.task}`;
    const menu = by("compare-with");
    menu.replaceChildren(
      h("option", { value: "", text: "nothing" }),
      ...others.map((e) => h("option", { value: e.run, text: e.run })),
    );
    menu.value = other ? other.run : "";
    menu.disabled = !others.length;
    if (this.opened !== open) scrollTo(0, 0);
    this.opened = open;
    const asked = location.hash;
    try {
      const shown = other ? [open, other] : [open];
      const sides = await Promise.all(shown.map((episode) => this.side(episode)));
      // Another one may have been asked for while this was opened.
      if (location.hash !== asked) return;
      this.undo();
      this.undo = showEpisodes(by("episode-body"), sides);
    } catch (error) {
      const problem = h("p", { class: "problem", text: String(error) });
      by("episode-body").replaceChildren(problem);
    }
  }

  async side(episode) {
    const number = this.data.runs.indexOf(episode.run);
    const record = await this.archive.record(episode);
    return { label: episode.run, number, episode, record };
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
    by("episode-list").href = writeHash({ ...now, episode: "", run: "", with: "" });
    by("episode-place").textContent =
      at >= 0 ? `${at + 1} of ${this.chosen.length} in the list` : "";
  }

  linkTo(episode) {
    return writeHash({ ...this.state, episode: episode.task, run: episode.run });
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
