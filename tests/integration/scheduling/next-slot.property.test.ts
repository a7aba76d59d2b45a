import type { Slot, StaffListEntry } from '@frontdesk/contracts';
import fc from 'fast-check';
import { inTime, openBusiness, PROPERTY_TIMEOUT_MS, randomBusiness } from './random-business.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';
import { MINUTE_MS, plusDays, wallAt, wallClock } from './wall-clock.ts';

jest.setTimeout(PROPERTY_TIMEOUT_MS);

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const DAYS = 8;

describe('the next available slot of any staff member', () => {
  it('is the first that the slots list for the shortest service they perform, or none', async () => {
    const seen = { some: 0, none: 0 };
    await fc.assert(
      fc.asyncProperty(
        randomBusiness(['open', 'slots_only'], true).filter(({ staff }) => staff.length > 0),
        fc.integer({ min: -3_000, max: 2_000 }),
        async (business, nowMinute) => {
          const { tenantId, staffIds, serviceIds } = await openBusiness(world, business);
          const midnight = wallClock(business.timezone, business.date, 1).firstReaching(
            `${business.date}T00:00`,
          );
          const now = midnight + nowMinute * MINUTE_MS;
          jest.spyOn(Date, 'now').mockReturnValue(now);
          const today = wallAt(now, business.timezone).slice(0, 10);
          const get = async (path: string) => (await world.api(tenantId, 'GET', path)).body.data;

          const listed: StaffListEntry[] = await get('/staff');
          expect(listed.map(({ id }) => id)).toEqual(staffIds);
          for (const [index, { performs }] of business.staff.entries()) {
            const { id, next_available_slot: next } = listed[index] as StaffListEntry;
            const durationOf = (service: number) => business.services[service]?.duration_minutes ?? 0;
            const shortest = performs.toSorted((a, b) => durationOf(a) - durationOf(b));
            const service = shortest[0];
            if (service === undefined) {
              expect(next).toBeNull();
              continue;
            }
            // Of two services as short as each other either may be meant.
            if (shortest[1] !== undefined && durationOf(shortest[1]) === durationOf(service)) continue;
            const query = `service_id=${serviceIds[service]}&staff_id=${id}`;
            const range = `date=${today}&date_to=${plusDays(today, DAYS - 1)}`;
            const [first]: Slot[] = await get(`/appointments/slots?${range}&${query}`);
            const isNear = next !== null && next.date < plusDays(today, DAYS);
            seen[isNear ? 'some' : 'none'] += 1;
            expect(isNear ? next : undefined).toEqual(
              first && { date: first.date, time: first.time, starts_at: first.starts_at },
            );
          }
        },
      ),
      { numRuns: 60, ...inTime },
    );
    // None of the above was said of nothing.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(3);
  });
});
