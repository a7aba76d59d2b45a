import { RECORDS, type RecordName } from '@frontdesk/contracts';
import { pageLink } from '../rendering/links.ts';
import { capitalised, code, table } from '../rendering/markdown.ts';
import type { DescribedField } from './described-fields.ts';

export const RECORD_NAMES = Object.keys(RECORDS) as RecordName[];

export const recordPath = (name: RecordName): string =>
  `records/${name.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase()}`;

export const recordLink = (from: string, name: RecordName): string =>
  `[${name}](${pageLink(from, recordPath(name))})`;

/** What a field is called, what may stand in it, and what it means. */
export function fieldTable(
  from: string,
  fields: readonly DescribedField[],
  { showsRequired }: { showsRequired: boolean },
): string {
  const rows = fields.map(({ name, type, rules, description, isRequired }) => {
    const rule = capitalised(rules.join(', '));
    const meaning = [description, rule && `${rule}.`].filter(Boolean).join(' ');
    const shownType = linked(from, type) + (showsRequired && isRequired ? ' **required**' : '');
    return [code(name), shownType, meaning || '—'];
  });
  return table(['Field', 'Type', 'Meaning'], rows);
}

/** A type, with a link where it is a record. */
function linked(from: string, type: string): string {
  const record = RECORD_NAMES.find((name) => type.split(' ').includes(name));
  return record ? type.replace(record, recordLink(from, record)) : type;
}
