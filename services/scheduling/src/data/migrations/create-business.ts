import type { Migration, QueryRunner } from '@frontdesk/database';

/** What can be booked, with whom and when. Resource 0 is the business itself, where it has no staff. */
export class CreateBusiness1790000100001 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table booking_settings (
        tenant_id bigint primary key,
        booking_policy text not null default 'open' check (booking_policy in ('open', 'slots_only')),
        slot_step_minutes integer not null default 15 check (slot_step_minutes between 1 and 1440),
        minimum_notice_minutes integer not null default 0 check (minimum_notice_minutes >= 0),
        horizon_days integer check (horizon_days > 0)
      )`);
    await runner.query(`
      create table services (
        tenant_id bigint not null references booking_settings,
        id bigint generated always as identity,
        name text not null,
        description text,
        duration_minutes integer not null check (duration_minutes between 1 and 1440),
        buffer_before_minutes integer not null default 0 check (buffer_before_minutes between 0 and 1440),
        buffer_after_minutes integer not null default 0 check (buffer_after_minutes between 0 and 1440),
        price_minor bigint not null check (price_minor >= 0),
        currency text not null,
        is_active boolean not null default true,
        version integer not null default 1,
        primary key (tenant_id, id),
        constraint services_name_key unique (tenant_id, name)
      )`);
    await runner.query(`
      create table staff (
        tenant_id bigint not null references booking_settings,
        id bigint generated always as identity,
        name text not null,
        specialties text[] not null default '{}',
        is_active boolean not null default true,
        version integer not null default 1,
        primary key (tenant_id, id),
        constraint staff_name_key unique (tenant_id, name)
      )`);
    await runner.query(`
      create table staff_services (
        tenant_id bigint not null,
        staff_id bigint not null,
        service_id bigint not null,
        primary key (tenant_id, staff_id, service_id),
        foreign key (tenant_id, staff_id) references staff (tenant_id, id),
        foreign key (tenant_id, service_id) references services (tenant_id, id)
      )`);
    await runner.query(
      'create index staff_services_of_service on staff_services (tenant_id, service_id, staff_id)',
    );
    await runner.query(`
      create table working_hours (
        tenant_id bigint not null references booking_settings,
        resource_id bigint not null,
        weekday smallint not null check (weekday between 1 and 7),
        start_minute smallint not null check (start_minute >= 0),
        end_minute smallint not null check (end_minute <= 1440),
        primary key (tenant_id, resource_id, weekday, start_minute),
        check (start_minute < end_minute)
      )`);
  }
}
