import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * `appointment_id` stays what messages state; `linked_appointment_id` is served. A row whose stated id is not the checked one is due, also
 * those that were there before, and those that a process of the last release still writes.
 */
export class CheckAppointments1790000000217 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table calls
        add column linked_appointment_id bigint,
        add column checked_appointment_id bigint,
        add column appointment_due_at timestamptz not null default now(),
        add column appointment_attempts integer not null default 0,
        add column appointment_denials integer not null default 0`);
  }
}

/** Alone in its transaction, as every index. */
export class IndexUncheckedAppointments1790000000218 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index calls_to_check_appointment on calls (tenant_id, appointment_due_at, id)
        where appointment_id is not null and appointment_id is distinct from checked_appointment_id`);
  }
}
