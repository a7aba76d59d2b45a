import type { ListCustomers } from '@frontdesk/contracts';
import { type Database, defineList } from '@frontdesk/database';
import { CUSTOMER_COLUMNS, holderOf } from './customer.repository.ts';
import type { CustomerRow } from './customer.rules.ts';
import { readCustomers } from './customer-matches.repository.ts';
import { containing, FOLDED_NAME, hasTrigram, searchedTexts } from './search.rules.ts';

const HAS_PATTERN = 'c.search_text like $pattern';
const HAS_TEXT = 'strpos(c.search_text, $text) > 0';

const readPage = defineList<
  CustomerRow,
  | 'segment'
  | 'stage'
  | 'phone'
  | 'searched_phone'
  | 'other_than'
  | 'pattern'
  | 'patterns'
  | 'short'
  | 'shorts',
  'created_at' | 'updated_at' | 'name'
>(
  {
    name: 'customers',
    from: 'customers c',
    columns: CUSTOMER_COLUMNS,
    filters: {
      segment: 'c.segment = $segment',
      stage: 'c.pipeline_stage = $stage',
      phone: `c.id = ${holderOf('$phone')}`,
      // See `readCustomers`, which takes it out.
      searched_phone: `c.id = ${holderOf('$searchedPhone')}`,
      other_than: 'c.id <> $otherThan',
      pattern: HAS_PATTERN,
      patterns: `(${HAS_PATTERN} or c.search_text like $otherPattern)`,
      // Too short for trigrams: see `findMatches`.
      short: HAS_TEXT,
      shorts: `(${HAS_TEXT} or strpos(c.search_text, $otherText) > 0)`,
    },
    sorts: {
      // Ids are given in the order of creation, and each filter's index goes on by id.
      created_at: { column: 'id' },
      updated_at: { column: 'updated_at' },
      name: { column: FOLDED_NAME, isText: true },
    },
    defaultSort: '-created_at',
  },
  readCustomers,
);

interface Numbers {
  /** The number that the query asks for, in its normal form. */
  phone: string | undefined;
  /** What is searched for, where that is a whole number. */
  searched: string | undefined;
}

/** One page, newest first unless the query says otherwise; before them the customer whose number has been searched for. */
export function listCustomers(
  database: Database,
  tenantId: number,
  query: ListCustomers,
  { phone, searched }: Numbers,
) {
  const isInDefaultOrder = query.sort === undefined && query.updated_since === undefined;
  return readPage(database, tenantId, query, [
    ['segment', { segment: query.segment }],
    ['stage', { stage: query.pipeline_stage || undefined }],
    ['phone', { phone }],
    ...searchFilters(searchedTexts(query.search ?? '')),
    ['searched_phone', { searchedPhone: isInDefaultOrder ? searched : undefined }],
  ]);
}

/** For a part of a phone number there are two texts: as it was typed, and its digits. */
function searchFilters([text, otherText]: string[]) {
  if (text === undefined) return [];
  if (otherText === undefined)
    return [
      hasTrigram(text)
        ? (['pattern', { pattern: containing(text) }] as const)
        : (['short', { text }] as const),
    ];
  return [
    hasTrigram(text) && hasTrigram(otherText)
      ? (['patterns', { pattern: containing(text), otherPattern: containing(otherText) }] as const)
      : (['shorts', { text, otherText }] as const),
  ];
}
