import type { Migration, QueryRunner } from '@frontdesk/database';

/** Dates and stretches that differ from the weekly hours; records that can be deleted while their appointments stay. */
export class CompleteBusiness1790000100004 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table dated_hours (
        tenant_id bigint not null references booking_settings,
        resource_id bigint not null,
        date date not null,
        spans jsonb not null,
        note text,
        primary key (tenant_id, resource_id, date)
      )`);
    // On the business's clocks: a business that moves to another time zone keeps its holidays' dates.
    await runner.query(`
      create table time_off (
        tenant_id bigint not null references booking_settings,
        id bigint generated always as identity,
        resource_id bigint not null,
        starts_at timestamp not null,
        ends_at timestamp not null,
        note text,
        primary key (tenant_id, id),
        check (starts_at < ends_at)
      )`);
    await runner.query('create index time_off_of_resource on time_off (tenant_id, resource_id, ends_at)');
    await runner.query('alter table booking_settings add version integer not null default 1');
    // What is deleted gives its name free, and stays for the appointments that name it.
    for (const table of ['services', 'staff']) {
      await runner.query(
        `alter table ${table} add deleted_at timestamptz, drop constraint ${table}_name_key`,
      );
      await runner.query(
        `create unique index ${table}_name_key on ${table} (tenant_id, name) where deleted_at is null`,
      );
    }
  }
}
