/** Far more than any body needs. */
export const MAX_DEPTH = 64;

const codeOf = (char: string) => char.charCodeAt(0);
const [QUOTE, BACKSLASH] = [codeOf('"'), codeOf('\\')];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  codeOf('['),
  codeOf(']'),
  codeOf('{'),
  codeOf('}'),
];

/**
 * Whether lists and objects of a JSON text lie within one another more than 64 deep. Looked at before the text is parsed: 1 MiB of
 * nothing but `[` takes JSON.parse a tenth of a second, in which nobody else is served.
 */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) at = endOfString(json, at);
    else if (char === OPEN_LIST || char === OPEN_OBJECT) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

/** The place of the quote that ends the string which begins here; the end of the text where there is none. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, quote: number): boolean {
  let before = quote;
  while (json.charCodeAt(before - 1) === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 1;
}
