import { MAX_JSON_DEPTH } from '../limits/api-limits.ts';

const codeOf = (char: string) => char.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA] = [codeOf('"'), codeOf('\\'), codeOf(',')];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  codeOf('['),
  codeOf(']'),
  codeOf('{'),
  codeOf('}'),
];

/**
 * Of what a JSON text has too much: lists and objects within one another, or values, counted as commas and opening brackets. Null where it
 * has neither. Checked before the text is parsed: parsing and checking take a tenth of a second and more for 1 MiB of nothing but `[` or
 * `{},`, and the process serves no other request meanwhile.
 */
export function jsonExcess(
  json: string,
  { mostValues, mostDepth = MAX_JSON_DEPTH }: { mostValues: number; mostDepth?: number },
): 'depth' | 'values' | null {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) at = endOfString(json, at);
    else if (char === OPEN_LIST || char === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > mostDepth) return 'depth';
    } else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth -= 1;
    else if (char === COMMA) values += 1;
    if (values > mostValues) return 'values';
  }
  return null;
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
