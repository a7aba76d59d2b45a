import { type SystemScope, systemSql } from '@frontdesk/database';
import type { VisitRow } from '../domain/visit.ts';

const upsertVisits = systemSql<
  never,
  {
    tenantIds: number[];
    appointmentIds: number[];
    customerIds: number[];
    statuses: string[];
    pricesMinor: number[];
    currencies: string[];
    dates: string[];
    versions: number[];
  }
>(
  'visits_upsert',
  // In order of the key: two consumers that overlap during a rebalance then wait for each other and never deadlock.
  `insert into visits as v (tenant_id, appointment_id, customer_id, status, price_minor, currency, date, version)
   select * from unnest(
     $tenantIds::bigint[], $appointmentIds::bigint[], $customerIds::bigint[], $statuses::text[], $pricesMinor::bigint[],
     $currencies::text[], $dates::date[], $versions::bigint[])
   order by 1, 2
   on conflict (tenant_id, appointment_id) do update set
     customer_id = excluded.customer_id, status = excluded.status, price_minor = excluded.price_minor,
     currency = excluded.currency, date = excluded.date, version = excluded.version
   where v.version < excluded.version`,
);

const findAny = systemSql<{ found: boolean }>('visits_any', 'select exists (select from visits) as found');

export const hasVisits = async (system: SystemScope) => (await system.one(findAny)).found;

/** Stores each visit unless a version at least as high is there. At most one entry for each appointment. */
export async function saveVisits(system: Pick<SystemScope, 'run'>, visits: VisitRow[]): Promise<void> {
  const column = <Key extends keyof VisitRow>(key: Key) => visits.map((visit) => visit[key]);
  await system.run(upsertVisits, {
    tenantIds: column('tenant_id'),
    appointmentIds: column('appointment_id'),
    customerIds: column('customer_id'),
    statuses: column('status'),
    pricesMinor: column('price_minor'),
    currencies: column('currency'),
    dates: column('date'),
    versions: column('version'),
  });
}
