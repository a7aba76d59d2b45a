import { type TenantTransaction, tenantSql } from '@frontdesk/database';

// What they performed of services that are deleted stays, so that those services' last appointments can still be moved.
const clearPerformed = tenantSql<never, { staffIds: number[] }>(
  'performed_clear',
  `delete from staff_services performed using services
   where performed.tenant_id = $tenantId and performed.staff_id = any($staffIds::bigint[])
     and services.tenant_id = $tenantId and services.id = performed.service_id and services.deleted_at is null`,
);

const insertPerformed = tenantSql<never, { staffIds: number[]; serviceIds: number[] }>(
  'performed_insert',
  `insert into staff_services (tenant_id, staff_id, service_id)
   select $tenantId, staff_id, service_id from unnest($staffIds::bigint[], $serviceIds::bigint[]) as performed(staff_id, service_id)`,
);

const addPerforming = tenantSql<never, { serviceId: number; staffIds: number[] }>(
  'performed_add',
  `with added as (
     insert into staff_services (tenant_id, staff_id, service_id)
     select $tenantId, staff_id, $serviceId from unnest($staffIds::bigint[]) as wanted(staff_id)
     on conflict do nothing
     returning staff_id
   )
   update staff set version = version + 1 from added where tenant_id = $tenantId and id = added.staff_id`,
);

// What deleted staff performed stays, so that their last appointments can still be moved.
const removePerforming = tenantSql<never, { serviceId: number; staffIds: number[] }>(
  'performed_remove',
  `with removed as (
     delete from staff_services performed using staff
     where performed.tenant_id = $tenantId and performed.service_id = $serviceId and performed.staff_id = any($staffIds::bigint[])
       and staff.tenant_id = $tenantId and staff.id = performed.staff_id and staff.deleted_at is null
     returning performed.staff_id
   )
   update staff set version = version + 1 from removed where tenant_id = $tenantId and id = removed.staff_id`,
);

const findPresent = tenantSql<{ id: number }, { staffIds: number[] }>(
  'performers_find_present',
  'select id from staff where tenant_id = $tenantId and id = any($staffIds::bigint[]) and deleted_at is null',
);

/** Those of the staff members that the business has, inactive ones too. */
export const findStaffIds = (tx: TenantTransaction, ids: number[]) => tx.many(findPresent, { staffIds: ids });

/** These staff members perform the service from now on; each to whom that is new gets another version. */
export const addPerformers = (tx: TenantTransaction, serviceId: number, staffIds: number[]) =>
  tx.run(addPerforming, { serviceId, staffIds });
/** These no longer perform it, likewise. */
export const removePerformers = (tx: TenantTransaction, serviceId: number, staffIds: number[]) =>
  tx.run(removePerforming, { serviceId, staffIds });

/** Replaces what these staff members perform. @throws where a service is deleted or named twice for one of them */
export async function replacePerformed(
  tx: TenantTransaction,
  performed: { staffId: number; serviceIds: number[] }[],
): Promise<void> {
  if (performed.length === 0) return;
  await tx.run(clearPerformed, { staffIds: performed.map(({ staffId }) => staffId) });
  const pairs = performed.flatMap(({ staffId, serviceIds }) =>
    serviceIds.map((id) => [staffId, id] as const),
  );
  await tx.run(insertPerformed, {
    staffIds: pairs.map(([staffId]) => staffId),
    serviceIds: pairs.map(([, serviceId]) => serviceId),
  });
}
