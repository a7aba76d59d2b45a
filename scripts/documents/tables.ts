/** In a document, the line before a table that a command writes. */
const MARK = '<!-- Made from the code: npm run -s write-tables -->';

/** The document with this table behind its mark. @throws Error where it has no mark, or several */
export function withTable(document: string, table: string): string {
  const parts = document.split(`${MARK}\n`);
  const [before, after] = parts;
  if (before === undefined || after === undefined || parts.length > 2)
    throw new Error(`It must have one line ${MARK}`);
  return `${before}${MARK}\n\n${table}\n${after.replace(/^\n?(?:\|.*\n)*/, '')}`;
}
