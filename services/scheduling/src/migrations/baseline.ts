import { makeBaseline, setAutovacuum } from '@frontdesk/database';

const REPLACES = [
  'CreateBusiness1790000100001',
  'CreateAppointments1790000100002',
  'IndexAppointmentsByUpdate1790000100003',
  'CompleteBusiness1790000100004',
  'FollowBusinessHours1790000100005',
  'SetAutovacuum1790000100006',
  'IndexAppointmentsByCustomer1790000100007',
];

/** What can be booked, and with whom. What is deleted gives its name free, and stays for the appointments that name it. */
const BUSINESS = `
  create table booking_settings (
    tenant_id bigint primary key,
    booking_policy text not null default 'open' check (booking_policy in ('open', 'slots_only')),
    slot_step_minutes integer not null default 15 check (slot_step_minutes between 1 and 1440),
    minimum_notice_minutes integer not null default 0 check (minimum_notice_minutes >= 0),
    horizon_days integer check (horizon_days > 0),
    version integer not null default 1
  );
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
    deleted_at timestamptz,
    primary key (tenant_id, id)
  );
  create unique index services_name_key on services (tenant_id, name) where deleted_at is null;
  create table staff (
    tenant_id bigint not null references booking_settings,
    id bigint generated always as identity,
    name text not null,
    specialties text[] not null default '{}',
    is_active boolean not null default true,
    version integer not null default 1,
    deleted_at timestamptz,
    -- Whether somebody works in the business's opening hours rather than in hours of their own.
    follows_business_hours boolean not null default false,
    primary key (tenant_id, id)
  );
  create unique index staff_name_key on staff (tenant_id, name) where deleted_at is null;
  create table staff_services (
    tenant_id bigint not null,
    staff_id bigint not null,
    service_id bigint not null,
    primary key (tenant_id, staff_id, service_id),
    foreign key (tenant_id, staff_id) references staff (tenant_id, id),
    foreign key (tenant_id, service_id) references services (tenant_id, id)
  );
  create index staff_services_of_service on staff_services (tenant_id, service_id, staff_id);`;

/** Resource 0 is the business itself, where it has no staff. */
const HOURS = `
  create table working_hours (
    tenant_id bigint not null references booking_settings,
    resource_id bigint not null,
    weekday smallint not null check (weekday between 1 and 7),
    start_minute smallint not null check (start_minute >= 0),
    end_minute smallint not null check (end_minute <= 1440),
    primary key (tenant_id, resource_id, weekday, start_minute),
    check (start_minute < end_minute)
  );
  -- Dates that differ from the weekly hours.
  create table dated_hours (
    tenant_id bigint not null references booking_settings,
    resource_id bigint not null,
    date date not null,
    spans jsonb not null,
    note text,
    primary key (tenant_id, resource_id, date)
  );
  -- On the business's clocks: a business that moves to another time zone keeps its holidays' dates.
  create table time_off (
    tenant_id bigint not null references booking_settings,
    id bigint generated always as identity,
    resource_id bigint not null,
    starts_at timestamp not null,
    ends_at timestamp not null,
    note text,
    primary key (tenant_id, id),
    check (starts_at < ends_at)
  );
  create index time_off_of_resource on time_off (tenant_id, resource_id, ends_at);`;

/** Whatever happens elsewhere, `appointments_no_overlap` makes two appointments in one place impossible. */
const APPOINTMENTS = `
  create extension if not exists btree_gist;
  -- crm owns customers; all that is known of them here is that they exist.
  create table customers (
    tenant_id bigint not null,
    id bigint not null,
    version integer not null,
    primary key (tenant_id, id)
  );
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
  );
  create index appointments_list on appointments (tenant_id, starts_at desc, id);
  create index appointments_of_status on appointments (tenant_id, status, starts_at desc, id);
  create index appointments_of_resource on appointments (tenant_id, resource_id, starts_at desc, id);
  create index appointments_of_date on appointments (tenant_id, local_date, starts_at desc, id);
  create index appointments_of_customer on appointments (tenant_id, customer_id, starts_at desc, id);
  -- For those who poll with updated_since.
  create index appointments_by_update on appointments (tenant_id, updated_at, id);`;

const GROWING = [
  'appointments',
  'customers',
  'services',
  'staff',
  'staff_services',
  'working_hours',
  'dated_hours',
  'time_off',
];

export const baseline = makeBaseline(
  REPLACES,
  [BUSINESS, HOURS, APPOINTMENTS, setAutovacuum(GROWING)].join('\n'),
);
