import type { Migration, QueryRunner } from '@frontdesk/database';

/** What is searched for may be shorter than a trigram, a Chinese name for example, or have neither letter nor digit. */
export class IndexCustomersByGrams1790000200006 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // Each character, and each pair: those that begin at an odd place and those at an even one. Nothing here runs a
    // subquery, which would take ten times as long.
    await runner.query(`
      create function search_grams(searched text) returns text[] language sql immutable parallel safe return
        string_to_array(searched, null)
        || string_to_array(regexp_replace(searched, '(..)', E'\\\\1\\x1e', 'g'), E'\\x1e')
        || string_to_array(regexp_replace(substr(searched, 2), '(..)', E'\\\\1\\x1e', 'g'), E'\\x1e')`);
    // A search reads all that isn't merged into the index yet, so that is kept small (in kB).
    await runner.query(`
      create index customers_by_search_grams on customers using gin (tenant_id, search_grams(search_text))
      with (gin_pending_list_limit = 128)`);
    await runner.query('alter index customers_by_search_text set (gin_pending_list_limit = 128)');
  }
}
