import { type FormValues, sentForm } from './sent-form.rules.ts';

/** Two people's values of one field. */
export interface Clash {
  mine: string;
  theirs: string;
}

export interface MergedForm {
  values: FormValues;
  clashes: Record<string, Clash>;
}

type Value = FormValues[string];

/** Browsers send line ends of their own. */
const textOf = (value: Value): string => ([value ?? []].flat()[0] ?? '').replaceAll('\r\n', '\n');

/** Theirs, with what the form added and removed. */
function mergedSet(drawn: Value, mine: Value, theirs: readonly string[]): string[] {
  const [before, now] = [new Set([drawn ?? []].flat()), new Set([mine ?? []].flat())];
  const kept = theirs.filter((entry) => now.has(entry) || !before.has(entry));
  return [...new Set([...kept, ...[...now].filter((entry) => !before.has(entry))])];
}

/**
 * Merges a form (`mine`) with the record as it is now (`theirs`), by the values that the form was `drawn` with. An
 * untouched field takes the record's value, a field that nobody else changed keeps what was entered, and lists merge by
 * entry. A field that both changed clashes; without `drawn`, every difference does.
 */
export function mergeForm({
  drawn,
  mine,
  theirs,
}: Record<'drawn' | 'mine' | 'theirs', FormValues>): MergedForm {
  const values: Record<string, Value> = {};
  const clashes: Record<string, Clash> = {};
  for (const [name, current] of Object.entries(theirs)) {
    if (Array.isArray(current)) {
      values[name] = mergedSet(drawn[name], mine[name], current);
      continue;
    }
    const [own, other] = [textOf(mine[name]), textOf(current)];
    const before = drawn[name] === undefined ? null : textOf(drawn[name]);
    values[name] = own === before ? other : own;
    if (own !== before && other !== before && own !== other) clashes[name] = { mine: own, theirs: other };
  }
  return { values, clashes };
}

/** The values that a form is drawn with, for its hidden field `drawn`. */
export const drawnText = (values: FormValues): string => JSON.stringify(values);

export function drawnOf(text: string): FormValues {
  try {
    return sentForm.parse(JSON.parse(text));
  } catch {
    return {};
  }
}
