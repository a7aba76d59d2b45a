import type { ListCustomers } from '@frontdesk/contracts';
import { type Database, defineList } from '@frontdesk/database';
import type { CustomerRow } from '../domain/customer.ts';
import { containing, gramsOf, hasTrigram, searchedTexts, tellingPart } from '../domain/search.ts';
import { CUSTOMER_COLUMNS } from './customer.repository.ts';
import { countCustomers } from './customer-count.repository.ts';

// Short names: a statement bears those of all its filters.
type Filter = 'seg' | 'stg' | 'text' | 'texts' | 'gram' | 'grams';

/** What is looked for may be longer than the part of it that the trigram index is asked for. */
const TEXT = `c.search_text || '' like ? and c.search_text like ?`;
/** Grams have an index for what is too short for trigrams. */
const GRAM = 'c.search_text like ? and search_grams(c.search_text) @> ?::text[]';
/** Of a row at hand it says enough whether it has the text. */
const HAS_TEXT = 'c.search_text like ? and ?::text is not null';
const HAS_GRAM = 'c.search_text like ? and ?::text[] is not null';
const either = (condition: string) => `((${condition}) or (${condition}))`;

const readPage = defineList<CustomerRow, Filter, 'created_at' | 'updated_at'>({
  name: 'customers',
  from: 'customers c',
  columns: CUSTOMER_COLUMNS,
  totalOf: (scope, filters) => countCustomers(scope, new Map(filters.map(([name, value]) => [name, value]))),
  filters: {
    seg: 'c.segment = ?',
    stg: 'c.pipeline_stage = ?',
    text: TEXT,
    texts: either(TEXT),
    gram: GRAM,
    grams: either(GRAM),
  },
  sieves: { text: HAS_TEXT, texts: either(HAS_TEXT), gram: HAS_GRAM, grams: either(HAS_GRAM) },
  counted: ['seg', 'stg'],
  served: { created_at: ['seg', 'stg'], updated_at: ['since'] },
  covered: ['created_at'],
  sorts: {
    // Ids are given in the order of creation, and each filter's index goes on by id.
    created_at: { column: 'id' },
    updated_at: { column: 'updated_at' },
  },
  defaultSort: '-created_at',
});

/** One page, newest first unless the query says otherwise. */
export function listCustomers(database: Database, tenantId: number, query: ListCustomers) {
  return readPage(database, tenantId, query, [
    ['seg', query.segment],
    ['stg', query.pipeline_stage || undefined],
    ...searchFilters(query.search ?? ''),
  ]);
}

function searchFilters(term: string): (readonly [Filter, ...unknown[]])[] {
  const texts = searchedTexts(term);
  if (texts.length === 0) return [];
  const isTwo = texts.length > 1;
  if (texts.every(hasTrigram)) {
    const values = texts.flatMap((text) => [containing(text), containing(tellingPart(text))]);
    return [[isTwo ? 'texts' : 'text', ...values]];
  }
  return [[isTwo ? 'grams' : 'gram', ...texts.flatMap((text) => [containing(text), gramsOf(text)])]];
}
