import type { Migration, QueryRunner } from '@frontdesk/database';

/** What the service writes from now on, for what it has written: accents are folded, see domain/search.ts. */
export class FoldSearchText1790000200004 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update customers set search_text = folded.text
      from customers former cross join lateral (
        select replace(replace(replace(replace(translate(
          normalize(regexp_replace(normalize(former.search_text, nfd), U&'[\\0300-\\036F]', '', 'g'), nfc),
          U&'øłđðħı\\001E', 'olddhi'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') as text
      ) folded
      where former.tenant_id = customers.tenant_id and former.id = customers.id
        and folded.text <> former.search_text`);
  }

  /** Accents are gone, but an earlier release finds whatever has none. */
}
