import { tenantSql } from '@frontdesk/database';
import type { HoursEntry } from '../domain/business.ts';
import type { TenantReads } from './tenant-reads.ts';

export interface NamedRecord {
  id: number;
  name: string;
}

export interface ServiceEntry {
  name: string;
  description: string | null;
  duration_minutes: number;
  price_minor: number;
  currency: string;
}

export interface StaffEntry {
  name: string;
  specialties: string[];
}

// The update changes nothing; it locks the row, so that imports of one business run one after the other.
const openBusiness = tenantSql(
  'business_open',
  `insert into booking_settings (tenant_id) values ($1)
   on conflict (tenant_id) do update set tenant_id = excluded.tenant_id`,
);

const serviceNames = tenantSql<{ name: string }>(
  'business_service_names',
  `select name from services where tenant_id = $1`,
);

const upsertServices = tenantSql<NamedRecord, [entries: string]>(
  'business_upsert_services',
  `insert into services (tenant_id, name, description, duration_minutes, price_minor, currency)
   select $1, name, description, duration_minutes, price_minor, currency
   from json_to_recordset($2::json) as entry(
     name text, description text, duration_minutes integer, price_minor bigint, currency text)
   on conflict on constraint services_name_key do update
   set description = excluded.description, duration_minutes = excluded.duration_minutes,
     price_minor = excluded.price_minor, currency = excluded.currency, is_active = true,
     version = services.version + 1
   returning id, name`,
);

const upsertStaff = tenantSql<NamedRecord, [entries: string]>(
  'business_upsert_staff',
  `insert into staff (tenant_id, name, specialties)
   select $1, name, array(select json_array_elements_text(specialties))
   from json_to_recordset($2::json) as entry(name text, specialties json)
   on conflict on constraint staff_name_key do update
   set specialties = excluded.specialties, is_active = true, version = staff.version + 1
   returning id, name`,
);

const clearPerformed = tenantSql<never, [staffIds: number[]]>(
  'business_clear_performed',
  `delete from staff_services where tenant_id = $1 and staff_id = any($2::bigint[])`,
);

const insertPerformed = tenantSql<never, [staffIds: number[], serviceNames: string[]]>(
  'business_insert_performed',
  `insert into staff_services (tenant_id, staff_id, service_id)
   select distinct $1::bigint, performed.staff_id, services.id
   from unnest($2::bigint[], $3::text[]) as performed(staff_id, service_name)
   join services on services.tenant_id = $1 and services.name = performed.service_name`,
);

const clearHours = tenantSql<never, [resourceIds: number[]]>(
  'business_clear_hours',
  `delete from working_hours where tenant_id = $1 and resource_id = any($2::bigint[])`,
);

const insertHours = tenantSql<never, [entries: string]>(
  'business_insert_hours',
  `insert into working_hours (tenant_id, resource_id, weekday, start_minute, end_minute)
   select $1, resource_id, weekday, start_minute, end_minute
   from json_to_recordset($2::json) as entry(
     resource_id bigint, weekday smallint, start_minute smallint, end_minute smallint)`,
);

export const lockBusiness = (db: TenantReads) => db.run(openBusiness);

export async function knownServiceNames(db: TenantReads): Promise<Set<string>> {
  return new Set((await db.many(serviceNames)).map(({ name }) => name));
}

export const storeServices = (db: TenantReads, entries: ServiceEntry[]) =>
  db.many(upsertServices, JSON.stringify(entries));

export const storeStaff = (db: TenantReads, entries: StaffEntry[]) =>
  db.many(upsertStaff, JSON.stringify(entries));

/** Replaces what these members of staff perform. */
export async function replacePerformed(
  db: TenantReads,
  performed: { staffId: number; serviceNames: string[] }[],
): Promise<void> {
  await db.run(
    clearPerformed,
    performed.map(({ staffId }) => staffId),
  );
  const pairs = performed.flatMap(({ staffId, serviceNames }) =>
    serviceNames.map((name) => [staffId, name] as const),
  );
  await db.run(
    insertPerformed,
    pairs.map(([staffId]) => staffId),
    pairs.map(([, name]) => name),
  );
}

/** Replaces the hours of these resources; the business itself is resource 0. */
export async function replaceHours(db: TenantReads, hours: ReadonlyMap<number, HoursEntry[]>): Promise<void> {
  await db.run(clearHours, [...hours.keys()]);
  const entries = [...hours].flatMap(([resource_id, own]) => own.map((entry) => ({ resource_id, ...entry })));
  await db.run(insertHours, JSON.stringify(entries));
}
