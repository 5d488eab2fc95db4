/** Text from models and environments, and numbers, made ready to show. */

const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is shown
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Spell out control characters, terminal escapes and marks of direction. */
export function visible(text) {
  return text.replace(CONTROLS, (mark) => {
    const code = mark.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

/**
 * Write a rate with two decimals, a dash where there is none. Of 1/8 and 5/8, which lie
 * between two such numbers, it is the even one, as in the tables.
 */
export function rate(value) {
  if (value === null || value === undefined) return "–";
  return (value % 0.5 === 0.125 ? value - 0.005 : value).toFixed(2);
}

/** Write a count with thousands separated, a dash where there is none. */
export function count(value) {
  return value === null || value === undefined ? "–" : value.toLocaleString("en");
}

/** Write an amount with three digits, a dash where there is none. */
export function amount(value) {
  return value?.toLocaleString("en", { maximumSignificantDigits: 3 }) ?? "–";
}

/** Write a share as a percentage; only a share of 0 or 1 is written as 0% or 100%. */
export function percent(share) {
  const rounded = Math.round(100 * share);
  if (rounded === 0 && share > 0) return "<1%";
  if (rounded === 100 && share < 1) return ">99%";
  return `${rounded}%`;
}

/** Cut a text to a number of characters; the last one then is an ellipsis. */
export function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
