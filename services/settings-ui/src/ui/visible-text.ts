/** Characters without a look of their own, some of which turn around what follows them. Joined emoji stay whole. */
const HIDDEN = /(?![\n\t\u200d])[\p{Cc}\p{Cf}]/gu;

/** Text of strangers, as it is: what hides in it is spelled out. */
export const visibleText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** Its beginning, of at most so many characters: pages stay small, whatever strangers send. */
export function visibleBeginning(text: string, most: number): { shown: string; isClipped: boolean } {
  const visible = visibleText(text.slice(0, most));
  return { shown: visible.slice(0, most), isClipped: text.length > most || visible.length > most };
}
