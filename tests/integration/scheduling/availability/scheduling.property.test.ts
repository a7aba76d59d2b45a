import {
  type BusinessDocument,
  businessDocument,
  PLAN_QUOTAS,
  type Slot,
  type StaffListEntry,
} from '@frontdesk/contracts';
import fc from 'fast-check';
import { exported, FULL, imported, versionsOf } from '../business-documents.ts';
import { everyDay, NINE_TO_FIVE } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { MINUTE_MS, plusDays, wallAt, wallClock } from '../wall-clock.ts';
import { bookings, expectTable, openTwice, operations, perform } from './appointment-operations.ts';
import { inTime, openBusiness, PROPERTY_TIMEOUT_MS, randomBusiness } from './random-business.ts';
import { documents } from './random-document.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

describe('appointments of any business, whatever is done to them', () => {
  jest.setTimeout(PROPERTY_TIMEOUT_MS);

  it('answer as the model of the decisions does, and never overlap, buffers included', async () => {
    const seen = new Map<string, number>();
    let held = 0;
    await fc.assert(
      fc.asyncProperty(
        randomBusiness(['open', 'open', 'slots_only'], false),
        fc.array(bookings, { minLength: 4, maxLength: 4 }),
        fc.array(operations, { minLength: 8, maxLength: 36, size: 'max' }),
        async (business, first, list) => {
          const opened = await openTwice(world, business);
          for (const operation of [...first, ...list]) {
            const outcome = await perform(opened, operation);
            seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
          }
          held += await expectTable(world, opened);
          const versions = opened.model.appointments.map(({ version }) => version);
          expect(await opened.salon.eventTypes()).toHaveLength(
            versions.reduce((sum, version) => sum + version, 0),
          );
        },
      ),
      { numRuns: 60, ...inTime },
    );
    // None of the above was said of nothing.
    expect(held).toBeGreaterThan(60);
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining([
        'book 201',
        'book 409',
        'book 422',
        'change 200',
        'change 409',
        'change 422',
        'status 200',
        'cancel 200',
        'hold 201',
        'hold 409',
        'book hold 200',
        'book hold 201',
        'book hold 409',
        'release',
        'expire',
      ]),
    );
  });
});

describe('the next available slot of any staff member', () => {
  jest.setTimeout(PROPERTY_TIMEOUT_MS);

  afterEach(() => jest.restoreAllMocks());

  const DAYS = 8;

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

describe('a business as one document', () => {
  jest.setTimeout(PROPERTY_TIMEOUT_MS);

  /** What an export shows of a document, as far as a test can say without the code. */
  const asExported = (document: BusinessDocument) => ({
    services: document.services.map(({ description, ...service }) => ({ ...service, description })),
    staff: document.staff.map(({ name, specialties, is_active }) => ({ name, specialties, is_active })),
  });

  it('comes back from an empty business as it was, whatever it says, and a second time it changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const [source, copy] = [world.newTenant(), world.newTenant()];
        await imported(world, source, document);
        const first = await exported(world, source);
        expect(first).toMatchObject(asExported(businessDocument.parse(document)));
        await imported(world, copy, first);
        expect(await exported(world, copy)).toEqual(first);
        const versions = await versionsOf(world, copy);
        await imported(world, copy, first);
        expect(await versionsOf(world, copy)).toEqual(versions);
        expect(await exported(world, copy)).toEqual(first);
      }),
      { numRuns: 40 },
    );
  });

  it('of two hundred staff members with full calendars is taken, though it is larger than other bodies may be', async () => {
    const quotas = PLAN_QUOTAS.enterprise;
    const [tenantId, copy] = [world.newTenant({ quotas }), world.newTenant({ quotas })];
    const document = {
      services: FULL.services,
      staff: Array.from({ length: 200 }, (_, index) => ({
        name: `Staff ${index}`,
        services: ['Wash', 'Cut'],
        hours: everyDay(NINE_TO_FIVE),
        exceptions: Array.from({ length: 20 }, (_, day) => ({
          date: `2031-12-${day + 10}`,
          hours: NINE_TO_FIVE,
          note: 'Short day',
        })),
        time_off: [1, 2, 3].flatMap((month) =>
          Array.from({ length: 20 }, (_, day) => ({
            start: `2032-0${month}-${day + 10}T09:00`,
            end: `2032-0${month}-${day + 10}T17:00`,
            note: `Away ${day}`,
          })),
        ),
      })),
    };
    expect(JSON.stringify(document).length).toBeGreaterThan(1024 * 1024);
    await imported(world, tenantId, document);
    const all = await exported(world, tenantId);
    expect(all.staff).toHaveLength(200);
    await imported(world, copy, all);
    expect(await exported(world, copy)).toEqual(all);
  });
});
