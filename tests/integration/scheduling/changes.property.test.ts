import fc from 'fast-check';
import { bookings, expectTable, openTwice, operations, perform } from './appointment-operations.ts';
import { inTime, PROPERTY_TIMEOUT_MS, randomBusiness } from './random-business.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

jest.setTimeout(PROPERTY_TIMEOUT_MS);

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

describe('appointments of any business, whatever is done to them', () => {
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
      ]),
    );
  });
});
