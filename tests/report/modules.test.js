// The report's modules that need no browser; tests/report/test_report_browser.py has
// the page as a whole.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Archive, firstStep, inflate } from "../../aq_gym/report/static/archive.js";
import { firstDifference } from "../../aq_gym/report/static/beside.js";
import {
  choose,
  fromColumns,
  inPart,
  sorted,
} from "../../aq_gym/report/static/choose.js";
import { csv, latex } from "../../aq_gym/report/static/copy.js";
import { describeLoop, faults, loops } from "../../aq_gym/report/static/loops.js";
import {
  mostSimilar,
  repetitionRates,
  similarity,
} from "../../aq_gym/report/static/repeats.js";
import { readHash, writeHash } from "../../aq_gym/report/static/state.js";
import {
  asText,
  isTold,
  sentBefore,
  unnumbered,
} from "../../aq_gym/report/static/steps.js";
import {
  endedAt,
  failedBy,
  leastFar,
  leastTold,
  shown,
} from "../../aq_gym/report/static/stuck.js";
import { chartSvg } from "../../aq_gym/report/static/svg.js";
import { amount, count, rate, visible } from "../../aq_gym/report/static/text.js";
import { kindsOf } from "../../aq_gym/report/static/timeline.js";

const EMPTY = readHash("");

const episodes = fromColumns({
  task: ["a", "b", "c"],
  run: ["x", "x", "y"],
  env: ["E", "F", "E"],
  instance: ["i1", "i2", "i3"],
  goal: ["find the Key", "open", "open"],
  error: ["", "", "Broke"],
  outcome: ["solved", "lost", "error"],
  flags: [[], ["unsolved", "stalled"], []],
  difficulty: ["easy", "hard", "hard"],
  progress: [1, 0.5, 0],
  tokens: [null, 5, 3],
});

const tasks = (found) => found.map((episode) => episode.task).join("");

test("a link holds what is open, whatever the names are", () => {
  const state = { ...EMPTY, episode: "a&b=c#d", run: "ü %", sort: "-steps" };
  assert.deepEqual(readHash(writeHash(state)), state);
  assert.equal(writeHash(EMPTY), "#");
  assert.deepEqual(readHash("#unknown=1&env=E"), { ...EMPTY, env: "E" });
});

test("filters are combined", () => {
  assert.equal(tasks(choose(episodes, EMPTY)), "abc");
  assert.equal(tasks(choose(episodes, { ...EMPTY, env: "E" })), "ac");
  assert.equal(tasks(choose(episodes, { ...EMPTY, env: "E", of: "y" })), "c");
  for (const outcome of ["lost", "unsolved", "stalled"]) {
    assert.equal(tasks(choose(episodes, { ...EMPTY, outcome })), "b");
  }
  assert.equal(tasks(choose(episodes, { ...EMPTY, difficulty: "hard" })), "bc");
  assert.equal(tasks(choose(episodes, { ...EMPTY, text: "KEY" })), "a");
  assert.equal(tasks(choose(episodes, { ...EMPTY, text: "broke" })), "c");
  assert.equal(tasks(choose(episodes, { ...EMPTY, text: "zzz" }, new Set([1]))), "b");
});

test("a part of the tasks of two runs lists the episodes of both", () => {
  const pairs = fromColumns({
    task: ["a", "a", "b", "b", "c", "c", "d", "d", "e"],
    run: ["x", "y", "x", "y", "x", "y", "x", "y", "x"],
    outcome: ["solved", "lost", ..."uu", "solved", "solved", ..."uu", "solved"],
    progress: [1, 0.5, 0.1, 0.2, 1, 1, 0.3, 0.1 + 0.2, 1],
  });
  const of = (kind) => tasks(inPart(pairs, `${kind}\nx\ny`));
  const kinds = ["first-solves", "first", "second", "both", "none"];
  assert.deepEqual(kinds.map(of), ["aa", "", "bb", "cc", "dd"]);
  assert.equal(tasks(inPart(pairs, "second-solves\ny\nx")), "aa");
});

test("sorting is stable, both ways, and puts unknown values last", () => {
  assert.equal(tasks(sorted(episodes, "progress")), "cba");
  assert.equal(tasks(sorted(episodes, "-progress")), "abc");
  assert.equal(tasks(sorted(episodes, "-tokens")), "bca");
  assert.equal(tasks(sorted(episodes, "env")), "acb");
  assert.equal(tasks(sorted(episodes, "nothing")), "abc");
});

test("the unsolved episodes are counted by their reasons", () => {
  const counts = failedBy(episodes, ["in a loop", "stalled"]);
  const why = [
    ["in a loop", 0],
    ["stalled", 1],
  ];
  assert.deepEqual(counts, { total: 2, unsolved: 1, why });
});

const stepsOf = (letters) =>
  [...letters].map((action, index) => ({
    action,
    progress: 0,
    again: letters.indexOf(action) < index ? letters.indexOf(action) + 1 : undefined,
  }));

test("loops are the same one to four actions three times, and lead nowhere", () => {
  const found = (letters) => {
    const steps = stepsOf(letters);
    return loops(steps).map((loop) => describeLoop(loop, steps));
  };
  assert.deepEqual(found("abcd"), []);
  assert.deepEqual(found("aab"), []);
  assert.deepEqual(found("baaac"), ["Steps 3 to 4: “a” 2 more times"]);
  assert.deepEqual(found("abababa"), [
    "Steps 3 to 7: “a”, “b”, 2 more times, and the first once more",
  ]);
  assert.deepEqual(found("aaabbb").length, 2);
  const moving = stepsOf("aaaaa");
  moving[2].progress = 0.5;
  assert.deepEqual(loops(moving), []);
  const answered = stepsOf("aaaaa").map((step) => ({ ...step, again: undefined }));
  assert.deepEqual(loops(answered), []);
  const invalid = answered.map((step) => ({ ...step, invalid: true }));
  assert.equal(loops(invalid).length, 1);
});

test("an unsolved episode says first what its steps were spent on", () => {
  const looping = { outcome: "unsolved", flags: ["looping"] };
  const told = (letters, episode = looping) =>
    faults(episode, { steps: stepsOf(letters) });
  assert.deepEqual(told("aaaa"), ["Says “a” in all 4 steps."]);
  const last = stepsOf("aaaa").with(3, { action: "a", progress: 0 });
  assert.deepEqual(faults(looping, { steps: last }), told("aaaa"), "You lost.");
  assert.deepEqual(told("abababc"), [
    "4 of 7 steps repeat an earlier action and its answer, most often “a” (3 times).",
  ]);
  assert.deepEqual(told("aaaa", { ...looping, outcome: "solved" }), []);
  assert.deepEqual(told("aaaa", { outcome: "running", flags: [] }), []);
  const steps = stepsOf("abbcde").map((step, at) => ({
    ...step,
    invalid: at > 0 && at < 4,
    feedback: "No\nboard",
    observation: "",
  }));
  const lost = {
    outcome: "unsolved",
    flags: ["stopped by invalid actions", "looping"],
  };
  assert.deepEqual(faults(lost, {}), [], "it has no trajectory");
  const wrong = (flags, end) => faults({ outcome: "unsolved", flags }, { steps, end });
  const stopped = ["stopped by invalid actions", "looping"];
  assert.deepEqual(wrong([]), ["3 of 6 actions are invalid, 2 times “b”: No."]);
  steps.splice(4);
  assert.deepEqual(wrong(stopped, "3 invalid actions in a row"), [
    "Stopped by 3 invalid actions in a row, 2 times “b”: No.",
  ]);
  for (const step of steps.slice(1))
    Object.assign(step, { action: "b", feedback: "No b" });
  assert.match(wrong(stopped, "3")[0], /^Stopped by 3, always the same: No b\.$/);
});

test("or else it says where its progress ended", () => {
  const told = (progress, outcome = "unsolved", story = [""]) => {
    const steps = stepsOf("abcd".slice(0, progress.length));
    for (const [at, step] of steps.entries()) step.progress = progress[at];
    if (steps[1]) Object.assign(steps[1], { held: [0, 1] });
    const record = { steps, held: [0], subgoals: ["tile 8", "tile 16"], story };
    steps.at(-1).observation = "No:\nagain";
    return faults({ outcome, flags: [] }, record);
  };
  assert.deepEqual(told([0, 0.5, 0.5, 0.2]), [
    "No progress after step 2 of 4, at 0.50 (“tile 16”).",
  ]);
  assert.deepEqual(told([0, 0, 0.5]), ["Progress up to the last step, to 0.50."]);
  assert.deepEqual(told([0, 0, 0], "lost"), ["No progress in all 3 steps."]);
  assert.deepEqual(told([0]), ["Ends with “a”: No:"]);
  assert.deepEqual(told([0], "lost", null), ["Lost at step 1, by “a”."]);
  assert.deepEqual([...told([0], "lost"), ...told([0, 0, 0], "error")], []);
});

test("what a request repeats of the one before is not new", () => {
  assert.equal(sentBefore([0, 1, 2, 3], []), 3);
  assert.equal(sentBefore([0, 1, 2, 3, 4, 5], [0, 1, 2, 3]), 4);
  assert.equal(sentBefore([0, 1, 4, 3, 4, 3], [0, 1, 4, 3]), 4);
  assert.equal(sentBefore([0, 3, 4, 5], [0, 1, 2, 3]), 2);
  assert.equal(sentBefore([0], []), 0);
});

test("a share of fewer episodes than the column has is told in numbers", () => {
  assert.equal(shown({ of: 6, reached: 6, share: 1 }, 10), "6 of 6");
  assert.equal(shown({ of: 10, reached: 5, share: 0.5 }, 10), "50%");
});

test("episodes are counted by the part of the progress that they reached", () => {
  const of = (progress, outcome = "unsolved") => ({ progress, outcome });
  const some = [
    of(0),
    of(0.1),
    of(0.3 - 0.05),
    of(0.5),
    of(0.8),
    of(0.9),
    of(1, "solved"),
  ];
  assert.deepEqual(endedAt([...some, of(0, "error")]), [1, 1, 1, 1, 2, 1]);
});

test("feedback that is in the observation is not shown again", () => {
  const observation = "Not a word.\nYou have  5 guesses left.";
  assert.ok(isTold({ observation, feedback: "Not a word. You have 5 guesses" }));
  assert.ok(isTold({ observation }));
  assert.ok(!isTold({ observation, feedback: "Nothing happens." }));
});

test("two episodes part at their first different action", () => {
  assert.equal(firstDifference([stepsOf("abc"), stepsOf("abd")]), 3);
  assert.equal(firstDifference([stepsOf("ab"), stepsOf("abd")]), 3);
  assert.equal(firstDifference([stepsOf("ab"), stepsOf("ab")]), 0);
});

test("the first step with a text is found in any of its texts", () => {
  const steps = [{ action: "go" }, { action: "x", observation: "The KEY" }];
  assert.equal(firstStep({ steps }, "key"), 2);
  assert.equal(firstStep({ steps }, "door"), 0);
  assert.equal(firstStep({}, "door"), 0);
});

test("what could steer a terminal or the text around it is spelled out", () => {
  assert.equal(visible("\u001b[31mred\u0000"), "␛[31mred␀");
  assert.equal(visible("a\u202eb"), "a[U+202E]b");
  assert.equal(visible("one\n\ttwo <b> ü 🙂"), "one\n\ttwo <b> ü 🙂");
});

test("numbers that are not known are dashes", () => {
  assert.deepEqual([rate(null), count(undefined)], ["–", "–"]);
  assert.deepEqual([rate(0.5), count(12345)], ["0.50", "12,345"]);
  assert.deepEqual([0.125, 0.375, 0.625].map(rate), ["0.12", "0.38", "0.62"]);
  assert.deepEqual([0.012345, 1234.5, null].map(amount), ["0.0123", "1,230", "–"]);
});

const record = {
  distinct: [0, 1, 0, 2],
  similarity: [[], [40], [90, 30]],
};

test("similarity is that of the distinct actions", () => {
  assert.equal(similarity(record, 0, 2), 100);
  assert.equal(similarity(record, 1, 0), 40);
  assert.equal(similarity(record, 1, 3), 30);
  assert.equal(mostSimilar(record, 2), 0);
  assert.equal(mostSimilar(record, 3), 0);
  assert.equal(mostSimilar(record, 0), -1);
  assert.equal(mostSimilar(record, 9), -1);
});

test("a strip has progress where it changes, whatever subgoals do", () => {
  const steps = [0.25, 0.25, 0].map((progress) => ({ progress, held: [1] }));
  const kinds = steps.map((_, index) => kindsOf({ steps }, index));
  assert.deepEqual(kinds, [["progress-made"], [], ["progress-lost"]]);
});

test("the repetition rate is over all steps but the first", () => {
  const steps = [{}, { repeated: true }, { repeated: true }];
  assert.deepEqual(repetitionRates(steps), [0, 0.5, 1]);
  assert.deepEqual(repetitionRates([{ repeated: false }]), [0]);
});

const packed = (value) => gzipSync(JSON.stringify(value)).toString("base64");

test("chunks are opened once and searched one after the other", async () => {
  const chunks = [
    [{ start: "a lamp", steps: [] }, { steps: [{ action: "Look", observation: "" }] }],
    [{ steps: [{ action: "go", observation: "the LAMP" }] }, {}],
  ];
  let loads = 0;
  const archive = new Archive(async (number) => {
    loads += 1;
    return packed(chunks[number]);
  });
  assert.deepEqual(await inflate(packed(chunks[0])), chunks[0]);
  assert.deepEqual(await archive.record({ chunk: 1, place: 0 }), chunks[1][0]);
  assert.deepEqual(await archive.record({ chunk: 1, place: 1 }), {});
  assert.equal(loads, 1);
  const places = [0, 1, 2, 3].map((number) => ({
    number,
    chunk: number >> 1,
    place: number & 1,
  }));
  const found = await archive.search(places, "lamp");
  assert.deepEqual([...found], [0, 2]);
  const none = await archive.search(places, "lamp", () => false);
  assert.equal(none.size, 0);
});

test("tables are copied as CSV that no spreadsheet runs, and as LaTeX", () => {
  const rows = [
    ["run", "progress"],
    ['a "b", c', "-0.45 [-0.6, 0]"],
    ["=cmd()", "50%"],
    ["-x", "5_{1}\\"],
  ];
  assert.equal(
    csv(rows),
    "run,progress\r\n" +
      '"a ""b"", c","-0.45 [-0.6, 0]"\r\n' +
      "'=cmd(),50%\r\n'-x,5_{1}\\\r\n",
  );
  assert.equal(
    csv([["-0.45", "-2+3+cmd|' /C calc'!A0"]]),
    "-0.45,'-2+3+cmd|' /C calc'!A0\r\n",
  );
  const lines = latex(rows).split("\n");
  assert.equal(lines[0], "\\begin{tabular}{ll}");
  assert.equal(lines[5], "=cmd() & 50\\% \\\\");
  assert.equal(lines[6], "-x & 5\\_\\{1\\}\\textbackslash{} \\\\");
});

test("a chart is SVG in which names are escaped", () => {
  const line = { name: "<b> & c", mean: [0, 0.5, 1], stroke: "red", dash: "" };
  const lines = [{ ...line, low: [0, 0, 0], high: [1, 1, 1] }];
  const svg = chartSvg([0, 1, 2], lines, "PR & RR", "#333");
  assert.match(svg, /d="M40\.0,292\.0L280\.0,162\.0L520\.0,32\.0"/);
  assert.match(svg, />PR &amp; RR</);
  assert.match(svg, />step</);
  assert.match(svg, /&lt;b&gt; &amp; c/);
  assert.equal(svg.match(/<polygon/g).length, 1);
  const counts = [{ ...line, mean: [4, null, 2, 0] }];
  const gap = chartSvg([0, 1, 2, 3], counts, "Steps to go", "#333", 4);
  assert.match(gap, /d="M40\.0,32\.0M360\.0,162\.0L520\.0,292\.0"/);
  const three = chartSvg([0, 1], [{ ...line, mean: [3, 2] }], "Steps to go", "#333", 3);
  assert.deepEqual(three.match(/(?<=end" [^>]*>)[^<]+/g), ["0", "1", "2", "3"]);
});

test("the only part of a goal has no number in the names of subgoals", () => {
  assert.deepEqual(unnumbered(["1. open: seen", "1. open: done"]), [
    "open: seen",
    "open: done",
  ]);
  const two = ["1. open: done", "2. go to: done"];
  assert.deepEqual(unnumbered(two), two);
});

test("a copied episode has what its page tells, but for the expert's description", () => {
  const story = ["Too late from step 1 on.", "The steps that the expert needs."];
  const record = { story, start: "Go", steps: [], end: "" };
  const episode = { env: "E", task: "t", flags: [], outcome: "unsolved", steps: 0 };
  const told = asText({ label: "run", episode, record });
  assert.match(told, /\nToo late from step 1 on\.\n\nGo\n$/);
});

test("where most runs get least far is told, if they are alike in that", () => {
  const of = (env, progress, outcome = "") => ({ env, progress, outcome });
  const run = [of("aq/A-v0", 0.5), of("aq/A-v0", 0), of("aq/B-v0", 0.5)];
  const least = leastFar([...run, of("aq/B-v0", 0, "error")]);
  assert.deepEqual(least, { envs: ["aq/A-v0"], mean: 0.25 });
  assert.deepEqual(leastFar(run.slice(1).map((e) => ({ ...e, progress: 0 }))).envs, []);
  const told = leastTold([least, { envs: ["aq/A-v0", "aq/B-v0"], mean: 0 }], "run");
  assert.equal(told, "On average, 2 of 2 runs get least far in A (0.00 to 0.25).");
  assert.equal(leastTold([least], "run"), "");
});
