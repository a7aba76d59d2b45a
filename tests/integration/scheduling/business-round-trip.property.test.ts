import { type BusinessDocument, businessDocument, PLAN_QUOTAS } from '@frontdesk/contracts';
import fc from 'fast-check';
import { exported, FULL, imported, versionsOf } from './business-documents.ts';
import { PROPERTY_TIMEOUT_MS } from './random-business.ts';
import { documents } from './random-document.ts';
import { everyDay, NINE_TO_FIVE } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

jest.setTimeout(PROPERTY_TIMEOUT_MS);

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

/** What an export shows of a document, as far as a test can say without the code. */
const asExported = (document: BusinessDocument) => ({
  services: document.services.map(({ description, ...service }) => ({ ...service, description })),
  staff: document.staff.map(({ name, specialties, is_active }) => ({ name, specialties, is_active })),
});

describe('a business as one document', () => {
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
        ...{ name: `Staff ${index}`, services: ['Wash', 'Cut'], hours: everyDay(NINE_TO_FIVE) },
        exceptions: Array.from({ length: 20 }, (_, day) => ({
          ...{ date: `2031-12-${day + 10}`, hours: NINE_TO_FIVE, note: 'Short day' },
        })),
        time_off: [1, 2, 3].flatMap((month) =>
          Array.from({ length: 20 }, (_, day) => ({
            ...{ start: `2032-0${month}-${day + 10}T09:00`, end: `2032-0${month}-${day + 10}T17:00` },
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
