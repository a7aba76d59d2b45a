import { type TenantReads, tenantSql } from '@frontdesk/database';
import type { ServiceAdminRow, ServiceFields } from '../domain/service-admin.ts';
import { namedRecords } from './named-records.ts';

const SELECT = `
  with coming as (
    select service_id, count(*) as appointments from appointments
    where tenant_id = $1 and status = 'scheduled' and starts_at >= now()
    group by service_id
  )
  select id, name, description, duration_minutes, price_minor, currency, buffer_before_minutes,
    buffer_after_minutes, is_active, version, coalesce(coming.appointments, 0) as coming_appointments
  from services left join coming on coming.service_id = services.id
  where tenant_id = $1 and deleted_at is null`;

const list = tenantSql<ServiceAdminRow>('services_admin_list', `${SELECT} order by id`);
const find = tenantSql<ServiceAdminRow, [id: number]>('services_admin_find', `${SELECT} and id = $2`);

export const serviceRecords = namedRecords<ServiceFields>('services', {
  name: 'text',
  description: 'text',
  duration_minutes: 'integer',
  price_minor: 'bigint',
  currency: 'text',
  buffer_before_minutes: 'integer',
  buffer_after_minutes: 'integer',
  is_active: 'boolean',
});

/** Inactive ones too, by id. */
export const listServices = (db: TenantReads) => db.many(list);
export const findService = (db: TenantReads, id: number) => db.maybeOne(find, id);
