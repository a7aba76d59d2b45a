import type { SimilarCustomers } from '@frontdesk/contracts';
import { type TenantScope, tenantSql } from '@frontdesk/database';
import { CUSTOMER_COLUMNS } from './customer.repository.ts';
import type { CustomerRow } from './customer.rules.ts';
import { containing, leastSimilarity, meantPatterns, searchedTexts } from './search.rules.ts';

/** So many with a word as it was probably meant, and so many with similar trigrams are compared; of these so many are read. */
const MOST_MEANT = 500;
const MOST_ALIKE = 2_000;
const MOST_READ = 200;

const setThreshold = tenantSql<never, { least: string }>(
  'customers_similarity_threshold',
  `select set_config('pg_trgm.word_similarity_threshold', $least, true)`,
);

interface Wanted {
  exact: string;
  first: string;
  second: string | null;
  firstMeant: string[];
  secondMeant: string[];
  segment: string | null;
  stage: string | null;
}

const NAME = `split_part(search_text, E'\\x1f', 1)`;
const OF_LIST = `c.tenant_id = $tenantId and ($segment::text is null or c.segment = $segment)
         and ($stage::text is null or c.pipeline_stage = $stage)`;
/** Nothing to look for where there is only one word. */
const IS_ONE = '$second::text is null';

const findSimilar = {
  ...tenantSql<CustomerRow, Wanted>(
    'customers_find_similar',
    // The index of trigrams finds both, within the tenant. The limits bound what is compared, however common the words are.
    `with meant as materialized (
       select c.id, c.search_text from customers c
       where ${OF_LIST} and (
         c.search_text like any ($firstMeant::text[]) and (${IS_ONE} or c.search_text %> $second)
         or c.search_text %> $first and c.search_text like any ($secondMeant::text[])
       ) limit ${MOST_MEANT}
     ), alike as materialized (
       select c.id, c.search_text from customers c
       where ${OF_LIST} and c.search_text %> $first and (${IS_ONE} or c.search_text %> $second) limit ${MOST_ALIKE}
     ), nearest as (
       select id, bool_or(is_meant) as is_meant,
         word_similarity($first, ${NAME}) + coalesce(word_similarity($second, ${NAME}), 0) as similarity
       from (select *, true as is_meant from meant union all select *, false from alike) candidates
       where search_text not like $exact
       group by id, search_text order by is_meant desc, similarity desc, id desc limit ${MOST_READ}
     )
     select ${CUSTOMER_COLUMNS} from nearest join customers c on c.tenant_id = $tenantId and c.id = nearest.id
     order by nearest.is_meant desc, nearest.similarity desc, c.id desc`,
  ),
  // Which words are asked for decides whether the index helps.
  isPlannedAnew: true,
};

/** Customers whose name may be meant by these words (the longest first), the most similar first; none who is found by the search itself. */
export function findSimilarCustomers(
  scope: TenantScope,
  words: readonly string[],
  { search, segment, pipeline_stage }: SimilarCustomers,
): Promise<CustomerRow[]> {
  const [first = '', second = null] = words;
  return scope.transaction((tx) => {
    tx.send(setThreshold, { least: String(leastSimilarity(words)) });
    return tx.many(findSimilar, {
      exact: containing(searchedTexts(search)[0] ?? ''),
      first,
      second,
      firstMeant: meantPatterns(first),
      secondMeant: second === null ? [] : meantPatterns(second),
      segment: segment ?? null,
      stage: pipeline_stage || null,
    });
  });
}
