// A host in JavaScript: plays a story's lines, given as arguments after the module and
// the story, and prints a JSON list of [text, status]. A browser does the same.

import { readFileSync } from "node:fs";

const [modulePath, storyPath, ...lines] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath));
const machine = instance.exports;
const memory = machine.memory.buffer;

// The fields of struct exchange (source/interface.c): 32 bits each, but the seed.
const exchange = new DataView(memory, machine.exchange_address(), 72);
const place = (index) => exchange.getUint32(4 * index, true);
const [STORY, INPUT, OUTPUT, STATE] = [0, 1, 2, 3];
const [SEED, KIND, UNDO, LENGTH, BUDGET, PRINTED, ANSWER] = [
  32, 40, 44, 48, 52, 56, 60,
];
const STATUS = 28;

function write(index, bytes) {
  new Uint8Array(memory, place(index), bytes.length).set(bytes);
  exchange.setUint32(LENGTH, bytes.length, true);
}

function answer() {
  const bytes = new Uint8Array(
    memory,
    place(OUTPUT),
    exchange.getUint32(PRINTED, true),
  );
  const status = new DataView(memory, place(STATE), 32).getUint32(STATUS, true);
  return [new TextDecoder().decode(bytes), status];
}

write(STORY, readFileSync(storyPath));
exchange.setUint32(UNDO, 1, true);
exchange.setUint32(BUDGET, 20_000_000, true);
machine.load();
if (exchange.getUint32(ANSWER, true)) throw new Error("not a story");

exchange.setBigUint64(SEED, 7n, true);
exchange.setUint32(KIND, 0, true);
machine.start();
const answers = [answer()];
for (const line of lines) {
  write(INPUT, new TextEncoder().encode(line));
  machine.step();
  answers.push(answer());
}
console.log(JSON.stringify(answers));
