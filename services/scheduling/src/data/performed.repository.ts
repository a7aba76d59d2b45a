import { tenantSql } from '@frontdesk/database';
import type { TenantReads } from './tenant-reads.ts';

// What they performed of services that are deleted stays, so that those services' last appointments can still be moved.
const clear = tenantSql<never, [staffIds: number[]]>(
  'performed_clear',
  `delete from staff_services performed using services
   where performed.tenant_id = $1 and performed.staff_id = any($2::bigint[])
     and services.tenant_id = $1 and services.id = performed.service_id and services.deleted_at is null`,
);

const insert = tenantSql<never, [staffIds: number[], serviceIds: number[]]>(
  'performed_insert',
  `insert into staff_services (tenant_id, staff_id, service_id)
   select $1, staff_id, service_id from unnest($2::bigint[], $3::bigint[]) as performed(staff_id, service_id)`,
);

/** Replaces what these members of staff perform. @throws where a service is deleted or named twice for one of them */
export async function replacePerformed(
  db: TenantReads,
  performed: { staffId: number; serviceIds: number[] }[],
): Promise<void> {
  if (performed.length === 0) return;
  await db.run(
    clear,
    performed.map(({ staffId }) => staffId),
  );
  const pairs = performed.flatMap(({ staffId, serviceIds }) =>
    serviceIds.map((id) => [staffId, id] as const),
  );
  await db.run(
    insert,
    pairs.map(([staffId]) => staffId),
    pairs.map(([, serviceId]) => serviceId),
  );
}
