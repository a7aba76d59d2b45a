import type { Migration, QueryRunner } from '@frontdesk/database';

/** Whatever happens elsewhere, `appointments_no_overlap` makes two appointments in one place impossible. */
export class CreateAppointments1790000100002 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create extension if not exists btree_gist');
    // crm owns customers; all that is known of them here is that they exist.
    await runner.query(`
      create table customers (
        tenant_id bigint not null,
        id bigint not null,
        version integer not null,
        primary key (tenant_id, id)
      )`);
    await runner.query(`
      create table appointments (
        tenant_id bigint not null,
        id bigint generated always as identity,
        customer_id bigint not null,
        service_id bigint not null,
        staff_id bigint,
        resource_id bigint not null generated always as (coalesce(staff_id, 0)) stored,
        starts_at timestamptz not null,
        ends_at timestamptz not null,
        occupied tstzrange not null,
        local_date date not null,
        timezone text not null,
        duration_minutes integer not null,
        buffer_before_minutes integer not null,
        buffer_after_minutes integer not null,
        price_minor bigint not null,
        currency text not null,
        status text not null check (status in ('scheduled', 'completed', 'cancelled', 'no_show')),
        notes text,
        source text not null,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        cancelled_at timestamptz,
        primary key (tenant_id, id),
        foreign key (tenant_id, customer_id) references customers (tenant_id, id),
        foreign key (tenant_id, service_id) references services (tenant_id, id),
        foreign key (tenant_id, staff_id) references staff (tenant_id, id),
        check (starts_at < ends_at and occupied @> tstzrange(starts_at, ends_at)),
        check ((status = 'cancelled') = (cancelled_at is not null)),
        constraint appointments_no_overlap
          exclude using gist (tenant_id with =, resource_id with =, occupied with &&)
          where (status in ('scheduled', 'completed'))
      )`);
    await runner.query('create index appointments_list on appointments (tenant_id, starts_at desc, id)');
    await runner.query(
      'create index appointments_of_status on appointments (tenant_id, status, starts_at desc, id)',
    );
    await runner.query(
      'create index appointments_of_resource on appointments (tenant_id, resource_id, starts_at desc, id)',
    );
    await runner.query(
      'create index appointments_of_date on appointments (tenant_id, local_date, starts_at desc, id)',
    );
  }
}
