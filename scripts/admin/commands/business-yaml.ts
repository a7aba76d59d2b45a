import type { BusinessDocument } from '@frontdesk/contracts';
import { Document, isCollection, visit } from 'yaml';

const HEADER = ` What a business is set up with. Change it and hand it back: business import --tenant N FILE
 Services and staff are matched by name; whom the file doesn't name stays. Settings, hours, exceptions and time_off
 that are left out stay as they are; a weekday that is left out of hours is a day off. Times are the business's own.
 Staff without hours of their own work the business's: those with follows_business_hours, and new ones without hours.`;

/** Lists whose entries are short, and are read at a glance when each has one line. */
const ENTRIES_ON_ONE_LINE = ['exceptions', 'time_off'];
/** Lists that are on one line as a whole. */
const LISTS_ON_ONE_LINE = ['specialties'];

/** The document as YAML that people edit by hand; importing it changes nothing. */
export function businessYaml(business: BusinessDocument): string {
  const document = new Document(business, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  document.commentBefore = HEADER;
  visit(document, {
    Pair(_, { key, value }) {
      if (!isCollection(value)) return;
      const name = String(key);
      // Spans of a weekday are the only lists of maps with a start and an end below `hours`.
      if (name.endsWith('day') || LISTS_ON_ONE_LINE.includes(name) || value.items.length === 0)
        value.flow = true;
      if (ENTRIES_ON_ONE_LINE.includes(name))
        for (const entry of value.items) if (isCollection(entry)) entry.flow = true;
    },
  });
  // Long texts stay on one line: how they are folded would be one more thing to get right by hand.
  return document.toString({ lineWidth: 0 });
}
