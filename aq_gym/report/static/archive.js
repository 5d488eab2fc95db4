/** The trajectories: gzipped chunks, opened together with one of their episodes. */

const KEPT = 8;

/** Decode base64, decompress, and parse. */
export async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

export class Archive {
  /** @param {(number: number) => Promise<string>} load Returns a chunk in base64. */
  constructor(load) {
    this.load = load;
    this.opened = new Map();
  }

  /** Return the records of a chunk; the ones used last are kept. */
  chunk(number) {
    const records =
      this.opened.get(number) ?? this.load(number).then((text) => inflate(text));
    this.opened.delete(number);
    this.opened.set(number, records);
    if (this.opened.size > KEPT) {
      this.opened.delete(this.opened.keys().next().value);
    }
    return records;
  }

  /** Return the record of an episode. */
  async record(episode) {
    return (await this.chunk(episode.chunk))[episode.place];
  }

  /** Return the pictures of an episode; a page of runs in progress asks its server. */
  async pictures(episode, run) {
    if (episode.pictures === undefined) {
      const address = `pictures/${run}/${encodeURIComponent(episode.task)}`;
      return (await fetch(address)).json();
    }
    const [chunk, place] = episode.pictures;
    return (await this.chunk(chunk))[place];
  }

  /** Return the numbers of the episodes whose trajectories contain a text. */
  async search(episodes, text, proceed = () => true) {
    const wanted = text.toLowerCase();
    const found = new Set();
    const byChunk = new Map();
    for (const episode of episodes) {
      if (!byChunk.has(episode.chunk)) byChunk.set(episode.chunk, []);
      byChunk.get(episode.chunk).push(episode);
    }
    for (const [number, own] of byChunk) {
      if (!proceed()) break;
      const records = await inflate(await this.load(number));
      for (const episode of own) {
        if (contains(records[episode.place], wanted)) found.add(episode.number);
      }
    }
    return found;
  }
}

function contains(record, wanted) {
  const sent = (record.messages ?? []).map(([, text]) => text);
  const before = [record.start ?? "", ...sent];
  return before.some((text) => includes(text, wanted)) || firstStep(record, wanted) > 0;
}

function includes(text, wanted) {
  return (text ?? "").toLowerCase().includes(wanted);
}

/** Return the first step, counted from 1, that contains a text; 0 if none does. */
export function firstStep(record, text) {
  const wanted = text.toLowerCase();
  const names = ["action", "observation", "completion", "feedback"];
  const has = (step) => names.some((name) => includes(step[name], wanted));
  return (record.steps ?? []).findIndex(has) + 1;
}

/** Read chunks from the page itself, or from the scripts in a folder next to it. */
export function chunkLoader(folder) {
  if (!folder) {
    return async (number) => document.getElementById(`aq-chunk-${number}`).textContent;
  }
  const waiting = new Map();
  globalThis.aqChunk = (number, text) => {
    waiting.get(number)?.resolve(text);
    waiting.delete(number);
  };
  return (number) =>
    new Promise((resolve, reject) => {
      waiting.set(number, { resolve });
      const script = document.createElement("script");
      script.src = `${folder}/chunk-${String(number).padStart(5, "0")}.js`;
      script.addEventListener("load", () => script.remove());
      script.addEventListener("error", () => {
        reject(new Error(`${script.src} is missing: keep it beside the page`));
      });
      document.head.append(script);
    });
}
