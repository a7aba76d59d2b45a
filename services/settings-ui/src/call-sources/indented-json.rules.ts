const [WHITE, OPENING, CLOSING] = [' \n\r\t', '{[', '}]'];

/**
 * JSON with an indent, as far as just beyond so many characters. Strangers' lists within lists would take long to
 * parse, and would be hundreds of times as long with an indent. Numbers and texts stay as they came, and so does what
 * begins like no list or object.
 */
export function indentedBeginning(text: string, most: number): string {
  if (!/^[ \n\r\t]*[[{]/.test(text)) return text;
  let shown = '';
  let depth = 0;
  let isInText = false;
  let isOpened = false;
  const line = () => `\n${'  '.repeat(Math.max(0, Math.min(depth, most)))}`;
  for (let at = 0; at < text.length && shown.length <= most; at += 1) {
    const character = text.charAt(at);
    if (isInText) {
      shown += character === '\\' ? text.slice(at, at + 2) : character;
      if (character === '\\') at += 1;
      isInText = character !== '"';
    } else if (!WHITE.includes(character)) {
      if (CLOSING.includes(character)) depth -= 1;
      const isLine = isOpened !== CLOSING.includes(character);
      shown += `${isLine ? line() : ''}${character}`;
      isOpened = OPENING.includes(character);
      if (isOpened) depth += 1;
      if (character === ',') shown += line();
      if (character === ':') shown += ' ';
      isInText = character === '"';
    }
  }
  return shown;
}
