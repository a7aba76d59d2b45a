import { SCOPES_OF_EARLIER_KEYS } from '@frontdesk/contracts';
import { addIndex, type Migration, type QueryRunner } from '@frontdesk/database';

/**
 * What a key may do, until when and from where. Earlier keys, and those that a process of 0.1.0 adds, keep what they
 * could do.
 */
export class ScopeKeys1790000001007 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table api_keys add column scopes text[] not null default '{${SCOPES_OF_EARLIER_KEYS.join(',')}}',
         add column expires_at timestamptz,
         add column networks text[],
         add column rolled_to bigint`,
    );
  }
}

/** How often each key was used. By itself: who looks keys up waits for it no longer than for an empty table. */
export class CountKeyUse1790000001009 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table api_key_days (
         tenant_id bigint not null,
         key_id bigint not null,
         day date not null,
         requests bigint not null,
         primary key (tenant_id, key_id, day),
         foreign key (tenant_id, key_id) references api_keys (tenant_id, id) on delete cascade
       )`,
    );
    await runner.query('create index api_key_days_by_day on api_key_days (day)');
  }
}

export const indexExpiringKeys = addIndex('IndexExpiringKeys1790000001010', {
  name: 'api_keys_expiring',
  on: 'api_keys (expires_at) where is_active and expires_at is not null',
});
