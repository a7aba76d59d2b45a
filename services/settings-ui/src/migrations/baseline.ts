import { makeBaseline } from '@frontdesk/database';

const REPLACES = [
  'CreateAdminUsers1790000600001',
  'CreateAuditLog1790000600002',
  'CreateInvitations1790000600003',
  'FoldFailedAttempts1790000600011',
  'IndexAuditLog1790000600014',
];

/** Who signs in names no tenant, so an address belongs to one admin of the whole system. */
const ADMIN_USERS = `
  create table admin_users (
    tenant_id bigint not null,
    id bigint generated always as identity,
    email text not null,
    email_folded text not null constraint admin_users_email_unique unique,
    password_hash text not null,
    credentials_version int not null default 1,
    reset_token_hash text constraint admin_users_reset_token_unique unique,
    reset_expires_at timestamptz,
    last_sign_in_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (tenant_id, id)
  );`;

/** No foreign key to admin_users: what somebody did outlives them. */
const AUDIT_LOG = `
  create table audit_log (
    tenant_id bigint not null,
    id bigint generated always as identity,
    at timestamptz not null default clock_timestamp(),
    actor text not null,
    address text,
    action text not null,
    subject text not null,
    outcome text not null default 'started' check (outcome in ('started', 'done', 'refused')),
    -- Failures of one admin in one hour are one entry, with their number and the time of the last one.
    count int not null default 1,
    last_at timestamptz,
    folded_hour timestamptz,
    primary key (tenant_id, id)
  );
  create unique index audit_log_folded_unique on audit_log (tenant_id, actor, action, folded_hour)
    where folded_hour is not null;
  -- For the retention of the audit log, over all tenants.
  create index audit_log_at on audit_log (at);`;

/** With an admin go the invitations they made: a link they kept opens nothing. */
const ADMIN_INVITATIONS = `
  create table admin_invitations (
    tenant_id bigint not null,
    id bigint generated always as identity,
    email text not null,
    email_folded text not null,
    token_hash text not null constraint admin_invitations_token_unique unique,
    invited_by bigint not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (tenant_id, id),
    constraint admin_invitations_email_unique unique (tenant_id, email_folded),
    foreign key (tenant_id, invited_by) references admin_users (tenant_id, id) on delete cascade
  );`;

export const baseline = makeBaseline(REPLACES, [ADMIN_USERS, AUDIT_LOG, ADMIN_INVITATIONS].join('\n'));
