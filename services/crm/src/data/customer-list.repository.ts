import type { ListCustomers } from '@frontdesk/contracts';
import { type Database, defineList } from '@frontdesk/database';
import type { CustomerRow } from '../domain/customer.ts';
import { containing, hasTrigram, searchedTexts } from '../domain/search.ts';
import { CUSTOMER_COLUMNS } from './customer.repository.ts';
import { readCustomers } from './customer-matches.repository.ts';

const HAS_PATTERN = 'c.search_text like ?';
const HAS_PHONE = 'c.phone_e164 = ?';
const HAS_TEXT = 'strpos(c.search_text, ?) > 0';

const readPage = defineList<
  CustomerRow,
  'segment' | 'stage' | 'phone' | 'whole_number' | 'but' | 'pattern' | 'patterns' | 'short' | 'shorts',
  'created_at' | 'updated_at'
>(
  {
    name: 'customers',
    from: 'customers c',
    columns: CUSTOMER_COLUMNS,
    filters: {
      segment: 'c.segment = ?',
      stage: 'c.pipeline_stage = ?',
      phone: HAS_PHONE,
      // See `readCustomers`, which takes it out.
      whole_number: HAS_PHONE,
      but: 'c.id <> ?',
      pattern: HAS_PATTERN,
      patterns: `(${HAS_PATTERN} or ${HAS_PATTERN})`,
      // Too short for trigrams: see `findMatches`.
      short: HAS_TEXT,
      shorts: `(${HAS_TEXT} or ${HAS_TEXT})`,
    },
    sorts: {
      // Ids are given in the order of creation, and each filter's index goes on by id.
      created_at: { column: 'id' },
      updated_at: { column: 'updated_at' },
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
    ['segment', query.segment],
    ['stage', query.pipeline_stage || undefined],
    ['phone', phone],
    ...searchFilters(searchedTexts(query.search ?? '')),
    ['whole_number', isInDefaultOrder ? searched : undefined],
  ]);
}

function searchFilters(texts: string[]) {
  if (texts.length === 0) return [];
  const isOne = texts.length === 1;
  return texts.every(hasTrigram)
    ? [[isOne ? 'pattern' : 'patterns', ...texts.map(containing)] as const]
    : [[isOne ? 'short' : 'shorts', ...texts] as const];
}
