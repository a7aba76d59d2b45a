import { makeBaseline } from '@frontdesk/database';

/** The projection of `tenant.*`, for services that the tenants don't belong to. */
export const tenantsBaseline = makeBaseline(
  ['CreateTenants1790000000004', 'AddQuotas1790000000007'],
  `
  create table tenants (
    tenant_id bigint primary key,
    name text not null,
    plan text not null,
    status text not null,
    timezone text not null,
    country text not null,
    currency text not null,
    version bigint not null,
    -- Null until an event brings quotas: the plan's apply.
    quotas jsonb
  );`,
);
