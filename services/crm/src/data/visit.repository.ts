import { type SystemScope, systemSql } from '@frontdesk/database';
import type { Visit } from '../domain/visit.ts';

const upsertVisits = systemSql<never, (number | string)[][]>(
  'visits_upsert',
  // In order of the key: two consumers that overlap during a rebalance then wait for each other and never deadlock.
  `insert into visits as v (tenant_id, appointment_id, customer_id, status, price_minor, currency, date, version)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::date[], $8::bigint[])
   order by 1, 2
   on conflict (tenant_id, appointment_id) do update set
     customer_id = excluded.customer_id, status = excluded.status, price_minor = excluded.price_minor,
     currency = excluded.currency, date = excluded.date, version = excluded.version
   where v.version < excluded.version`,
);

const findAny = systemSql<{ found: boolean }>('visits_any', 'select exists (select from visits) as found');

export const hasVisits = async (scope: SystemScope) => (await scope.one(findAny)).found;

/** Stores each visit unless a version at least as high is there. At most one entry for each appointment. */
export async function saveVisits(scope: SystemScope, visits: Visit[]): Promise<void> {
  const column = <Key extends keyof Visit>(key: Key) => visits.map((visit) => visit[key]);
  await scope.run(
    upsertVisits,
    column('tenant_id'),
    column('appointment_id'),
    column('customer_id'),
    column('status'),
    column('price_minor'),
    column('currency'),
    column('date'),
    column('version'),
  );
}
