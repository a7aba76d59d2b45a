import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * Holds: rows of appointments that nobody has yet, kept apart by the same constraint. It is built anew, for which the table is
 * locked; one statement, so that it is read through once. A process of the release before can't read such rows, so a system that
 * has businesses already makes none until its operator says so.
 */
export class HoldPlaces1790000100018 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table appointments
        add column held_until timestamptz,
        add column holder text,
        alter column customer_id drop not null,
        drop constraint appointments_status_check,
        add constraint appointments_status_check
          check (status in ('scheduled', 'completed', 'cancelled', 'no_show', 'held', 'expired')),
        add constraint appointments_hold_check check ((status in ('held', 'expired')) = (customer_id is null)),
        add constraint appointments_held_until_check check (customer_id is not null or held_until is not null),
        drop constraint appointments_no_overlap,
        add constraint appointments_no_overlap
          exclude using gist (tenant_id with =, resource_id with =, occupied with &&)
          where (status in ('scheduled', 'completed', 'held'));
      create index appointments_holds on appointments (tenant_id, held_until) where customer_id is null;
      create table holds_setting (
        is_single boolean primary key default true check (is_single),
        is_on boolean not null
      );
      insert into holds_setting (is_on) select not exists (select from booking_settings) and not exists (select from tenants);`);
  }
}
