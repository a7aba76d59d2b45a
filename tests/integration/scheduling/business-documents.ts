import type { BusinessDocument } from '@frontdesk/contracts';
import { asOperator } from './as-operator.ts';
import { NINE_TO_FIVE } from './salon.ts';
import type { SchedulingWorld } from './scheduling-world.ts';

/** Says something of everything that there is to say, as an export does. */
export const FULL = {
  settings: {
    booking_policy: 'slots_only',
    slot_step_minutes: 10,
    minimum_notice_minutes: 60,
    horizon_days: 90,
  },
  hours: { monday: NINE_TO_FIVE },
  exceptions: [{ date: '2031-12-24', hours: [{ start: '09:00', end: '12:00' }], note: 'Short' }],
  time_off: [{ start: '2031-12-25T00:00', end: '2031-12-27T00:00', note: 'Christmas' }],
  services: [
    {
      name: 'Wash',
      description: 'Warm',
      duration_minutes: 20,
      price: 12.5,
      buffer_before_minutes: 5,
      buffer_after_minutes: 10,
      is_active: true,
      category: 'Hair',
    },
    {
      name: 'Cut',
      description: null,
      duration_minutes: 30,
      price: 0,
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
      is_active: false,
      category: null,
    },
  ],
  staff: [
    {
      name: 'Zoe',
      specialties: ['b', 'a'],
      services: ['Wash', 'Cut'],
      is_active: false,
      color: 'teal',
      hours: { tuesday: [...NINE_TO_FIVE, { start: '20:00', end: '24:00' }] },
      exceptions: [{ date: '2031-01-01', hours: [], note: null }],
      time_off: [{ start: '2031-08-01T12:00', end: '2031-08-01T13:30', note: null }],
    },
    {
      name: 'Anna',
      specialties: [],
      services: [],
      is_active: true,
      color: null,
      hours: {},
      exceptions: [],
      time_off: [],
    },
  ],
};

/** The business as an export shows it. */
export async function exported(world: SchedulingWorld, tenantId: number): Promise<BusinessDocument> {
  const { status, body } = await asOperator(world, tenantId)('GET', '/business');
  expect(status).toBe(200);
  return body.data;
}

/** Imports it, and answers the ids behind its names. */
export async function imported(world: SchedulingWorld, tenantId: number, document: object) {
  const { status, body } = await world.importBusiness(tenantId, document);
  expect([status, body.errors]).toEqual([200, undefined]);
  return body.data;
}

/** Every version that an import could raise. */
export const versionsOf = (world: SchedulingWorld, tenantId: number): Promise<{ version: number }[]> =>
  world.sql(
    tenantId,
    `select 'business' as kind, 0 as id, version from booking_settings where tenant_id = $tenantId
     union all select 'service', id, version from services where tenant_id = $tenantId
     union all select 'staff', id, version from staff where tenant_id = $tenantId
     order by kind, id`,
  );
