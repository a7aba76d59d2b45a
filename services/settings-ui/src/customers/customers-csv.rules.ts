import type { CustomerListEntry } from '@frontdesk/contracts';
import { stringify } from 'csv-stringify/sync';

const COLUMNS = [
  ...['id', 'name', 'phone', 'email', 'segment', 'pipeline_stage'],
  ...['notes', 'source', 'created_at', 'updated_at'],
];

/**
 * What a spreadsheet takes for a formula, a phone number with its plus sign too: at the start of a value, or of what
 * programs of some countries take for a value, as they separate them by semicolons.
 */
const FORMULA_START = /(?<=(?:^|[;,|\t\r\n])[\s"]*)[=+\-@＝＋－＠]/g;

/**
 * Lines of a CSV file by RFC 4180. The first ones begin with the byte order mark, by which Excel knows UTF-8, and
 * the columns' names.
 */
export const customerLines = (customers: CustomerListEntry[], { isFirst }: { isFirst: boolean }): string =>
  stringify(customers, {
    columns: COLUMNS,
    header: isFirst,
    bom: isFirst,
    // Beside what the delimiters demand: many programs take either line end for the end of a record.
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    cast: { string: (value) => value.replaceAll(FORMULA_START, "'$&") },
  });
