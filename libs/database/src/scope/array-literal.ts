/**
 * An array of numbers, booleans, texts and nulls as PostgreSQL writes it, which takes a fraction of what node-postgres needs for
 * it; null where there is something else in it, which is node-postgres's to write.
 * See https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO.
 */
export function arrayLiteral(values: readonly unknown[]): string | null {
  let literal = '{';
  for (const value of values) {
    if (literal !== '{') literal += ',';
    if (value === null || value === undefined) literal += 'NULL';
    else if (typeof value === 'number' || typeof value === 'boolean') literal += String(value);
    else if (typeof value === 'string') literal += quoted(value);
    else return null;
  }
  return `${literal}}`;
}

/**
 * In an array a backslash stands before a quote or another backslash. `JSON.stringify` writes them so too, faster than a regular
 * expression does; only control characters and lone surrogates it writes in a way of its own.
 */
function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`;
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) return `"${text.replace(/["\\]/g, '\\$&')}"`;
  return JSON.stringify(text);
}
