import type { Appointment, Customer, Slot, Tenant } from '@frontdesk/contracts';
import { stringify } from 'yaml';
import { type Api, apiClient } from './api.ts';
import type { Target } from './target.ts';

const DAILY = [{ start: '09:00', end: '17:00' }];
const HOURS = {
  monday: DAILY,
  tuesday: DAILY,
  wednesday: DAILY,
  thursday: DAILY,
  friday: DAILY,
  saturday: DAILY,
  sunday: DAILY,
};

export const PROFILE = { plan: 'enterprise', timezone: 'Europe/Berlin', currency: 'EUR', country: 'DE' };

/** One service and three who perform it, whenever it is day. */
export const DOCUMENT = {
  services: [{ name: 'Haircut', duration_minutes: 30, price: 45.5 }],
  staff: ['Ada', 'Ben', 'Cem'].map((name) => ({ name, services: ['Haircut'], hours: HOURS })),
};

export interface Business {
  tenant: Tenant;
  api: Api;
  serviceId: number;
  staffIds: number[];
}

/** A business set up from nothing by the operator's command line. */
export async function createBusiness(
  { operator, gatewayUrl }: Target,
  name: string,
): Promise<Business & { key: string }> {
  const profile = Object.entries(PROFILE).flatMap(([option, value]) => [`--${option}`, value]);
  const tenant = await operator.json<Tenant>(['tenant', 'create', '--name', name, ...profile]);
  const forTenant = ['--tenant', String(tenant.id)];
  const { key } = await operator.json<{ key: string }>(['key', 'create', ...forTenant, '--name', 'e2e']);
  const imported = await operator.json<{ services: { id: number }[]; staff: { id: number }[] }>(
    ['business', 'import', '-', ...forTenant],
    // What people send.
    stringify(DOCUMENT, { aliasDuplicateObjects: false }),
  );
  return {
    tenant,
    key,
    api: apiClient(gatewayUrl, key),
    serviceId: imported.services[0]?.id ?? 0,
    staffIds: imported.staff.map(({ id }) => id),
  };
}

export async function createCustomer(api: Api, name: string, phone: string): Promise<Customer> {
  return (await api<Customer>('POST', '/customers', { body: { name, phone } })).data();
}

/** What is free on a day; days count from today. */
export async function freeSlots({ api, tenant, serviceId }: Business, daysAhead: number): Promise<Slot[]> {
  const date = Temporal.Now.plainDateISO(tenant.timezone).add({ days: daysAhead });
  return (await api<Slot[]>('GET', `/appointments/slots?date=${date}&service_id=${serviceId}`)).data();
}

/** The body that books this slot. */
export function bookingOf(slot: Slot, customerId: number, serviceId: number, staffId = slot.staff_id) {
  return {
    customer_id: customerId,
    service_id: serviceId,
    staff_id: staffId,
    appointment_date: slot.date,
    appointment_time: slot.time,
  };
}

export async function allAppointments(api: Api): Promise<Appointment[]> {
  const all: Appointment[] = [];
  for (let page = 1; ; page += 1) {
    const rows = (await api<Appointment[]>('GET', `/appointments?per_page=100&page=${page}`)).data();
    all.push(...rows);
    if (rows.length < 100) return all;
  }
}
