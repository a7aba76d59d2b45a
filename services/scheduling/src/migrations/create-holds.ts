import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * Holds: rows of `appointments` without a customer. A process of the release before can't read such rows, so a system that has
 * businesses already makes none until its operator says so.
 */
export class CreateHolds1790000100018 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // In one statement the table is read through once for all checks: less than a second for a million appointments.
    await runner.query(`
      alter table appointments
        add column held_until timestamptz,
        add column holder text,
        alter column customer_id drop not null,
        drop constraint appointments_status_check,
        add constraint appointments_status_check
          check (status in ('scheduled', 'completed', 'cancelled', 'no_show', 'held', 'expired')),
        add constraint appointments_hold_check check ((status in ('held', 'expired')) = (customer_id is null)),
        add constraint appointments_held_until_check check (customer_id is not null or held_until is not null);
      create table holds_setting (
        is_single boolean primary key default true check (is_single),
        is_on boolean not null
      );
      insert into holds_setting (is_on) select not exists (select from booking_settings) and not exists (select from tenants);`);
  }
}

/**
 * Has the constraint against double bookings keep holds apart, too. PostgreSQL builds no exclusion constraint beside writes: until
 * it is built, about a minute for a million appointments, requests to scheduling wait.
 */
export class KeepHoldsApart1790000100019 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      set local maintenance_work_mem = '256MB';
      alter table appointments
        drop constraint appointments_no_overlap,
        add constraint appointments_no_overlap
          exclude using gist (tenant_id with =, resource_id with =, occupied with &&)
          where (status in ('scheduled', 'completed', 'held'));`);
  }
}
