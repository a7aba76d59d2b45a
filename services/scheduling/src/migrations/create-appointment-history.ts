import { type Migration, type QueryRunner, setAutovacuum } from '@frontdesk/database';

/** Who has changed what about an appointment. */
export class CreateAppointmentHistory1790000100014 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // No reference to appointments: it would lock their table while this one is made.
    await runner.query(`
      create table appointment_history (
        tenant_id bigint not null,
        appointment_id bigint not null,
        id bigint generated always as identity,
        at timestamptz not null,
        role text not null,
        actor_id bigint,
        changes jsonb not null,
        primary key (tenant_id, appointment_id, id)
      );
      ${setAutovacuum(['appointment_history'])}`);
  }
}
