import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { namedStatements } from './named-records.repository.ts';
import { serviceEntity } from './service.entity.ts';
import type { ServiceAdminRow, ServiceFields, ServiceRow } from './service.rules.ts';

const COLUMNS =
  'name, description, duration_minutes, price_minor, currency, buffer_before_minutes, buffer_after_minutes, is_active, category';

const COUNTED = `
  with coming as (
    select service_id, count(*) as appointments from appointments
    where tenant_id = $tenantId and status = 'scheduled' and starts_at >= now()
    group by service_id
  )
  select id, ${COLUMNS}, version, coalesce(coming.appointments, 0) as coming_appointments
  from services left join coming on coming.service_id = services.id
  where tenant_id = $tenantId and deleted_at is null`;

const list = tenantSql<ServiceAdminRow>('services_admin_list', `${COUNTED} order by id`);
const find = tenantSql<ServiceAdminRow, { id: number }>('services_admin_find', `${COUNTED} and id = $id`);
const { lock, count, upsert } = namedStatements('services', COLUMNS);

/** Inactive ones too, by id. */
export const listServices = (db: TenantReads) => db.repository(serviceEntity).find({ order: { id: 'ASC' } });

export const listActiveServices = (db: TenantReads) =>
  db.repository(serviceEntity).find({ where: { is_active: true }, order: { id: 'ASC' } });

export const findActiveService = (db: TenantReads, id: number) =>
  db.repository(serviceEntity).findOne({ id, is_active: true });

/** Inactive ones too, by id, with their coming appointments counted. */
export const listServicesForAdmin = (db: TenantReads) => db.many(list);
export const findServiceForAdmin = (db: TenantReads, id: number) => db.maybeOne(find, { id });

/** How many services there are, and how many of them are active. */
export const countServices = (db: TenantReads) => db.one(count);

/** Holds the rows until the transaction ends. What precedes it in another transaction is seen by the next statement. */
export const lockServices = (tx: TenantTransaction, ids: number[]) => tx.many(lock, { ids });

/** @throws a violation of `services_name_key`; so does `updateService` */
export const insertService = (tx: TenantTransaction, fields: ServiceFields) =>
  tx.repository(serviceEntity).insert(fields);

/** Lock the row first. */
export const updateService = (
  tx: TenantTransaction,
  id: number,
  change: Partial<Omit<ServiceRow, 'tenant_id' | 'id' | 'version'>>,
) => tx.repository(serviceEntity).updateOne({ id }, change);

/** Adds or changes by name; what is new gets its id in the order of the list. */
export const saveServices = (tx: TenantTransaction, services: ServiceFields[]) =>
  tx.many(upsert, { entries: JSON.stringify(services) });
