import { type DatabaseError, databaseError } from '../pool/connection.ts';

/** The commonest, in PostgreSQL's own words, without the value that its message quotes. */
const MEANINGS: Record<string, string> = {
  '21000': 'two of one row',
  '22003': 'number out of range',
  '22007': 'no date or time',
  '22008': 'date or time out of range',
  '22009': 'time zone offset out of range',
  '22021': 'no character of its encoding',
  '22P02': 'no value of its type',
  '22P05': 'no character of its encoding',
  '23502': 'a value is missing',
  '23514': 'a value is not allowed',
  '54000': 'beyond a limit',
};
/** Where the server runs out of numbers of its own, which has the code of values that are too large, and passes. */
const SERVERS_LIMITS = ['multixact.c', 'varsup.c', 'md.c'];

/**
 * Whether this is about the values given alone, whatever else is stored and however long one waits. Rows that are missing or
 * in the way (23503, 23505, 23P01) may come and go; so may a partition, whose lack is a 23514 that names no constraint.
 */
function isAboutValues({ code = '', constraint, file = '' }: DatabaseError): boolean {
  if (code === '23514') return constraint !== undefined;
  if (code === '54000') return !SERVERS_LIMITS.includes(file);
  // 2200H: a sequence has come to its end.
  return /^(21000|22...|23502)$/.test(code) && code !== '2200H';
}

/** Why the database will never take what it was given, without quoting it; null for any other error. */
export function refusal(error: unknown): string | null {
  const found = databaseError(error);
  if (!found || !isAboutValues(found)) return null;
  const { code = '', table, column, constraint } = found;
  const place = constraint ?? [table, column].filter(Boolean).join('.');
  const meaning = MEANINGS[code] ?? 'a value that does not fit';
  return `the database refuses it: ${meaning} (SQLSTATE ${code}${place && `, ${place}`})`;
}
