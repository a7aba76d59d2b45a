/** Line breaks and other control characters. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Invisible characters, and those that turn text around. Joiners of letters and emoji stay. */
const HIDDEN = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/gu;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text of other people in one line, for a header or a sentence. */
export const oneLine = (text: string): string =>
  text.toWellFormed().replace(BREAKS, ' ').replace(HIDDEN, '').replace(/ {2,}/g, ' ').trim();

/** Code units that a character, as people count them, has room for on average. */
const UNITS_OF_CHARACTER = 4;

/** The same, cut to `most` characters. */
export function shortLine(text: string, most: number): string {
  const line = oneLine(text);
  const mostUnits = UNITS_OF_CHARACTER * most;
  if (line.length <= most) return line;
  // What comes behind that can't be shown, however it is cut.
  const all = Array.from(characters.segment(line.slice(0, 2 * mostUnits)), ({ segment }) => segment);
  if (all.length <= most && line.length <= mostUnits) return line;
  let cut = '';
  for (const each of all.slice(0, most - 1)) {
    if (cut.length + each.length > mostUnits) break;
    cut += each;
  }
  return `${cut.trimEnd()}…`;
}

const LINE_WIDTH = 76;

/** A paragraph in short lines. A word stays whole, a URL too. */
export function wrapped(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > LINE_WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
